"""The question before something goes that cannot come back."""

import click

yes_option = click.option("--yes", is_flag=True, allow_from_autoenv=False, help="Do not ask.")
"""The option `--yes`, which no variable sets for all commands."""


def ask(question: str, *, yes: bool) -> None:
    """End the command unless the answer to a question is yes, or was given by `--yes`.

    :raises click.Abort: the answer is no, or there is nobody to ask
    """
    if not yes:
        click.confirm(question, abort=True, err=True)
