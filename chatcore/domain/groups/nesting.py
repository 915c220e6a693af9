"""Subgroups: groups inside groups, without cycles and of limited depth."""

from collections.abc import Collection, Iterable, Mapping

from chatcore.domain.ids import GroupId


def closure(start: Iterable[GroupId], edges: Mapping[GroupId, Iterable[GroupId]]) -> frozenset[GroupId]:
    """Return *start* and everything reachable from it along *edges* (iterative: depth is not a limit)."""
    seen = set(start)
    open_ends = list(seen)
    while open_ends:
        for group in edges.get(open_ends.pop(), ()):
            if group not in seen:
                seen.add(group)
                open_ends.append(group)
    return frozenset(seen)


def would_make_a_cycle(
    group: GroupId, subgroups: Iterable[GroupId], *, above: Mapping[GroupId, Iterable[GroupId]]
) -> bool:
    """Whether *group* is one of *subgroups* or inside one of them, so that it cannot contain them.

    *above* maps a group to the groups that contain it.
    """
    return not closure([group], above).isdisjoint(subgroups)


def longest_chain(starts: Collection[GroupId], edges: Mapping[GroupId, Iterable[GroupId]]) -> int:
    """Return the number of steps of the longest path from *starts* along *edges*; -1 if *starts* is empty.

    The edges must not contain a cycle.
    """
    known: dict[GroupId, int] = {}
    open_ends = list(starts)
    while open_ends:
        group = open_ends[-1]
        next_groups = list(edges.get(group, ()))
        if unknown := [next_group for next_group in next_groups if next_group not in known]:
            open_ends += unknown
        else:
            known[group] = 1 + max((known[next_group] for next_group in next_groups), default=-1)
            open_ends.pop()
    return max((known[group] for group in starts), default=-1)


def depth_with(
    group: GroupId,
    subgroups: Collection[GroupId],
    *,
    above: Mapping[GroupId, Iterable[GroupId]],
    below: Mapping[GroupId, Iterable[GroupId]],
) -> int:
    """Return the number of levels of subgroups below the topmost group once *group* contains *subgroups*.

    *above* maps a group to the groups that contain it, *below* to those that it contains.
    """
    return longest_chain([group], above) + 1 + longest_chain(subgroups, below)
