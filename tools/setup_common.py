"""What every set-up step is made of: a digest of what it should produce, a stamp that remembers it, a log, one line of progress.

A Step has a `key` (text that says everything its result depends on) and an `act`. It is skipped when its stamp holds the digest
of the same key and `present()` still finds the result; a step without a stamp runs every time.
"""

from __future__ import annotations

import configparser
import dataclasses
import hashlib
import os
import pathlib
import subprocess
import sys
import time
from collections.abc import Callable, Sequence


class SetupError(Exception):
    """A failure worded for the person at the keyboard: one sentence that says what to do."""


@dataclasses.dataclass(frozen=True)
class Project:
    """The source tree and where set-up puts things in it."""

    root: pathlib.Path
    requirements: configparser.ConfigParser

    @classmethod
    def here(cls) -> Project:
        root = pathlib.Path(__file__).resolve().parent.parent
        requirements = configparser.ConfigParser()
        requirements.read(root / "tools" / "requirements.ini")
        return cls(root, requirements)

    def packages(self, section: str) -> list[str]:
        return self.requirements[section]["packages"].split()

    @property
    def venv(self) -> pathlib.Path:
        return self.root / ".venv"

    @property
    def deps(self) -> pathlib.Path:
        return self.root / ".deps"

    def mpi(self, name: str) -> pathlib.Path:
        return self.root / ".mpi" / name

    def log(self, name: str) -> pathlib.Path:
        folder = self.deps / "logs"
        folder.mkdir(parents=True, exist_ok=True)
        return folder / f"{name}.log"


@dataclasses.dataclass
class Step:
    """One thing to have: `what` for the progress line, `key` for the digest, `act` to make it, `present` to see it is there."""

    what: str
    act: Callable[[], None]
    key: str = ""
    stamp: pathlib.Path | None = None
    present: Callable[[], bool] = lambda: True
    quiet: bool = False

    def digest(self) -> str:
        return hashlib.sha256(self.key.encode()).hexdigest()

    def done(self) -> bool:
        if self.stamp is None or not self.stamp.is_file() or not self.present():
            return False
        return self.stamp.read_text().strip() == self.digest()

    def remember(self) -> None:
        if self.stamp is not None:
            self.stamp.parent.mkdir(parents=True, exist_ok=True)
            self.stamp.write_text(self.digest() + "\n")


class Steps:
    """Runs steps in order, each announced before it starts and timed when it ends."""

    def __init__(self, project: Project) -> None:
        self.project = project
        self.steps: list[Step] = []

    def add(self, step: Step) -> None:
        self.steps.append(step)

    def extend(self, steps: Sequence[Step]) -> None:
        self.steps.extend(steps)

    def run(self) -> None:
        for number, step in enumerate(self.steps, 1):
            if step.done():
                continue
            if step.quiet:
                step.act()
            else:
                say(f"setup {number}/{len(self.steps)}  {step.what} ...")
                start = time.monotonic()
                step.act()
                say(f"setup {number}/{len(self.steps)}  done in {time.monotonic() - start:.0f} s")
            step.remember()


def say(text: str) -> None:
    print(text, flush=True)


def logged(
    command: Sequence[object], log: pathlib.Path, env: dict[str, str] | None = None, cwd: pathlib.Path | None = None
) -> bool:
    """Runs a command with its output appended to `log`; true when it succeeded."""
    words = [str(word) for word in command]
    with open(log, "ab") as out:
        out.write(("\n$ " + " ".join(words) + "\n").encode())
        out.flush()
        try:
            return (
                subprocess.run(words, stdout=out, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, env=env, cwd=cwd).returncode
                == 0
            )
        except OSError as error:
            out.write(f"{error}\n".encode())
            return False


def tail(log: pathlib.Path, lines: int = 12) -> None:
    """Shows the end of a log on stderr, indented, before the sentence that explains it."""
    for line in log.read_text(errors="replace").splitlines()[-lines:]:
        print(f"    {line}", file=sys.stderr)


def shown(path: pathlib.Path) -> str:
    """A path as short as it can be said from where the user stands."""
    try:
        return os.path.relpath(path)
    except ValueError:
        return str(path)
