"""Archives of worlds, and what their people see in them."""

import json
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile

from chatcore.application.archives.restoring import Restored, restore_archive
from chatcore.application.archives.writing import write_archive
from chatcore.bootstrap import make_services
from chatcore.domain.people.api_keys import service_token
from chatcore.settings import Settings
from chatcore.storage.archives.tables import Scope
from storage_backends import open_storage
from tests.http.events.test_queues import ALL_CAPABILITIES
from tests.worlds.organization import Someone, World

OF_THE_SERVER = {
    "server_generation",
    "queue_id",
    "last_event_id",
    "event_queue_longpoll_timeout_seconds",
    "server_timestamp",
}
OF_RUNNING_CLIENTS = {"presence_last_update_id"}
SECRET = b"s" * 32


def exported(world: World, path: Path, scope: Scope | None = None) -> Path:
    """Write an archive of a world."""
    with path.open("wb") as file:
        write_archive(world.svc, file, scope)
    return path


def restored(path: Path, url: str, data_dir: Path) -> Restored:
    """Restore an archive into an empty store."""
    storage = open_storage(url)
    try:
        return restore_archive(make_services(settings(url, data_dir), storage), path)
    finally:
        storage.close()


def settings(url: str, data_dir: Path) -> Settings:
    return Settings(database_url=url, data_dir=data_dir, secret_key=SECRET)


def view_of(someone: Someone) -> Mapping[str, Any]:
    """Everything that a person sees: the state of a registration, and all messages with their edits."""
    state = someone.post(
        "/register",
        client_capabilities=ALL_CAPABILITIES,
        include_subscribers=True,
        all_public_streams=False,
        fetch_event_types=None,
    )
    state = {name: value for name, value in state.items() if name not in OF_THE_SERVER | OF_RUNNING_CLIENTS}
    messages = someone.reads(num_before=5000)
    edits = {
        message["id"]: someone.get(f"/messages/{message['id']}/history")["message_history"]
        for message in messages
        if "last_edit_timestamp" in message or "edit_history" in message
    }
    found = [someone.finds(["search", word]) for word in ("hush", "soup", "ladder")]
    text = json.dumps({"state": state, "messages": messages, "edits": edits, "found": found}, sort_keys=True)
    view: Mapping[str, Any] = json.loads(without_keys(text, someone.world))
    return view


def without_keys(text: str, world: World) -> str:
    """Replace API keys, which every server draws anew, and what follows from them."""
    for name, key in world.keys.items():
        text = text.replace(key, f"key of {name}").replace(service_token(key), f"token of {name}")
    return text


Members = dict[str, bytes]


def members_of(path: Path) -> Members:
    with ZipFile(path) as file:
        return {name: file.read(name) for name in file.namelist()}


def write_members(
    path: Path, members: Members, *, sealed: bool = True, methods: Mapping[str, int] | None = None
) -> None:
    """Write members to an archive; *sealed*, with a manifest whose sizes, checksums and numbers are right.
    *methods* are other compressions than Deflate.
    """
    if sealed:
        manifest = json.loads(members["manifest.json"])
        manifest["files"] = described(members["files.jsonl"])
        for name, table in manifest["tables"].items():
            data = members[f"tables/{name}.jsonl"]
            table.update(rows=data.count(b"\n"), member=described(data))
        members = {**members, "manifest.json": json.dumps(manifest).encode()}
    with ZipFile(path, "w", ZIP_DEFLATED) as file:
        for name, data in members.items():
            file.writestr(name, data, (methods or {}).get(name, ZIP_DEFLATED))


def described(data: bytes) -> dict[str, object]:
    return {"size": len(data), "sha256": sha256(data).hexdigest()}
