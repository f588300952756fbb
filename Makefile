# Everything a person or CI does with Collate, by name. The work itself is in tools/setup.py and tools/run_tests.py.
PYTHON ?= python3
CASES ?= 100000
ARGS ?=
VENV := .venv/bin

.DEFAULT_GOAL := help
.PHONY: help setup build test soak demo bench clean distclean

help: ## this list
	@echo "Collate: MPI-IO for programs you already have. Targets:"
	@sed -n 's/^\([a-z]*\):[^#]*## \(.*\)/  make \1\t\2/p' $(firstword $(MAKEFILE_LIST)) | expand -t 18

setup: ## fetch the tools and both MPIs into .venv, .mpi and .deps (no root)
	@$(PYTHON) tools/setup.py setup

build: ## setup, then compile the libraries, collate-exec, workloads and tests into build/
	@$(PYTHON) tools/setup.py build

test: build ## build, then run every test; the last line counts them
	@$(VENV)/python tools/run_tests.py

soak: build ## build, then run CASES=N random cases of the simulated world
	@$(VENV)/python tools/run_tests.py --soak $(CASES)

demo: build ## build, doctor, a short benchmark of both MPIs and Collate, and the gap check
	@$(VENV)/collate demo $(ARGS)

bench: build ## build, then `collate bench`; pass its options as ARGS="..."
	@$(VENV)/collate bench $(ARGS)

clean: ## remove what was compiled
	@rm -rf build

distclean: clean ## remove what was fetched as well
	@rm -rf .venv .mpi .deps
