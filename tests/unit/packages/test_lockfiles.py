"""Lockfiles: the version that a project has chosen, and the integrity that it accepts."""

from __future__ import annotations

import base64
import hashlib
import json
from pathlib import Path
from typing import Any

import pytest
from growth import assert_linear

from rt_supervisor.packages.lockfiles import LockedPackage, nearest_lockfile, read_json
from rt_supervisor.packages.problems import PackageProblem
from rt_supervisor.packages.project import read_request
from rt_supervisor.packages.specifiers import Wanted
from rt_supervisor.packages.store import Package


def sri(data: bytes, algorithm: str = "sha512") -> str:
    return f"{algorithm}-{base64.b64encode(hashlib.new(algorithm, data).digest()).decode()}"


GOOD, BAD = sri(b"good"), sri(b"bad")
LOCKFILES: list[tuple[str, Any]] = [
    (
        "bun.lock",
        """{ // a comment
            "lockfileVersion": 1,
            "packages": {
                "lib": ["lib@1.0.0", "", {}, "GOOD"],
                "old": ["lib@1.2.0", "", {}, "GOOD"],
                "lib/inner": ["inner@3.0.0", "", {}, "GOOD"],
                "linked": ["linked@workspace:linked"], "odd": [5], "none": null,
            },
        }""",
    ),
    (
        "package-lock.json",
        {
            "packages": {
                "": {"version": "9.0.0"},
                "node_modules/lib": {"version": "1.0.0", "integrity": "GOOD"},
                "node_modules/old": {"name": "lib", "version": "1.2.0", "integrity": "GOOD"},
                "node_modules/lib/node_modules/inner": {"version": "3.0.0", "integrity": "GOOD"},
                "node_modules/linked": {"resolved": "linked", "link": True},
                "packages/linked": {"version": "1.0.0"},
                "node_modules/odd": {"version": 5},
                "node_modules/none": None,
            }
        },
    ),
    (
        "npm-shrinkwrap.json",
        {
            "dependencies": {
                "lib": {
                    "version": "1.0.0",
                    "integrity": "GOOD",
                    "dependencies": {"inner": {"version": "3.0.0", "integrity": "GOOD"}},
                },
                "old": {"version": "npm:lib@1.2.0", "integrity": "GOOD"},
                "linked": {"version": "file:linked"},
                "odd": {"version": 5, "dependencies": []},
                "none": None,
            }
        },
    ),
]


@pytest.mark.parametrize(("name", "content"), LOCKFILES, ids=[name for name, _ in LOCKFILES])
def test_forms(tmp_path: Path, name: str, content: Any) -> None:
    text = content if isinstance(content, str) else json.dumps(content)
    (tmp_path / name).write_text(text.replace("GOOD", GOOD))
    (tmp_path / "src").mkdir()
    lockfile = nearest_lockfile(str(tmp_path / "src"))
    assert lockfile is not None
    assert lockfile.direct["lib"] == LockedPackage("lib", "1.0.0", GOOD)
    assert lockfile.direct["old"] == LockedPackage("lib", "1.2.0", GOOD)
    assert "inner" not in lockfile.direct
    assert not {"linked", "odd", "none"} & {*lockfile.direct}
    for package in (Package("lib", "1.2.0", ""), Package("inner", "3.0.0", "")):
        lockfile.verify(package, GOOD)
        with pytest.raises(PackageProblem) as problem:
            lockfile.verify(package, BAD)
        expected = f"the integrity of {package} differs: {tmp_path / name} has {GOOD}, the registry has {BAD}"
        assert str(problem.value) == expected
    lockfile.verify(Package("lib", "2.0.0", ""), BAD)
    request = read_request(Wanted("lib", "", ""), str(tmp_path / "src"))
    assert (request.name, request.wanted) == ("lib", "1.0.0")


def test_a_digest_that_cannot_be_compared_is_not_a_mismatch(tmp_path: Path) -> None:
    packages = {"node_modules/lib": {"version": "1.0.0", "integrity": sri(b"good", "sha1")}}
    (tmp_path / "package-lock.json").write_text(json.dumps({"packages": packages}))
    lockfile = nearest_lockfile(str(tmp_path))
    assert lockfile is not None
    package = Package("lib", "1.0.0", BAD)
    assert lockfile.is_match(package, BAD) is None
    assert lockfile.is_match(package, f"{BAD} {sri(b'good', 'sha1')}") is True
    assert lockfile.is_match(package, f"{BAD} {sri(b'bad', 'sha1')}") is False


def test_the_alias_of_a_dependency_finds_its_entry(tmp_path: Path) -> None:
    (tmp_path / "package.json").write_text('{"dependencies": {"old": "npm:lib@^1"}}')
    packages = {"old": ["lib@1.2.0", "", {}, GOOD]}
    (tmp_path / "bun.lock").write_text(json.dumps({"packages": packages}))
    request = read_request(Wanted("old", "", ""), str(tmp_path))
    assert (request.name, request.wanted) == ("lib", "1.2.0")


def test_a_changed_lockfile_is_read_again(tmp_path: Path) -> None:
    path = tmp_path / "bun.lock"
    for version in ("1.0.0", "1.10.0"):
        path.write_text(json.dumps({"packages": {"lib": [f"lib@{version}"]}}))
        lockfile = nearest_lockfile(str(tmp_path))
        assert lockfile is not None
        assert lockfile.direct["lib"].version == version


@pytest.mark.parametrize("text", ["", "{", "[]", "{}", '{"packages": []}', '{"packages": 5}', "\0", "[" * 100_000])
def test_broken_lockfiles_are_ignored(tmp_path: Path, text: str) -> None:
    for name in ("bun.lock", "package-lock.json"):
        (tmp_path / name).write_text(text)
    assert nearest_lockfile(str(tmp_path)) is None


@pytest.mark.parametrize(
    "piece",
    ['"', '"\\"', ",", ", ", "[", '{"a":', "/*", "//", '"a": ["a@1.0.0", "", {}, "x"],\n', "\\", "'"],
)
def test_reading_takes_linear_time(tmp_path: Path, piece: str) -> None:
    path = tmp_path / "bun.lock"

    def read(size: int) -> None:
        path.write_text('{"packages": {' + piece * (size // len(piece)))
        read_json(str(path), has_comments=True)

    assert_linear(read, 20_000)
