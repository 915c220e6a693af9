"""Nothing that changes the organization is left out of the audit log.

A new event needs a line in `tests.worlds.scenes.audited`, a new unit of work one of these tables.
"""

import ast
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import get_args

import chatcore.application
from chatcore.events.happened import AnyEvent
from tests.worlds.scenes.audited import EVENTS

FOLDER = Path(next(iter(chatcore.application.__path__)))

NOTED = """
archives.exports _add_export _note_deletion
archives.one_person _add_export _note_export
archives.restoring _load_tables
bots.managing _add_bot _change_bot deactivate_bot
channels.archiving archive_channel
channels.default_groups _store_changes _store_channels _store_group remove_group
channels.defaults add_default_channel remove_default_channel
channels.editing _store_changes
channels.email_addresses replace_addresses
channels.subscribers _change_subscriptions
channels.subscribing subscribe_prepared
channels.unsubscribing unsubscribe
groups.editing deactivate store_changes store_group
erasure.erasing _begin_erasure
events.restores _begin_anew_as_declared
events.ending _end_queues
files.upkeep _delete_batch
events.secret_replacement _store_fingerprint
groups.members _store_members
imports.importing _begin_import
invitations.addresses _confirm_address
invitations.inviting _invite_addresses _make_link resend
invitations.joining _join_by_link
invitations.listing _revoke_invitation
invitations.passwords _replace_password
messages.deleting _delete_messages delete_message
messages.deleting_topics _delete_some
messages.editing _store_edit
organization.custom_emoji _store_emoji deactivate_emoji
organization.deactivation _set_deactivated deactivate_organization
organization.domains _remove_domain _store_domain _store_subdomains
organization.founding _store_organization
organization.linkifiers _replace_linkifier _store_linkifier remove_linkifier reorder_linkifiers
organization.pictures _put_key
organization.playgrounds add_playground remove_playground
organization.profile_fields create_field remove_field reorder_fields update_field
organization.settings _store_changes
organization.user_defaults _store_defaults
people.accounts _create_account _set_special_permission
people.administration _set_role _update_account
people.credentials _renew_key _replace_password renew_bot_key renew_own_key renew_own_key_in_session
people.deactivation _deactivate_account _deactivate_own_account reactivate_user
people.logins _accept_password _accept_token login_attempts.record_failure
people.sessions _end_session_of_browser end end_others store_session
people.settings _store_changes
people.statuses _store_status_of
retention.holds add_hold lift_hold
sign_on.entering _enter_account _forget_identities
sign_on.leaving _end_sessions
sign_on.provisioning _add_group _add_person _change_group _change_person _deactivate_group
"""
"""Units of work that note what they change in the audit log."""

NOT_NOTED: Mapping[str, str] = {
    "what people do for themselves": """
channels.navigation_views _store_values _store_view remove_view
channels.subscription_settings _store_settings
channels.topic_settings _store_muted _store_policy
messages.drafts _replace_draft _store_drafts delete_draft
messages.flags _change_at_once _change_batch
messages.marking _mark_some_of_sender _mark_some_of_topic mark_all_as_read mark_channel_as_read
messages.saved_snippets _change_snippet _store_snippet delete_saved_snippet
messages.typing _announce_edit_typing _announce_typing
people.alert_words _remove_words _store_words
people.avatars _store_change
people.bot_storage _remove_values _store_values
people.muted_users _mute_user unmute_user
people.presence _store_activity
people.profiles _store_own_values
people.statuses _store_own_status
people.welcome _store_step
sent_mail.unsubscribing _end_mails
push.do_not_disturb set_do_not_disturb
push.subscriptions subscribe unsubscribe
scheduled.reminders _store_reminder delete_reminder
scheduled.scheduled_messages _store_change _store_message delete_scheduled_message
files.uploads _remove_own_file
events.queues _add_queue _close_own_queue
""",
    "messages, which are a record themselves": """
messages.reactions add_reaction remove_reaction
messages.reports _send_report
messages.sending _send_rendered notices.report_undelivered
messages.submessages add_submessage
people.welcome _send_to_administrator
received_mail.receiving _post_mail
received_mail.replies _post_reply
scheduled.delivery _deliver_reminder _store_failure _send_rendered
imports.importing _finish_import _store_batch
imports.known _note_digests
""",
    "the order and names in a list, which give nobody a right": """
channels.folders _add_folder _change_folder reorder_folders
""",
    "steps before something is proved, or of work that the server does": """
archives.one_person _note_deletion
archives.working _count_attempt _end_export _put_back_export
bots.calling _store_call _change_or_drop _send_rendered _give_up _lease_first_call
delivery.card_fetching _store_html
erasure.steps _do_part
events.restarts _store_start
files.listed_files _list_files
files.thumbnails _claim_image _put_image _show_in_messages
files.uploads _add_unfinished _store_progress _expire_upload remove_unless_linked _store_file
files.upkeep _remove_unused
invitations.joining _ask_newcomer
invitations.passwords _ask_holder
organization.audit _forget_entries prove_clock
organization.notification_bot _change_address
people.logins _begin_proof _begin_with_password _begin_with_token login_attempts.forget_failed_proofs
people.sessions _note_use
retention.deleting _begin_run _release_claim _remove_batch
push.sending _claim_push _put_off_push _remove_push _remove_subscription
sent_mail.digests _write_part
sent_mail.gathering _store_part
sent_mail.missed _apply_decisions
sent_mail.sending _claim_mail _put_off_mail _remove_mail
""",
}
"""Units of work that note nothing, by the reason."""


def named(table: str) -> Iterator[str]:
    for line in table.split("\n"):
        module, *names = line.split() or [""]
        yield from (f"{module} {name}" for name in names)


def units_of_work() -> Iterator[str]:
    """The functions that run as a unit of work, as `units` has it."""
    for path in FOLDER.rglob("*.py"):
        module = ".".join(path.relative_to(FOLDER).with_suffix("").parts)
        for node in ast.walk(ast.parse(path.read_text())):
            match node:
                case ast.FunctionDef(name=name, decorator_list=[ast.Name(id="unit_of_work")]):
                    yield f"{module} {name}"
                case ast.Call(func=ast.Attribute(value=ast.Name(id="units"), attr="write")):
                    yield f"{module} {ast.unparse(node.args[1])}"


def test_each_unit_of_work_is_noted_or_has_a_reason_why_not() -> None:
    noted = {*named(NOTED)}
    not_noted = {name for table in NOT_NOTED.values() for name in named(table)}
    assert noted & not_noted == set()
    assert {*units_of_work()} == noted | not_noted


def test_each_event_needs_an_entry_or_has_a_reason_why_not() -> None:
    assert {*get_args(AnyEvent)} == EVENTS.keys()


def test_only_one_function_stores_settings_of_the_organization() -> None:
    others = {
        path.stem
        for path in FOLDER.rglob("*.py")
        if ".organization.put(" in path.read_text() and path.stem != "organization_changes"
    }
    begin_or_note_it = {"founding", "restoring", "restarts", "secret_replacement"}
    assert others == begin_or_note_it
