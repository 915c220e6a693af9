"""Topic policies of users."""

from collections.abc import Collection, Mapping, Sequence

from chatcore.domain.ids import ChannelId, UserId
from chatcore.domain.topics import VisibilityPolicy, topic_key
from storage_backends.sql.repository import SqlRepository
from storage_backends.sql.schema import TopicPolicy
from storage_backends.sql.statement import ROW_COUNT, Statement, in_list, param

OF_TOPIC = (
    TopicPolicy.channel_id == param("channel_id"),
    TopicPolicy.topic_key == param("topic_key"),
)
OF_USERS = in_list(TopicPolicy.user_id, "user_ids")
OF_CHANNELS = in_list(TopicPolicy.channel_id, "channel_ids")
POLICIES = TopicPolicy.select(TopicPolicy.user_id, TopicPolicy.policy)
HOLDERS = TopicPolicy.select(TopicPolicy.user_id).distinct().where(OF_CHANNELS)

FIND_OF_USER = Statement(
    TopicPolicy.select()
    .where(TopicPolicy.user_id == param("user_id"))
    .order_by(TopicPolicy.channel_id, TopicPolicy.topic_key)
)
COUNTS = Statement(
    TopicPolicy.select(TopicPolicy.user_id, ROW_COUNT).where(OF_USERS).group_by(TopicPolicy.user_id)
)
FIND_AMONG = Statement(POLICIES.where(*OF_TOPIC, OF_USERS))
FIND_OF_TOPIC = Statement(POLICIES.where(*OF_TOPIC))
FIND_HOLDERS = Statement(HOLDERS)
FIND_HOLDERS_OF_POLICY = Statement(HOLDERS.where(TopicPolicy.policy == param("policy")))
FIND_OF_CHANNELS = Statement(
    TopicPolicy.select()
    .where(OF_CHANNELS, OF_USERS)
    .order_by(TopicPolicy.user_id, TopicPolicy.channel_id, TopicPolicy.topic_key)
)
REMOVE = Statement(TopicPolicy.delete().where(*OF_TOPIC, OF_USERS))
PUT = Statement(
    lambda dialect: (
        f"""
        INSERT INTO topic_policy (channel_id, topic_key, topic, updated, user_id, policy)
        SELECT :channel_id, :topic_key, :topic, :updated, new.user_id, new.policy
        FROM {dialect.rows("new", "policies", ("user_id", "policy"))} WHERE TRUE
        ON CONFLICT (user_id, channel_id, topic_key)
        DO UPDATE SET topic = excluded.topic, policy = excluded.policy, updated = excluded.updated
    """
    )
)


class TopicPolicies(SqlRepository):
    def of_user(self, user_id: UserId) -> Mapping[tuple[ChannelId, str], tuple[str, VisibilityPolicy, int]]:
        rows = self._session.rows(FIND_OF_USER, user_id=user_id)
        return {
            (row.channel_id, row.topic_key): (row.topic, VisibilityPolicy(row.policy), row.updated)
            for row in rows
        }

    def counts(self, user_ids: Collection[UserId]) -> Mapping[UserId, int]:
        return self._session.mapping(COUNTS, user_ids=user_ids)

    def find(self, user_id: UserId, channel_id: ChannelId, topic_key: str) -> VisibilityPolicy:
        return self.among(channel_id, topic_key, [user_id]).get(user_id, VisibilityPolicy.INHERIT)

    def among(
        self, channel_id: ChannelId, topic_key: str, user_ids: Collection[UserId]
    ) -> Mapping[UserId, VisibilityPolicy]:
        rows = self._session.rows(FIND_AMONG, channel_id=channel_id, topic_key=topic_key, user_ids=user_ids)
        return {row.user_id: VisibilityPolicy(row.policy) for row in rows}

    def of_topic(self, channel_id: ChannelId, topic_key: str) -> Mapping[UserId, VisibilityPolicy]:
        rows = self._session.rows(FIND_OF_TOPIC, channel_id=channel_id, topic_key=topic_key)
        return {row.user_id: VisibilityPolicy(row.policy) for row in rows}

    def users_with(
        self, channel_ids: Collection[ChannelId], policy: VisibilityPolicy | None = None
    ) -> frozenset[UserId]:
        if policy is None:
            return frozenset(self._session.column(FIND_HOLDERS, channel_ids=channel_ids))
        holders = self._session.column(FIND_HOLDERS_OF_POLICY, channel_ids=channel_ids, policy=int(policy))
        return frozenset(holders)

    def of_channels(
        self, channel_ids: Collection[ChannelId], user_ids: Collection[UserId]
    ) -> Sequence[tuple[UserId, ChannelId, str, VisibilityPolicy, int]]:
        rows = self._session.rows(FIND_OF_CHANNELS, channel_ids=channel_ids, user_ids=user_ids)
        return [
            (row.user_id, row.channel_id, row.topic, VisibilityPolicy(row.policy), row.updated)
            for row in rows
        ]

    def put(
        self, channel_id: ChannelId, topic: str, policies: Mapping[UserId, VisibilityPolicy], now: int
    ) -> None:
        of_topic = {"channel_id": channel_id, "topic_key": topic_key(topic)}
        # The default policy is the absence of a row.
        rows = [(user_id, int(policy)) for user_id, policy in sorted(policies.items()) if policy]
        if gone := policies.keys() - {user_id for user_id, _ in rows}:
            self._session.run(REMOVE, user_ids=gone, **of_topic)
        if rows:
            self._session.run(PUT, policies=rows, topic=topic, updated=now, **of_topic)
