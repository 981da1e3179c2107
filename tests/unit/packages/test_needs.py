"""What a version of a package requires."""

from __future__ import annotations

import os
from typing import Any

import pytest

from rt_supervisor.packages.needs import Need, fits_machine, needs_of, read_need
from rt_supervisor.packages.problems import PackageProblem


def test_needs() -> None:
    document = {
        "dependencies": {"a": "1", "b": "npm:@s/c@^2", "in": "1", "opt": "1"},
        "optionalDependencies": {"opt": "1", "git": "github:x/y"},
        "peerDependencies": {"p": "*", "q": "*"},
        "peerDependenciesMeta": {"q": {"optional": True}},
        "bundleDependencies": ["in"],
    }
    assert needs_of(document, "x@1") == [
        Need("p", "p", "*", False),
        Need("a", "a", "1", False),
        Need("b", "@s/c", "^2", False),
        Need("opt", "opt", "1", True),
    ]
    with pytest.raises(PackageProblem, match=r'x@1 needs "a" from \./local'):
        needs_of({"dependencies": {"a": "./local"}}, "x@1")
    for alias, wanted in (("../../x", "1"), ("a", "npm:../b@1"), ("@s/..", "1"), ("a/b", "1"), (".bin", "1")):
        with pytest.raises(PackageProblem, match="not a package of a registry"):
            needs_of({"dependencies": {alias: wanted}}, "x@1")
    assert needs_of({"dependencies": {"x": "1"}}, "x@2") == [], "a package resolves its own name to itself"
    assert read_need("a", "npm:b") == ("b", "")
    assert [read_need("a", each) for each in ("user/repo", "https://x/y.tgz", "file:x", "workspace:^", "~/x")] == [
        None
    ] * 5


def test_machines() -> None:
    assert fits_machine({})
    assert fits_machine({"os": ["linux", "darwin"], "libc": "glibc" if os.path.exists("/lib64") else "musl"})
    assert not fits_machine({"os": ["!linux"]})
    assert not fits_machine({"cpu": ["mips"]})


@pytest.mark.parametrize("wrong", [None, 5, "x", [], [1], {"a": 1}, True])
@pytest.mark.parametrize(
    "key",
    [
        "dependencies",
        "optionalDependencies",
        "peerDependencies",
        "peerDependenciesMeta",
        "bundleDependencies",
        "bundledDependencies",
        "os",
        "cpu",
    ],
)
def test_fields_of_a_wrong_type(key: str, wrong: Any) -> None:
    document = {"peerDependencies": {"q": "1"}, key: wrong}
    try:
        needs = needs_of(document, "x@1")
    except PackageProblem as problem:
        assert str(problem) == 'x@1 needs "a" from 1, which is not a package of a registry'
    else:
        assert [need.alias for need in needs] in (["q"], [])
    fits_machine(document)
