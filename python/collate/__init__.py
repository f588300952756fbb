"""Collate's command: runs programs on Collate's MPI-IO, checks the machine, measures, explains."""

__version__ = "0.1.0"
