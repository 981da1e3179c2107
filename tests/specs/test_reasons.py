"""Every reason of an expected failure, each with a run of the real rt that shows its message.

The reasons are extracted from the source: a reason without a case here, or a case for a reason that no longer exists, is an error.
"""

from __future__ import annotations

import ast
import os
import resource
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from rig import Box, executable, wait_until
from task_reason_cases import ONE_SCRIPT, TASK_CASES, TASKS, WORKSPACE

PACKAGE = Path(__file__).parents[2] / "rt_supervisor"
# reason, files, arguments, rt's stderr
CASES: list[tuple[str, dict[str, Any], list[str], str]] = [
    ("binary-not-found", {}, ["x", "--no-install", "nope"], 'error: Binary not found "nope"\nnote: no installed package has it'),
    *TASK_CASES,
    (
        "endless-scripts",
        {"package.json": {"name": "app", "scripts": {"a": "npm run b", "b": "npm run a"}}},
        ["run", "--silent", "a"],
        'error: script "a" starts itself without end: a → b → a\n',
    ),
    (
        "several-ca-stores",
        {},
        ["--use-system-ca", "--use-bundled-ca", "-e", "1"],
        "error: choose exactly one of --use-system-ca, --use-openssl-ca, or --use-bundled-ca\n",
    ),
    (
        "tls-versions-conflict",
        {},
        ["--tls-min-v1.3", "--tls-max-v1.2", "-e", "1"],
        "error: either --tls-min-v1.3 or --tls-max-v1.2 can be used, not both\n",
    ),
    (
        "not-a-repository",
        WORKSPACE,
        ["run", "--filter", "[origin/main]", "a"],
        'error: --filter "[origin/main]": <DIR> is not in a git repository, or git is not installed\n',
    ),
    ("no-affected-base", WORKSPACE, ["run", "--affected", "a"], "error: --affected found no default branch (origin/HEAD, main, master)"),
    ("detach-needs-script", {}, ["run", "--detach", "-e", "1"], "error: --detach requires a script or a file to run in the background\n"),
    ("snapshot-config-invalid", {"a.json": "{}"}, ["--build-snapshot-config", "a.json", "-"], 'error: "builder" field of a.json is not'),
    (
        "snapshot-not-written",
        {"a.cjs": ""},
        ["--snapshot-blob", "no/folder", "--build-snapshot", "a.cjs"],
        "error: Cannot write the snapshot to <DIR>/no/folder: No such file or directory\n",
    ),
    (
        "inspector-not-allowed",
        {"a.cjs": ""},
        ["--permission", "--inspect=0", "a.cjs"],
        "error: Access to this API has been restricted. Use --allow-inspector to manage permissions.\n",
    ),
    (
        "permission-not-restricted",
        {},
        ["--allow-fs-read=*", "-e", "1"],
        "error: --permission is required\n",
    ),
    (
        "no-run",
        WORKSPACE,
        ["stop"],
        "error: no run of <DIR> can be controlled, and there is no script \"stop\"\nnote: runs with --detach, --watch or --ui=tui can\n",
    ),
    ("run-usage", {}, ["ps", "all"], "error: usage: rt ps [--json]\n"),
    ("unknown-run-flag", {}, ["attach", "-f"], "error: rt attach has no flag -f\nnote: its flags are --json, --no-input\n"),
    ("affected-usage", WORKSPACE, ["affected", "a", "b"], "error: usage: rt affected [commit]\n"),
    (
        "path-not-utf8",
        {"caf\udce9/a.js": ""},
        ["caf\udce9/a.js"],
        r'error: "<DIR>/caf\xe9/a.js" cannot be used: the path is not UTF-8',
    ),
    (
        "tsconfig-not-found",
        {"a.ts": ""},
        ["--tsconfig-override", "gone.json", "a.ts"],
        'error: Cannot find tsconfig file "<DIR>/gone.json"\n',
    ),
    (
        "bad-expression",
        ONE_SCRIPT,
        ["run", "--parallel", "/(/"],
        'error: invalid regular expression "/(/": missing ), unterminated subpattern at position 0\n',
    ),
    (
        "both-orders",
        ONE_SCRIPT,
        ["run", "--parallel", "--sequential", "a"],
        "error: --parallel and --sequential cannot be used together\n",
    ),
    (
        "broken-manifest",
        {"package.json": '{"workspaces": [}'},
        ["run", "--filter", "*", "a"],
        "error: <DIR>/package.json:1:17: ",
    ),
    (
        "arguments-too-long",
        {"package.json": {"scripts": {"a": "true " + "x" * (1 << 17)}}},
        ["run", "--silent", "a"],
        "error: cannot start the script: its arguments and environment are too long\n",
    ),
    (
        "config-bad-value",
        {**ONE_SCRIPT, "rtfig.toml": "[run]\nsilent = 3\n"},
        ["run", "a"],
        'error: rtfig.toml:2: "run.silent" must be true or false\n',
    ),
    ("config-broken", {**ONE_SCRIPT, "rtfig.toml": "[run]\nsilent = \n"}, ["run", "a"], "error: rtfig.toml:2:10: "),
    (
        "config-not-readable",
        ONE_SCRIPT,
        ["--config=nope.toml", "run", "a"],
        'error: cannot read config file "nope.toml": No such file or directory\n',
    ),
    (
        "cwd-not-usable",
        ONE_SCRIPT,
        ["--cwd=nope", "run", "a"],
        'error: Could not change directory to "nope": No such file or directory\n',
    ),
    (
        "dependency-cycle",
        WORKSPACE,
        ["run", "--strict-cycles", "--filter", "*", "a"],
        "error: Dependency cycle: p -> q -> p\n",
    ),
    (
        "env-file-too-deep",
        {**ONE_SCRIPT, ".e": "".join(f"V{n}=$V{n + 1}\n" for n in range(200))},
        ["--env-file=.e", "run", "a"],
        'error: "V101" in an env file refers to too many others one through another\n',
    ),
    (
        "env-file-too-large",
        {**ONE_SCRIPT, ".e": "A=" + "x" * 1000 + "\n" + "".join(f"{b}=${a}{f'${a}' * 99}\n" for a, b in ("AB", "BC", "CD"))},
        ["--env-file=.e", "run", "a"],
        " in an env file grows without end\n",
    ),
    (
        "filter-without-name",
        WORKSPACE,
        ["run", "--filter", "...", "a"],
        'error: --filter "..." is missing a workspace name or path\n',
    ),
    ("flag-needs-value", ONE_SCRIPT, ["run", "--cwd"], "error: The argument '--cwd' requires a value but none was supplied.\n"),
    ("flag-takes-no-value", ONE_SCRIPT, ["run", "--silent=x", "a"], "error: The argument '--silent' does not take a value.\n"),
    ("invalid-flag-value", ONE_SCRIPT, ["run", "--elide-lines=x", "a"], 'error: Invalid elide-lines: "x"\n'),
    ("module-not-found", {}, ["run", "./nope.ts"], 'error: Module not found "./nope.ts"\n'),
    (
        "shell-syntax",
        {"package.json": '{"scripts": {"a": "echo )"}}'},
        ["run", "--shell=rt", "a"],
        "error: Failed to run script a due to error Unexpected ')'\n",
    ),
    ("no-names", {}, ["run", "--parallel"], "error: --parallel/--sequential requires at least one script name\n"),
    ("no-packages", WORKSPACE, ["run", "--filter", "x", "a"], 'error: No workspace packages matched the filter "x"\n'),
    (
        "no-scripts-match",
        ONE_SCRIPT,
        ["run", "--parallel", "x:*"],
        'error: No scripts match pattern "x:*"\n',
    ),
    (
        "needs-several-scripts",
        ONE_SCRIPT,
        ["run", "--report", "r.json", "a"],
        "error: --report requires --filter, --workspaces, --parallel or --sequential (try",
    ),
    ("check-needs-file", ONE_SCRIPT, ["run", "--check", "a"], 'error: --check reads a source file, and "a" is not one'),
    ("dry-run-of-code", {}, ["--dry-run", "-e", "1"], "error: --dry-run shows which scripts would run, but this is not a script"),
    ("no-such-topic", {}, ["help", "wacth"], 'error: "wacth" is not a command or a topic of the documentation\n'),
    ("config-exists", {"rtfig.toml": ""}, ["init"], "error: <DIR>/rtfig.toml already exists; `rt help config` describes its keys\n"),
    ("config-not-written", {"rtfig.toml/keep": "", "folder": ""}, ["init", "--cwd=/proc"], "error: cannot write /proc/rtfig.toml: "),
    ("no-such-command", {}, ["install"], 'error: "install" is not a command of this version of rt: rt does not install'),
    ("not-runnable", {"f.css": ""}, ["run", "./f.css"], 'error: Cannot run "<DIR>/f.css"\nnote: rt cannot run'),
    ("invalid-transform-flag", {"a.js": ""}, ["run", "--define", "1x:2", "./a.js"], "error: "),
    ("preload-not-found", {"a.js": ""}, ["run", "-r", "./gone.js", "./a.js"], 'error: preload not found "./gone.js"\n'),
    (
        "report-unwritable",
        ONE_SCRIPT,
        ["run", "--report=nope/r.json", "--parallel", "a"],
        'error: Cannot write the report "nope/r.json": ',
    ),
    ("script-missing", {**WORKSPACE, "q/package.json": {"name": "q", "scripts": {"b": "b"}}}, ["run", "--workspaces", "a"], "error: Missing 'a' script at '<DIR>/q'\n"),
    ("script-not-found", ONE_SCRIPT, ["run", "nope"], 'error: Script not found "nope"\n'),
    (
        "script-not-runnable",
        {"package.json": '{"scripts": {"a": "echo \\u0000"}}'},
        ["run", "a"],
        'error: script "a" cannot be run: it contains characters that cannot be passed to a program\n',
    ),
    ("unknown-flag", {}, ["--filtre", "x"], "error: Invalid Argument '--filtre'"),
    ("unknown-shell", {}, ["completions", "tcsh"], "error: rt completions needs the name of a shell, bash, zsh or fish; got"),
    (
        "watch-of-stdin",
        {},
        ["--watch", "-"],
        "error: --watch runs a file again when it changes; standard input can be read only once\n",
    ),
    (
        "watch-of-tests",
        {},
        ["--test", "--watch", "--test-shard=1/2"],
        "error: --watch and --test-shard cannot be used together\n",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("reason", "files", "arguments", "message"), CASES, ids=[case[0] for case in CASES])
def test_message(box: Box, reason: str, files: dict[str, Any], arguments: list[str], message: str) -> None:
    box.write(files)
    result = box.run(*arguments)
    assert message in message_of(box, result.stderr)
    assert result.returncode == 1


def message_of(box: Box, err: bytes) -> str:
    assert b"Traceback" not in err
    return err.decode().replace(str(box.folder), "<DIR>")


# --- cases that need more than files and arguments


def cannot_start(box: Box) -> str:
    box.write({"package.json": {"scripts": {"a": "echo a"}}, "bin/bash": b"\x7fELF no program", "bin/sh": b"\x7fELF"})
    for name in ("bash", "sh"):
        (box.folder / "bin" / name).chmod(0o755)
    return message_of(box, box.run("run", "a", environment={"PATH": f"{box.folder}/bin"}).stderr)


def cluster_extra(box: Box) -> str:
    lines = (
        "import sys",
        "sys.modules['distributed'] = None",
        "sys.argv = ['rt', 'agent', 'tcp://127.0.0.1:8786']",
        "from rt_supervisor.__main__ import main",
        "main()",
    )
    command = [sys.executable, "-c", "\n".join(lines)]
    return message_of(box, subprocess.run(command, env=box.environment(), cwd=box.folder, capture_output=True).stderr)


def cluster_wait(box: Box) -> str:
    box.write(TASKS)
    result = box.run("run", "--on", "tcp://127.0.0.1:1", "a", environment={"RT_CLUSTER_WAIT": "long"})
    return message_of(box, result.stderr)


def cluster_unreachable(box: Box) -> str:
    box.write(TASKS)
    result = box.run("run", "--on", "tcp://127.0.0.1:1", "a", environment={"RT_CLUSTER_WAIT": "0"})
    return message_of(box, result.stderr)


def cwd_gone(box: Box) -> str:
    line = f"mkdir gone && cd gone && rmdir ../gone && {executable()} run a"
    result = subprocess.run(["bash", "-c", line], cwd=box.folder, env=box.environment(), capture_output=True)
    return message_of(box, result.stderr)


def descriptor_limit(box: Box) -> str:
    box.write(ONE_SCRIPT)
    limit = lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (10, 10))  # noqa: E731
    return message_of(box, box.run("run", "--parallel", "a", preexec_fn=limit).stderr)


def guardian_lost(box: Box) -> str:
    box.scripts(a="touch ready; sleep 1000")
    process = box.start("run", "--parallel", "a")
    box.await_file("ready")
    (guardian,) = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
    os.kill(int(guardian), signal.SIGKILL)
    return message_of(box, process.communicate(timeout=60)[1])


def no_shell(box: Box) -> str:
    box.write(ONE_SCRIPT)
    return message_of(box, box.run("run", "a", environment={"PATH": "/nonexistent"}).stderr)


def out_of_memory(box: Box) -> str:
    """The one reason that cannot be provoked without exhausting the machine's memory: the system's error is
    simulated.
    """
    from rt_supervisor.workers.outcomes import refusal

    return f"error: {refusal(12, 'Cannot allocate memory', None).failure.message}\n"


def output_failed(box: Box) -> str:
    box.write(ONE_SCRIPT)
    with open("/dev/full", "wb") as full:
        return message_of(box, box.run("run", "--parallel", "a", stdout=full).stderr)


def process_limit(box: Box) -> str:
    from rt_supervisor.workers.outcomes import refusal

    return f"error: {refusal(11, 'Resource temporarily unavailable', None).failure.message}\n"


def no_temporary_folder(box: Box) -> str:
    box.scripts(a="true")
    nowhere = {"TMPDIR": "/nowhere", "XDG_CACHE_HOME": "/dev/null"}
    return message_of(box, box.run("run", "--rt", "--silent", "a", environment=nowhere).stderr)


def shell_file(box: Box) -> str:
    result = box.run("shell", "nope.sh")
    assert result.returncode == 127  # as bash
    return message_of(box, result.stderr)


def spool_failed(box: Box) -> str:
    box.scripts(a="head -c 3000000 /dev/zero")
    environment = {"TMPDIR": f"{box.folder}/nope"}
    return message_of(box, box.run("run", "--output=grouped", "--parallel", "a", environment=environment).stderr)


def stdin_not_readable(box: Box) -> str:
    with open(box.folder / "written", "wb") as written:
        return message_of(box, box.run("run", "-", stdin=written).stderr)


def remote_cache(toml: str = "", **environment: str) -> Callable[[Box], str]:
    """Return a run with a token of the remote cache, these variables, and `toml` at the end of rtfig.toml."""

    def bring_about(box: Box) -> str:
        box.write(TASKS | {"rtfig.toml": f"{TASKS['rtfig.toml']}{toml}"})
        return message_of(box, box.run("run", "a", environment={"TURBO_TOKEN": "token", **environment}).stderr)

    return bring_about


SPECIAL: dict[str, tuple[Callable[[Box], str], str]] = {
    "cannot-start": (cannot_start, "error: cannot start "),
    "cluster-extra": (
        cluster_extra,
        "error: rt agent needs the cluster extra, which is not installed: pip install 'rt-supervisor[cluster]'\n",
    ),
    "cluster-unreachable": (
        cluster_unreachable,
        "error: no scheduler answers at tcp://127.0.0.1:1 (Connection refused): start one with `rt agent --scheduler`",
    ),
    "cluster-wait": (cluster_wait, 'error: RT_CLUSTER_WAIT is "long", and must be a number of seconds, such as 300\n'),
    "cwd-gone": (cwd_gone, "error: cannot determine the working folder: No such file or directory\n"),
    "descriptor-limit": (descriptor_limit, "error: cannot open a pipe: the limit on open files is reached"),
    "guardian-lost": (
        guardian_lost,
        "error: the process that guards rt's scripts was killed; the scripts were ended\n",
    ),
    "no-shell": (no_shell, "error: no shell to run scripts with: none of bash, sh, zsh is on PATH\n"),
    "out-of-memory": (out_of_memory, "error: cannot start another process: out of memory\n"),
    "no-temporary-folder": (no_temporary_folder, "error: cannot create the temporary folder for --rt in "),
    "output-failed": (output_failed, "error: cannot write output: No space left on device (ENOSPC)\n"),
    "remote-cache-key": (
        remote_cache("[remoteCache]\nsignature = true\n"),
        "error: results of the remote cache are signed: set TURBO_REMOTE_CACHE_SIGNATURE_KEY to the key\n",
    ),
    "remote-cache-timeout": (
        remote_cache(TURBO_REMOTE_CACHE_TIMEOUT="soon"),
        'error: TURBO_REMOTE_CACHE_TIMEOUT must be a number of seconds, not "soon"\n',
    ),
    "remote-cache-url": (
        remote_cache(TURBO_API="ftp://cache"),
        "error: the URL of the remote cache must be http:// or https:// and a host (see TURBO_API)\n",
    ),
    "shell-file": (shell_file, 'error: cannot read "nope.sh": No such file or directory\n'),
    # reliability/test_limits.py has a real run.
    "process-limit": (process_limit, "error: cannot start another process: the limit on processes is reached"),
    "stdin-not-readable": (stdin_not_readable, "error: cannot read standard input: Bad file descriptor\n"),
    "spool-failed": (
        spool_failed,
        "error: cannot buffer the output of scripts in <DIR>/nope: No such file or directory",
    ),
}


# Covered in engine/test_startup_snapshots.py (snapshots: Node's statuses).
# Covered in tasks/test_affected.py (commits that a clone does not have, a repository that git cannot read).
# Covered in control/ and unit/control (requests that a run refuses, runs that do not answer, folders that others can write to).
# Covered in unit/engine_worker/test_library.py (an interpreter without the wheel, or with another) and in
# engine/test_limits.py (heap exhaustion), unit/shell/test_interactive.py (no line editor installed).
ELSEWHERE = {
    "cluster-lost",  # this one and the next ones in specs/cluster, with real schedulers
    "cluster-no-agents",
    "cluster-task",
    "cluster-version",
    "commit-not-fetched",
    "no-such-commit",
    "git-failed",
    "control-version",
    "no-runs-folder",
    "no-such-operation",
    "no-such-run",
    "no-such-task",
    "not-watching",
    "run-ended",
    "run-is-ending",
    "run-unreachable",
    "runs-folder-unusable",
    "several-runs",
    "heap-not-storable",
    "snapshot-not-found",
    "snapshot-unusable",
    "snapshot-without-file",
    "unsupported",
    "engine-missing",
    "engine-unavailable",
    "heap-limit",
    "no-line-editor",
}


@pytest.mark.parametrize("reason", SPECIAL)
def test_special_message(box: Box, reason: str) -> None:
    bring_about, message = SPECIAL[reason]
    assert message in bring_about(box)
    wait_until(lambda: not box.left(), "nothing left")


def test_every_reason_has_a_case() -> None:
    assert {case[0] for case in CASES} | set(SPECIAL) | ELSEWHERE == reasons()


def reasons() -> set[str]:
    """Return the first argument of every `Failed(...)` in the source; each is a literal or a constant of the module or of
    `vocabulary.errors`, or a choice between those.
    """
    found: set[str] = set()
    shared = _constants(ast.parse((PACKAGE / "vocabulary/errors.py").read_text()))
    for path in PACKAGE.rglob("*.py"):
        module = ast.parse(path.read_text())
        constants = shared | _constants(module)
        for node in ast.walk(module):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Failed":
                first = node.args[0]
                choices = [first.body, first.orelse] if isinstance(first, ast.IfExp) else [first]
                either = [constants.get(each.id, each) if isinstance(each, ast.Name) else each for each in choices]
                assert all(isinstance(each, ast.Constant) for each in either), f"{path}:{node.lineno}: not a literal"
                found.update(str(each.value) for each in either if isinstance(each, ast.Constant))
    return found


def _constants(module: ast.Module) -> dict[str, ast.expr]:
    return {
        target.id: node.value
        for node in module.body
        if isinstance(node, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
