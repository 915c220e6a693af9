"""User groups, their members and subgroups."""

from peewee import CompositeKey

from chatcore.domain.groups.permissions import GroupSetting
from storage_backends.sql.schema.archives import Exported
from storage_backends.sql.schema.columns import Boolean, Integer, Json, Text
from storage_backends.sql.schema.table import UNIQUE, Table


class UserGroup(Table):
    archive = Exported()

    id = Integer(primary_key=True)
    name = Text(constraints=UNIQUE)
    description = Text()
    creator_id = Integer(null=True)
    date_created = Integer(null=True)
    deactivated = Boolean()
    settings = Json(dict[str, GroupSetting])
    """The holders of each permission over the group."""

    class Meta:
        table_name = "user_group"


class UserGroupMember(Table):
    archive = Exported()

    user_id = Integer(refers="account")
    group_id = Integer(refers="user_group")

    class Meta:
        table_name = "user_group_member"
        primary_key = CompositeKey("user_id", "group_id")
        without_rowid = True


UserGroupMember.declare_index("user_group_member_group", UserGroupMember.group_id, UserGroupMember.user_id)


class UserGroupSubgroup(Table):
    archive = Exported()

    subgroup_id = Integer(refers="user_group")
    group_id = Integer(refers="user_group")

    class Meta:
        table_name = "user_group_subgroup"
        primary_key = CompositeKey("subgroup_id", "group_id")
        without_rowid = True


UserGroupSubgroup.declare_index(
    "user_group_subgroup_group", UserGroupSubgroup.group_id, UserGroupSubgroup.subgroup_id
)


class FullMembersAnnounced(Table):
    """The time up to which clients have been notified of new full members."""

    archive = Exported()

    id = Integer(primary_key=True)
    up_to = Integer()

    class Meta:
        table_name = "full_members_announced"
