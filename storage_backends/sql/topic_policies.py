"""What people have set for topics."""

from collections.abc import Collection, Mapping, Sequence

from chatcore.domain.ids import ChannelId, UserId
from chatcore.domain.topics import VisibilityPolicy, topic_key
from storage_backends.sql.session import Session


class TopicPolicies:
    def __init__(self, session: Session) -> None:
        self._session = session

    def of_user(self, user_id: UserId) -> Mapping[tuple[ChannelId, str], tuple[str, VisibilityPolicy, int]]:
        rows = self._session.rows(
            """
            SELECT channel_id, topic_key, topic, policy, updated FROM topic_policy
            WHERE user_id = ? ORDER BY channel_id, topic_key
            """,
            user_id,
        )
        return {(row[0], row[1]): (row[2], VisibilityPolicy(row[3]), row[4]) for row in rows}

    def counts(self, user_ids: Collection[UserId]) -> Mapping[UserId, int]:
        backend = self._session.backend
        rows = self._session.rows(
            f"SELECT user_id, count(*) FROM topic_policy WHERE user_id {backend.in_list} GROUP BY user_id",
            backend.listed(user_ids),
        )
        return dict(rows)

    def find(self, user_id: UserId, channel_id: ChannelId, topic_key: str) -> VisibilityPolicy:
        return self.among(channel_id, topic_key, [user_id]).get(user_id, VisibilityPolicy.INHERIT)

    def among(
        self, channel_id: ChannelId, topic_key: str, user_ids: Collection[UserId]
    ) -> Mapping[UserId, VisibilityPolicy]:
        backend = self._session.backend
        rows = self._session.rows(
            f"""
            SELECT user_id, policy FROM topic_policy
            WHERE channel_id = ? AND topic_key = ? AND user_id {backend.in_list}
            """,
            channel_id,
            topic_key,
            backend.listed(user_ids),
        )
        return {user_id: VisibilityPolicy(policy) for user_id, policy in rows}

    def of_topic(self, channel_id: ChannelId, topic_key: str) -> Mapping[UserId, VisibilityPolicy]:
        rows = self._session.rows(
            "SELECT user_id, policy FROM topic_policy WHERE channel_id = ? AND topic_key = ?",
            channel_id,
            topic_key,
        )
        return {user_id: VisibilityPolicy(policy) for user_id, policy in rows}

    def holders(
        self, channel_ids: Collection[ChannelId], policy: VisibilityPolicy | None = None
    ) -> frozenset[UserId]:
        backend = self._session.backend
        statement = f"SELECT DISTINCT user_id FROM topic_policy WHERE channel_id {backend.in_list}"
        parameters: list[object] = [backend.listed(channel_ids)]
        if policy is not None:
            statement, parameters = f"{statement} AND policy = ?", [*parameters, int(policy)]
        rows = self._session.rows(statement, *parameters)
        return frozenset(row[0] for row in rows)

    def of_channels(
        self, channel_ids: Collection[ChannelId], user_ids: Collection[UserId]
    ) -> Sequence[tuple[UserId, ChannelId, str, VisibilityPolicy, int]]:
        backend = self._session.backend
        rows = self._session.rows(
            f"""
            SELECT user_id, channel_id, topic, policy, updated FROM topic_policy
            WHERE channel_id {backend.in_list} AND user_id {backend.in_list}
            ORDER BY user_id, channel_id, topic_key
            """,
            backend.listed(channel_ids),
            backend.listed(user_ids),
        )
        return [(row[0], row[1], row[2], VisibilityPolicy(row[3]), row[4]) for row in rows]

    def put(
        self, channel_id: ChannelId, topic: str, policies: Mapping[UserId, VisibilityPolicy], now: int
    ) -> None:
        backend, key = self._session.backend, topic_key(topic)
        if gone := [one for one, policy in policies.items() if policy == VisibilityPolicy.INHERIT]:
            self._session.run(
                f"""
                DELETE FROM topic_policy
                WHERE channel_id = ? AND topic_key = ? AND user_id {backend.in_list}
                """,
                channel_id,
                key,
                backend.listed(gone),
            )
        if kept := [
            (one, int(policy))
            for one, policy in sorted(policies.items())
            if policy != VisibilityPolicy.INHERIT
        ]:
            self._session.run(
                f"""
                INSERT INTO topic_policy (channel_id, topic_key, topic, updated, user_id, policy)
                SELECT ?, ?, ?, ?, new.user_id, new.policy FROM {backend.rows("new", ("user_id", "policy"))}
                WHERE TRUE ON CONFLICT (user_id, channel_id, topic_key)
                DO UPDATE SET topic = excluded.topic, policy = excluded.policy, updated = excluded.updated
                """,
                channel_id,
                key,
                topic,
                now,
                *backend.row_values(kept),
            )
