"""Full devices, low limits, hostile small files: a clear error or the right result, never an internal error, never a
hang.
"""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from rig import Box, executable, wait_until

# Unique to this test process, because the limit counts all processes of a user.
OWN_USER = 100_000 + os.getpid()
AS_OWN_USER = f"setpriv --reuid={OWN_USER} --regid={OWN_USER} --clear-groups"
AS_OWN_USER += " --inh-caps=+dac_read_search --ambient-caps=+dac_read_search"


def in_bash(box: Box, text: str, **environment: str) -> subprocess.CompletedProcess[bytes]:
    """Run a line of bash in which `$RT` is rt."""
    return subprocess.run(
        ["bash", "-c", text], cwd=box.folder, env=box.environment(RT=executable(), **environment), capture_output=True
    )


@pytest.mark.parametrize("words", ["--version", "--help", "run", "completions bash", "run --help"])
def test_a_full_device_is_reported(box: Box, words: str) -> None:
    box.scripts(a="true")
    done = in_bash(box, f"$RT {words} > /dev/full")
    assert (done.returncode, done.stderr) == (1, b"error: cannot write output: No space left on device (ENOSPC)\n")


@pytest.mark.parametrize("gigabytes", [4, 100])
def test_too_little_address_space_for_v8_is_reported(box: Box, gigabytes: int) -> None:
    box.scripts(a="echo ran")
    limit = f"ulimit -v {gigabytes << 20};"
    done = in_bash(box, f"{limit} $RT -p 1")
    assert done.returncode == 1
    reported = f"error: V8 reserves 200 GB of address space, and the limit is {gigabytes}.0 GB (see `ulimit -v`)\n"
    assert done.stderr == reported.encode()
    assert in_bash(box, f"{limit} $RT run --silent a").stdout == b"ran\n"


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become another user")
@pytest.mark.parametrize("words", ["-p 1", "run a", "run --parallel a a"])
@pytest.mark.parametrize("limit", [1, 2])
def test_a_low_process_limit_is_reported(box: Box, limit: int, words: str) -> None:
    box.scripts(a="true")
    done = in_bash(box, f"{AS_OWN_USER} bash -c 'ulimit -u {limit}; exec $RT {words}'", XDG_CACHE_HOME="/nowhere")
    assert b"bug in rt" not in done.stderr
    assert done.returncode == 0 or b"the limit on processes is reached (see `ulimit -u`)\n" in done.stderr


NEEDS_THREADS = """
const print = (what) => (error, value) => console.log(what, error?.code ?? 'fine');
const { spawn, spawnSync } = require('child_process');
const child = spawn('/bin/true'); child.on('error', print('child')); child.on('exit', () => console.log('child', 'fine'));
console.log('spawnSync', spawnSync('/bin/true').error?.code ?? 'fine');
require('fs').readFile('a.js', print('read'));
require('zlib').gzip('x', print('gzip'));
require('dns').lookup('localhost', print('lookup'));
require('crypto').randomBytes(4, print('random'));
require('crypto').scrypt('a', 'b', 8, print('scrypt'));
const { Worker } = require('worker_threads');
const worker = new Worker('', { eval: true }); worker.on('error', print('worker')); worker.on('exit', (status) => status || console.log('worker', 'fine'));
"""
LIMITED = {"spawnSync": "EAGAIN", "child": "EAGAIN", "worker": "ERR_WORKER_INIT_FAILED"}


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become another user")
@pytest.mark.parametrize("limit", [2, 3, 4, 5, 7, 9])
@pytest.mark.parametrize("words", ["a.js", "run --parallel a.js a.js"])
def test_programs_where_few_processes_are_allowed(box: Box, limit: int, words: str) -> None:
    """Work that could use a thread is done without one, including V8; an operation that requires a process or thread
    throws an error.
    """
    box.write({"a.js": NEEDS_THREADS})
    box.scripts(a="true")
    box.folder.chmod(0o777)
    done = in_bash(
        box, f"{AS_OWN_USER} bash -c 'ulimit -u {limit}; exec $RT {words}'", XDG_CACHE_HOME=f"{box.folder}/cache"
    )
    assert b"Fatal error" not in done.stderr
    assert b"bug in rt" not in done.stderr
    if done.returncode != 0:
        assert "run" in words
        assert b"the limit on processes is reached (see `ulimit -u`)\n" in done.stderr
        return
    reported = [line.rpartition("| ")[2].split() for line in done.stdout.decode().splitlines()]
    assert len({what for what, _ in reported}) == 8, done
    assert all(how in ("fine", LIMITED.get(what)) for what, how in reported), reported


def test_a_missing_temporary_folder_is_reported(box: Box) -> None:
    box.scripts(a="node -p 1")
    done = box.run("run", "--rt", "--silent", "a", environment={"TMPDIR": "/nowhere", "XDG_CACHE_HOME": "/dev/null"})
    message = (
        b"error: cannot create the temporary folder for --rt in /nowhere: No such file or directory (see TMPDIR)\n"
    )
    assert (done.returncode, done.stderr) == (1, message)


def test_env_files_that_nest_end(box: Box) -> None:
    count = 300_000
    box.write({".env": "A=" + "${X:-" * count + "\n"})
    assert box.run("-p", "process.env.A.length").stdout == str(5 * count).encode() + b"\n"
    box.write({".env": "A=" + "${X:-" * count + "}" * count + "\n"})
    done = box.run("-p", "1")
    assert (done.returncode, done.stderr) == (1, b"error: an env file nests ${...} too deeply\n")
    box.write({".env": "A=" + "${X:-" * 90 + "deep" + "}" * 90 + "\n"})
    assert box.run("-p", "process.env.A").stdout == b"deep\n"


def test_a_default_env_file_cannot_change_python_imports(box: Box) -> None:
    box.write({".env": "PYTHONPATH=/evil\nPYTHONHOME=/evil\nA=1\n"})
    done = box.run("-p", "[process.env.PYTHONPATH, process.env.PYTHONHOME, process.env.A].join()")
    assert done.stdout == b",,1\n"
    assert b"PYTHONPATH (.env), PYTHONHOME (.env) were not loaded" in done.stderr


def test_tsconfigs_that_extend_each_other_twice_end(box: Box) -> None:
    files = {
        f"t{number}.json": json.dumps({"extends": [f"./t{number + 1}.json", f"./t{number + 1}.json"]})
        for number in range(30)
    }
    files["t30.json"] = json.dumps({"compilerOptions": {"jsxImportSource": "found"}})
    files["tsconfig.json"] = json.dumps({"extends": ["./t0.json", "./t0.json"]})
    box.write({**files, "a.ts": "console.log('ran' as string)"})
    assert box.run("a.ts").stdout == b"ran\n"


def test_a_report_into_a_pipe_without_a_reader(box: Box) -> None:
    box.scripts(a="true")
    os.mkfifo(box.folder / "pipe")
    process = box.start("run", "--parallel", "--report", "pipe", "a", "a")
    _, err = process.communicate()
    assert process.returncode == 1
    assert err.endswith(b'error: Cannot write the report "pipe": No such device or address\n')


def test_a_report_into_a_pipe_whose_reader_comes_late(box: Box) -> None:
    box.scripts(a="touch ran")
    os.mkfifo(box.folder / "pipe")
    process = box.start("run", "--parallel", "--report", "pipe", "a", "a")
    box.await_file("ran")
    report = json.loads((box.folder / "pipe").read_text())
    assert process.wait() == 0
    assert [task["status"] for task in report["tasks"]] == [0, 0]


def test_a_report_from_a_folder_that_is_not_utf_8(box: Box) -> None:
    folder = os.fsencode(box.folder) + b"/f\xff"
    os.mkdir(folder)
    Path(os.fsdecode(folder), "package.json").write_text('{"name": "x", "scripts": {"a": "true"}}')
    done = box.run("run", "--parallel", "--report", "r.json", "a", "a", cwd=os.fsdecode(folder))
    assert done.returncode == 0, done.stderr
    json.loads(Path(os.fsdecode(folder), "r.json").read_bytes().decode("utf-8"))


@contextmanager
def control_group(controller: str, old: str, new: str, value: int) -> Iterator[Path]:
    """Create a control group with one limit, which is named `old` in version 1 of control groups."""
    groups, limit = Path("/sys/fs/cgroup"), new
    if not (groups / "cgroup.controllers").exists():
        groups, limit = groups / controller, old
    group = groups / f"rt-test-{os.getpid()}"
    try:
        group.mkdir()
        (group / limit).write_text(str(value))
    except OSError:
        pytest.skip("no control group can be made here")
    try:
        yield group
    finally:
        wait_until(lambda: not (group / "cgroup.procs").read_text().strip(), "the group is empty")
        group.rmdir()


def test_a_heap_in_a_small_control_group_ends_with_a_message(box: Box) -> None:
    with control_group("memory", "memory.limit_in_bytes", "memory.max", 300 << 20) as group:
        programs = {
            "grow.cjs": "const all = []; for (;;) all.push(new Array(1e5).fill(1.5));",
            "imports.mjs": "import './grow.cjs'",
            "later.mjs": "await import('./grow.cjs')",
        }
        box.write(programs)
        for name in programs:
            os.utime(box.folder / name, (1_700_000_000, 1_700_000_000))  # so that later starts need no Python
        for name in (*programs, *programs, *programs):
            done = in_bash(box, f"echo $$ > {group}/cgroup.procs; exec $RT ./{name}")
            assert done.returncode == 134, name
            assert done.stderr == b"error: JavaScript ran out of memory: its heap reached the limit of 150 MB\n"


@pytest.mark.parametrize("limit", [2, 3, 4, 6, 9, 40])
def test_few_processes_in_a_control_group(box: Box, limit: int) -> None:
    """A container's limit: `ulimit -u` does not show it, and V8 would abort the process when it cannot start a
    thread.
    """
    box.write({"a.js": NEEDS_THREADS, "package.json": {"scripts": {"a": "echo ran; true"}}})
    with control_group("pids", "pids.max", "pids.max", limit) as group:
        for words in ("a.js", "run --parallel a.js a.js", "run --silent a", "run --parallel a a"):
            done = in_bash(box, f"ulimit -c 0; echo $$ > {group}/cgroup.procs; exec $RT {words}")
            for bad in (b"Fatal error", b"panicked", b"bug in rt", b"Traceback", b"Signaled"):
                assert bad not in done.stderr + done.stdout, (words, done)
            assert done.returncode == 0 or b"the limit on processes is reached" in done.stderr, (words, done)
            assert done.returncode == 0 or limit < 9, (words, done)


ENDLESS = """
const vm = require('vm');
const reported = (work) => { try { work(); console.log('no limit'); } catch (error) { console.log(error.code); } };
reported(() => vm.runInThisContext('for (;;);', { timeout: 20 }));
const own = vm.createContext({}, { microtaskMode: 'afterEvaluate' });
reported(() => vm.runInContext('function f() { Promise.resolve().then(f) } f()', own, { timeout: 20 }));
const inner = () => reported(() => vm.runInNewContext('for (;;);', {}, { timeout: 20 }));
reported(() => vm.runInNewContext('inner(); for (;;);', { inner }, { timeout: 60 }));
console.log(vm.runInNewContext('1 + 1', {}, { timeout: 100000 }));
"""


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become another user")
@pytest.mark.parametrize("limit", [2, 20])
def test_time_limits_without_threads(box: Box, limit: int) -> None:
    """rt itself takes one thread; with twenty, the limit has a separate thread."""
    box.write({"a.js": ENDLESS})
    box.folder.chmod(0o777)
    cache = f"{box.folder}/cache"
    done = in_bash(box, f"{AS_OWN_USER} bash -c 'ulimit -u {limit}; exec $RT a.js'", XDG_CACHE_HOME=cache)
    assert done.stdout == b"ERR_SCRIPT_EXECUTION_TIMEOUT\n" * 4 + b"2\n", done.stderr


def test_too_little_address_space_for_the_interpreter_is_reported(box: Box) -> None:
    box.scripts(hello="echo hello")
    done = box.in_bash('ulimit -v 20000; "$RT" run hello; echo $?; "$RT" -e 1; echo $?')
    message = "error: rt needs 36 MB of address space, and the limit is 19 MB (see `ulimit -v`)\n"
    assert done.stderr.decode() == message * 2
    assert done.stdout == b"1\n1\n"


def test_a_script_that_stops_its_guardian_does_not_stop_the_run(box: Box) -> None:
    box.scripts(stops="kill -STOP $PPID; echo after", next="echo next")
    done = box.in_bash('"$RT" run --sequential stops next; echo $?')
    assert [line.partition(" | ")[2] for line in done.stdout.decode().splitlines()] == ["after", "next", ""]
    assert done.stdout.endswith(b"\n0\n")
