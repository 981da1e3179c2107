"""What the real rt, including its guardian, imports before its first script starts, as logged by the interpreter.

The script and the interpreter write to one file in order: modules listed above the script's own line were imported
before it started. `tests/unit/test_start_up_imports.py` has the list of rt's own modules for each command.
"""

from __future__ import annotations

import re
import subprocess
import sys

import pytest
from rig import Box, script, wait_until

# The only other modules that may be imported: built-in ones and their dependencies.
ALLOWED = {
    "__future__",
    "_signal",
    "_socket",
    "errno",
    "fcntl",
    "_heapq",
    "gc",
    "marshal",
    "resource",
    "select",
    "time",
}
HEAVY_OF_OURS = {
    "graph",
    "workspace.finding",
    "plan.choosing",
    "workspace.graph_export",
    "cli.line.help",
    "cli.line.completions",
    "output.displays.elided",
    "settings.config",
    "settings.env_files",
}
RUNS = {
    "plain": ("run", "--silent", "one"),
    "echoed": ("run", "one"),
    "with hooks": ("run", "hooked"),
    "filter, plan cached": ("run", "--filter", "*", "one"),
    "workspaces, plan cached": ("run", "--workspaces", "--parallel", "one"),
    "parallel": ("run", "--parallel", "one", "two"),
    "sequential": ("run", "--sequential", "one", "two"),
}


def modules_before_script(box: Box, *arguments: str) -> list[str]:
    """Run rt. Return the modules that were imported before the first script reported that it runs."""
    before, mark, _ = log_of_imports(box, *arguments).partition("SCRIPT RUNS\n")
    assert mark, "the script did not run"
    return modules_in(before)


def modules_in(log: str) -> list[str]:
    names = re.findall(r"^import time: .*\| +(\S+)$", log, re.M)
    return names[names.index("site") + 1 :]


def log_of_imports(box: Box, *arguments: str) -> str:
    """Run rt. Return what the interpreter and the scripts have logged."""
    log = box.folder / "log"
    log.write_bytes(b"")
    box_environment = box.environment(LOG=str(log))
    with log.open("ab") as stream:
        subprocess.run(
            [sys.executable, "-X", "importtime", script(), *arguments],
            cwd=box.folder,
            env=box_environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=stream,
            check=True,
            timeout=60,
        )
    return log.read_text()


@pytest.mark.parametrize("name", RUNS)
def test_imports_before_the_first_script(box: Box, name: str) -> None:
    scripts = {
        "one": 'echo "SCRIPT RUNS" >> $LOG',
        "two": "true",
        "hooked": "true",
        "prehooked": 'echo "SCRIPT RUNS" >> $LOG',
    }
    box.write({"package.json": {"name": "root", "workspaces": ["p"], "scripts": scripts}})
    box.write({"p/package.json": {"name": "p", "scripts": scripts}})
    if "cached" in name:  # files that have just changed are not trusted, and so the plan is not cached
        wait_until(
            lambda: modules_before_script(box, *RUNS[name]) and any(box.cache.rglob("plans/*")), "a plan is kept"
        )
    found = modules_before_script(box, *RUNS[name])
    assert "rt_supervisor._native" in found, "this sees nothing"
    own = {module for module in found if module.partition(".")[0] == "rt_supervisor"}
    assert set(found) - own - ALLOWED == set()
    assert {module.removeprefix("rt_supervisor.") for module in own} & HEAVY_OF_OURS == set()


def test_a_run_of_cached_tasks_loads_neither_openssl_nor_subprocess(box: Box) -> None:
    box.write({"package.json": {"name": "root", "workspaces": ["p"]}, ".gitignore": "out\n"})
    box.write({"turbo.json": {"tasks": {"build": {"outputs": ["out"], "passThroughEnv": ["LOG"]}}}})
    box.write({"p/package.json": {"name": "p", "scripts": {"build": "echo SCRIPT RUNS >> $LOG; echo built > out"}}})
    for words in (
        ["init", "-q"],
        ["add", "."],
        ["-c", "user.name=a", "-c", "user.email=a@b.c", "commit", "-qm", "all"],
    ):
        subprocess.run(["git", *words], cwd=box.folder, check=True)
    assert "SCRIPT RUNS" in log_of_imports(box, "run", "--tasks", "build")
    log_of_imports(box, "run", "--tasks", "build")  # compares outputs that have just been written by their content
    log = log_of_imports(box, "run", "--tasks", "build")
    assert "SCRIPT RUNS" not in log
    assert "rt_supervisor.tasks.task_cache" in modules_in(log), "this sees nothing"
    heavy = {"_hashlib", "hashlib", "shlex", "signal", "socket", "subprocess", "threading"}
    assert heavy.intersection(modules_in(log)) == set()


def test_it_would_be_seen(box: Box) -> None:
    """A first run of a filter does graph work; a config is read with tomllib, which imports re."""
    box.write({"package.json": {"name": "root", "workspaces": ["p"]}, "rtfig.toml": "[run]\nsilent = true\n"})
    box.write({"p/package.json": {"name": "p", "scripts": {"one": 'echo "SCRIPT RUNS" >> $LOG'}}})
    found = modules_before_script(box, "run", "--filter", "*", "one")
    assert {"rt_supervisor.graph", "tomllib", "re"} <= set(found)


def test_a_script_of_the_shells_own_commands_loads_only_what_it_uses() -> None:
    """The shell of an earlier script is a separate process; each module is part of the script's own time."""
    from rt_supervisor.shell import script_process

    argv = [sys.executable, "-X", "importtime", "-I", "-S", script_process.__file__, "name"]
    plain = subprocess.run([*argv, "echo a b && echo c | cat"], capture_output=True, text=True, check=True, timeout=60)
    rich = subprocess.run(
        [*argv, "[[ $((1 + 1)) = 2* ]] && /bin/echo {a,b}"], capture_output=True, text=True, timeout=60
    )
    rare = {"_native", "shell.arithmetic", "shell.braces", "shell.compounds", "shell.conditions", "shell.patterns"}

    def own(text: str) -> set[str]:
        return set(re.findall(r"^import time: .*\| +rt_supervisor\.(\S+)$", text, re.M))

    assert (plain.stdout, rich.stdout) == ("a b\nc\n", "a b\n")
    assert own(plain.stderr) & rare == set()
    assert own(rich.stderr) >= rare, "this sees nothing"
