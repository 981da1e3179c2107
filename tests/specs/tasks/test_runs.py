"""`rt run --tasks` and `rt tasks` in real workspaces."""

from __future__ import annotations

import json
import time
from typing import Any

import pytest
from rig import Box, wait_until

FILES: dict[str, Any] = {
    "package.json": {"name": "root", "workspaces": ["p/*"], "scripts": {"gen": "echo gen"}},
    "p/core/package.json": {"name": "core", "scripts": {"build": "echo build core >> ../../log"}},
    "p/web/package.json": {
        "name": "web",
        "dependencies": {"core": "*"},
        "scripts": {"build": "echo build web >> ../../log", "lint": "echo lint web >> ../../log", "fail": "exit 3"},
    },
    "rtfig.toml": '[tasks.build]\ndependsOn = ["^build"]\n[tasks.lint]\n[tasks.fail]\n[tasks.after]\ndependsOn = ["fail"]\n',
}


def ran(box: Box) -> list[str]:
    """Return what the scripts logged since the last call."""
    log = box.folder / "log"
    lines = log.read_text().splitlines() if log.exists() else []
    log.unlink(missing_ok=True)
    return lines


@pytest.mark.parametrize(
    ("arguments", "folder", "expected"),
    [
        (["run", "--tasks", "build"], ".", ["build core", "build web"]),
        (["run", "--tasks", "build", "--filter", "core"], ".", ["build core"]),
        (["run", "--tasks", "--filter=web", "--only", "build"], ".", ["build web"]),
        (["run", "--filter", "web", "build"], ".", ["build core", "build web"]),
        (["run", "build"], "p/web", ["build core", "build web"]),
        (["run", "build"], ".", ["build core", "build web"]),
        (["run", "--tasks", "build"], "p/web", ["build core", "build web"]),
        (["run", "--no-tasks", "build"], "p/web", ["build web"]),
        (["run", "--no-tasks", "--filter", "web", "build"], ".", ["build web"]),
        (["run", "--filter", "web", "--parallel", "build"], ".", ["build web"]),
        (["run", "--tasks", "core#build"], ".", ["build core"]),
        (["run", "--tasks", "web#lint", "core#build", "--concurrency", "1"], ".", ["build core", "lint web"]),
    ],
)
def test_what_runs(box: Box, arguments: list[str], folder: str, expected: list[str]) -> None:
    box.write(FILES)
    result = box.run(*arguments, cwd=box.folder / folder)
    assert (result.returncode, ran(box)) == (0, expected), result


def test_a_cached_start_ends_when_a_file_with_tasks_appears(box: Box) -> None:
    files = dict(FILES)
    toml = files.pop("rtfig.toml")
    box.write(files)
    folder = box.folder / "p/web"
    age(box)
    for _ in range(3):  # the second start is cached, the third one uses it
        box.run("run", "build", cwd=folder)
        assert ran(box) == ["build web"]
    box.write({"rtfig.toml": toml})
    box.run("run", "build", cwd=folder)
    assert ran(box) == ["build core", "build web"]
    (box.folder / "rtfig.toml").unlink()
    box.run("run", "build", cwd=folder)
    assert ran(box) == ["build web"]


def age(box: Box) -> None:
    """Wait until the files are older than a tick of the clock: younger ones are not trusted."""
    wait_until(
        lambda: time.time() - max(path.stat().st_mtime for path in box.folder.rglob("*")) > 0.1, "the files are settled"
    )


def test_arguments_go_to_the_named_tasks_only(box: Box) -> None:
    scripts = {"build": "echo build"}
    box.write(FILES | {"p/core/package.json": {"name": "core", "scripts": scripts}})
    box.write({"p/web/package.json": {"name": "web", "dependencies": {"core": "*"}, "scripts": scripts}})
    result = box.run("run", "--tasks", "build", "--filter", "web", "--", "--mode", "a b")
    assert b"core build: build\n" in result.stdout
    assert b"web build: build --mode a b\n" in result.stdout


@pytest.mark.parametrize(("mode", "others_end"), [("never", True), ("dependencies-successful", False)])
def test_what_continues_after_a_failure(box: Box, mode: str, others_end: bool) -> None:
    """The second task waits for the end of the first one, which fails, and then shows whether it was ended with it."""
    box.write(
        {
            "package.json": {"name": "root", "workspaces": ["p/*"]},
            "p/a/package.json": {
                "name": "a",
                "scripts": {"t": "while [ ! -e ../../runs ]; do sleep 0.01; done; exit 3"},
            },
            "p/b/package.json": {
                "name": "b",
                "scripts": {
                    "t": "trap 'echo ended; exit 1' INT; touch ../../runs; while [ -e ../../runs ]; do sleep 0.01; done"
                },
            },
            "p/c/package.json": {"name": "c", "scripts": {"t": "rm -f ../../runs"}},
            "rtfig.toml": '[tasks.t]\n[tasks."c#t"]\ndependsOn = []\n',
        }
    )
    if others_end:
        box.write({"rtfig.toml": '[tasks.t]\n[tasks."c#t"]\ndependsOn = ["a#t"]\n'})
    else:  # c ends b once a has failed, which it shows by its end
        box.write(
            {
                "p/a/package.json": {
                    "name": "a",
                    "scripts": {"t": "while [ ! -e ../../runs ]; do sleep 0.01; done; rm ../../runs; exit 3"},
                }
            }
        )
        box.write({"p/c/package.json": {"name": "c", "scripts": {"t": "true"}}})
    result = box.run("run", "--tasks", "t", f"--continue={mode}")
    assert result.returncode == 3
    assert (b"b t: ended" in result.stdout) == others_end


def test_a_failure_skips_dependents(box: Box) -> None:
    files = FILES | {"p/web/package.json": {"name": "web", "scripts": {"fail": "exit 3", "after": "touch ../../after"}}}
    box.write(files)
    result = box.run("run", "--tasks", "after")
    assert result.returncode == 3
    assert b"web after: Skipped\n" in result.stdout
    assert not (box.folder / "after").exists()


def test_turbo_json_and_wireit_are_used_with_the_flag_only(box: Box) -> None:
    files = dict(FILES)
    del files["rtfig.toml"]
    box.write(files | {"turbo.json": '{"tasks": {"build": {"dependsOn": ["^build"]}}}'})
    box.run("run", "--filter", "web", "build")
    assert ran(box) == ["build web"]
    box.run("run", "--tasks", "--filter", "web", "build")
    assert ran(box) == ["build core", "build web"]


def test_wireit_runs_its_commands(box: Box) -> None:
    wireit = {"build": {"command": "echo from wireit", "dependencies": ["gen"]}, "gen": {"command": "echo generated"}}
    box.write({"package.json": {"name": "app", "scripts": {"build": "wireit", "gen": "wireit"}, "wireit": wireit}})
    result = box.run("run", "--tasks", "build")
    assert result.stdout.splitlines()[0::2] == [b"app gen: generated", b"app build: from wireit"]


def test_wireit_with_a_service_variables_and_plain_scripts(box: Box) -> None:
    serve = "echo starting; cat marker; echo listening on 3000; trap 'exit 0' TERM; while :; do sleep 0.05; done"
    wireit = {
        "test": {
            "command": "echo $GIVEN $DEFAULT $TAKEN",
            "dependencies": ["serve", "plain", {"script": "only", "cascade": False}],
            "env": {
                "GIVEN": "a b",
                "DEFAULT": {"external": True, "default": "c"},
                "TAKEN": {"external": True, "default": "unused"},
            },
        },
        "serve": {
            "command": serve,
            "service": {"readyWhen": {"lineMatches": "listening on \\d+"}},
            "dependencies": ["plain"],
        },
        "only": {"command": "echo only wireit has it"},
    }
    scripts = {"test": "wireit", "serve": "wireit", "plain": "echo made > marker"}
    box.write({"package.json": {"name": "app", "scripts": scripts, "wireit": wireit}})
    result = box.run("run", "--tasks", "test", environment={"TAKEN": "d"})
    assert result.returncode == 0
    lines = [line for line in result.stdout.decode().splitlines() if "Exited" not in line]
    assert (
        lines.index("app serve: made") < lines.index("app serve: listening on 3000") < lines.index("app test: a b c d")
    )
    assert "app only: only wireit has it" in lines
    imported = box.run("tasks", "import")
    assert imported.returncode == 0, imported
    again = box.run("run", "--tasks", "test", environment={"TAKEN": "d"})
    assert again.returncode == 0
    assert sorted(line for line in again.stdout.decode().splitlines() if "Exited" not in line) == sorted(lines)


def test_the_listing_names_the_origin_of_each_setting(box: Box) -> None:
    box.write(FILES | {"p/web/rtfig.toml": "[tasks.build]\ncache = false\n"})
    result = box.run("tasks")
    assert result.stdout.decode().split("\n\n")[:2] == [
        "Tasks of rtfig.toml",
        "build  (in 2 packages)\n  dependsOn  ^build  rtfig.toml:2\n  web#build  p/web/rtfig.toml:1\n    cache  false  p/web/rtfig.toml:2",
    ]
    document = json.loads(box.run("tasks", "--format", "json").stdout)
    assert document["origin"] == "rtfig.toml"
    assert document["tasks"][0]["settings"] == {"dependsOn": {"value": ["^build"], "place": "rtfig.toml:2"}}


def test_import_writes_rtfig_toml_beside_other_settings(box: Box) -> None:
    files = dict(FILES)
    turbo = '{"globalEnv": ["CI"], "tasks": {"build": {"dependsOn": ["^build"], "outputs": ["dist/**"]}}}'
    box.write(files | {"turbo.json": turbo, "rtfig.toml": "[run]\nsilent = true\n"})
    result = box.run("tasks", "import")
    assert result.stdout == b"Wrote 1 task of turbo.json to rtfig.toml\n"
    assert (box.folder / "rtfig.toml").read_text() == (
        'globalEnv = ["CI"]\n\n[run]\nsilent = true\n\n[tasks.build]\ndependsOn = ["^build"]\noutputs = ["dist/**"]\nclean = false\n'
    )
    box.run("run", "--filter", "web", "build")
    assert ran(box) == ["build core", "build web"]


def test_a_long_chain_of_packages_without_the_script(box: Box) -> None:
    """What the last task depends on is found through more packages than Python's stack has frames."""
    count = 1100
    settings = '[tasks.build]\ndependsOn = ["^build"]\noutputs = []\n'
    box.write({"package.json": {"workspaces": ["p/*"]}, "rtfig.toml": settings})
    scripts = {0: "test ! -e ../../fails", count - 1: "echo last >> ../../log"}
    for number in range(count):
        manifest: dict[str, Any] = {"name": f"p{number}", "dependencies": {f"p{number - 1}": "*"} if number else {}}
        if number in scripts:
            manifest["scripts"] = {"build": scripts[number]}
        box.write({f"p/p{number}/package.json": manifest})
    for _ in range(2):
        assert box.run("run", "--tasks", "build").returncode == 0
    assert ran(box) == ["last"]
    box.write({"fails": "", "p/p0/other": ""})
    for _ in range(2):  # nothing is stored after a failure
        assert box.run("run", "--tasks", "--continue", "build").returncode == 1
    assert ran(box) == ["last", "last"]
