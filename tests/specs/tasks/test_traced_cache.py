"""Results of scripts whose inputs and outputs are traced: with --cache, and of tasks in rtfig.toml without `inputs` and `outputs`.

`RT_TEST_TRACED_EDITS` sets the number of random edits of each workspace, `RT_TEST_SEED` the first workspace.
"""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import Any

import pytest
from random_workspaces import Workspace, tree
from rig import Box

EDITS = int(os.environ.get("RT_TEST_TRACED_EDITS", "5"))
SEED = int(os.environ.get("RT_TEST_SEED", "1"))

FORMS = (
    "",
    'inputs = [{ auto = true }]\noutputs = ["dist/**"]',
    'inputs = ["src/**"]',
)  # what is traced: all, inputs, outputs

BUILD = "mkdir -p dist && cat src/*.txt > dist/out && echo built"


def run(box: Box, *more: str, name: str = "build", **environment: str) -> tuple[bool, str]:
    """Run one script. Return whether its result came from the cache, and what rt printed to stderr."""
    result = box.run("run", "--cache", *more, name, environment=environment)
    assert result.returncode == 0, result
    return b": cached, saved " in result.stdout, result.stderr.decode()


def app(build: str, **scripts: str) -> dict[str, Any]:
    return {"package.json": {"name": "app", "scripts": {"build": build, **scripts}}, "src/a.txt": "a\n"}


def test_a_script_without_settings_is_cached_by_what_it_reads(box: Box) -> None:
    box.write(app(BUILD, prebuild="cat config > generated") | {"config": "1", "unrelated.txt": "1"})
    assert run(box) == (False, "")
    assert run(box) == (True, "")
    box.write({"unrelated.txt": "2", "src/b.md": "a name that the pattern does not match, in a folder that is listed"})
    assert run(box) == (False, "")  # the shell has listed src
    (box.folder / "src/b.md").unlink()
    assert run(box) == (True, "")
    for path, text in (("src/a.txt", "A\n"), ("config", "2"), ("src/c.txt", "c\n")):
        box.write({path: text})
        assert run(box) == (False, ""), path
        assert run(box) == (True, ""), path
    (box.folder / "src/c.txt").unlink()
    box.write({"src/a.txt": "a\n", "config": "1"})
    assert run(box) == (True, "")  # as at first
    assert (box.folder / "dist/out").read_text() == "a\n"
    assert run(box, ANOTHER="1")[0] is False
    assert run(box, ANOTHER="1")[0] is True
    assert run(box, ANOTHER="1", SSH_TTY="/dev/pts/1", TRACEPARENT="00-0-0-01")[0] is True
    assert run(box, "--force")[0] is False
    assert run(box, "--cache=local:")[0] is False


def test_why_is_about_scripts_with_the_flag_and_where_nothing_defines_tasks(box: Box) -> None:
    """With settings, the same name is otherwise a task, whose result has another key."""
    box.write(app(BUILD))
    run(box)
    box.write({"src/a.txt": "b\n"})
    changed = b"app build: would run, changed: src/a.txt\n  file src/a.txt: changed\n"
    assert box.run("cache", "why", "build").stdout == changed
    box.write({"turbo.json": {"tasks": {"build": {"outputs": ["dist/**"]}}}})
    for name in ("build", "app#build"):
        assert box.run("cache", "why", "--cache", name).stdout == changed, name


def test_outputs_are_restored_as_they_were(box: Box) -> None:
    build = (
        "rm -rf dist old; mkdir -p stage/empty stage/bin; cp src/a.txt stage/bin/tool; chmod 751 stage/bin/tool; "
        "ln -s bin/tool stage/link; mv stage dist; echo x > scratch.tmp; rm scratch.tmp"
    )
    box.write(app(build) | {"old/file": "to be deleted"})
    assert run(box) == (False, "")
    expected = tree(box.folder / "dist")
    assert stat.S_IMODE((box.folder / "dist/bin/tool").stat().st_mode) == 0o751
    box.in_bash("rm -rf dist")
    assert run(box) == (True, "")
    assert tree(box.folder / "dist") == expected
    assert sorted(os.listdir(box.folder)) == ["dist", "package.json", "src"]
    box.write({"src/a.txt": "other\n"})
    assert run(box)[0] is False
    box.write({"src/a.txt": "a\n"})
    assert run(box)[0] is True
    assert tree(box.folder / "dist") == expected
    box.write({"old/file": "again"})
    assert run(box)[0] is False  # a build from scratch would remove it
    assert not (box.folder / "old").exists()


@pytest.mark.parametrize(
    ("build", "problem"),
    [
        ("cat src/a.txt > copy; echo more >> src/a.txt", "src/a.txt is read and then changed by it"),
        ("cat src/a.txt; cp package.json src/a.txt", "it reads src/a.txt and then changes it"),
        ("chmod 600 src/a.txt", "src/a.txt has got other permissions from it"),
        ("cat fifo >/dev/null 2>&1 & ", "a process that it started still runs"),
    ],
)
def test_a_result_that_could_not_be_repeated_is_not_stored(box: Box, build: str, problem: str) -> None:
    box.write(app(build))
    os.mkfifo(box.folder / "fifo")
    held = os.open(box.folder / "fifo", os.O_RDWR)
    assert run(box) == (False, f"warn: //#build: its result is not stored: {problem}\n")
    os.close(held)


def test_files_of_the_user_are_never_overwritten_or_removed(box: Box) -> None:
    box.write(app("[ -e settings ] || cp src/a.txt settings; cat settings > out"))
    assert run(box)[0] is False
    assert run(box)[0] is True
    box.write({"settings": "mine\n"})
    assert run(box)[0] is False
    assert (box.folder / "out").read_text() == (box.folder / "settings").read_text() == "mine\n"
    assert run(box)[0] is True
    (box.folder / "settings").unlink()
    assert run(box)[0] is True  # as at first
    assert (box.folder / "settings").read_text() == "a\n"


def test_failures_are_not_stored(box: Box) -> None:
    box.write(app("cat src/a.txt > out; exit 4"))
    for _ in range(2):
        result = box.run("run", "--cache", "build")
        assert (result.returncode, b"cached, saved" in result.stdout) == (4, False)


def test_packages_depend_on_what_they_read_of_others(box: Box) -> None:
    box.write(
        {
            "package.json": {"name": "root", "workspaces": ["p/*"]},
            "p/core/package.json": {"name": "core", "scripts": {"build": "grep -v '^#' src.txt > out"}},
            "p/core/src.txt": "core\n",
            "p/web/package.json": {
                "name": "web",
                "dependencies": {"core": "*"},
                "scripts": {"build": "cat ../core/out > out"},
            },
        }
    )

    def cached(*words: str) -> list[str]:
        result = box.run(*words)
        assert (result.returncode, result.stderr) == (0, b""), result
        lines = result.stdout.decode().splitlines()
        return sorted(line.split()[0] for line in lines if ": cached, saved " in line)

    plain = ("run", "--cache", "--filter", "*", "build")
    assert (cached(*plain), cached(*plain)) == ([], ["core", "web"])
    box.write({"p/core/src.txt": "core\n# a comment\n"})
    assert cached(*plain) == ["web"]  # the same bytes
    box.write({"p/core/src.txt": "changed\n"})
    assert cached(*plain) == []
    assert (box.folder / "p/web/out").read_text() == "changed\n"
    box.write({"rtfig.toml": '[tasks.build]\ndependsOn = ["^build"]\n'})
    tasks = ("run", "--tasks", "build")
    assert (cached(*tasks), cached(*tasks)) == ([], ["core", "web"])
    box.write({"p/core/src.txt": "again\n"})
    why = box.run("cache", "why", "build").stdout.decode()
    assert "core build: would run, changed: p/core/src.txt\n  file p/core/src.txt: changed\n" in why
    assert b"cache: miss" in box.run(*tasks, "--dry-run").stdout
    assert cached(*tasks) == []
    assert box.run(*tasks, "--dry-run").stdout.count(b"cache: hit") == 2


def test_a_traced_task_is_verified_and_explained(box: Box) -> None:
    box.write(app("cat src/a.txt > out; echo $RANDOM $RANDOM > chance"))
    verified = box.run("cache", "verify", "build")
    assert (verified.returncode, verified.stdout) == (1, b"app build: not deterministic\n  chance: other content\n")
    assert box.run("cache", "why", "build").stdout == b"app build: cached\n"
    box.write({"src/a.txt": "b\n"})
    why = box.run("cache", "why", "build").stdout
    assert why == b"app build: would run, changed: src/a.txt\n  file src/a.txt: changed\n"
    box.write(app("cat src/a.txt > out"))
    verified = box.run("cache", "verify", "build")
    assert (verified.returncode, verified.stdout) == (0, b"app build: the same outputs\n")
    box.write(app("echo more >> src/a.txt"))
    verified = box.run("cache", "verify", "build")
    assert verified.returncode == 1
    assert b"the result of //#build is not stored, so there is nothing to compare" in verified.stderr


def test_a_script_that_cannot_be_traced_runs_without_the_cache(box: Box) -> None:
    """A traced process cannot trace others."""
    box.write(app("rt run --cache inner; cat src/a.txt > out", inner="cat src/a.txt > inner"))
    result = box.run("run", "--cache", "build")
    assert result.returncode == 0
    words = "build: warn: results of traced tasks are not stored: files cannot be traced: "
    assert any(words in line for line in (result.stdout + result.stderr).decode().splitlines()), result
    assert (box.folder / "inner").read_text() == "a\n"


def test_a_program_that_changes_between_two_uses_of_a_task_belongs_to_no_result(box: Box, tmp_path: Path) -> None:
    """Another task has observed it before, so that it is compared only at the end of the run."""
    cache = tmp_path / "outside"  # only programs count in a cache
    cache.mkdir()
    tool, gates = cache / "tool", {name: cache / name for name in "ab"}
    scripts = {name: f"test -x {tool}; read go < {gate}; {tool} > {name}.out" for name, gate in gates.items()}
    box.write(
        {"package.json": {"name": "app", "scripts": scripts}, "rtfig.toml": '[tasks.a]\n[tasks.b]\ndependsOn = ["a"]\n'}
    )
    for gate in gates.values():
        os.mkfifo(gate)
    tool.write_text("#!/bin/sh\necho one\n")
    tool.chmod(0o755)
    words, environment = ("run", "--tasks", "b"), {"XDG_CACHE_HOME": str(cache)}

    process = box.start(*words, environment=environment)
    gates["a"].write_text("\n")
    with gates["b"].open("w") as opened:  # once the task has tested the program
        tool.write_text("#!/bin/sh\necho two\n")
        opened.write("\n")
    _, printed = process.communicate()
    assert (box.folder / "b.out").read_text() == "two\n"
    assert f"b: its result is not stored: {tool} has changed while it ran".encode() in printed

    tool.write_text("#!/bin/sh\necho one\n")
    for kept_open in [os.open(gate, os.O_RDWR) for gate in gates.values()]:
        os.write(kept_open, b"\n")
    assert b"cached" not in box.run(*words, environment=environment).stdout
    assert (box.folder / "b.out").read_text() == "one\n"
    assert box.run(*words, environment=environment).stdout.count(b": cached, saved ") == 2


def test_a_script_that_leaves_a_process_is_not_cached(box: Box) -> None:
    """rt ends the process, which would write its file otherwise."""
    box.write(app("(cat fifo; echo late > late) > /dev/null 2>&1 & cat src/a.txt > out"))
    os.mkfifo(box.folder / "fifo")
    for _ in range(2):
        is_cached, printed = run(box)
        assert not is_cached
        assert "its result is not stored: a process that it started still runs" in printed
    assert (box.folder / "out").read_text() == "a\n"
    assert not (box.folder / "late").exists()


@pytest.mark.parametrize("shell", ["rt", "system"])
def test_programs_of_rt_are_traced(box: Box, shell: str) -> None:
    build = 'import { readFileSync, writeFileSync } from "node:fs";\nimport { text } from "./b";\n'
    box.write(
        app("rt build.ts") | {"b.ts": 'export const text = "1";', "build.ts": f'{build}writeFileSync("out", text);'}
    )
    assert (run(box, "--shell", shell)[0], run(box, "--shell", shell)[0]) == (False, True)
    box.write({"b.ts": 'export const text = "2";'})  # rt has compiled the other files already
    assert run(box, "--shell", shell)[0] is False
    assert (box.folder / "out").read_text() == "2"


@pytest.mark.parametrize("seed", range(SEED, SEED + 3))
def test_traced_runs_equal_runs_from_scratch(box: Box, tmp_path: Path, seed: int) -> None:
    """Edits of outputs are left out: rt leaves files that it did not write, and the scripts build on what they find."""
    workspace = Workspace(box.folder, seed)
    form = FORMS[seed % len(FORMS)]
    workspace.write("rtfig.toml", f'[tasks.build]\ndependsOn = ["^build"]\nenv = ["MODE"]\n{form}\n')
    scratch = tmp_path / "scratch"
    hits = 0
    history = []
    for number in range(EDITS):
        if number:
            workspace.snapshot()
            edits = [
                workspace.change, workspace.change, workspace.add, workspace.remove, workspace.rename, workspace.change_script,
                workspace.change_variable, workspace.change_order, workspace.remove_output,
                workspace.add_foreign_output_folder, workspace.undo,
            ]  # fmt: skip
            history.append(workspace.random.choice(edits)())
        result = box.run("run", "--tasks", "build", environment=workspace.environment)
        assert result.returncode == 0, (history, result)
        assert b"not stored" not in result.stderr, (history, result)
        hits += result.stdout.count(b": cached, saved ")
        assert workspace.build_from_scratch(scratch)
        assert tree(box.folder) == tree(scratch), history
    assert hits, "nothing was ever cached"
