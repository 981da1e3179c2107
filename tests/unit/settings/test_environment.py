"""The environment that a script receives."""

from __future__ import annotations

from pathlib import Path

import pytest

import rt_supervisor
from rt_supervisor.settings import environment
from rt_supervisor.vocabulary.record import record


@record
class Package:
    path: str = "/w/package.json"
    folder: str = "/w"
    name: str | None = "app"
    version: str | None = "1.2.3"
    config: dict[str, str] = {}  # noqa: RUF012 - a record's default


def script(base: dict[str, str], package: Package | None, **changes: str | None) -> dict[str, str]:
    fields = {"folder": "/w", "executable": "/opt/rt/bin/rt", "event": "build", "command": "echo hi"} | changes
    return environment.script_environment({"PATH": "/usr/bin:/bin"} | base, package, **fields)  # type: ignore[arg-type]


def test_the_environment_of_npm_scripts() -> None:
    found = script({"KEPT": "1"}, Package(config={"port": "80", "a=b": "x"}))
    assert found["npm_lifecycle_event"] == "build"
    assert found["npm_lifecycle_script"] == "echo hi"
    assert found["npm_package_name"] == "app"
    assert found["npm_package_version"] == "1.2.3"
    assert found["npm_package_json"] == "/w/package.json"
    assert found["npm_package_config_port"] == "80"
    assert found["npm_config_local_prefix"] == "/w"
    assert found["npm_execpath"] == "/opt/rt/bin/rt"
    assert found["KEPT"] == "1"
    assert "INIT_CWD" not in found
    assert not any("=" in name for name in found)


def test_variables_of_an_outer_run_are_removed() -> None:
    stale = {
        "npm_package_name": "s",
        "npm_package_version": "s",
        "npm_package_config_x": "s",
        "npm_lifecycle_event": "s",
    }
    found = script(stale, Package(name=None, version=None), event=None, command=None)
    assert found.keys().isdisjoint(stale)
    assert script(stale, None)["npm_lifecycle_event"] == "build"
    assert script({"npm_config_user_agent": "npm/1"}, None)["npm_config_user_agent"] == "npm/1"


def test_path_nearest_first_callers_last() -> None:
    entries = script({"PATH": "/zz/mine:/w/node_modules/.bin:/bin"}, None, folder="/w/p/q")["PATH"].split(":")
    assert entries[:5] == [
        "/w/p/q/node_modules/.bin",
        "/w/p/node_modules/.bin",
        "/w/node_modules/.bin",
        "/node_modules/.bin",
        "/zz/mine",
    ]
    assert entries.count("/w/node_modules/.bin") == 1


def test_nesting_does_not_lengthen_path() -> None:
    once = script({}, None)
    assert script(once, None)["PATH"] == once["PATH"]


def test_rt_can_always_be_called(tmp_path: Path) -> None:
    assert script({"PATH": str(tmp_path)}, None)["PATH"].endswith(f"{tmp_path}:/opt/rt/bin")
    (tmp_path / "rt").write_text("#!/bin/sh\n")
    (tmp_path / "rt").chmod(0o755)
    assert script({"PATH": str(tmp_path)}, None)["PATH"].endswith(f":{tmp_path}")


def test_the_node_link_comes_first() -> None:
    found = script({}, None, node_folder="/tmp/link")
    assert found["PATH"].startswith("/tmp/link:/w/node_modules/.bin:")
    assert found["NODE"] == found["npm_node_execpath"] == "/tmp/link/node"


def test_node_is_named_where_it_is(tmp_path: Path) -> None:
    (tmp_path / "node").write_text("#!/bin/sh\n")
    assert script({"PATH": str(tmp_path), "NODE": "old"}, None)["NODE"] == "old"
    (tmp_path / "node").chmod(0o755)
    assert script({"PATH": str(tmp_path), "NODE": "old"}, None)["NODE"] == str(tmp_path / "node")


def test_values_that_a_process_cannot_receive_are_left_out() -> None:
    found = script({}, Package(name="a\0b", version="\ud800", config={"k\0": "v", "ok": "v"}))
    assert "npm_package_name" not in found
    assert "npm_package_version" not in found
    assert found["npm_package_config_ok"] == "v"
    assert all(environment.is_passable(name) for name in found)


def test_no_path_at_all() -> None:
    assert environment.script_environment({}, None, folder="/w", executable="/x/rt")["PATH"].endswith("/bin:/x")


def test_the_form_of_the_user_agent() -> None:
    name, npm, node, platform, architecture = environment.user_agent().split(" ")
    assert name.startswith("rt/")
    assert npm == "npm/?"
    assert node == f"node/v{rt_supervisor.NODE_VERSION}"
    assert platform
    assert architecture


@pytest.mark.parametrize(
    ("folder", "found"),
    [("/a/b", ["/a/b", "/a", "/"]), ("/a/node_modules/p", ["/a/node_modules/p", "/a", "/"]), ("/", ["/"])],
)
def test_ancestors(folder: str, found: list[str]) -> None:
    assert environment.ancestors(folder) == found


def test_rt_finds_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rt = tmp_path / "rt"
    rt.write_text("#!/bin/sh\n")
    rt.chmod(0o755)
    (tmp_path / "node").symlink_to(rt)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", str(tmp_path))
    for called in ("rt", "./rt", str(rt), str(tmp_path / "node")):
        monkeypatch.setattr("sys.argv", [called])
        assert environment.own_executable() == str(rt)
    monkeypatch.setattr("sys.argv", ["/x/rt_supervisor/__main__.py"])
    assert environment.own_executable().endswith("/bin/rt")
