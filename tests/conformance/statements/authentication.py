"""Authentication."""

from collections.abc import Mapping

AUTHENTICATION: Mapping[str, Mapping[str, str]] = {
    "Who calls": {
        "authentication.basic": "HTTP Basic: the address of the account and its key",
        "authentication.wrong": "Anything else is refused.",
        "authentication.bots": "Bots do it like people.",
        "authentication.settings": "server_settings needs none of it.",
        "authentication.development-key": "Nor dev_fetch_api_key, which works on development servers only.",
        "authentication.register": "register works without an account where the organization is open.",
        "authentication.tus": "tus takes the key in its header.",
        "authentication.tus-cookies": "tus takes the credentials of a browser's cookies too.",
        "authentication.update-users": "Updating users takes an administrator.",
        "authentication.create-fields": "So does making profile fields.",
        "authentication.change-addresses": "Changing addresses takes an owner with `can_change_user_emails`.",
        "authentication.owner-role": "The role of owner is in owners' hands.",
        "authentication.many-mentions": "`can_mention_many_users_group` says who may call many.",
        "authentication.groups": "A group's own permissions govern its changes.",
        "authentication.methods": "One logs in as server_settings says.",
        "authentication.key": "A password gets the key.",
    },
}
