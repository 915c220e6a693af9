"""Answers of the endpoints that are made from use cases."""

from chatcore.events.payloads.groups import GroupShape
from chatcore.http.pipeline.routing import Answer


class GroupsAnswer(Answer, frozen=True, kw_only=True):
    user_groups: list[GroupShape]


class GroupMembersAnswer(Answer, frozen=True, kw_only=True):
    members: list[int]


class MemberAnswer(Answer, frozen=True, kw_only=True):
    is_user_group_member: bool


class SubgroupsAnswer(Answer, frozen=True, kw_only=True):
    subgroups: list[int]
