"""The cache of task results: what is a hit, what changes a key, what is restored, and what is never trusted."""

from __future__ import annotations

import os
import shutil
import signal
from pathlib import Path
from typing import Any

import pytest
from rig import Box

HARBOUR = Path(__file__).parents[3] / "fixtures/monorepo"
TOML = '[tasks.build]\ndependsOn = ["^build"]\noutputs = ["dist/**"]\nenv = ["MODE"]\npassThroughEnv = ["TOKEN"]\n'
LOCK = {
    "name": "root",
    "lockfileVersion": 3,
    "packages": {
        "": {"name": "root"},
        "node_modules/left": {"version": "1.0.0", "dependencies": {"deep": "*"}},
        "node_modules/deep": {"version": "1.0.0"},
        "node_modules/right": {"version": "1.0.0"},
    },
}
CORE = "mkdir -p dist && grep -v '^#' src/a.txt > dist/out; echo building core"
WEB = "mkdir -p dist && cat src/a.txt ../core/dist/out > dist/out; echo building web; echo to stderr >&2"
FILES: dict[str, Any] = {
    ".gitignore": "dist\n",
    "package.json": {"name": "root", "workspaces": ["p/*"]},
    "package-lock.json": LOCK,
    "p/core/package.json": {"name": "core", "scripts": {"build": CORE}},
    "p/core/src/a.txt": "core\n# a comment\n",
    "p/web/package.json": {
        "name": "web",
        "dependencies": {"core": "*", "left": "1"},
        "scripts": {"build": WEB, "prebuild": "echo before"},
    },
    "p/web/src/a.txt": "web\n",
    "rtfig.toml": TOML,
}


def run(box: Box, *more: str, **environment: str) -> tuple[list[str], bytes]:
    """Run all builds. Return the packages whose results came from the cache, and what was printed."""
    result = box.run("run", "--tasks", "build", *more, environment=environment)
    assert result.returncode == 0, result
    lines = result.stdout.decode().splitlines()
    return sorted(line.split()[0] for line in lines if ": cached, saved " in line), result.stdout


def replaced(box: Box, path: str, before: str, after: str) -> None:
    at = box.folder / path
    text = at.read_text()
    assert before in text
    at.write_text(text.replace(before, after))


def test_a_hit_replays_the_output_and_restores_the_files(box: Box) -> None:
    box.write(FILES)
    cached, first = run(box)
    assert cached == []
    (box.folder / "p/web/dist/out").unlink()
    cached, second = run(box)
    assert cached == ["core", "web"]
    assert (box.folder / "p/web/dist/out").read_text() == "web\ncore\n"
    printed = [line for line in first.splitlines() if b"Exited with code 0" not in line]
    assert [line for line in second.splitlines() if b"cached, saved" not in line and b"Exited" not in line] == printed
    assert b"web build: to stderr\n" in second


@pytest.mark.parametrize("in_git", [True, False], ids=["git", "plain"])
@pytest.mark.parametrize(
    ("edit", "ran"),
    [
        (("p/web/src/a.txt", "web", "changed"), ["web"]),
        (("p/core/src/a.txt", "core", "changed"), ["core", "web"]),
        (("p/core/src/a.txt", "a comment", "another"), ["core"]),  # the outputs are the same
        (("p/core/package.json", "echo building core", "echo built core"), ["core"]),
        (("p/web/package.json", "echo before", "echo beforehand"), ["web"]),
        (("package-lock.json", '"node_modules/deep": {"version": "1.0.0"}', '"node_modules/deep": {"version": "1.0.1"}'), ["web"]),
        (("package-lock.json", '"node_modules/right": {"version": "1.0.0"}', '"node_modules/right": {"version": "1.0.1"}'), []),
        (("rtfig.toml", 'env = ["MODE"]', 'env = ["MODE", "OTHER"]'), ["core", "web"]),
        (("rtfig.toml", "[tasks.build]", 'globalDependencies = ["shared/*"]\n\n[tasks.build]'), ["core", "web"]),
        (("rtfig.toml", '"dist/**"', '"dist/**", "lib/**"'), ["core", "web"]),
    ],
)  # fmt: skip
def test_what_an_edit_runs_again(box: Box, in_git: bool, edit: tuple[str, str, str], ran: list[str]) -> None:
    box.write(FILES | {"shared/config": "1"})
    if in_git:
        box.in_bash("git init -q . && git add -A && git -c user.name=a -c user.email=a@b commit -qm x")
    run(box)
    assert run(box)[0] == ["core", "web"]
    replaced(box, *edit)
    assert run(box)[0] == sorted({"core", "web"} - set(ran))
    assert run(box)[0] == ["core", "web"]


def test_files_that_appear_or_are_ignored(box: Box) -> None:
    box.write(FILES | {".gitignore": "dist\nnotes\n"})
    box.in_bash("git init -q .")
    run(box)
    box.write({"p/web/notes": "ignored"})
    assert run(box)[0] == ["core", "web"]
    box.write({"p/web/src/new.txt": "untracked"})
    assert run(box)[0] == ["core"]
    (box.folder / "p/web/src/new.txt").unlink()
    assert run(box)[0] == ["core", "web"]


def test_ignored_files_count_if_inputs_name_them(box: Box) -> None:
    box.write(
        FILES | {".gitignore": "dist\ngenerated\n", "rtfig.toml": TOML + 'inputs = ["src/**", "generated/*.txt"]\n'}
    )
    box.write({"p/web/generated/a.txt": "1", "p/web/other.txt": "1"})
    box.in_bash("git init -q .")
    run(box)
    box.write({"p/web/other.txt": "2"})
    assert run(box)[0] == ["core", "web"]
    box.write({"p/web/generated/a.txt": "2"})
    assert run(box)[0] == ["core"]


def test_the_fixture_is_cached(box: Box) -> None:
    shutil.copytree(HARBOUR, box.folder, dirs_exist_ok=True, ignore=shutil.ignore_patterns("dist"))
    box.in_bash("git init -q .")
    count = box.run("run", "--tasks", "build", "test", "lint").stdout.count(b"Exited with code 0")
    again = box.run("run", "--tasks", "build", "test", "lint")
    assert count > 20
    assert (again.returncode, again.stdout.count(b"Exited with code 0")) == (0, 0)
    with (box.folder / "packages/markup/src/index.ts").open("a") as file:
        file.write("// a comment\n")
    again = box.run("run", "--tasks", "build")
    assert b"@harbour/types build: cached, saved" in again.stdout
    assert b"@harbour/markup build: Exited with code 0" in again.stdout


def test_arguments_and_variables_are_part_of_the_key(box: Box) -> None:
    box.write(FILES)
    run(box)
    assert run(box, "--", "--fast")[0] == []
    assert run(box, "--", "--fast")[0] == ["core", "web"]
    assert run(box, MODE="x")[0] == []
    assert run(box, MODE="x", TOKEN="secret", UNLISTED="1")[0] == ["core", "web"]
    assert run(box)[0] == ["core", "web"]


def test_strict_tasks_get_only_the_variables_of_their_settings(box: Box) -> None:
    script = {"build": "echo [$MODE] [$TOKEN] [$UNLISTED]"}
    box.write(FILES | {"p/core/package.json": {"name": "core", "scripts": script}})
    words = {"MODE": "m", "TOKEN": "t", "UNLISTED": "u"}
    assert b"core build: [m] [t] []\n" in run(box, "--filter", "core", **words)[1]
    box.write({"rtfig.toml": f'envMode = "loose"\n{TOML}'})
    assert b"core build: [m] [t] [u]\n" in run(box, "--filter", "core", **words)[1]


def test_files_are_restored_exactly_and_stale_ones_removed(box: Box) -> None:
    make = "rm -rf dist; mkdir -p dist/empty dist/bin; cp src/a.txt dist/bin/tool; chmod 755 dist/bin/tool; ln -s bin/tool dist/link"
    more = make.replace("dist/empty", "dist/empty dist/more").replace("; ln", "; echo > dist/more/x; ln")
    box.write(FILES | {"p/core/package.json": {"name": "core", "scripts": {"build": make}}})
    run(box, "--filter", "core")
    box.write({"p/core/package.json": {"name": "core", "scripts": {"build": more}}})
    run(box, "--filter", "core")
    assert (box.folder / "p/core/dist/more/x").exists()
    box.write({"p/core/dist/mine": "of the user", "p/core/package.json": {"name": "core", "scripts": {"build": make}}})
    assert run(box, "--filter", "core")[0] == ["core"]
    dist = box.folder / "p/core/dist"
    assert sorted(str(path.relative_to(dist)) for path in dist.rglob("*")) == [
        "bin",
        "bin/tool",
        "empty",
        "link",
        "mine",
    ]
    assert os.readlink(dist / "link") == "bin/tool"
    assert (dist / "bin/tool").stat().st_mode & 0o777 == 0o755


def test_a_foreign_file_never_becomes_part_of_a_result(box: Box) -> None:
    box.write(FILES | {"p/core/dist/mine": "of the user"})
    os.utime(box.folder / "p/core/dist/mine", (1, 1))
    script = {"build": "sleep 0.1; echo > dist/out"}
    box.write({"p/core/package.json": {"name": "core", "scripts": script}})
    # Its change of status is older than the run by more than a tick of the clock.
    run(box, "--filter", "core", "--no-cache")
    run(box, "--filter", "core")
    (box.folder / "p/core/dist/mine").unlink()
    (box.folder / "p/core/dist/out").unlink()
    assert run(box, "--filter", "core")[0] == ["core"]
    assert [path.name for path in (box.folder / "p/core/dist").iterdir()] == ["out"]


def test_what_is_not_cached(box: Box) -> None:
    box.write(FILES)
    run(box)
    assert run(box, "--force")[0] == []
    assert run(box, "--no-cache")[0] == []
    assert run(box, "--cache=local:")[0] == []
    assert run(box, "--cache=local:r")[0] == ["core", "web"]
    assert run(box, "--only")[0] == ["core", "web"]
    assert run(box, "--only", "--filter", "web")[0] == []  # the outputs of core are not part of its key
    box.write({"rtfig.toml": TOML + "cache = false\n"})
    run(box)
    assert run(box)[0] == []
    box.write({"rtfig.toml": '[tasks.build]\ndependsOn = ["^build"]\ninputs = ["src/**"]\n'})
    watched = box.run("run", "--tasks", "build", "--watch", "--no-cache", "--dry-run").stdout
    assert b"not cached: its outputs are not traced in this run" in watched


def test_failures_are_not_cached_and_taint_what_runs_after_them(box: Box) -> None:
    box.write(FILES | {"p/core/package.json": {"name": "core", "scripts": {"build": f"{CORE}; exit 3"}}})
    for _ in range(2):
        result = box.run("run", "--tasks", "build", "--continue")
        assert result.returncode == 3
        assert b"cached, saved" not in result.stdout
        assert b"web build: building web\n" in result.stdout


def test_sources_of_a_package_without_the_script_count_for_dependents(box: Box) -> None:
    box.write(FILES | {"p/core/package.json": {"name": "core"}})
    box.write(
        {
            "p/web/package.json": {
                "name": "web",
                "dependencies": {"core": "*"},
                "scripts": {"build": "cat ../core/src/a.txt"},
            }
        }
    )
    run(box)
    assert run(box)[0] == ["web"]
    replaced(box, "p/core/src/a.txt", "core", "changed")
    cached, printed = run(box)
    assert cached == []
    assert b"web build: changed\n" in printed


def test_turbo_json_caches_tasks_without_outputs(box: Box) -> None:
    files = dict(FILES)
    del files["rtfig.toml"]
    box.write(files | {"turbo.json": '{"tasks": {"build": {"dependsOn": ["^build"]}}}'})
    box.in_bash("git init -q .")  # otherwise what it writes is an input
    run(box)
    assert run(box)[0] == ["core", "web"]


@pytest.mark.parametrize("folder", ["entries", "blobs"])
@pytest.mark.parametrize("way", ["cut", "flip", "empty", "remove"])
def test_a_damaged_store_is_a_miss(box: Box, folder: str, way: str) -> None:
    box.write(FILES)
    run(box)
    for path in [path for path in (box.cache / "rt/tasks" / folder).rglob("*") if path.is_file()]:
        data = path.read_bytes()
        if way == "remove":
            path.unlink()
        else:
            path.write_bytes(
                {"cut": data[: len(data) // 2], "flip": data[:-1] + bytes([data[-1] ^ 1]), "empty": b""}[way]
            )
    box.in_bash("rm -r p/*/dist")
    assert run(box)[0] == []
    assert (box.folder / "p/web/dist/out").read_text() == "web\ncore\n"
    box.in_bash("rm -r p/*/dist")
    assert run(box)[0] == ["core", "web"]
    assert (box.folder / "p/web/dist/out").read_text() == "web\ncore\n"


def test_what_a_killed_run_leaves_is_not_trusted(box: Box) -> None:
    """The run is killed while the task has written one file of two; the result of the next run has only its own file."""
    slow = "mkdir -p dist && echo partial > dist/partial && touch ../../is-running && sleep 60"
    box.write(FILES | {"p/core/package.json": {"name": "core", "scripts": {"build": slow}}})
    process = box.start("run", "--tasks", "build", "--filter", "core")
    box.await_file("is-running")
    os.kill(process.pid, signal.SIGKILL)
    process.communicate()
    box.write({"p/core/package.json": {"name": "core", "scripts": {"build": CORE}}})
    run(box, "--filter", "core")
    dist = box.folder / "p/core/dist"
    assert [path.name for path in dist.iterdir()] == ["out"]
    assert run(box, "--filter", "core")[0] == ["core"]


@pytest.mark.parametrize("end", ["exit 3", "touch ../../is-running; sleep 600"], ids=["failure", "interruption"])
def test_what_a_failed_run_leaves_is_removed(box: Box, end: str) -> None:
    partial = f"mkdir -p dist && echo partial > dist/partial && {end}"
    box.write(FILES)
    run(box, "--filter", "core")
    replaced(box, "p/core/package.json", CORE, partial)
    process = box.start("run", "--tasks", "build", "--filter", "core")
    if "sleep" in end:
        box.await_file("is-running")
        process.send_signal(signal.SIGINT)
    process.communicate()
    dist = box.folder / "p/core/dist"
    assert [path.name for path in dist.iterdir()] == ["partial"]
    assert b"failed or was interrupted the last time" in box.run("cache", "why", "core#build").stdout
    replaced(box, "p/core/package.json", partial, CORE)
    assert run(box, "--filter", "core")[0] == ["core"]
    assert [path.name for path in dist.iterdir()] == ["out"]


def test_workspaces_share_the_store(box: Box, tmp_path: Path) -> None:
    box.write(FILES)
    run(box)
    box.in_bash(f"cp -r . {tmp_path}/other && rm -r {tmp_path}/other/p/*/dist")
    result = box.run("run", "--tasks", "build", cwd=tmp_path / "other")
    assert result.stdout.count(b": cached, saved ") == 2
    assert (tmp_path / "other/p/web/dist/out").read_text() == "web\ncore\n"


def test_why_says_what_changed(box: Box) -> None:
    box.write(FILES)
    assert b"core build: would run, not run before\n" in box.run("cache", "why", "build").stdout
    run(box)
    assert box.run("cache", "why", "build").stdout == b"core build: cached\nweb build: cached\n"
    replaced(box, "p/web/src/a.txt", "web", "changed")
    box.write({"p/web/src/b.txt": ""})
    printed = box.run("cache", "why", "web#build", environment={"MODE": "x"}).stdout.decode()
    assert "core build: would run, changed: MODE\n  variable MODE: set\n" in printed
    assert "web build: depends on core build, which would run first\n" in printed
    printed = box.run("cache", "why", "web#build").stdout.decode()
    assert "  file p/web/src/a.txt: changed\n  file p/web/src/b.txt: added\n" in printed


def test_the_dry_run_shows_keys_and_reasons(box: Box) -> None:
    box.write(FILES)
    run(box)
    assert box.run("run", "--tasks", "build", "--dry-run").stdout.count(b"cache: hit ") == 2
    replaced(box, "p/core/src/a.txt", "core", "changed")
    printed = box.run("run", "--tasks", "build", "--dry-run").stdout
    assert b"changed: p/core/src/a.txt" in printed
    assert b"cache: unknown, core build would run first" in printed


def test_stats_and_prune(box: Box) -> None:
    box.write(FILES)
    run(box)
    assert b"2 results, 2 files, " in box.run("cache", "stats").stdout
    box.write({"rtfig.toml": "cacheMaxSize = 1\n\n" + TOML})
    assert box.run("cache", "prune").stdout.startswith(b"Freed ")
    assert b"0 results, " in box.run("cache", "stats").stdout
    box.in_bash("rm -r p/*/dist")
    assert run(box)[0] == []


def test_verify_finds_tasks_that_are_not_deterministic(box: Box) -> None:
    box.write(FILES)
    assert box.run("cache", "verify", "core#build").stdout == b"core build: the same outputs\n"
    box.write({"p/core/package.json": {"name": "core", "scripts": {"build": "mkdir -p dist; date +%N > dist/time"}}})
    result = box.run("cache", "verify", "core#build")
    assert (result.returncode, result.stdout) == (
        1,
        b"core build: not deterministic\n  p/core/dist/time: other content\n",
    )


def test_cached_tasks_in_the_other_forms_of_output(box: Box) -> None:
    box.write(FILES)
    run(box)
    assert b"Cached, saved " in box.run("run", "--tasks", "--output=grouped", "build").stdout
    assert b'"savedSeconds":' in box.run("run", "--tasks", "--output=json", "build").stdout


def test_a_result_of_inputs_that_change_while_the_task_runs_is_not_stored(box: Box) -> None:
    """The first run reads what it has written: its result would be wrong for the inputs that it began with."""
    build = "test ! -e other.txt || cp other.txt src/a.txt; mkdir -p dist; cp src/a.txt dist/out"
    box.write(
        {
            ".gitignore": "dist\nother.txt\n",
            "package.json": {"name": "app", "scripts": {"build": build, "after": "cat dist/out"}},
            "src/a.txt": "one\n",
            "other.txt": "two\n",
            "rtfig.toml": '[tasks.build]\ninputs = ["src/**"]\noutputs = ["dist/**"]\n'
            '[tasks.after]\ndependsOn = ["build"]\ninputs = []\noutputs = []\n',
        }
    )
    result = box.run("run", "--tasks", "after")
    assert result.stderr == b"warn: //#build: its result is not stored: src/a.txt was changed during the run\n"
    (box.folder / "other.txt").unlink()
    for content in ("one\n", "two\n"):
        box.write({"src/a.txt": content})
        result = box.run("run", "--tasks", "after")
        assert b"cached" not in result.stdout and result.stderr == b""
        assert f"app after: {content}".encode() in result.stdout
    assert box.run("run", "--tasks", "after").stdout.count(b"cached") == 2


@pytest.mark.parametrize("is_repository", [True, False])
def test_a_result_of_inputs_that_are_added_during_the_run_is_not_stored(box: Box, is_repository: bool) -> None:
    """The first task adds an input of the second one, which adds another one; what git ignores is not an input."""
    box.write(
        {
            ".gitignore": "dist\n*.log\n",
            "package.json": {
                "name": "app",
                "scripts": {
                    "edit": "mkdir -p src/deep; cp from src/deep/b.txt",
                    "build": "mkdir -p dist; cat src/*/*.txt > dist/out; echo > src/debug.log",
                    "report": "ls src > src/report.txt",
                },
            },
            "from": "one\n",
            "src/a.txt": "",
            "rtfig.toml": '[tasks.edit]\ncache = false\ninputs = []\n[tasks.build]\ndependsOn = ["edit"]\n'
            'outputs = ["dist/**"]\ninputs = ["src/**", "!src/*.log", "!src/report.txt"]\n'
            '[tasks.report]\ninputs = ["$TURBO_DEFAULT$", "!src/deep/**", "!dist/**", "!src/debug.log"]\noutputs = []\n',
        }
    )
    if is_repository:
        box.in_bash("git init -q")
        box.write({"rtfig.toml": (box.folder / "rtfig.toml").read_text().replace(', "!dist/**", "!src/debug.log"', "")})
    words = ("run", "--tasks")
    result = box.run(*words, "build")
    assert result.stderr == b"warn: //#build: its result is not stored: src/deep/b.txt was added during the run\n"
    assert box.run(*words, "report").stderr.endswith(b"src/report.txt was added during the run\n")
    for task in ("build", "report"):
        assert [box.run(*words, task).stdout.count(b"cached") for _ in range(2)] == [0, 1]
    if not is_repository:
        return
    box.in_bash("git add . && git -c user.name=a -c user.email=a@b commit -qm all")
    box.write({"from": "two\n"})  # git knows the old digest of what the first task now changes
    result = box.run(*words, "build")
    assert result.stderr == b""  # its result is there, for the files as they were when the run began
    box.write({"from": "three\n"})
    box.in_bash("git add . && git -c user.name=a -c user.email=a@b commit -qm all; rm -r dist; echo > src/c.txt")
    result = box.run(*words, "build")
    assert result.stderr == b"warn: //#build: its result is not stored: src/deep/b.txt was changed during the run\n"
    assert (box.folder / "dist/out").read_text() == "three\n"


def test_outputs_of_dependencies_in_the_package_are_not_inputs(box: Box) -> None:
    """Nothing ignores `gen`, which does not exist before the first run."""
    box.write(
        {
            "package.json": {
                "name": "app",
                "scripts": {"codegen": "mkdir -p gen; cp schema.txt gen", "build": "cat gen/*"},
            },
            "schema.txt": "one\n",
            "rtfig.toml": '[tasks.codegen]\ninputs = ["schema.txt"]\noutputs = ["gen/**"]\n'
            '[tasks.build]\ndependsOn = ["codegen"]\noutputs = []\n',
        }
    )
    assert b"cached" not in box.run("run", "--tasks", "build").stdout
    assert box.run("run", "--tasks", "build").stdout.count(b"cached") == 2
    box.write({"schema.txt": "two\n"})
    assert b"app build: two\n" in box.run("run", "--tasks", "build").stdout


def test_outputs_stay_owned_when_a_result_is_not_stored(box: Box) -> None:
    """The second run follows a failed dependency: what the first run wrote is removed before it, and what it wrote before the third."""
    box.write(
        {
            "package.json": {
                "name": "app",
                "scripts": {"gen": "test ! -e broken", "build": "mkdir -p dist && cp src/* dist"},
            },
            "src/a": "a\n",
            "rtfig.toml": '[tasks.gen]\ncache = false\n[tasks.build]\ndependsOn = ["gen"]\ninputs = ["src/**"]\n'
            'outputs = ["dist/**"]\n',
        }
    )
    names = ["a", "b", "c"]
    for place, name in enumerate(names):
        if place:
            (box.folder / "src" / names[place - 1]).rename(box.folder / "src" / name)
        if place == 1:
            box.write({"broken": ""})
        result = box.run("run", "--tasks", "--continue", "build")
        assert result.returncode == (1 if place == 1 else 0)
        assert [path.name for path in (box.folder / "dist").iterdir()] == [name]
        (box.folder / "broken").unlink(missing_ok=True)
