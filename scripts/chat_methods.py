"""The methods of `Chat` that are one use case each."""

from collections.abc import Callable, Mapping
from typing import Any, Final, TypeAlias

from chatcore.application.archives import exports, one_person
from chatcore.application.bots import calling, managing
from chatcore.application.channels import (
    archiving,
    default_groups,
    defaults,
    email_addresses,
    folders,
    navigation_views,
    subscribers,
    subscription_settings,
)
from chatcore.application.channels import listing as channels_listing
from chatcore.application.erasure import erasing, steps
from chatcore.application.events import queues
from chatcore.application.files import access, thumbnails, uploads
from chatcore.application.groups import editing, members
from chatcore.application.groups import listing as groups_listing
from chatcore.application.invitations import addresses, inviting, joining, passwords
from chatcore.application.invitations import listing as invitations_listing
from chatcore.application.messages import (
    deleting,
    drafts,
    edit_history,
    flags,
    marking,
    reactions,
    read_receipts,
    reports,
    saved_snippets,
    submessages,
    unread,
)
from chatcore.application.messages import sending as messages_sending
from chatcore.application.organization import (
    audit,
    custom_emoji,
    domains,
    linkifiers,
    pictures,
    playgrounds,
    profile_fields,
)
from chatcore.application.organization import deactivation as organization_deactivation
from chatcore.application.organization import settings as organization_settings
from chatcore.application.people import (
    accounts,
    administration,
    alert_words,
    avatars,
    bot_storage,
    credentials,
    logins,
    muted_users,
    presence,
    profiles,
    sessions,
    statuses,
    users,
    welcome,
)
from chatcore.application.people import deactivation as people_deactivation
from chatcore.application.people import settings as people_settings
from chatcore.application.retention import deleting as retention_deleting
from chatcore.application.retention import holds
from chatcore.application.scheduled import delivery, reminders, scheduled_messages
from chatcore.application.sent_mail import digests, gathering, unsubscribing
from chatcore.application.sent_mail import sending as mail_sending

Methods: TypeAlias = Mapping[str, Callable[..., Any]]

MODULES: Final[Mapping[str, tuple[str, Mapping[str, tuple[str, Methods]]]]] = {
    "bot_storage": (
        "The key-value storage of bots and other programs, which lasts between their runs.",
        {
            "BotStorage": (
                "Texts by key, in a storage of each account.",
                {
                    "get": bot_storage.get_storage,
                    "put": bot_storage.put_storage,
                    "remove": bot_storage.remove_storage,
                },
            ),
        },
    ),
    "bots": (
        "Bots of people: making, listing, changing and deactivating them.",
        {
            "Bots": (
                "Bots of the actor. An administrator also manages those of others.",
                {
                    "deactivate": managing.deactivate_bot,
                    "answer_due": calling.answer_due,
                },
            ),
        },
    ),
    "channels": (
        "Channels, subscriptions and topics.",
        {
            "Channels": (
                "",
                {
                    "get": channels_listing.get_channel,
                    "id_of": channels_listing.channel_id_of,
                    "archive": archiving.archive_channel,
                    "add_default": defaults.add_default_channel,
                    "remove_default": defaults.remove_default_channel,
                    "email_address": email_addresses.email_address,
                    "replace_email_addresses": email_addresses.replace_addresses,
                    "subscribers": subscribers.subscribers,
                    "is_subscriber": subscribers.is_subscriber,
                    "change_subscriptions": subscribers.change_subscriptions,
                    "change_settings": subscription_settings.change_settings,
                    "mark_as_read": marking.mark_channel_as_read,
                },
            ),
            "Topics": (
                "",
                {
                    "mark_as_read": marking.mark_topic_as_read,
                },
            ),
        },
    ),
    "retention": (
        "How long messages are kept, and what is kept whoever wants to delete it.",
        {
            "Retention": (
                "Messages that are older than they are kept.",
                {
                    "delete_due": retention_deleting.delete_due,
                },
            ),
            "LegalHolds": (
                "Legal holds, which only owners see: nothing of a person or channel is deleted.",
                {
                    "list": holds.list_holds,
                    "add": holds.add_hold,
                    "lift": holds.lift_hold,
                },
            ),
        },
    ),
    "configuration": (
        "Configuration by administrators for all users.",
        {
            "Organization": (
                "Settings of the organization; `domain.organization.settings.SETTINGS` lists them.",
                {
                    "permissions": organization_settings.organization_permissions,
                    "deactivate": organization_deactivation.deactivate_organization,
                    "reactivate": organization_deactivation.reactivate_organization,
                    "audit_log": audit.list_audit_log,
                },
            ),
            "OrganizationPictures": (
                "The organization's icon and logos: `icon`, `logo`, and `night_logo` for dark backgrounds.",
                {
                    "url": pictures.url_of_picture,
                    "open": pictures.open_picture,
                    "set": pictures.set_picture,
                    "remove": pictures.remove_picture,
                },
            ),
            "Domains": (
                "Domains of addresses; they count if `emails_restricted_to_domains` is set.",
                {
                    "list": domains.list_domains,
                    "update": domains.update_domain,
                    "remove": domains.remove_domain,
                },
            ),
            "ProfileFields": (
                "Custom profile fields.",
                {
                    "list": profile_fields.list_fields,
                    "remove": profile_fields.remove_field,
                    "reorder": profile_fields.reorder_fields,
                },
            ),
            "Linkifiers": (
                "",
                {
                    "list": linkifiers.list_linkifiers,
                    "add": linkifiers.add_linkifier,
                    "update": linkifiers.update_linkifier,
                    "remove": linkifiers.remove_linkifier,
                    "reorder": linkifiers.reorder_linkifiers,
                },
            ),
            "Playgrounds": (
                "Code playgrounds; `events.register` lists them under `realm_playgrounds`.",
                {
                    "add": playgrounds.add_playground,
                    "remove": playgrounds.remove_playground,
                },
            ),
            "Emoji": (
                "The organization's own emoji.",
                {
                    "list": custom_emoji.list_emoji,
                    "add": custom_emoji.add_emoji,
                    "open_picture": custom_emoji.open_picture,
                    "deactivate": custom_emoji.deactivate_emoji,
                },
            ),
        },
    ),
    "drafts": (
        "Messages that are not sent yet.",
        {
            "Drafts": (
                "Drafts of the actor; `domain.messages.drafts.DraftContent` holds the content of one.",
                {
                    "list": drafts.list_drafts,
                    "create": drafts.create_drafts,
                    "edit": drafts.edit_draft,
                    "delete": drafts.delete_draft,
                },
            ),
        },
    ),
    "events": (
        "Event queues: registering, polling and following.",
        {
            "Events": (
                "",
                {
                    "delete": queues.delete_queue,
                },
            ),
        },
    ),
    "exports": (
        "Exports of the organization.",
        {
            "Exports": (
                "Exports that administrators request; `Chat.deliver_on_time` has them written.",
                {
                    "list": exports.list_exports,
                    "delete": exports.delete_export,
                    "consents": exports.list_consents,
                    "request_own_data": one_person.request_own_data,
                    "request_data_of": one_person.request_data_of,
                    "list_data": one_person.list_data_exports,
                },
            ),
        },
    ),
    "files": (
        "Uploaded files.",
        {
            "Files": (
                "",
                {
                    "open": access.open_file,
                    "open_thumbnail": thumbnails.open_thumbnail,
                    "list": uploads.own_files,
                    "delete": uploads.delete_file,
                    "temporary_url": access.temporary_url,
                    "open_temporary": access.open_temporary,
                },
            ),
        },
    ),
    "folders": (
        "Channel folders, navigation views and default channel groups: the order of channels in clients.",
        {
            "ChannelFolders": (
                "Folders of channels; `channels.update` puts a channel into one.",
                {
                    "list": folders.list_folders,
                    "create": folders.create_folder,
                    "update": folders.update_folder,
                    "reorder": folders.reorder_folders,
                },
            ),
            "NavigationViews": (
                "Entries of the navigation in the actor's clients.",
                {
                    "list": navigation_views.list_views,
                    "add": navigation_views.add_view,
                    "update": navigation_views.update_view,
                    "remove": navigation_views.remove_view,
                },
            ),
            "DefaultChannelGroups": (
                "Groups of channels that new people can choose.",
                {
                    "list": default_groups.list_groups,
                    "update": default_groups.update_group,
                    "remove": default_groups.remove_group,
                },
            ),
        },
    ),
    "groups": (
        "User groups.",
        {
            "Groups": (
                "",
                {
                    "list": groups_listing.list_groups,
                    "deactivate": editing.deactivate,
                    "members": groups_listing.members,
                    "is_member": groups_listing.is_member,
                    "subgroups": groups_listing.subgroups,
                    "update_subgroups": members.update_subgroups,
                },
            ),
        },
    ),
    "invitations": (
        "Invitations and joining, and links that confirm an address.",
        {
            "Invitations": (
                "Invitations, by address and by link.",
                {
                    "list": invitations_listing.list_invitations,
                    "look": joining.look,
                    "ask_to_join": joining.ask_to_join,
                    "resend": inviting.resend,
                    "revoke": invitations_listing.revoke,
                    "revoke_link": invitations_listing.revoke_link,
                },
            ),
            "Mail": (
                "Mails, and links in them that prove that their reader reads the mail of an address.",
                {
                    "send_due": mail_sending.send_due,
                    "gather_missed": gathering.gather_missed,
                    "write_digests": digests.write_digests,
                    "look_at_unsubscribing": unsubscribing.look_at_unsubscribing,
                    "unsubscribe": unsubscribing.unsubscribe,
                    "look_at_new_address": addresses.look_at_new_address,
                    "confirm_new_address": addresses.confirm_new_address,
                    "ask_for_new_password": passwords.ask_for_new_password,
                    "look_at_account": passwords.look_at_account,
                    "choose_password": passwords.choose_password,
                },
            ),
        },
    ),
    "messages": (
        "Messages: sending, reading, changing, flagging and reacting to them.",
        {
            "Messages": (
                "",
                {
                    "render": messages_sending.preview,
                    "history": edit_history.edit_history,
                    "delete": deleting.delete_message,
                    "read_receipts": read_receipts.read_receipts,
                    "report": reports.report_message,
                    "unread": unread.unread,
                    "update_flags": flags.update_flags,
                    "update_flags_in_narrow": flags.update_flags_in_narrow,
                    "mark_all_as_read": marking.mark_all_as_read,
                },
            ),
            "Reactions": (
                "Reactions by the name of an emoji; code and kind select one of several of the same name.",
                {
                    "add": reactions.add_reaction,
                    "remove": reactions.remove_reaction,
                },
            ),
            "Submessages": (
                "Submessages: machine-readable additions to a message, such as votes in a poll.",
                {
                    "add": submessages.add_submessage,
                },
            ),
        },
    ),
    "presence": (
        "Presence of users, and typing notifications.",
        {
            "Presence": (
                "Times of presence, in seconds since 1970.",
                {
                    "report": presence.report_activity,
                    "get": presence.presence_of,
                },
            ),
        },
    ),
    "profiles": (
        "The actor's own account: values of custom profile fields, alert words, settings, status, picture.",
        {
            "Profiles": (
                "The actor's values of custom profile fields; `users` returns those of others.",
                {
                    "update": profiles.update_own,
                    "remove": profiles.remove_own,
                },
            ),
            "AlertWords": (
                "",
                {
                    "list": alert_words.alert_words,
                    "add": alert_words.add_alert_words,
                    "remove": alert_words.remove_alert_words,
                },
            ),
            "Settings": (
                "",
                {
                    "run_command": people_settings.run_command,
                    "finish_onboarding_step": welcome.finish_step,
                },
            ),
            "Statuses": (
                "",
                {
                    "get": statuses.status_of,
                },
            ),
            "Pictures": (
                "Pictures of people; `open` takes the parts of the address of an uploaded one.",
                {
                    "address": avatars.picture_of,
                    "open": avatars.open_picture,
                    "set_own": avatars.set_own_picture,
                    "remove_own": avatars.remove_own_picture,
                },
            ),
        },
    ),
    "saved_snippets": (
        "Texts that users keep in order to insert them into messages.",
        {
            "SavedSnippets": (
                "Saved snippets of the actor.",
                {
                    "list": saved_snippets.list_saved_snippets,
                    "create": saved_snippets.create_saved_snippet,
                    "edit": saved_snippets.edit_saved_snippet,
                    "delete": saved_snippets.delete_saved_snippet,
                },
            ),
        },
    ),
    "scheduled": (
        "Messages that are sent later, and reminders.",
        {
            "ScheduledMessages": (
                "Messages of the actor that wait for their time.",
                {
                    "list": scheduled_messages.list_scheduled_messages,
                    "delete": scheduled_messages.delete_scheduled_message,
                    "deliver_due": delivery.deliver_due,
                },
            ),
            "Reminders": (
                "Reminders of messages, for the actor.",
                {
                    "list": reminders.list_reminders,
                    "delete": reminders.delete_reminder,
                },
            ),
        },
    ),
    "users": (
        "Accounts of people and bots.",
        {
            "Users": (
                "",
                {
                    "log_in": logins.log_in,
                    "log_in_with_token": logins.log_in_with_token,
                    "own": users.own_user,
                    "get": users.get_user,
                    "get_by_email": users.get_user_by_email,
                    "list": users.list_users,
                    "deactivate": people_deactivation.deactivate_user,
                    "deactivate_self": people_deactivation.deactivate_self,
                    "reactivate": people_deactivation.reactivate_user,
                    "erase": erasing.erase_person,
                    "continue_erasures": steps.continue_erasures,
                    "set_role": administration.set_role,
                    "renew_own_key": credentials.renew_own_key,
                    "renew_bot_key": credentials.renew_bot_key,
                    "renew_key": credentials.renew_key,
                    "sessions": sessions.list_own,
                    "end_session": sessions.end,
                    "end_sessions": sessions.end_others,
                    "mute": muted_users.mute_user,
                    "unmute": muted_users.unmute_user,
                    "allow_creating_users": accounts.allow_creating_users,
                    "allow_email_changes": accounts.allow_email_changes,
                },
            ),
        },
    ),
}
"""Parts by module and class, with the purpose of each, and their use cases by the names of the methods."""
