"""Sets of outputs: which paths are in one, compared with what each of its globs matches."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest

from rt_supervisor.tasks.globs import Globs, parse
from rt_supervisor.tasks.sorted_paths import sort_paths
from rt_supervisor.tasks.written import NOTHING, OutputSets, Written

if TYPE_CHECKING:
    from rt_supervisor.tasks.sorted_paths import SortedPaths

PATTERNS = (
    "dist", "dist/**", "dist/*.js", "a", "a/b", "a/b/**", "a/b/c", "**", "**/*.map", "{a,dist}/**", "!dist/x", "!a/**", "../p1/dist/**",
    "$TURBO_ROOT$/dist", "deep/er/file", "no such\\[file",
)  # fmt: skip
NAMES = ("a", "b", "c", "dist", "x", "out.js", "out.map", "file", "deep", "er", "p1", "p2")


def paths_of(chance: random.Random) -> SortedPaths:
    folders = ["", "p1/", "p2/"]
    return sort_paths(
        {chance.choice(folders) + "/".join(chance.choices(NAMES, k=chance.randint(1, 4))) for _ in range(200)}
    )


@pytest.mark.parametrize("seed", range(50))
def test_a_path_is_written_if_one_of_the_globs_matches_it(seed: int) -> None:
    chance = random.Random(seed)
    sets = OutputSets()
    made: list[tuple[Written, tuple[Globs, ...]]] = []
    paths = paths_of(chance)
    for _ in range(20):
        globs = parse(chance.sample(PATTERNS, chance.randint(0, 4)), chance.choice(["", "p1", "p2"]))
        others = chance.sample(made, min(len(made), chance.randint(0, 3)))
        every: tuple[Globs, ...] = sum((known for _, known in others), (globs,))
        made.append((sets.joined(globs, [written for written, _ in others]), every))
        written, known = chance.choice(made)
        matched = {path for each in known for path in each.matching(paths)}
        assert written.without(paths) == tuple(path for path in paths if path not in matched)


def test_equal_sets_are_equal() -> None:
    sets = OutputSets()
    one, other = parse(["dist"], "a"), parse(["out/**"], "a")
    first = sets.joined(one, [sets.joined(other, [])])
    second = sets.joined(other, [sets.joined(one, [])])
    assert first == second and hash(first) == hash(second)
    assert first != sets.joined(one, [])


def test_nothing_leaves_out_nothing() -> None:
    assert NOTHING.without(sort_paths("ab")) == ("a", "b")
    written: Written = OutputSets().joined(parse([], "a"), ())
    assert written.without(sort_paths(["a/b"])) == ("a/b",)
