"""Drafts, snippets and files of an organization that is embedded in another program."""

from pathlib import Path

import pytest

from chatcore import open_chat
from chatcore.domain.files.uploads import NoSuchFile
from chatcore.domain.messages.drafts import DraftContent, DraftType
from chatcore.settings import Settings
from storage_backends.files import FilesInMemory, LocalFiles


def test_a_program_keeps_drafts() -> None:
    with open_chat() as chat:
        owner = chat.users.actor("owner@example.com")
        (draft_id,) = chat.drafts.create(owner, [DraftContent(type=DraftType.UNADDRESSED, content="tea")])
        chat.drafts.edit(owner, draft_id, DraftContent(type=DraftType.UNADDRESSED, content="coffee"))
        assert [draft["content"] for draft in chat.drafts.list(owner)] == ["coffee"]
        chat.drafts.delete(owner, draft_id)
        assert chat.drafts.list(owner) == []


def test_a_program_saves_snippets() -> None:
    with open_chat() as chat:
        owner = chat.users.actor("owner@example.com")
        snippet_id = chat.saved_snippets.create(owner, "Tea", "Boil it")
        chat.saved_snippets.edit(owner, snippet_id, content="Brew it")
        assert [(one["title"], one["content"]) for one in chat.saved_snippets.list(owner)] == [
            ("Tea", "Brew it")
        ]
        chat.saved_snippets.delete(owner, snippet_id)
        assert chat.saved_snippets.list(owner) == []


def test_a_program_shares_files_by_messages() -> None:
    with open_chat() as chat:
        owner = chat.users.actor("owner@example.com")
        ada = chat.users.create("ada@example.com", "Ada")
        file = chat.files.upload(owner, "menu/soup.txt", [b"so", b"up"])
        assert (file.name, file.size, file.content_type) == ("soup.txt", 4, "text/plain; charset=utf-8")
        assert chat.files.upload(owner, "", []).name == "uploaded-file"
        with pytest.raises(NoSuchFile):
            chat.files.open(ada, file.path_id)
        chat.messages.send(owner, f"[soup]({file.url})", to=["ada@example.com"])
        with chat.files.open(ada, file.path_id).file as opened:
            assert opened.read() == b"soup"
        chat.files.delete(owner, file.id)
        with pytest.raises(NoSuchFile):
            chat.files.open(owner, file.path_id)


def test_files_are_where_the_messages_are(tmp_path: Path) -> None:
    with open_chat() as chat:
        assert isinstance(chat.services.files, FilesInMemory)
    with open_chat(settings=Settings(data_dir=tmp_path, secret_key=b"s" * 32)) as chat:
        assert isinstance(chat.services.files, LocalFiles)
    with open_chat(f"sqlite:///{tmp_path}/chat.db", owner_email="owner@example.com") as chat:
        owner = chat.users.actor("owner@example.com")
        chat.files.upload(owner, "soup.txt", [b"soup"])
    found = [path.relative_to(tmp_path).parts[:2] for path in tmp_path.rglob("*") if path.is_file()]
    assert ("chat-data", "uploads") in found
