"""Which paths lists of globs mean, and which variables lists of names."""

from __future__ import annotations

import pytest

from rt_supervisor.tasks.globs import parse, static_prefix
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
