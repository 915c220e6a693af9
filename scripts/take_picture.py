"""Takes the picture of the web client that the README shows, of a new demo organization.

python scripts/take_picture.py docs/pictures/client.png
"""

import io
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from PIL import Image
from playwright.sync_api import sync_playwright

SIZE = {"width": 1160, "height": 640}
COLOURS = 128
"""Few, so that the file is small."""


def picture(url: str) -> bytes:
    with sync_playwright() as playwright:
        arguments = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=arguments)
        page = browser.new_context(viewport=SIZE, color_scheme="light", locale="en-US").new_page()
        page.goto(url)
        page.get_by_role("button", name="Ada Fox").click()
        page.locator(".place a", has_text="garden").first.click()
        page.locator(".topics a", has_text="watering plan").click()
        page.locator("article", has_text="on Thursday").wait_for()
        page.locator("article.unread").first.wait_for(state="detached")
        page.mouse.move(0, 0)
        taken: bytes = page.screenshot()
        browser.close()
    return taken


def main(file: Path) -> None:
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "chatcore.cli", "serve", "--demo", "--port", "0"]
        server = subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, text=True)
        try:
            assert server.stdout is not None
            url = next(
                found[1] for line in server.stdout if (found := re.search(r"^Open (http://\S+)", line))
            )
            taken = picture(url)
        finally:
            server.terminate()
            server.wait(20)
    Image.open(io.BytesIO(taken)).quantize(COLOURS).save(file, optimize=True)
    print(f"{file}: {file.stat().st_size} bytes")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
