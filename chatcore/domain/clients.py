"""Programs by their name, where the API treats some differently."""

INTERACTIVE = frozenset({"website", "ios", "android", "snipe"})
APPS = ("android", "ios", "desktop", "mobile", "electron", "terminal", "flutter")


def marks_own_messages_read(client: str, brand: str = "") -> bool:
    """The default of `read_by_sender`: true for programs in which a person has seen what they write.

    The apps that are named after the API's maker are known by *brand*.
    """
    name = client.lower()
    if name in INTERACTIVE:
        return True
    return bool(brand) and name in {brand.lower() + app for app in APPS}
