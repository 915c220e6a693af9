"""`python -m chatcore.cli` is the same as the command `chatcore`."""

from chatcore.cli import main

main()
