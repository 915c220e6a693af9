"""Client programs by name, where the API treats some of them differently."""

INTERACTIVE = frozenset({"website", "ios", "android", "snipe"})
APPS = ("android", "ios", "desktop", "mobile", "electron", "terminal", "flutter")


def marks_own_messages_read(client: str, brand: str = "") -> bool:
    """Return the default of `read_by_sender`: true for clients that show users the messages they send.

    The apps named after the API's maker are recognised by *brand*.
    """
    name = client.lower()
    if name in INTERACTIVE:
        return True
    return bool(brand) and name in {brand.lower() + app for app in APPS}
