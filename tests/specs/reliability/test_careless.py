"""Careless scripts, unusual parents, huge input and tiny terminals: rt continues or reports why not, and leaves
nothing behind.
"""

from __future__ import annotations

import os
import signal

import pytest
from rig import Box, wait_until

CARELESS = {
    "closes every descriptor": 'for n in 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16; do eval "exec $n>&-"; done; true',
    "deletes its own folder": 'rm -rf "$PWD"',
    "edits package.json": "echo '{' > package.json",
    "stops its parent for a moment": "kill -STOP $PPID; kill -CONT $PPID",
}


@pytest.mark.parametrize("script", CARELESS.values(), ids=CARELESS)
def test_careless_scripts_end_as_others(box: Box, script: str) -> None:
    box.write({"p/package.json": {"name": "p", "scripts": {"a": script}}, "package.json": {"workspaces": ["p", "q"]}})
    plain = box.in_bash("cd p; $RT run --silent a")
    assert (plain.returncode, plain.stderr) == (0, b"")
    box.write({"q/package.json": {"name": "q", "scripts": {"b": "echo other"}}})
    box.write({"ends.js": ""})
    for words in ("--filter '*' --parallel a b", "--cwd=p --sequential ../ends.js a"):  # a guardian each
        box.write({"p/package.json": {"name": "p", "scripts": {"a": script}}})
        both = box.in_bash(f"$RT run {words}")
        assert both.returncode == 0, both.stderr
        assert b"other" in both.stdout or "ends.js" in words
    wait_until(lambda: not box.left(), "nothing left")


# Whether the signal ends a run; otherwise the run ends with the script's own status.
SIGNALS = {
    **dict.fromkeys(("TERM", "HUP", "INT", "USR1", "USR2", "SEGV", "ABRT", "RTMIN"), True),
    **dict.fromkeys(("CHLD", "CONT", "URG", "WINCH", "PIPE"), False),
}


@pytest.mark.parametrize("name", SIGNALS)
@pytest.mark.parametrize("words", ["run --silent s", "run --parallel s t", "run --parallel s t ends.js"])
def test_a_script_that_signals_rt(box: Box, words: str, name: str) -> None:
    """Sent to rt and not to the guardian, which is the script's parent."""
    is_end = SIGNALS[name]
    to_rt = f"kill -{name} $(ps -o ppid= -p $PPID)"
    box.scripts(s=f"{to_rt}; {'sleep 1000' if is_end else 'true'}", t="sleep 1000" if is_end else "true")
    done = box.in_bash(f"ulimit -c 0; exec $RT {words}")
    number = signal.SIGRTMIN if name == "RTMIN" else signal.Signals[f"SIG{name}"]
    assert done.returncode in ((-number, 128 + number) if is_end else (0,)), done.stderr
    assert b"Traceback" not in done.stderr
    box.await_nothing_left()


BECOMES_ANOTHER = "setpriv --reuid=54321 --regid=54321 --clear-groups"
CHANGES_USER = {
    "run --silent s": f"{BECOMES_ANOTHER} sleep 1000 & {BECOMES_ANOTHER} setsid sleep 1000 & exec {BECOMES_ANOTHER} id -u",
    "run --parallel s": f"{BECOMES_ANOTHER} sleep 1000 & {BECOMES_ANOTHER} setsid sleep 1000 & exec {BECOMES_ANOTHER} id -u",
    "user.js": "",
    "run --parallel user.js": "",
}
USER = """
const { spawn } = require('child_process');
const start = (name, ...words) => spawn(name, words, { stdio: 'ignore' }).unref();
start('setsid', '-f', 'sleep', '1000'); start('sleep', '1000');
process.setgroups([]); process.setgid(54321); process.setuid(54321);
start('sleep', '1000');
console.log(process.getuid());
"""


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become another user")
@pytest.mark.parametrize("words", CHANGES_USER)
def test_a_script_that_changes_its_user(box: Box, words: str) -> None:
    box.scripts(s=CHANGES_USER[words])
    box.write({"user.js": USER})
    done = box.in_bash(f"exec $RT {words}")
    assert (done.returncode, b"54321" in done.stdout) == (0, True), done.stderr
    box.await_nothing_left()


CLOSES = "const fs = require('fs'); for (let n = 0; n < 256; n++) try { fs.closeSync(n) } catch {}"


@pytest.mark.parametrize(
    "words", ["closes.js", "run closes.js", "run --parallel --no-exit-on-error closes.js lives.js"]
)
def test_a_program_that_closes_every_descriptor(box: Box, words: str) -> None:
    """Including those of its own event loop: it may fail, but it exits, and its parent reports how."""
    box.scripts(a="true")
    box.write({"closes.js": CLOSES, "lives.js": "setTimeout(() => require('fs').writeFileSync('lived', ''), 50)"})
    done = box.in_bash(f"ulimit -c 0; exec $RT {words}")
    assert done.returncode not in (124, 137), "it was ended because it took too long"
    assert (box.folder / "lived").exists() == ("lives" in words)
    box.await_nothing_left()


PARENTS = ["timeout 50 $RT", "nohup $RT", "setsid -w $RT", "unshare -p -f --mount-proc $RT", "$RT run --silent deep"]


@pytest.mark.parametrize("parent", PARENTS)
@pytest.mark.parametrize("words", ["run --silent a", "run --parallel a a", "program.js"])
def test_under_other_parents(box: Box, parent: str, words: str) -> None:
    if "unshare" in parent and os.geteuid() != 0:
        pytest.skip("only root makes namespaces of processes")
    line = parent if "deep" in parent else f"{parent} {words}"
    box.write(
        {
            "package.json": {"scripts": {"a": "echo ran", "deep": "$RT run --silent deeper", "deeper": f"$RT {words}"}},
            "program.js": "console.log(require('child_process').execSync('echo ran') + '')",
        }
    )
    done = box.in_bash(line)
    assert done.returncode == 0, done.stderr
    assert b"ran" in done.stdout
    wait_until(lambda: not box.left(), "nothing left")


@pytest.mark.parametrize("words", ["run --silent a", "run --parallel a", "program.js"])
def test_two_megabytes_of_environment(box: Box, words: str) -> None:
    box.write(
        {
            "package.json": {"scripts": {"a": 'echo "${#V3}"'}},
            "program.js": "console.log(require('child_process').execSync('echo ${#V3}') + '')",
        }
    )
    done = box.in_bash(f"$RT {words}", environment={f"V{i}": "x" * 120_000 for i in range(15)})
    assert done.returncode == 0, done.stderr[-300:]
    assert b"120000" in done.stdout


def test_many_scripts_and_a_large_manifest(box: Box) -> None:
    scripts = {f"s{i}": f"echo {i}" for i in range(20_000)}
    box.write({"package.json": {"scripts": scripts, "filler": ["x" * 1000] * 10_000}})
    assert box.in_bash("$RT run --silent s19999").stdout == b"19999\n"
    assert box.in_bash("$RT run --silent --sequential s19998 s3").returncode == 0
    assert b"s19999" in box.in_bash("$RT run").stdout


def test_no_script_of_a_folder_above_where_paths_are_too_long(box: Box) -> None:
    box.write({"package.json": {"scripts": {"a": "echo wrong"}}})
    done = box.in_bash("for n in $(seq 22); do d=$(printf 'd%.0s' {1..200}); mkdir $d; cd $d; done; $RT run a")
    assert (done.returncode, done.stdout) == (1, b"")
    assert done.stderr == b"error: the path of the working folder is longer than 4082 bytes\n"


ENDS = {"process.kill(process.pid, 'SIGSEGV'); setInterval(() => {}, 1000)": 139, "process.abort()": 134}


@pytest.mark.parametrize("code", ENDS)
def test_an_engine_that_dies_is_one_script_s_end(box: Box, code: str) -> None:
    box.write(
        {"package.json": {"name": "p"}, "dies.js": code, "lives.js": "setTimeout(() => console.log('lived'), 50)"}
    )
    done = box.in_bash("ulimit -c 0; $RT run --parallel --no-exit-on-error dies.js lives.js")
    assert b"lived" in done.stdout, done.stderr
    assert done.returncode == ENDS[code]
    wait_until(lambda: not box.left(), "nothing left")
