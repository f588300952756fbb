"""python -m collate: the command."""

from .cli import main

main(prog_name="collate")
