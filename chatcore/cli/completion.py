"""`chatcore completion`"""

import click
from click.shell_completion import get_completion_class

SHELLS = ("bash", "zsh", "fish")


@click.command(short_help="Print a script for completion in a shell.")
@click.argument("shell", type=click.Choice(SHELLS))
@click.pass_context
def completion(ctx: click.Context, shell: str) -> None:
    """Print the script by which SHELL completes commands and options: bash, zsh or fish."""
    completion_class = get_completion_class(shell)
    assert completion_class is not None, shell
    click.echo(completion_class(ctx.find_root().command, {}, "chatcore", "_CHATCORE_COMPLETE").source())
