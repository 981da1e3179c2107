"""Which paths lists of globs mean, and which variables lists of names."""

from __future__ import annotations

import os

import pytest

from rt_supervisor.tasks.globs import escape, parse, static_prefix
from rt_supervisor.tasks.variables import StrictEnvironments, framework_patterns, select

PATHS = [
    "p/a.ts",
    "p/dist/a.js",
    "p/dist/sub/b.js",
    "p/src/a.ts",
    "p/src/a.test.ts",
    "p/src/deep/b.ts",
    "q/src/a.ts",
    "root.json",
]


@pytest.mark.parametrize(
    ("patterns", "expected"),
    [
        (["src/**"], ["p/src/a.ts", "p/src/a.test.ts", "p/src/deep/b.ts"]),
        (["src"], ["p/src/a.ts", "p/src/a.test.ts", "p/src/deep/b.ts"]),
        (["src/*.ts"], ["p/src/a.ts", "p/src/a.test.ts"]),
        (["!**/*.test.ts", "src/*.ts"], ["p/src/a.ts"]),
        (["**/*.ts", "!src/deep"], ["p/a.ts", "p/src/a.ts", "p/src/a.test.ts"]),
        (["d*st"], ["p/dist/a.js", "p/dist/sub/b.js"]),
        (["$TURBO_ROOT$/root.json"], ["root.json"]),
        (["../q/**"], ["q/src/a.ts"]),
        (["../root.json", "./a.ts"], ["p/a.ts", "root.json"]),
        (["src/{a,b}.ts"], ["p/src/a.ts"]),
        (["nope/**", "!src/**"], []),
        ([], []),
    ],
)
def test_patterns_are_relative_to_the_package(patterns: list[str], expected: list[str]) -> None:
    assert sorted(parse(patterns, "p").matching(PATHS)) == sorted(expected)


def test_a_package_whose_name_is_a_pattern() -> None:
    assert parse(["src/**"], "[x]").matching(["[x]/src/a", "x/src/a"]) == ["[x]/src/a"]
    assert parse(["src/*"], "[x]").matching(["[x]/src/a", "x/src/a"]) == ["[x]/src/a"]


def test_static_prefixes() -> None:
    expected = {"p/src/**": "p/src", "p/*.ts": "p", "**": "", "p/a.ts": "p/a.ts", "\\[x\\]/a/*": ""}
    assert {pattern: static_prefix(pattern) for pattern in expected} == expected


@pytest.mark.parametrize(
    ("patterns", "expected"),
    [
        (["A"], {"A"}),
        (["VITE_*"], {"VITE_ONE", "VITE_TWO"}),
        (["*", "!VITE_*"], {"A", "B*", "!C"}),
        (["B\\*"], {"B*"}),
        (["\\!C"], {"!C"}),
        (["!A"], set()),
    ],
)
def test_variables(patterns: list[str], expected: set[str]) -> None:
    assert select(["A", "VITE_ONE", "VITE_TWO", "B*", "!C"], patterns) == expected


def test_the_strict_environment_keeps_what_rt_sets_itself() -> None:
    inherited = {"PATH": "/bin", "SECRET": "s", "LISTED": "l"}
    environment = {**inherited, "PATH": "/w/node_modules/.bin:/bin", "npm_lifecycle_event": "build"}
    assert StrictEnvironments(inherited).limit(environment, ("LISTED",)) == {
        "PATH": "/w/node_modules/.bin:/bin",
        "LISTED": "l",
        "npm_lifecycle_event": "build",
    }


def test_frameworks_add_their_variables() -> None:
    assert framework_patterns(["react", "next", "vite"]) == ("NEXT_PUBLIC_*", "VITE_*")


@pytest.mark.parametrize(
    "pattern", ["src/**", ".next/**", "a/.b/*.js", "*", "./a", "a//b", "../b", "a/../b", "..a", "$TURBO_ROOT$/a"]
)
@pytest.mark.parametrize("folder", ["", "p", "packages/[x]"])
def test_lists_that_many_packages_share_mean_the_same_in_each(pattern: str, folder: str) -> None:
    shared = parse([pattern, f"!{pattern}", "$TURBO_DEFAULT$"], folder)
    assert shared == parse([pattern, f"!{pattern}", "$TURBO_DEFAULT$", "{ auto = true }"], folder)
    own = pattern.removeprefix("$TURBO_ROOT$/")
    at = own if own != pattern else os.path.join(escape(folder), own)
    assert shared.included == shared.excluded == (os.path.normpath(at),)
    assert shared.has_default
