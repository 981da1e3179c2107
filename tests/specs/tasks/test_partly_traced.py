"""Tasks with one of `inputs` and `outputs` traced, or with both and patterns beside `{ auto = true }`; and where tracing is impossible."""

from __future__ import annotations

import errno
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from rig import executable

if TYPE_CHECKING:
    from rig import Box

REFUSING = Path(__file__).with_name("refusing.py")
BUILD = "mkdir -p dist && cat src/*.txt > dist/out && echo 1 >> runs.log"


def write(box: Box, settings: str, *, build: str = BUILD) -> None:
    box.write(
        {
            "package.json": {"name": "app", "scripts": {"build": build}},
            "rtfig.toml": f"[tasks.build]\n{settings}\n",
            "src/a.txt": "a\n",
            "notes.md": "1",
        }
    )


def run(box: Box, *words: str) -> tuple[bool, str]:
    """Run the task. Return whether its result came from the cache, and what rt printed to stderr."""
    result = box.run("run", "--tasks", "build", *words)
    assert result.returncode == 0, result
    return b": cached, saved " in result.stdout, result.stderr.decode()


def test_declared_outputs_with_traced_inputs(box: Box) -> None:
    """Files that are written without being declared are neither outputs nor inputs, as without a trace."""
    write(box, 'inputs = [{ auto = true }]\noutputs = ["dist/**"]', build=BUILD.replace(">> runs.log", "> ../run.log"))
    assert (run(box), run(box)) == ((False, ""), (True, ""))
    box.write({"notes.md": "2"})  # is not read
    assert run(box) == (True, "")
    box.write({"src/a.txt": "b\n"})
    assert run(box) == (False, "")
    box.in_bash("rm -r dist")
    assert run(box) == (True, "")
    assert (box.folder / "dist/out").read_text() == "b\n"
    box.write({"src/a.txt": "a\n"})
    assert run(box) == (True, "")  # as at first
    assert (box.folder / "dist/out").read_text() == "a\n"
    box.write({"dist/foreign": "an output that rt has not written is not an input"})
    assert run(box) == (True, "")


def test_traced_outputs_with_declared_inputs(box: Box) -> None:
    write(box, 'inputs = ["src/**", "!**/*.md"]', build="mkdir -p dist && cat src/*.txt > dist/out && cat notes.md")
    assert (run(box), run(box)) == ((False, ""), (True, ""))
    box.write({"notes.md": "2", "src/b.md": "1"})  # one is read, but not declared, the other one is excluded
    box.in_bash("rm -r dist")
    assert run(box) == (True, "")
    assert (box.folder / "dist/out").read_text() == "a\n"
    box.write({"src/b.txt": "b\n"})
    assert run(box) == (False, "")
    box.write({"dist/out": "mine\n"})
    assert run(box)[0] is False  # a file of the user is not replaced without a run
    assert run(box) == (True, "")


def test_a_written_file_among_the_declared_inputs_is_an_output(box: Box) -> None:
    write(box, 'inputs = ["$TURBO_DEFAULT$"]', build="cat src/*.txt > out")
    assert (run(box), run(box)) == ((False, ""), (True, ""))
    (box.folder / "out").unlink()
    assert run(box) == (True, "")
    box.write({"out": "mine\n"})  # an ordinary input, which the task changes
    assert [run(box)[0] for _ in range(3)] == [False, False, True]


def test_patterns_beside_what_is_traced(box: Box) -> None:
    """Extra patterns add files that the trace does not have; negations take files out of it."""
    settings = (
        'inputs = [{ auto = true }, "!src/ignored.txt", "extra.txt"]\n'
        'outputs = [{ auto = true }, "!runs.log", "!**/*.tmp"]'
    )
    build = "cat src/*.txt > out; cat runs.log 2>/dev/null; echo 1 >> runs.log; echo 1 > log.tmp"
    write(box, settings, build=build)
    box.write({"src/ignored.txt": "1\n"})
    log = 'inputs = [{ auto = true }, "!src/ignored.txt", "!runs.log", "extra.txt"]'
    box.write({"rtfig.toml": f"[tasks.build]\n{log}\n{settings.splitlines()[1]}\n"})
    assert (run(box), run(box)) == ((False, ""), (True, ""))
    box.write({"src/ignored.txt": "2\n"})
    assert run(box) == (True, "")
    (box.folder / "src/ignored.txt").unlink()
    assert run(box) == (True, "")  # also in the listing of src
    box.write({"extra.txt": "1"})
    assert run(box) == (False, "")
    box.in_bash("rm out log.tmp; cp runs.log before")
    assert run(box)[0] is True
    assert (box.folder / "out").exists()
    assert not (box.folder / "log.tmp").exists()
    box.in_bash("cmp runs.log before")
    box.write({"src/a.txt": "other\n"})
    assert run(box)[0] is False


def test_what_settings_change_is_another_result(box: Box) -> None:
    """A result of a task without outputs must not be that of the same task with traced ones."""
    write(box, 'inputs = ["src/**"]\noutputs = []', build="cat src/*.txt > out")
    assert (run(box)[0], run(box)[0]) == (False, True)
    write(box, 'inputs = ["src/**"]', build="cat src/*.txt > out")
    (box.folder / "out").unlink()
    assert run(box)[0] is False
    write(box, "inputs = [{ auto = true }]\noutputs = []", build="cat src/*.txt > out")
    assert run(box)[0] is False
    write(box, 'inputs = [{ auto = true }, "!src/**"]\noutputs = []', build="cat src/*.txt > out")
    assert run(box)[0] is False


@pytest.mark.parametrize(
    ("settings", "build", "problem"),
    [
        ('inputs = ["src/**"]', "rm notes.md", "it removes notes.md, which is not one of its inputs"),
        ('inputs = ["src/**"]', "echo 1 >> notes.md", "notes.md is read and then changed by it"),
        ('inputs = ["src/**"]', "echo 1 > src/new.txt; echo 1 > src/a.txt", "src/a.txt was changed during the run"),
        ('inputs = [{ auto = true }]\noutputs = ["dist"]', "echo 1 >> notes.md", "notes.md is read and then changed by it"),
        ('inputs = [{ auto = true }]\noutputs = ["dist"]', "unshare -U true; true", "it "),
    ],
)  # fmt: skip
def test_what_is_not_stored(box: Box, settings: str, build: str, problem: str) -> None:
    write(box, settings, build=build)
    found = run(box)
    assert found[0] is False
    assert found[1].startswith(f"warn: //#build: its result is not stored: {problem}")
    assert found[1].count("\n") == 1


def test_results_stay_on_the_machine(box: Box) -> None:
    """Neither requests nor problems of a remote cache: nothing listens on this port."""
    write(box, 'inputs = [{ auto = true }]\noutputs = ["dist/**"]', build="mkdir -p dist; cp src/a.txt dist")
    environment = {"TURBO_API": "http://127.0.0.1:9", "TURBO_TOKEN": "token", "TURBO_TEAM": "team"}
    for is_cached in (False, True):
        result = box.run("run", "--tasks", "build", environment=environment)
        assert (result.returncode, result.stderr, b": cached, saved " in result.stdout) == (0, b"", is_cached)


@pytest.mark.parametrize("number", [errno.EPERM, errno.ENOSYS])
def test_where_tracing_is_impossible(box: Box, number: int) -> None:
    """Without tracing, traced inputs of a task are all files of its package; traced outputs are not stored. One line says so."""

    def refused(*words: str) -> tuple[bool, str]:
        command = ["-I", str(REFUSING), str(number), executable(), "run", "--tasks", *words]
        result = box.run(*command, executable=sys.executable)
        assert result.returncode == 0, result
        return b": cached, saved " in result.stdout, result.stderr.decode()

    box.write(
        {
            "package.json": {"name": "root", "workspaces": ["p/*"]},
            "rtfig.toml": '[tasks.build]\ninputs = [{ auto = true }, "!*.md"]\noutputs = ["out"]\n[tasks.free]\n',
            **{
                f"p/{name}/package.json": {"name": name, "scripts": {"build": "cp src.txt out", "free": "cp src.txt own"}}
                for name in ("a", "b")
            },
            **{f"p/{name}/src.txt": "1\n" for name in ("a", "b")},
        }
    )  # fmt: skip
    words = "files cannot be traced: "
    for _ in range(2):
        is_cached, stderr = refused("free")
        assert (is_cached, stderr.count("\n")) == (False, 1), stderr
        assert stderr.startswith(f"warn: results of traced tasks are not stored: {words}")
    is_cached, stderr = refused("build")
    assert (is_cached, stderr.count("\n")) == (False, 1), stderr
    assert stderr.startswith(f"warn: {words}")
    assert stderr.endswith("; all files of a package count as inputs of its tasks\n")
    box.in_bash("rm p/*/out")
    assert refused("build")[0] is True
    assert (box.folder / "p/a/out").read_text() == "1\n"
    box.write({"p/a/notes.md": "1"})
    assert refused("build", "--filter", "a")[0] is True
    box.write({"p/a/other": "1"})
    assert refused("build", "--filter", "a")[0] is False
    assert run(box, "--filter", "a") == (False, "")  # traced, it has another key
    box.write({"p/a/other": "2"})
    assert run(box, "--filter", "a") == (True, "")
