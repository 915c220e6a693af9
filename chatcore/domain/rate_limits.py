"""Rate limits: counts per time window, by account, address, file or login name.

A limit is written as `200 per 60 seconds`; several are separated by `;`, and `off` disables it. Each can be
configured, see `chatcore.configuration`. `chatcore.runtime.rate_limits` does the counting.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule: `limit` is the default, `about` describes the counted events."""

    name: str
    limit: str
    about: str


API_BY_USER: Final = Rule("api_by_user", "200 per 60 seconds", "requests of a person's account")
API_BY_BOT: Final = Rule("api_by_bot", "600 per 60 seconds", "requests of a bot's account")
POLLS_BY_USER: Final = Rule(
    "polls_by_user", "3000 per 60 seconds", "event polls of an account, which are counted by this rule only"
)
API_BY_IP: Final = Rule(
    "api_by_ip", "100 per 60 seconds", "requests without credentials, or with wrong ones, from an address"
)
API_BY_NETWORK: Final = Rule(
    "api_by_network", "1000 per 60 seconds", "the same from an IPv6 network of 48 bits"
)
FILES_BY_IP: Final = Rule(
    "files_by_ip", "3000 per 60 seconds", "reads of files and pictures without credentials from an address"
)
SPECTATOR_ATTACHMENT_ACCESS_BY_FILE: Final = Rule(
    "spectator_attachment_access_by_file",
    "1000 per 86400 seconds",
    "reads of an uploaded file without credentials",
)
RUNNING_TIME_BY_USER: Final = Rule(
    "running_time_by_user", "30000 per 60 seconds", "milliseconds in which requests of an account run"
)
RUNNING_TIME_BY_IP: Final = Rule(
    "running_time_by_ip",
    "30000 per 60 seconds",
    "milliseconds in which requests without credentials from an address run",
)
EMAIL_CHANGE_BY_USER: Final = Rule(
    "email_change_by_user",
    "2 per 3600 seconds; 5 per 86400 seconds",
    "changes of an account's address by its owner",
)
AUTHENTICATE_BY_USERNAME: Final = Rule(
    "authenticate_by_username", "5 per 1800 seconds", "failed logins with a name from an address"
)
AUTHENTICATE_BY_USERNAME_ANYWHERE: Final = Rule(
    "authenticate_by_username_anywhere",
    "100 per 3600 seconds",
    "failed logins with a name from addresses that are new to its account",
)
AUTHENTICATE_BY_USERNAME_SLOWLY: Final = Rule(
    "authenticate_by_username_slowly",
    "1 per 60 seconds",
    "the same, after `authenticate_by_username_anywhere` is used up",
)
AUTHENTICATE_BY_IP: Final = Rule("authenticate_by_ip", "50 per 1800 seconds", "failed logins from an address")
AUTHENTICATE_BY_NETWORK: Final = Rule(
    "authenticate_by_network", "500 per 1800 seconds", "failed logins from an IPv6 network of 48 bits"
)
PASSWORD_PROOF_BY_USER: Final = Rule(
    "password_proof_by_user",
    "5 per 1800 seconds",
    "wrong old passwords, when somebody with the key of an account changes its password",
)
LINKS_BY_IP: Final = Rule(
    "links_by_ip",
    "30 per 1800 seconds",
    "wrong or expired links of invitations and mails that an address has followed",
)
SENDS_EMAIL_BY_IP: Final = Rule(
    "sends_email_by_ip", "5 per 86400 seconds", "mails that requests without an account from an address cause"
)
PASSWORD_RESET_FORM_BY_EMAIL: Final = Rule(
    "password_reset_form_by_email",
    "2 per 3600 seconds; 5 per 86400 seconds",
    "requests for a mail with a link to a new password, by e-mail address",
)
JOIN_FORM_BY_EMAIL: Final = Rule(
    "join_form_by_email",
    "2 per 3600 seconds; 5 per 86400 seconds",
    "requests for a mail with a link to join, by e-mail address",
)

RULES: Final[Mapping[str, Rule]] = {
    rule.name: rule
    for rule in (
        API_BY_USER,
        API_BY_BOT,
        POLLS_BY_USER,
        API_BY_IP,
        API_BY_NETWORK,
        FILES_BY_IP,
        SPECTATOR_ATTACHMENT_ACCESS_BY_FILE,
        RUNNING_TIME_BY_USER,
        RUNNING_TIME_BY_IP,
        EMAIL_CHANGE_BY_USER,
        AUTHENTICATE_BY_USERNAME,
        AUTHENTICATE_BY_USERNAME_ANYWHERE,
        AUTHENTICATE_BY_USERNAME_SLOWLY,
        AUTHENTICATE_BY_IP,
        AUTHENTICATE_BY_NETWORK,
        PASSWORD_PROOF_BY_USER,
        LINKS_BY_IP,
        SENDS_EMAIL_BY_IP,
        PASSWORD_RESET_FORM_BY_EMAIL,
        JOIN_FORM_BY_EMAIL,
    )
}
"""All rules by name. In all of them an IPv6 address stands for its /64 network."""
