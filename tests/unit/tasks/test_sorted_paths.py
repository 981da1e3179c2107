"""Sorted paths: whatever the order in which they are given, what is at or below a folder is found."""

from __future__ import annotations

import random

import pytest

from rt_supervisor.tasks.sorted_paths import below, filtered, is_any_below, sort_paths, without

PARTS = ("a", "a-b", "a.b", "a0", "b", "é")


@pytest.mark.parametrize("seed", range(50))
def test_what_is_at_or_below_a_folder(seed: int) -> None:
    chance = random.Random(seed)
    given = ["/".join(chance.choices(PARTS, k=chance.randint(1, 3))) for _ in range(chance.randint(0, 40))]
    paths = sort_paths(given)
    assert list(paths) == sorted(given)
    for start in ("", "a/b", *PARTS, *given):
        is_below = [path for path in paths if path.startswith(f"{start}/") or not start]
        assert list(below(paths, start)) == is_below
        assert is_any_below(paths, start) == bool(is_below or start in given)


def test_what_is_left_of_sorted_paths_is_sorted() -> None:
    paths = sort_paths(["c", "a", "b"])
    assert filtered(paths, lambda path: path != "b") == ("a", "c")
    assert without(paths, {"a"}) == ("b", "c")
