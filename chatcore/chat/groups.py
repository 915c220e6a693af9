"""User groups. Settings are by the names of `domain.groups.GROUP_PERMISSIONS`, each a `GroupSetting`."""

from chatcore.application import group_lists, group_members, groups
from chatcore.application.group_members import MemberChanges
from chatcore.application.groups import GroupChanges, NewGroup
from chatcore.chat.noun import Noun, use_case, use_case_with


class Groups(Noun):
    list = use_case(group_lists.list_groups)
    create = use_case_with(groups.create, NewGroup)
    update = use_case_with(groups.update, GroupChanges)
    deactivate = use_case(groups.deactivate)
    members = use_case(group_lists.members)
    is_member = use_case(group_lists.is_member)
    subgroups = use_case(group_lists.subgroups)
    update_members = use_case_with(group_members.update_members, MemberChanges)
    update_subgroups = use_case(group_members.update_subgroups)
