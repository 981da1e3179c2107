"""Names, settings, needs and archives of packages, without a registry."""

from __future__ import annotations

import hashlib
import io
import os
import tarfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from registries import archive

from rt_supervisor.packages.installing import Need, fits_machine, needs_of, read_need
from rt_supervisor.packages.manifests import choose_version
from rt_supervisor.packages.npmrc import read_settings
from rt_supervisor.packages.problems import PackageProblem
from rt_supervisor.packages.registry import is_proved
from rt_supervisor.packages.specifiers import read_specifier
from rt_supervisor.packages.store import Package
from rt_supervisor.packages.unpacking import unpack


@pytest.mark.parametrize(
    ("specifier", "expected"),
    [
        ("a", ("a", "", "")),
        ("JSONStream/x.js", ("JSONStream", "", "/x.js")),
        ("@s/a@^1.2/b/c", ("@s/a", "^1.2", "/b/c")),
        ("a@next?x#y", ("a", "next?x#y", "")),
        ("a?x", ("a", "", "?x")),
        ("a@", None),
        ("@s", None),
        ("./a", None),
        ("#a", None),
        ("a b", None),
        ("node:fs", None),
        ("virtual:x", None),
        (".hidden", None),
        ("a" * 215, None),
        ("", None),
    ],
)
def test_specifiers(specifier: str, expected: tuple[str, str, str] | None) -> None:
    read = read_specifier(specifier)
    assert (read and (read.name, read.version, read.inside)) == expected


@given(st.text(max_size=40))
def test_no_text_breaks_the_reading_of_specifiers(specifier: str) -> None:
    read = read_specifier(specifier)
    assert read is None or specifier.startswith(read.name)


def test_settings(tmp_path: Path) -> None:
    (tmp_path / "home").mkdir()
    (tmp_path / "project/src").mkdir(parents=True)
    (tmp_path / "project/package.json").write_text("{}")
    (tmp_path / "home/.npmrc").write_text('registry=https://user.example\n; note\n//u.example/:_authToken="t"\n')
    (tmp_path / "project/.npmrc").write_text(
        "registry = https://${HOST}/npm\n//u.example/x/:_auth=pair\n# c\noffline\n"
    )
    environment = {"HOME": str(tmp_path / "home"), "HOST": "project.example", "npm_config_@s:registry": "http://s/"}
    settings = read_settings(str(tmp_path / "project/src"), environment)
    assert settings.registry_of("a") == "https://project.example/npm/"
    assert settings.registry_of("@s/a") == "http://s/"
    assert settings.authorization("https://u.example/a") == "Bearer t"
    assert settings.authorization("https://u.example/x/a") == "Basic pair"
    assert settings.authorization("https://other.example/a") is None
    assert not settings.is_offline
    environment |= {"NPM_CONFIG_OFFLINE": "true", "NPM_CONFIG_REGISTRY": "http://e"}
    settings = read_settings(str(tmp_path), environment)
    assert settings.is_offline
    assert settings.registry_of("a") == "http://e/"


DOCUMENT: dict[str, Any] = {
    "dist-tags": {"latest": "2.1.0", "next": "3.0.0-beta.1", "lost": "9.9.9"},
    "versions": {v: {} for v in ("1.0.0", "1.9.0", "2.0.0", "2.1.0", "2.2.0", "3.0.0-beta.1")}
    | {"1.10.0": {"deprecated": "no"}},
}


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
    assert choose_version("p", wanted, DOCUMENT) == version


def test_a_version_that_is_a_path_is_none() -> None:
    with pytest.raises(PackageProblem, match="no version"):
        choose_version("p", "*", {"dist-tags": {"latest": "../../x"}, "versions": {"../../x": {}}})


@pytest.mark.parametrize("wanted", ["4", "lost", "no-such-tag", "=>", "9.9.9"])
def test_versions_that_are_not_there(wanted: str) -> None:
    with pytest.raises(PackageProblem, match='"p"'):
        choose_version("p", wanted, DOCUMENT)


def test_needs() -> None:
    document = {
        "dependencies": {"a": "1", "b": "npm:@s/c@^2", "in": "1", "opt": "1"},
        "optionalDependencies": {"opt": "1", "git": "github:x/y"},
        "peerDependencies": {"p": "*", "q": "*"},
        "peerDependenciesMeta": {"q": {"optional": True}},
        "bundleDependencies": ["in"],
    }
    assert needs_of(document, Package("x", "1")) == [
        Need("p", "p", "*", False),
        Need("a", "a", "1", False),
        Need("b", "@s/c", "^2", False),
        Need("opt", "opt", "1", True),
    ]
    with pytest.raises(PackageProblem, match=r'x@1 needs "a" from \./local'):
        needs_of({"dependencies": {"a": "./local"}}, Package("x", "1"))
    for alias, wanted in (("../../x", "1"), ("a", "npm:../b@1"), ("@s/..", "1"), ("a/b", "1"), (".bin", "1")):
        with pytest.raises(PackageProblem, match="no package of a registry"):
            needs_of({"dependencies": {alias: wanted}}, Package("x", "1"))
    assert needs_of({"dependencies": {"x": "1"}}, Package("x", "2")) == [], "a package is what its own name means"
    assert read_need("a", "npm:b") == ("b", "")
    assert [read_need("a", each) for each in ("user/repo", "https://x/y.tgz", "file:x", "workspace:^", "~/x")] == [
        None
    ] * 5


def test_machines() -> None:
    assert fits_machine({})
    assert fits_machine({"os": ["linux", "darwin"], "libc": "glibc" if os.path.exists("/lib64") else "musl"})
    assert not fits_machine({"os": ["!linux"]})
    assert not fits_machine({"cpu": ["mips"]})


def test_digests() -> None:
    sha1 = hashlib.sha1(b"x").hexdigest()
    assert is_proved(b"x", {"shasum": sha1})
    assert is_proved(b"x", {"integrity": "sha256-LXEWQrcmsEQBYnyp+6wy9chTD7GQPMTbAiWHF5IaSIE="})
    assert not is_proved(b"x", {"integrity": "sha512-LXEWQrcmsEQBYnyp", "shasum": sha1}), "the strongest counts"
    assert not is_proved(b"x", {})


def test_archives(tmp_path: Path) -> None:
    unpack(archive({"name": "a"}, {"bin/run": "#!", "deep/x.js": "1"}), str(tmp_path / "a"))
    assert (tmp_path / "a/deep/x.js").read_text() == "1"
    assert [(tmp_path / "a" / name).stat().st_mode & 0o777 for name in ("bin/run", "deep/x.js")] == [0o755, 0o644]
    for name, kind in (("package/../../out", tarfile.REGTYPE), ("package/../x", tarfile.REGTYPE)):
        target = io.BytesIO()
        with tarfile.open(fileobj=target, mode="w:gz") as tar:
            member = tarfile.TarInfo(name)
            member.type = kind
            tar.addfile(member, io.BytesIO(b""))
        with pytest.raises(PackageProblem, match="outside"):
            unpack(target.getvalue(), str(tmp_path / "b/c"))
    target = io.BytesIO()
    with tarfile.open(fileobj=target, mode="w:gz") as tar:
        member = tarfile.TarInfo("package/link")
        member.type, member.linkname = tarfile.SYMTYPE, "/etc/passwd"
        tar.addfile(member)
    unpack(target.getvalue(), str(tmp_path / "d"))
    assert not (tmp_path / "d").exists()
