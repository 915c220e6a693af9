"""`python -m chatcore` is the command `chatcore`."""

from chatcore.cli import main

if __name__ == "__main__":
    main()
