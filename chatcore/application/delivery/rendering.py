"""Rendering of texts to HTML and effects, with the names in them resolved for the author.

It needs a snapshot, but not the unit of work that stores the message: the slow part is done before.
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Final, TypeVar

from chatcore.application import units
from chatcore.application.delivery.emoji import pictures_by_name
from chatcore.application.delivery.file_links import linkable, permitted_path_ids, readable_files
from chatcore.application.delivery.image_facts import image_facts
from chatcore.application.services import Services
from chatcore.application.units import View
from chatcore.application.visibility.known_users import accessible_users
from chatcore.domain.channels.channels import (
    Channel,
    Subscription,
    has_content_access,
    has_metadata_access,
    is_subscribed,
)
from chatcore.domain.files.uploads import Attachment
from chatcore.domain.groups.actors import Actor
from chatcore.domain.groups.groups import Group
from chatcore.domain.groups.system import SystemGroup
from chatcore.domain.ids import ChannelId, UserId
from chatcore.domain.organization.organization import Organization
from chatcore.domain.people import setting_values
from chatcore.domain.people.users import User
from chatcore.domain.topics import topic_key
from chatcore.markup import (
    LOADING,
    CardFact,
    ChannelFact,
    Effects,
    Facts,
    FormulaRenderer,
    GroupFact,
    ImageFact,
    Linkifier,
    Names,
    Options,
    UserFact,
    is_media,
    names,
    parse,
    render,
    topic_links,
    with_image,
)
from chatcore.runtime.formulas import may_have_formulas
from chatcore.runtime.work import Work
from chatcore.storage import Snapshot

T = TypeVar("T")

MANY_CHARACTERS: Final = 1_000
"""Number of characters above which rendering takes longer than handing the text to another thread."""
MAX_LINKED_TOPICS: Final = 100
"""Maximum number of topic links in one text that lead to the topic's newest message; others lead to the
topic.
"""


NO_FILES: Final[frozenset[str]] = frozenset()


@dataclass(frozen=True, slots=True)
class RenderedText:
    """A message's text, rendered."""

    content: str
    html: str
    effects: Effects = field(default_factory=Effects)
    urls: frozenset[str] = frozenset()
    """Links to other sites that may get a card."""
    linkifiers: tuple[Linkifier, ...] = ()
    """The linkifiers at the time of rendering, so that a message's topic and text get links from the same
    ones.
    """
    files: frozenset[str] | None = None
    """The path ids of the files that the text may name, if its author may read them; None for all. A text
    that others wrote than the account that posts it gives its readers no files but those that came with it.
    """


def markup_options(
    svc: Services,
    organization: Organization,
    author: User | None,
    linkifiers: tuple[Linkifier, ...] = (),
    *,
    previews: bool = True,
) -> Options:
    """Return the options for parsing an author's text in this organization."""
    return Options(
        realm_url=svc.settings.external_url,
        linkifiers=linkifiers,
        default_code_language=organization.default_code_block_language,
        translate_emoticons=author is not None and bool(setting_values.value(author, "translate_emoticons")),
        previews=previews and organization.inline_image_preview,
        empty_topic_name=organization.empty_topic_display_name,
    )


def render_text(
    svc: Services,
    actor: Actor,
    content: str,
    *,
    files: frozenset[str] | None = None,
    written: int | None = None,
) -> RenderedText:
    """Render a user's text; only names that the author may see are resolved. *files*: see `RenderedText`.
    Times without a date are counted from the day on which the text was *written*, or from today.
    """
    options, wants_cards = units.recall_or_read(svc, _read_options_and_cards, actor)
    tree = _run_markup(svc, [content], lambda: parse(content, options))
    wanted = names(tree)
    facts = Facts()
    if wanted != Names():
        facts = units.read(svc, facts_for, actor, wanted, files)
    urls = _may_have_cards(wanted.urls, options) if wants_cards else frozenset()
    facts = replace(
        facts,
        today=datetime.fromtimestamp(svc.now if written is None else written, UTC).date(),
        cards=_card_facts(svc, urls) if urls else {},
    )
    rendered = _run_markup(svc, [content], lambda: render(tree, facts, _formulas(svc)))
    return RenderedText(content, rendered.html, rendered.effects, urls, options.linkifiers, files)


def _read_options_and_cards(view: View, author: Actor) -> tuple[Options, bool]:
    """Return the options for an author's text, and whether its links get cards."""
    snapshot = view.snapshot
    user = snapshot.users.find(author.user_id)
    organization = snapshot.organization.get()
    wants_cards = organization.inline_url_embed_preview and not author.is_bot
    return markup_options(view.svc, organization, user, linkifiers_of(snapshot)), wants_cards


def _may_have_cards(urls: Collection[str], options: Options) -> frozenset[str]:
    """Return the links that may have a card: to other sites, and to no image or video."""
    own = f"{options.realm_url}/"
    return frozenset(url for url in urls if not url.startswith(own) and not is_media(url))


def _card_facts(svc: Services, urls: Collection[str]) -> Mapping[str, CardFact]:
    """Return the cards that are known of these pages, by address."""
    return {
        url: CardFact(card.title, card.description, card.image_url)
        for url, card in svc.cards.known_cards(urls).items()
        if card is not None
    }


def with_current_images(view: View, text: RenderedText, author_id: UserId) -> RenderedText:
    """Return a text that was rendered a moment ago, with the thumbnails that were made since."""
    if LOADING not in text.html:
        return text
    html = text.html
    for path_id, image in image_facts(view.snapshot, files_of_text(view, text, author_id)).items():
        html = with_image(html, path_id, image)
    return replace(text, html=html)


def files_of_text(view: View, text: RenderedText, author_id: UserId) -> Sequence[Attachment]:
    """Return the files that a message with this text links to; see `linkable`.

    :raises BadRequest: more than one message may link to
    """
    return linkable(view, author_id, text.content, text.effects.attachments, text.files)


def links_of_topic(
    view: View, topic: str, linkifiers: tuple[Linkifier, ...]
) -> tuple[Mapping[str, str], ...]:
    """Return the links that linkifiers make in a topic."""
    options = markup_options(view.svc, view.snapshot.organization.get(), None, linkifiers)
    return tuple(topic_links(topic, options))


def render_alone(svc: Services, texts: Iterable[str]) -> Mapping[str, str]:
    """Return the HTML of texts that are not messages: no names are resolved, and no previews are shown."""
    wanted = set(texts)
    if not wanted:
        return {}
    options = units.read(svc, _read_options_alone)
    formula = _formulas(svc)  # all of the texts together have the time of one

    def render_all() -> Mapping[str, str]:
        return {text: render(parse(text, options), formula=formula).html for text in wanted}

    return _run_markup(svc, wanted, render_all)


def _read_options_alone(view: View) -> Options:
    organization = view.snapshot.organization.get()
    return markup_options(view.svc, organization, None, linkifiers_of(view.snapshot), previews=False)


def _formulas(svc: Services) -> FormulaRenderer | None:
    return None if svc.formulas is None else svc.formulas.text_renderer()


def _run_markup(svc: Services, texts: Collection[str], work: Callable[[], T]) -> T:
    """Run markup work, outside the event loop if the texts are long or have formulas."""
    takes_long = sum(map(len, texts)) > MANY_CHARACTERS or any(map(may_have_formulas, texts))
    return svc.run_blocking(work, Work.TEXTS) if takes_long else work()


def linkifiers_of(snapshot: Snapshot) -> tuple[Linkifier, ...]:
    """Return the organization's linkifiers in their order, in the form for markup."""
    return tuple(
        Linkifier(linkifier.pattern, linkifier.url_template) for linkifier in snapshot.linkifiers.all()
    )


def facts_for(view: View, actor: Actor, wanted: Names, files: frozenset[str] | None = None) -> Facts:
    """Return the facts about the names in a text for the author *actor*."""
    snapshot = view.snapshot
    users: dict[UserId, User] = {}
    if wanted.user_names:
        users.update((user.id, user) for user in snapshot.users.by_names(wanted.user_names))
    if wanted.user_ids:
        users.update(snapshot.users.by_ids([UserId(number) for number in wanted.user_ids]))
    knows = accessible_users(snapshot, snapshot.organization.get(), actor, users.values())
    channels: dict[str, Channel] = {}
    newest: dict[tuple[int, str], int] = {}
    if wanted.channel_names:
        subscriptions = snapshot.subscriptions.of_user(actor.user_id)
        channels = _visible_channels(snapshot, actor, wanted.channel_names, subscriptions)
        newest = _newest_messages(snapshot, actor, wanted.topics, channels, subscriptions)
    groups = snapshot.groups.by_names(wanted.group_names) if wanted.group_names else ()
    known = [user for user in users.values() if knows(user.id)]
    return Facts(
        users=[UserFact(user.id, user.full_name, user.is_active) for user in known],
        groups=[group_fact(group) for group in groups],
        channels=[ChannelFact(channel.id, channel.name) for channel in channels.values()],
        newest_messages=newest,
        custom_emoji=pictures_by_name(view.svc, snapshot.emoji.active(wanted.emoji_names).values()),
        images=_images(snapshot, actor, permitted_path_ids(wanted.upload_path_ids, files)),
    )


def _images(snapshot: Snapshot, actor: Actor, path_ids: Collection[str]) -> Mapping[str, ImageFact]:
    """Return the images in those of the uploaded files that the actor may read."""
    attachments = snapshot.attachments.by_path_ids(path_ids) if path_ids else ()
    return image_facts(snapshot, readable_files(snapshot, actor, attachments)) if attachments else {}


def group_fact(group: Group) -> GroupFact:
    """Return a group in the form for markup.

    System groups are groups like others here: sending checks the permission to mention any group.
    """
    return GroupFact(
        group.id,
        group.name,
        is_active=not group.deactivated,
        shown_as=SystemGroup(group.id).shown_as if group.is_system_group else "",
    )


def _visible_channels(
    snapshot: Snapshot,
    actor: Actor,
    wanted: Collection[str],
    subscriptions: Mapping[ChannelId, Subscription],
) -> dict[str, Channel]:
    """Return the channels with exactly these names that the actor may know of."""
    return {
        channel.name: channel
        for channel in snapshot.channels.by_names(wanted).values()
        if channel.name in wanted
        and has_metadata_access(channel, actor, subscribed=is_subscribed(subscriptions.get(channel.id)))
    }


def _newest_messages(
    snapshot: Snapshot,
    actor: Actor,
    wanted: Collection[tuple[str, str]],
    channels: Mapping[str, Channel],
    subscriptions: Mapping[ChannelId, Subscription],
) -> dict[tuple[int, str], int]:
    """Return the newest message that the actor may read in each of the topics, for at most MAX_LINKED_TOPICS
    topics.
    """
    topics: defaultdict[str, list[str]] = defaultdict(list)
    for channel_name, topic in sorted(wanted):
        if channel_name in channels:
            topics[channel_name].append(topic)
    newest: dict[tuple[int, str], int] = {}
    left = MAX_LINKED_TOPICS
    for channel_name, in_channel in topics.items():
        channel = channels[channel_name]
        asked = in_channel[:left]
        left -= len(asked)
        if not has_content_access(channel, actor, subscribed=is_subscribed(subscriptions.get(channel.id))):
            continue
        received_by = None if channel.history_public_to_subscribers else actor.user_id
        keys = {topic: topic_key(topic) for topic in asked}
        newest_by_key = snapshot.messages.newest_in_topics(channel.id, {*keys.values()}, received_by)
        for topic, key in keys.items():
            if key in newest_by_key:
                newest[channel.id, topic] = newest_by_key[key]
    return newest
