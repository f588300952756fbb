"""The one exception that verbs raise for the user: a sentence to act on, and an exit status."""

from __future__ import annotations

import click

FAILED = 125  # the command itself failed, as for env(1) and timeout(1); a program's own status passes through
NOT_EXECUTABLE = 126
NOT_FOUND = 127


class CollateError(click.ClickException):
    """Shown as `collate: SENTENCE` on stderr; the process then exits with `status`."""

    def __init__(self, sentence: str, status: int = FAILED) -> None:
        super().__init__(sentence)
        self.exit_code = status

    def show(self, file: object = None) -> None:
        click.echo(f"collate: {self.format_message()}", err=True)
