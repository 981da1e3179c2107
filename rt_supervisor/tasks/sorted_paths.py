"""Paths in ascending order: what is at or below a folder is found without looking at the others.

The order is part of the type, which the type checker knows: only this module makes `SortedPaths`, and what it returns of them is sorted
again. At runtime they are tuples, because `bisect` takes four times as long in a class derived from one.
"""

from __future__ import annotations

from bisect import bisect_left

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterable
    from typing import NewType

    SortedPaths = NewType("SortedPaths", tuple[str, ...])


def sort_paths(paths: Iterable[str]) -> SortedPaths:
    """Return `paths` in ascending order."""
    return _in_order(sorted(paths))


def below(paths: SortedPaths, folder: str) -> SortedPaths:
    """Return those of `paths` that are below `folder`, "" for the root."""
    if not folder:
        return paths
    start = bisect_left(paths, f"{folder}/")
    return _in_order(paths[start : bisect_left(paths, f"{folder}0", start)])  # "0" follows "/"


def is_any_below(paths: SortedPaths, start: str) -> bool:
    """Return whether one of `paths` is `start` or below it ("" for the root)."""
    if not start or not paths:
        return bool(paths)
    place = bisect_left(paths, start)
    if place < len(paths) and paths[place] == start:
        return True
    place = bisect_left(paths, f"{start}/", place)
    return place < len(paths) and paths[place].startswith(f"{start}/")


def filtered(paths: SortedPaths, keeps: Callable[[str], object]) -> SortedPaths:
    """Return those of `paths` for which `keeps` holds."""
    return _in_order(filter(keeps, paths))


def without(paths: SortedPaths, others: Container[str]) -> SortedPaths:
    """Return those of `paths` that are not among `others`."""
    return _in_order(path for path in paths if path not in others)


def _in_order(paths: Iterable[str]) -> SortedPaths:
    return tuple(paths)  # type: ignore[return-value]
