"""Documents of registries, also malformed ones."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rt_supervisor.packages.documents import read_document, read_programs
from rt_supervisor.packages.manifests import choose_version
from rt_supervisor.packages.needs import fits_machine, needs_of
from rt_supervisor.packages.problems import PackageProblem


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (b"", 'the registry\'s answer for "p" is not valid JSON'),
        (b"<html>", 'the registry\'s answer for "p" is not valid JSON'),
        (b"\xff\xfe\x00", 'the registry\'s answer for "p" is not valid JSON'),
        (b"[" * 100_000, 'the registry\'s answer for "p" is not valid JSON'),
        (b'{"versions": ' + b"1" * 5000 + b"}", 'the registry\'s answer for "p" is not valid JSON'),
        (b"[]", 'the registry\'s answer for "p" is not a JSON object'),
        (b"{}", 'the registry\'s answer for "p" has no versions'),
        (b'{"versions": []}', 'the registry\'s answer for "p" has no versions'),
        (b'{"versions": {"../../x": {}}}', 'the registry\'s answer for "p" has no versions'),
        (b'{"versions": {"1.0.0": null, "1.1.0": []}}', 'the registry\'s answer for "p" has no versions'),
    ],
)
def test_a_document_without_versions(body: bytes, message: str) -> None:
    with pytest.raises(PackageProblem) as problem:
        read_document("p", body)
    assert str(problem.value) == message


def test_tags_that_name_no_version_are_dropped() -> None:
    tags = {"latest": "1.0.0", "lost": "9.9.9", "list": ["1.0.0"], "none": None}
    document = read_document("p", json.dumps({"versions": {"1.0.0": {}}, "dist-tags": tags}).encode())
    assert document.tags == {"latest": "1.0.0"}
    assert document.integrity("1.0.0") == ""
    with pytest.raises(PackageProblem, match=r"^the registry no longer has p@2\.0\.0$"):
        document.version("2.0.0")


def test_programs() -> None:
    assert read_programs({"bin": "a.js"}, "@s/p") == {"p": "a.js"}
    assert read_programs({"bin": {"a": "a.js", "b": 5}}, "p") == {"a": "a.js"}
    others: list[object] = [[], 5, None]
    for other in others:
        assert read_programs({"bin": other}, "p") == {}


LEAF = st.sampled_from([None, True, 5, "", "1.0.0", "latest", "!x", "git+ssh://x"])
VALUE = (
    LEAF
    | st.lists(LEAF, max_size=2)
    | st.dictionaries(st.sampled_from(["a", "tarball", "integrity"]), LEAF, max_size=2)
)
KEYS = [
    "dist",
    "os",
    "cpu",
    "bin",
    "dependencies",
    "optionalDependencies",
    "peerDependenciesMeta",
    "bundleDependencies",
]
VERSION = VALUE | st.dictionaries(st.sampled_from(KEYS), VALUE, max_size=4)


@settings(suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(st.fixed_dictionaries({"versions": st.fixed_dictionaries({"1.0.0": VERSION}), "dist-tags": VALUE}))
def test_any_document_is_used_or_refused(value: dict[str, Any]) -> None:
    try:
        document = read_document("p", json.dumps(value).encode())
        version = choose_version("latest", document)
        document.integrity(version)
        fits_machine(document.version(version))
        read_programs(document.version(version), "p")
        needs_of(document.version(version), f"p@{version}")
    except PackageProblem:
        return
