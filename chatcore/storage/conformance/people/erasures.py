"""`chatcore.storage.people.erasures`."""

from dataclasses import replace

from chatcore.domain.files.uploads import UnfinishedUpload
from chatcore.domain.ids import MessageId, Position, UserId
from chatcore.domain.invitations.invitations import Invitation
from chatcore.domain.mail.mails import Mail, MailKind
from chatcore.domain.messages.messages import Edit
from chatcore.domain.people.erasure import Erasure, Step
from chatcore.domain.roles import Role
from chatcore.storage.conformance.makers import NOW, a_town, ids, send, send_direct
from chatcore.storage.conformance.organization.audit import RENAMED, page, record_all
from chatcore.storage.people.erasures import IdsToSearch, Texts
from chatcore.storage.transaction import Storage, Transaction

ALL = IdsToSearch(0, 10**9, 100)


def within(**bounds: int) -> IdsToSearch:
    return ALL._replace(**bounds)


def an_erasure(user_id: UserId) -> Erasure:
    return Erasure(
        user_id=user_id,
        deletes_messages=True,
        begun_at=NOW,
        position=Position(7),
        email="ben@example.com",
        full_name="Ben",
    )


def test_erasures_come_back_as_they_were_put(storage: Storage) -> None:
    town = a_town(storage)
    first, second = an_erasure(town.ada), an_erasure(town.ben)

    def write(tx: Transaction) -> None:
        for erasure in (second, first):
            tx.erasures.put(erasure)
        assert tx.erasures.unfinished() == [first, second]
        later = replace(first, step=Step.AUDIT, reached=5)
        tx.erasures.put(later)
        tx.erasures.put(replace(second, step=Step.DONE))
        assert tx.erasures.unfinished() == [later]
        assert tx.erasures.find(town.ada) == later
        assert tx.erasures.find(town.cem) is None

    storage.write(write)


def test_rows_of_one_account_are_removed_in_parts(storage: Storage) -> None:
    town = a_town(storage)

    def write(tx: Transaction) -> None:
        for user_id in (town.ada, town.ben):
            tx.alert_words.add(user_id, ["lunch", "tea"])
        tx.onboarding_steps.add(town.ada, "inbox")
        everything = 0
        while (removed := tx.erasures.remove_rows(town.ada, 2)) == 2:
            everything += removed
        assert everything + removed > 4  # with the subscription to the plaza
        assert tx.erasures.remove_rows(town.ada, 2) == 0
        assert tx.alert_words.of_user(town.ada) == []
        assert tx.alert_words.of_user(town.ben) == ["lunch", "tea"]
        assert tx.subscriptions.of_user(town.ada) == {}
        assert town.plaza in tx.subscriptions.of_user(town.ben)

    storage.write(write)


def test_messages_are_found_by_their_sender_and_in_their_html(storage: Storage) -> None:
    town = a_town(storage)

    def write(tx: Transaction) -> None:
        sent = [
            send(tx, town.ada, town.plaza, content='data-user-id="1"'),
            send(tx, town.ben, town.plaza, content="100% data_user"),
            send_direct(tx, town.ada, town.ben, content='data-user-id="1"'),
        ]
        first, second, third = ids(sent)
        assert tx.erasures.messages_of(town.ada, ALL) == [first, third]
        assert tx.erasures.messages_of(town.ada, within(after=first)) == [third]
        assert tx.erasures.messages_of(town.ada, within(until=first)) == [first]
        assert tx.erasures.messages_of(town.ada, within(limit=1)) == [first]
        assert tx.erasures.messages_with('data-user-id="1"', ALL) == [first, third]
        assert tx.erasures.messages_with("0% data_", ALL) == [second]
        assert tx.erasures.messages_with("data%user", ALL) == []

    storage.write(write)


def test_earlier_versions_are_found_and_changed(storage: Storage) -> None:
    town = a_town(storage)

    def write(tx: Transaction) -> None:
        assert tx.erasures.last_text(Texts.EDITS) == tx.erasures.last_text(Texts.SCHEDULED) == 0
        message = send(tx, town.ada, town.plaza)
        edit = Edit(
            user_id=town.ada, timestamp=NOW, prev_content="@**Ben**", prev_rendered_content="<b>@Ben</b>"
        )
        tx.edits.note(MessageId(message.id), edit)
        (stored,) = tx.erasures.texts_with(Texts.EDITS, "@Ben", ALL)
        assert (stored.content, stored.html) == ("@**Ben**", "<b>@Ben</b>")
        assert stored.message_id == message.id
        assert stored.id == tx.erasures.last_text(Texts.EDITS)
        changed = stored._replace(content="@**C**", html="<b>@C</b>")
        tx.erasures.change_text(Texts.EDITS, changed)
        assert tx.erasures.texts_with(Texts.EDITS, "@Ben", ALL) == []
        assert tx.erasures.texts_with(Texts.EDITS, "@C", ALL) == [changed]

    storage.write(write)


def test_entries_of_the_audit_log_are_emptied(storage: Storage) -> None:
    record_all(storage, RENAMED, RENAMED, RENAMED)
    third, second, first = page(storage)
    storage.write(lambda tx: tx.erasures.empty_audit([first.id, second.id], [second.id]))
    assert page(storage) == [
        third,
        replace(second, address="", personal={}),
        replace(first, address=""),
    ]


def test_what_waits_for_an_address_or_names_it_is_removed(storage: Storage) -> None:
    def mail(recipient: str, **facts: str) -> Mail:
        return Mail(
            message_key=recipient,
            recipient=recipient,
            kind=MailKind.INVITATION,
            facts=facts,
            written_at=1,
            due=2,
        )

    def write(tx: Transaction) -> None:
        for one in (mail("Ben@example.com"), mail("x@example.com", email="ben@example.com")):
            tx.mails.add(one)
        for one in (mail("ada@BÜCHER.example"), mail("x@example.com", email="Ada@xn--BCHER-kva.example")):
            tx.mails.add(one)
        kept = tx.mails.add(mail("cem@example.com", email="reuben@example.com"))
        invited = Invitation(
            email="BEN@example.com",
            inviter_id=UserId(5),
            invited_at=1,
            expires_at=None,
            role=Role.GUEST,
            nonce="n",
            token_hash="a",
        )
        tx.invitations.add(invited)
        tx.invitations.add(replace(invited, email="cem@example.com", token_hash="b"))
        tx.invitations.add(replace(invited, email="Ada@Bücher.example", token_hash="c"))
        tx.invitations.add(replace(invited, email="ada@xn--bcher-kva.example", token_hash="d"))
        tx.erasures.forget_addresses(["ben@example.com", "ada@bücher.example"])
        assert (tx.mails.count(), tx.mails.find(kept.id)) == (1, kept)
        assert [one.email for one in tx.invitations.all()] == ["cem@example.com"]

    storage.write(write)


def test_unfinished_uploads_expire(storage: Storage) -> None:
    town = a_town(storage)

    def write(tx: Transaction) -> None:
        for owner_id, path_id in ((town.ada, "2/a/soup.txt"), (town.ben, "2/b/soup.txt")):
            tx.uploads.add(
                UnfinishedUpload(path_id=path_id, owner_id=owner_id, name="soup.txt", expires_at=NOW)
            )
        tx.erasures.expire_uploads(town.ada)
        assert [upload.path_id for upload in tx.uploads.expired(NOW - 1, 9)] == ["2/a/soup.txt"]

    storage.write(write)
