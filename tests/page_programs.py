"""The programs in the pages of the documentation: `make lint` checks their types, `test_docs` runs them."""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


def programs(page: Path) -> list[str]:
    return re.findall(r"```python\n(.*?)```", page.read_text(), re.DOTALL)


def write(folder: Path) -> None:
    """Write each program to a file that has the name of its page, in a new folder, but for those of Django,
    which has no types.
    """
    folder.mkdir(parents=True)
    for page in PAGES:
        for number, program in enumerate(programs(page), start=1):
            if "from django" not in program:
                file = folder / f"{page.stem.replace('-', '_')}_{number}.py"
                file.write_text(f"# pyright: strict\n{program}")


if __name__ == "__main__":
    write(Path(sys.argv[1]))
