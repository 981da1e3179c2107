"""Cached runs of several scripts are what Python would decide now, and have the same result."""

from __future__ import annotations

import os
import re
import resource
import signal
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeVar

import pytest
from asking import (
    PARTS,
    SHOW,
    SURROUNDINGS,
    Asker,
    appear,
    differences_after,
    edit,
    needs_launcher,
    part_of,
    relink,
    remove,
    renew,
)
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from rig import Box, executable

pytestmark = needs_launcher
Result = TypeVar("Result")
TIME = re.compile(rb"Done in [\d.]+m?s")


@pytest.fixture
def box(tmp_path: Path) -> Iterator[Box]:
    (tmp_path / "box").mkdir()
    made = Box(tmp_path / "box")
    write_files(made)
    yield made
    made.close()


def write_files(box: Box) -> None:
    more = {"one": "echo one", "two": "echo two >&2", "bad": "exit 3", "killed": "kill -USR1 $$"}
    box.write(
        {
            "package.json": {"name": "root", "workspaces": ["packages/*"]},
            "packages/lib/package.json": {
                "name": "lib",
                "version": "1.0.0",
                "scripts": {"show": SHOW, "preshow": "echo before", "tool": "tool 'a b'", "fails": "exit 7"},
            },
            "packages/app/package.json": {
                "name": "app",
                "version": "2.0.0",
                "dependencies": {"lib": "workspace:*"},
                "config": {"port": 1},
                "scripts": {"show": SHOW, "postshow": "echo after", "tool": "tool c", "fails": "echo never", **more},
            },
            "packages/app/node_modules/.bin/tool": "#!/bin/sh\necho tool of app $*\n",
            "packages/empty/readme": "",
            "node_modules/.bin/tool": "#!/bin/sh\necho outer tool $*\n",
            "first/other": "#!/bin/sh\necho other\n",
        }
    )
    (box.folder / "first/other").chmod(0o755)


def outcome_of(asker: Asker, **more: str) -> tuple[int, bytes, bytes]:
    """Return what a run prints, without durations; two scripts at once print in any order."""
    code, out, err = asker.run(**more)
    out, err = (b"\n".join(sorted(text.split(b"\n"))) for text in (out, err))
    return code, TIME.sub(b"Done", out), TIME.sub(b"Done", err)


def package(asker: Asker, name: str, **scripts: str) -> None:
    asker.box.write({f"packages/{name}/package.json": {"name": name, "scripts": scripts}})


CHANGES: dict[str, Callable[[Asker], object]] = SURROUNDINGS | {
    "a script changes": lambda a: edit(a, "packages/lib/package.json", "pwd", "pwd; echo more"),
    "a script changes and its file has the old time and size": lambda a: edit(
        a, "packages/lib/package.json", "before", "BEFORE", keep_time=True
    ),
    "a hook goes": lambda a: edit(a, "packages/app/package.json", '"postshow"', '"other"'),
    "a script goes": lambda a: edit(a, "packages/app/package.json", '"show"', '"other"'),
    "a dependency goes": lambda a: edit(a, "packages/app/package.json", '"lib"', '"else"'),
    "a cycle comes": lambda a: edit(
        a, "packages/lib/package.json", '"version"', '"dependencies": {"app": "workspace:*"}, "version"'
    ),
    "a package has another name": lambda a: edit(a, "packages/app/package.json", '"app"', '"else"'),
    "a package comes": lambda a: package(a, "more", show="echo more", tool="echo more", one="echo more"),
    "an empty folder becomes a package": lambda a: package(a, "empty", show="echo empty", tool="echo"),
    "a package goes": lambda a: remove(a, "packages/lib/package.json"),
    "a package breaks": lambda a: edit(a, "packages/lib/package.json", "{", "{{"),
    "a package becomes a link": lambda a: relink(a, "packages/lib/package.json", "packages/app/package.json"),
    "the workspace is another": lambda a: edit(a, "package.json", "packages/*", "packages/app"),
    "the workspace breaks": lambda a: edit(a, "package.json", "{", "{{"),
    "the workspace goes": lambda a: remove(a, "package.json"),
    "another file names the packages": lambda a: (
        remove(a, "package.json"),
        appear(a, "pnpm-workspace.yaml", "packages:\n  - 'packages/app'\n"),
    ),
    "a config comes": lambda a: appear(a, "packages/app/rtfig.toml", "[run]\nsilent = true\nconcurrency = 1\n"),
    "a broken config comes": lambda a: appear(a, "packages/app/rtfig.toml", "[run\n"),
    "a binary comes": lambda a: appear(a, "packages/lib/node_modules/.bin/tool", "#!/bin/sh\necho nearer\n", 0o755),
    "a binary goes": lambda a: remove(a, "packages/app/node_modules/.bin/tool"),
    "a binary is another": lambda a: relink(a, "node_modules/.bin/tool", "first/other"),
    "a file has the name of a script": lambda a: appear(a, "packages/app/one", "#!/bin/sh\necho file\n", 0o755),
    "it runs in CI": lambda a: a.variables.update(CI="1"),
    "it runs in an action": lambda a: a.variables.update(GITHUB_ACTIONS="true"),
    "node is named": lambda a: a.variables.update(NODE="/somewhere"),
    "options are given": lambda a: a.variables.update(RT_OPTIONS="--no-exit-on-error"),
}
REQUESTED = (
    ("run", "--filter", "*", "show"),
    ("run", "--filter", "*", "tool"),
    ("run", "--filter", "app...", "fails"),
    ("run", "--filter", "./", "show"),
    ("run", "--workspaces", "--if-present", "show"),
    ("run", "--sequential", "one", "bad", "two"),
    ("run", "--parallel", "one", "two"),
    ("run", "--parallel", "--filter", "*", "tool"),
)


@pytest.mark.parametrize("part", range(PARTS))
@pytest.mark.parametrize(
    "words", [REQUESTED[0], REQUESTED[1], ("run", "--sequential", "one", "show", "tool x")], ids=" ".join
)
def test_one_thing_changes(box: Box, words: tuple[str, ...], part: int) -> None:
    asker = Asker(box, *words, folder="packages/app")
    assert differences_after(part_of(CHANGES, part), asker, write_files, outcome_of) == {}


@settings(deadline=None, max_examples=12, suppress_health_check=list(HealthCheck))
@given(st.sampled_from(REQUESTED), st.lists(st.sampled_from(sorted(CHANGES)), min_size=2, max_size=5))
def test_one_thing_changes_after_the_other(box: Box, words: tuple[str, ...], changes: list[str]) -> None:
    renew(box, write_files)
    asker = Asker(box, *words, folder="packages/app")
    for change in [None, *changes]:
        if change is not None:
            CHANGES[change](asker)
        decided = outcome_of(asker, RT_NO_START_CACHE="1")
        for _ in range(2):
            assert outcome_of(asker) == decided


@pytest.mark.parametrize("words", REQUESTED, ids=" ".join)
def test_it_is_repeated(box: Box, words: tuple[str, ...]) -> None:
    asker = Asker(box, *words, folder="packages/app")
    first = outcome_of(asker)
    asker.await_stored()
    stored = asker.stored()
    assert outcome_of(asker) == first == outcome_of(asker, RT_NO_START_CACHE="1")
    if words == REQUESTED[0]:
        assert asker.run() == asker.run_uncached()  # one after the other
    assert asker.stored() == stored


@pytest.mark.parametrize("limit", [100, 300])
def test_another_limit_on_descriptors_is_another_question(box: Box, limit: int) -> None:
    asker = Asker(box, *REQUESTED[0], folder="packages/app")
    asker.await_stored()
    box.write(
        {f"packages/p{each}/package.json": {"name": f"p{each}", "scripts": {"show": "pwd"}} for each in range(40)}
    )

    def run(**more: str) -> tuple[int, bytes]:
        done = subprocess.run(
            [executable(), *REQUESTED[0]],
            cwd=asker.app,
            env=box.environment(**asker.variables, **more),
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (limit, limit)),
            capture_output=True,
        )
        return done.returncode, b"\n".join(sorted((done.stdout + done.stderr).split(b"\n")))

    for _ in range(3):
        assert run() == run(RT_NO_START_CACHE="1")


NEVER = [
    ("--output=json",),
    ("--output=grouped",),
    ("--report=r.json",),
    ("--summary",),
    ("--dry-run",),
    ("--shell=rt",),
    ("--concurrency=50%",),
    ("--rt",),
]


@pytest.mark.parametrize("flags", NEVER, ids=" ".join)
def test_runs_with_other_flags_are_never_cached(box: Box, flags: tuple[str, ...]) -> None:
    asker = Asker(box, "run", *flags, "--filter", "*", "show", folder="packages/app")
    asker.run()
    asker.run()
    assert asker.stored() == {}


def test_warnings_are_printed_each_time(box: Box) -> None:
    asker = Asker(box, *REQUESTED[0], folder="packages/app")
    CHANGES["a cycle comes"](asker)
    assert all(b"Dependency cycle" in asker.run()[2] for _ in range(4))
    assert asker.stored() == {}


SOURCES = {"packages/app/prog.ts": "console.log('in ' + process.title)\n"}


def test_runs_of_programs_are_never_cached(box: Box) -> None:
    box.write(SOURCES)
    asker = Asker(box, "run", "--sequential", "one", "./prog.ts", folder="packages/app")
    assert outcome_of(asker) == outcome_of(asker)
    assert asker.stored() == {}


def carried_out(asker: Asker, act: Callable[[dict[str, str]], Result]) -> Result:
    """Return the result of `act`, which must not depend on who starts the run core: the launcher for a cached run, or Python.
    `act` receives the environment."""
    asker.await_stored()
    stored = asker.stored()
    environment = asker.box.environment(**asker.variables)
    result = act(environment)
    assert act({**environment, "RT_NO_START_CACHE": "1"}) == result
    assert asker.stored() == stored
    asker.box.await_nothing_left()
    return result


def start_run(asker: Asker, environment: dict[str, str]) -> subprocess.Popen[bytes]:
    for path in asker.box.folder.glob("go*"):
        path.unlink()
    process = subprocess.Popen(
        [executable(), *asker.words],
        cwd=asker.app,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    asker.box.started.append(process)
    return process


QUICKLY = '[ -n "$WAITS" ] || exit 0; '


@pytest.mark.parametrize("flags", [("--filter", "*"), ("--parallel", "--filter", "*")], ids=" ".join)
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
@pytest.mark.parametrize("script", ["sleep 100", "trap '' INT TERM HUP; : > $GO.2; sleep 100 & wait; sleep 100"])
def test_signals(box: Box, flags: tuple[str, ...], number: signal.Signals, script: str) -> None:
    text = f"{QUICKLY}echo begun; : > $GO; {script}; echo never"
    box.write({"packages/lib/package.json": {"name": "lib", "scripts": {"waits": text}}})
    grace_ms = 300 if "trap" in script else 100_000  # those that listen are quick, however busy the machine
    asker = Asker(box, "run", f"--grace-period={grace_ms}", *flags, "waits")
    asker.app = box.folder / "packages/lib"

    def act(environment: dict[str, str]) -> tuple[int, bytes, bytes]:
        process = start_run(asker, {**environment, "WAITS": "1", "GO": str(box.folder / "go")})
        box.await_file("go.2" if "trap" in script else "go")
        process.send_signal(number)
        out, err = process.communicate()
        return process.returncode, out, err

    code, out, _ = carried_out(asker, act)
    assert code == -number
    assert b"begun" in out and b"never" not in out


def test_a_second_interrupt_ends_it_at_once(box: Box) -> None:
    text = f"{QUICKLY}trap 'touch $GO.2' INT; touch $GO; while :; do sleep 100; done"
    box.write({"packages/lib/package.json": {"name": "lib", "scripts": {"waits": text}}})
    asker = Asker(box, "run", "--grace-period=100000", "--filter", "*", "waits", folder="packages/lib")

    def act(environment: dict[str, str]) -> tuple[int, bytes, bytes]:
        process = start_run(asker, {**environment, "WAITS": "1", "GO": str(box.folder / "go")})
        box.await_file("go")
        process.send_signal(signal.SIGINT)
        box.await_file("go.2")
        process.send_signal(signal.SIGINT)
        out, err = process.communicate()
        return process.returncode, out, err

    assert carried_out(asker, act)[0] == -signal.SIGINT


@pytest.mark.parametrize("text", ["yes", "touch $GO; sleep 100", "echo a; touch $GO; sleep 100"])
def test_a_reader_that_goes_ends_it(box: Box, text: str) -> None:
    box.write({"packages/lib/package.json": {"name": "lib", "scripts": {"waits": QUICKLY + text}}})
    asker = Asker(box, "run", "--filter", "*", "waits", folder="packages/lib")

    def act(environment: dict[str, str]) -> tuple[int, bytes]:
        process = start_run(asker, {**environment, "WAITS": "1", "GO": str(box.folder / "go")})
        assert process.stdout is not None and process.stderr is not None
        process.stdout.read(1) if text == "yes" else box.await_file("go")
        process.stdout.close()
        err = process.stderr.read()
        return process.wait(), err

    assert carried_out(asker, act) == (-signal.SIGPIPE, b"")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_reader_that_does_not_read_does_not_delay_the_end(box: Box, number: signal.Signals) -> None:
    text = f"{QUICKLY}touch $GO; yes"
    box.write({"packages/lib/package.json": {"name": "lib", "scripts": {"waits": text}}})
    asker = Asker(box, "run", "--filter", "*", "waits", folder="packages/lib")

    def act(environment: dict[str, str]) -> int:
        process = start_run(asker, {**environment, "WAITS": "1", "GO": str(box.folder / "go")})
        box.await_file("go")
        process.send_signal(number)
        return process.wait()

    assert carried_out(asker, act) == -number


def test_a_full_disk(box: Box) -> None:
    asker = Asker(box, *REQUESTED[0], folder="packages/app")

    def act(environment: dict[str, str]) -> tuple[int, bytes]:
        with open("/dev/full", "wb") as full:
            done = subprocess.run([executable(), *asker.words], cwd=asker.app, env=environment, stdout=full, stderr=-1)
        return done.returncode, done.stderr

    assert carried_out(asker, act) == (1, b"error: cannot write output: No space left on device (ENOSPC)\n")


def test_much_output_and_a_line_without_end(box: Box) -> None:
    scripts = {"much": "seq 1 200000; head -c 3000000 /dev/zero | tr '\\0' x; printf y", "premuch": "printf no-end"}
    box.write({"packages/lib/package.json": {"name": "lib", "scripts": scripts}})
    asker = Asker(box, "run", "--filter", "*", "much", folder="packages/lib")
    code, out, _ = carried_out(asker, lambda environment: outcome_of(asker, **environment))
    lines = out.split(b"\n")
    assert code == 0
    assert [line for line in lines if not line.startswith(b"lib much: ")] == [
        b"",
        b"lib premuch: Exited with code 0",
        b"lib premuch: no-end",
    ]
    assert b"lib much: " + b"x" * 3_000_000 + b"y" in lines
    assert len(lines) == 3 + 200_000 + 2


def test_leftovers_of_a_script_are_ended(box: Box) -> None:
    box.write(
        {
            "packages/lib/package.json": {
                "name": "lib",
                "scripts": {"leaves": "sleep 1000 & setsid sleep 1000 & echo left"},
            }
        }
    )
    asker = Asker(box, "run", "--filter", "*", "leaves", folder="packages/lib")
    code, out, _ = carried_out(asker, lambda environment: outcome_of(asker, **environment))
    assert (code, out.split(b"\n")) == (0, [b"", b"lib leaves: Exited with code 0", b"lib leaves: left"])


def test_a_folder_that_cannot_be_entered(box: Box) -> None:
    text = f"{QUICKLY}rm -rf ../app; exit 0"
    box.write({"packages/lib/package.json": {"name": "lib", "scripts": {"goes": text}}})
    edit(Asker(box), "packages/app/package.json", '"one"', '"goes": "pwd", "one"')
    asker = Asker(box, "run", "--filter", "*", "goes", folder="packages/lib")

    def act(environment: dict[str, str]) -> tuple[int, bytes, bytes]:
        saved = (box.folder / "packages/app/package.json").read_bytes()
        done = subprocess.run(
            [executable(), *asker.words], cwd=asker.app, env=environment | {"WAITS": "1"}, capture_output=True
        )
        box.write({"packages/app/package.json": saved})
        return done.returncode, done.stdout, done.stderr

    asker.await_stored()
    environment = box.environment(**asker.variables)
    code, _, err = result = act(environment)
    assert act({**environment, "RT_NO_START_CACHE": "1"}) == result
    assert code == 1
    assert err.startswith(b"error: cannot start ") and err.endswith(b"packages/app: No such file or directory\n")


@pytest.mark.parametrize("who", ["guardian", "rt"])
def test_nothing_outlives_a_killed_process(box: Box, who: str) -> None:
    text = f"{QUICKLY}echo $PPID > $GO.pid; setsid sleep 1000 & touch $GO; sleep 1000"
    box.write({"packages/lib/package.json": {"name": "lib", "scripts": {"waits": text}}})
    asker = Asker(box, "run", "--filter", "*", "waits", folder="packages/lib")

    def act(environment: dict[str, str]) -> tuple[int, bytes, bytes]:
        process = start_run(asker, {**environment, "WAITS": "1", "GO": str(box.folder / "go")})
        box.await_file("go")
        os.kill(int((box.folder / "go.pid").read_text()) if who == "guardian" else process.pid, signal.SIGKILL)
        out, err = process.communicate()
        box.await_nothing_left()
        return process.returncode, out, err

    code, _, err = carried_out(asker, act)
    if who == "guardian":
        assert (code, err) == (1, b"error: the process that guards rt's scripts was killed; the scripts were ended\n")
    else:
        assert code == -signal.SIGKILL
