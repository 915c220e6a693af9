"""What administrators set up for everybody."""

from chatcore.application import emoji, linkifiers, organization_settings, playgrounds, profile_fields
from chatcore.application.profile_fields import FieldChange, NewField
from chatcore.chat.noun import Noun, use_case, use_case_with


class Organization(Noun):
    """What the organization is set to; `domain.organization_settings.SETTINGS` says what that can be."""

    settings = use_case(organization_settings.organization_settings)
    change = use_case(organization_settings.change_organization)


class ProfileFields(Noun):
    """Custom profile fields; kinds are numbers of `domain.profile_fields.FieldType`."""

    list = use_case(profile_fields.list_fields)
    create = use_case_with(profile_fields.create_field, NewField)
    update = use_case_with(profile_fields.update_field, FieldChange)
    remove = use_case(profile_fields.remove_field)
    reorder = use_case(profile_fields.reorder_fields)


class Linkifiers(Noun):
    list = use_case(linkifiers.list_linkifiers)
    add = use_case(linkifiers.add_linkifier)
    update = use_case(linkifiers.update_linkifier)
    remove = use_case(linkifiers.remove_linkifier)
    reorder = use_case(linkifiers.reorder_linkifiers)


class Playgrounds(Noun):
    """Code playgrounds; `events.register` lists them under `realm_playgrounds`."""

    add = use_case(playgrounds.add_playground)
    remove = use_case(playgrounds.remove_playground)


class Emoji(Noun):
    """The organization's own emoji."""

    list = use_case(emoji.list_emoji)
    add = use_case(emoji.add_emoji)
    open_picture = use_case(emoji.open_picture)
    deactivate = use_case(emoji.deactivate_emoji)
