"""`collate bench`: measures the same accesses on Collate, on the MPI's own MPI-IO and on plain POSIX, every byte verified.

One module an idea: workloads (the table), engines (who does the access), runner (one launch), campaign (which launches, in which
order), statistics (medians and ratios), check (acceptance targets), document (JSON), table (terminal), plot (SVG and PNG),
machine (what it ran on), locate (where the programs are).
"""
