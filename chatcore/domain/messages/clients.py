"""Client programs that the API treats differently, by their names."""

INTERACTIVE = frozenset({"website", "ios", "android", "snipe"})
APPS = ("android", "ios", "desktop", "mobile", "electron", "terminal", "flutter")


def marks_own_messages_read(client: str, brand: str = "") -> bool:
    """Return the default of `read_by_sender`: true for clients that show users the messages they send.

    *brand* is the prefix in the names of some apps.
    """
    name = client.lower()
    if name in INTERACTIVE:
        return True
    return bool(brand) and name in {brand.lower() + app for app in APPS}
