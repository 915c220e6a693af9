"""Modules that a server imports only on first use."""

import subprocess
import sys

PROGRAM = """
import sys
from chatcore import open_chat

def loaded(*names):
    print(*[name for name in names if name in sys.modules] or ["nothing"])

HEAVY = "PIL.Image", "prometheus_client", "pygments.lexers.python", "pygments.lexers.ruby", "urllib3"
chat = open_chat()
application = chat.application()
loaded(*HEAVY)
owner = chat.users.actor("owner@example.com")
chat.messages.send(owner, "```python\\n1\\n```", to=[owner.user_id])
loaded(*HEAVY)
"""


def test_rarely_needed_modules_are_loaded_on_first_use() -> None:
    said = subprocess.run([sys.executable, "-c", PROGRAM], check=True, capture_output=True, text=True).stdout
    assert said.splitlines() == ["nothing", "pygments.lexers.python"]


SERVER = """
import sys
import chatcore.bootstrap, chatcore.cli.serve

names = "chatcore.chat", "chatcore.events.payloads.event", "passlib", "pygments.lexer"
print(*[name for name in sys.modules if name.startswith(names)] or ["nothing"])
"""


def test_a_server_does_not_load_what_only_other_programs_use() -> None:
    said = subprocess.run([sys.executable, "-c", SERVER], check=True, capture_output=True, text=True).stdout
    assert said.splitlines() == ["nothing"]


PATCHING = """
from importlib import metadata

read, times = metadata.entry_points, 0

def entry_points(**parameters):
    global times
    times += 1
    return read(**parameters)

metadata.entry_points = entry_points
from chatcore import serving
serving.patch()
print(times, metadata.entry_points is entry_points)
"""


def test_the_installed_packages_are_looked_through_once_for_plugins_of_gevent() -> None:
    said = subprocess.run([sys.executable, "-c", PATCHING], check=True, capture_output=True, text=True).stdout
    assert said.split() == ["1", "True"]
