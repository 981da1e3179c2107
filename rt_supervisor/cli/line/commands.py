"""The words that are commands of rt itself, and win over scripts of the same name unless `run` is written; those of `OF_RUNS` do not.

`COMMANDS` are there; `ABSENT` belong to the peer's command line and answer with an error, so that `rt build` never
means one thing here and another there.
"""

from __future__ import annotations

# name, arguments, help; the order is that of --help
COMMANDS: tuple[tuple[str, str, str], ...] = (
    ("run", "<file or script>", "Run a source file, a package.json script, a local binary or a system command"),
    ("x", "<binary>", "Run the binary of an installed package"),
    (
        "exec",
        "<command>",
        "Run a command in the folder of each package that --filter selects, as `rt run` runs a script",
    ),
    ("shell", "<file or -c command>", "Run a command string or file in rt's own shell, or start it interactively"),
    ("repl", "", "Start a REPL for TypeScript and JavaScript, or evaluate -e or -p in it"),
    ("inspect", "<file>", "Debug a program at a prompt, as node inspect does"),
    ("graph", "[task...]", "Show the packages of the workspace and their dependencies; with --tasks, the tasks"),
    (
        "tasks",
        "[import|schema|durations]",
        "List the tasks of the workspace; import them from turbo.json; print the schema of rtfig.toml; share durations",
    ),
    (
        "affected",
        "[commit]",
        "List the packages and tasks that changed since a commit or the default branch, with reasons",
    ),
    ("cache", "why|verify TASK, stats, prune", "Explain, check, measure or shrink the cache of task results"),
    ("ps", "", "List the runs of this user that other terminals can see and steer"),
    ("logs", "[run] [task...]", "Print what the tasks of a run have printed"),
    ("attach", "[run]", "Show a run here as it goes on; Ctrl-C leaves it running"),
    ("start", "[run] <task...>", "Start tasks of a run that have ended or were stopped"),
    ("restart", "[run] <task...>", "Run tasks of a run again, from its terminal or from any other"),
    ("stop", "[run] [task...]", "Stop tasks of a run, or the whole run"),
    (
        "agent",
        "<address>",
        "Run tasks of this machine's slots for `rt run --on`; with --scheduler, start a scheduler too",
    ),
    ("completions", "bash|zsh|fish", "Print a completion script for the shell"),
    ("init", "", "Write a commented rtfig.toml in this folder"),
    ("doctor", "", "Check what rt needs of this machine, and print what to do about each problem"),
    ("help", "[command or topic]", "Describe a command, or show a page of the documentation"),
)

NAMES = frozenset(name for name, _, _ in COMMANDS)

OF_RUNS = frozenset({"ps", "logs", "attach", "start", "restart", "stop"})
"""The commands that see and steer a running run. A script, file or binary of the same name precedes them."""

AGENT = "agent"
WITH_OWN_FLAGS = OF_RUNS | {AGENT}
"""The commands whose flags follow them and are not those of `flags.FLAG_GROUPS` (`command_words`)."""

# Commands of the peer that rt does not have, each with what to do instead.
ABSENT: dict[str, str] = {
    "build": "rt has no bundler",
    "test": "use `rt --test`, which runs tests written for node:test",
    "create": "rt makes no projects",
    "c": "rt makes no projects",
    "upgrade": "rt is upgraded by the package installer it came with, such as pip",
} | dict.fromkeys(
    (
        *(
            "install",
            "i",
            "add",
            "a",
            "remove",
            "rm",
            "update",
            "audit",
            "dedupe",
            "prune",
            "outdated",
            "link",
            "unlink",
        ),
        *("publish", "patch", "patch-commit", "pm", "info", "why"),
    ),
    "rt does not install packages; use npm, pnpm or yarn",
)
