"""Cached documents, and the version that a range or a tag stands for."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, cast

import pytest

from rt_supervisor.packages.documents import Document
from rt_supervisor.packages.manifests import DAY_S, Manifests, choose_version
from rt_supervisor.packages.problems import PackageProblem
from rt_supervisor.packages.registry import Answer, Registry

VERSIONS: dict[str, Any] = {
    **{version: {} for version in ("1.0.0", "1.9.0", "2.0.0", "2.1.0", "2.2.0", "3.0.0-beta.1")},
    "1.10.0": {"deprecated": "no"},
}
DOCUMENT = Document("p", VERSIONS, {"latest": "2.1.0", "next": "3.0.0-beta.1"})


@pytest.mark.parametrize(
    ("wanted", "version"),
    [
        ("latest", "2.1.0"),
        ("next", "3.0.0-beta.1"),
        ("^2.0.0", "2.1.0"),
        (">=2.2", "2.2.0"),
        ("^1", "1.9.0"),
        ("1.10.x", "1.10.0"),
        ("*", "2.1.0"),
        ("1.0.0 - 2.0.0", "2.0.0"),
        ("<2 || >=3.0.0-beta", "3.0.0-beta.1"),
    ],
)
def test_versions(wanted: str, version: str) -> None:
    assert choose_version(wanted, DOCUMENT) == version


@pytest.mark.parametrize("wanted", ["4", "lost", "no-such-tag", "=>", "9.9.9"])
def test_versions_that_do_not_exist(wanted: str) -> None:
    with pytest.raises(PackageProblem, match='"p"'):
        choose_version(wanted, DOCUMENT)


class FakeRegistry:
    """Answers with `versions` and counts the questions; the ETag is the number of versions."""

    def __init__(self, *versions: str) -> None:
        self.versions = list(versions)
        self.sha1 = "a" * 40
        self.questions: list[str] = []
        self.is_down = False

    def document_of(self, name: str, etag: str = "") -> Answer:
        self.questions.append(etag)
        if self.is_down:
            raise PackageProblem("down")
        own_etag = f"{len(self.versions)}{self.sha1}"
        if etag == own_etag:
            return Answer(None, etag)
        versions = {version: {"dist": {"shasum": self.sha1}} for version in self.versions}
        document = {"dist-tags": {"latest": self.versions[-1]}, "versions": versions}
        return Answer(json.dumps(document).encode(), own_etag)


class Clock:
    def __init__(self) -> None:
        self.time_s = 1e9

    def __call__(self) -> float:
        return self.time_s


def manifests(folder: Path, registry: FakeRegistry, clock: Clock, freshness: Any = "", **options: bool) -> Manifests:
    options = {"is_offline": False, **options}
    return Manifests(str(folder), cast("Registry", registry), freshness, now=clock, **options)


def test_a_tag_holds_for_a_day_and_a_range_for_good(tmp_path: Path) -> None:
    registry, clock = FakeRegistry("1.0.0"), Clock()

    def choose(wanted: str, freshness: str = "", **options: bool) -> str:
        return manifests(tmp_path, registry, clock, freshness, **options).choose("p", wanted)[0]

    assert choose("latest") == choose("^1") == "1.0.0"
    assert registry.questions == [""]
    registry.versions.append("1.1.0")
    clock.time_s += DAY_S - 1
    assert choose("latest") == "1.0.0"
    clock.time_s += 2
    assert choose("latest", is_offline=True) == choose("latest", "offline") == "1.0.0"
    assert choose("latest") == "1.1.0"
    assert choose("^1") == "1.0.0"
    assert choose("^1", "latest") == "1.1.0"
    assert registry.questions == ["", f"1{'a' * 40}", f"2{'a' * 40}"]
    clock.time_s += 2 * DAY_S
    registry.is_down = True
    assert choose("latest") == "1.1.0", "the cached document serves while the registry is down"
    with pytest.raises(PackageProblem, match="down"):
        choose("latest", "latest")


def test_an_expired_document_is_revalidated_once(tmp_path: Path) -> None:
    registry, clock = FakeRegistry("1.0.0"), Clock()
    first = manifests(tmp_path, registry, clock).choose("p", "1.0.0")
    registry.sha1 = "b" * 40
    chosen = manifests(tmp_path, registry, clock)
    assert chosen.choose("p", "1.0.0") == first
    chosen.expire("p")
    second = chosen.choose("p", "1.0.0")
    assert second[0] == first[0]
    assert second[1] != first[1]
    assert len(registry.questions) == 2
    chosen.expire("p")
    assert chosen.choose("p", "1.0.0") == second
    assert len(registry.questions) == 2


def test_damaged_cache_files_are_ignored(tmp_path: Path) -> None:
    registry, clock = FakeRegistry("1.0.0"), Clock()
    chosen = manifests(tmp_path, registry, clock).choose("p", "")
    for damage in (b"", b"\0{", b"[]", b"{}\n{}", b'{"latest": 1}', b'{"latest": ["1.0.0"]}', b"[" * 100_000):
        for kind in ("choices", "documents"):
            (tmp_path / kind / "p.json").write_bytes(damage)
        assert manifests(tmp_path, registry, clock).choose("p", "") == chosen
