"""Sorted lists of paths: what is at or below a folder."""

from __future__ import annotations

from bisect import bisect_left

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence


def below(paths: Sequence[str], folder: str) -> list[str]:
    """Return those of the sorted `paths` that are below `folder`, "" for the root."""
    if not folder:
        return list(paths)
    start = bisect_left(paths, f"{folder}/")
    return list(paths[start : bisect_left(paths, f"{folder}0", start)])  # "0" follows "/"


def is_any_below(paths: Sequence[str], start: str) -> bool:
    """Return whether one of the sorted `paths` is `start` or below it ("" for the root)."""
    if not start or not paths:
        return bool(paths)
    place = bisect_left(paths, start)
    if place < len(paths) and paths[place] == start:
        return True
    place = bisect_left(paths, f"{start}/", place)
    return place < len(paths) and paths[place].startswith(f"{start}/")
