"""`collate bench`: measures the same accesses on Collate, on the MPI's own MPI-IO and on plain POSIX, every byte verified.

One module an idea: workloads (the table), engines (who does the access), settings (what to measure), runner (a command with a time
limit), launch (one job of the workload program), campaign (which launches, in which order), statistics (medians and ratios),
check (acceptance targets), verify (every byte at many rank counts), document (JSON), table (terminal), progress, plot (SVG and
PNG), machine (what it ran on).
"""
