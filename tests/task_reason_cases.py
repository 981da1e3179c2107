"""The runs that show the messages of failures of tasks, for `specs/test_reasons.py`: the reason, files, arguments, rt's stderr."""

from __future__ import annotations

from typing import Any

ONE_SCRIPT = {"package.json": {"name": "app", "scripts": {"a": "echo a"}}}
WORKSPACE = {
    "package.json": {"name": "root", "workspaces": ["p", "q"]},
    "p/package.json": {"name": "p", "scripts": {"a": "echo p"}, "dependencies": {"q": "*"}},
    "q/package.json": {"name": "q", "scripts": {"a": "echo q"}, "dependencies": {"p": "*"}},
}

TASKS = {
    "package.json": {"name": "app", "scripts": {"a": "echo a", "b": "echo b"}},
    "rtfig.toml": '[tasks.a]\n[tasks.b]\ndependsOn = ["a"]\n',
}
TASK_CASES: list[tuple[str, dict[str, Any], list[str], str]] = [
    (
        "no-tasks",
        ONE_SCRIPT,
        ["run", "--tasks", "a"],
        "error: this workspace defines no tasks: add [tasks.NAME] to rtfig.toml",
    ),
    (
        "task-not-defined",
        TASKS,
        ["run", "--tasks", "c"],
        'error: no task "c" is defined in rtfig.toml; the tasks are a, b\n',
    ),
    (
        "task-setting-unknown",
        TASKS | {"rtfig.toml": "[tasks.a]\noutput = []\n"},
        ["run", "a"],
        'error: rtfig.toml:2: unknown setting "output" of task "a"; did you mean "outputs"?\n',
    ),
    (
        "task-setting-invalid",
        TASKS | {"rtfig.toml": "[tasks.a]\noutputs = 1\n"},
        ["run", "a"],
        'error: rtfig.toml:2: "outputs" of task "a" must be a list of strings and { auto = true }\n',
    ),
    (
        "task-setting-unknown",
        TASKS | {"rtfig.toml": "[tasks.a]\ninputs = [{ atuo = true }]\n"},
        ["run", "a"],
        'error: rtfig.toml:2: "inputs" of task "a" has a table with the unknown key "atuo"; did you mean "auto"?\n',
    ),
    (
        "task-setting-invalid",
        TASKS | {"rtfig.toml": "[tasks.a]\ninputs = [{ auto = false }]\n"},
        ["run", "a"],
        'error: rtfig.toml:2: "inputs" of task "a" must be a list of strings and { auto = true }\n',
    ),
    (
        "task-cycle",
        TASKS | {"rtfig.toml": '[tasks.a]\ndependsOn = ["b"]\n[tasks.b]\ndependsOn = ["a"]\n'},
        ["run", "--tasks", "a"],
        "error: rtfig.toml:2: tasks depend on each other: //#a -> //#b -> //#a\n",
    ),
    (
        "task-of-no-package",
        TASKS,
        ["run", "--tasks", "x#a"],
        'error: task "x#a": no package of the workspace is named "x"\n',
    ),
    (
        "task-waits-for-service",
        TASKS | {"rtfig.toml": '[tasks.a]\npersistent = true\n[tasks.b]\ndependsOn = ["a"]\n'},
        ["run", "b"],
        "error: rtfig.toml:4: //#b cannot wait for the persistent task //#a, which does not end; set",
    ),
    (
        "task-setting-misplaced",
        TASKS | {"rtfig.toml": "[tasks.a]\npersistent = true\nretries = 1\n"},
        ["run", "a"],
        'error: rtfig.toml:3: "retries" has no meaning for //#a: a persistent task starts again with restart = "on-failure"\n',
    ),
    (
        "task-pool-unknown",
        TASKS | {"rtfig.toml": 'pools = { cpu = 1 }\n[tasks.a]\npool = "cpus"\n'},
        ["run", "a"],
        'error: rtfig.toml:3: the workspace has no pool "cpus"; did you mean "cpu"?\n',
    ),
    (
        "resume-unknown",
        TASKS,
        ["run", "--tasks", "a", "--resume"],
        "error: --resume: no earlier run of tasks of this workspace",
    ),
    (
        "resume-from-unknown",
        TASKS,
        ["run", "--tasks", "a", "--resume-from", "ap"],
        'error: --resume-from: no task of a package "ap" is part of this run; did you mean "app"?\n',
    ),
    ("shard-invalid", TASKS, ["run", "--tasks", "a", "--shard=3/2"], 'error: --shard=3/2: must be "INDEX/COUNT"'),
    (
        "needs-tasks",
        ONE_SCRIPT,
        ["run", "--shard=1/2", "a"],
        "error: --shard requires a run of tasks: add --tasks, or define the task in rtfig.toml\n",
    ),
    ("durations-unknown", TASKS, ["tasks", "durations"], "error: no durations are known: run the tasks first\n"),
    (
        "turbo-pipeline",
        ONE_SCRIPT | {"turbo.json": {"pipeline": {}}},
        ["run", "--tasks", "a"],
        'error: turbo.json:1: "pipeline" is of Turborepo 1; call it "tasks"\n',
    ),
    (
        "turbo-extends",
        WORKSPACE | {"turbo.json": {}, "p/turbo.json": {"tasks": {}}},
        ["run", "--tasks", "a"],
        'error: p/turbo.json:1: the turbo.json of a package needs "extends": ["//"]\n',
    ),
    (
        "task-file-broken",
        ONE_SCRIPT | {"turbo.json": "{"},
        ["run", "--tasks", "a"],
        "error: turbo.json:1:1: Unexpected end of file\n",
    ),
    (
        "task-file-not-readable",
        ONE_SCRIPT | {"turbo.json": b"\xff"},
        ["run", "--tasks", "a"],
        "error: turbo.json: not UTF-8\n",
    ),
    (
        "tasks-without",
        TASKS,
        ["run", "--tasks", "--parallel", "a"],
        "error: --tasks and --parallel cannot be used together\n",
    ),
    (
        "tasks-usage",
        TASKS,
        ["tasks", "imports"],
        'error: rt tasks takes no word, "import", "schema" or "durations", not "imports"',
    ),
    (
        "cache-usage",
        TASKS,
        ["cache", "whi"],
        "error: usage: rt cache why TASK, rt cache verify TASK, rt cache stats, or rt cache prune",
    ),
    (
        "cache-modes",
        TASKS,
        ["run", "--cache=disk:rw", "a"],
        'error: --cache=disk:rw: must be "local:" and "remote:", each with r, w, both or neither: local:rw,remote:r\n',
    ),
    (
        "remote-cache-unknown",
        TASKS,
        ["run", "--cache=remote:rw", "a"],
        "error: --cache requests the remote cache, which is disabled or has no token: set TURBO_TOKEN\n",
    ),
    (
        "verify-failed",
        TASKS | {"package.json": {"name": "app", "scripts": {"a": "exit 1"}}},
        ["cache", "verify", "a"],
        'error: task "a" fails, so there is nothing to compare\n',
    ),
    (
        "cluster-address",
        TASKS,
        ["run", "--on", "local:0", "a"],
        'error: "local:0": the number of agents must be from 1 to 256, as in local:4\n',
    ),
    (
        "cluster-insecure",
        TASKS,
        ["run", "--on", "tcp://build.example:8786", "a"],
        "error: connections to tcp://build.example:8786 would be neither encrypted nor authenticated, and a scheduler runs any code",
    ),
    (
        "cluster-without",
        TASKS,
        ["run", "--watch", "--on", "local:1", "a"],
        "error: --watch and --on cannot be used together: leave out --on to watch and run the tasks on this machine\n",
    ),
    (
        "cluster-folder",
        {"file": ""},
        ["agent", "tcp://127.0.0.1:9", "--folder", "file/agents"],
        "/file/agents: Not a directory; name another folder with --folder\n",
    ),
    (
        "cluster-certificates",
        {"keys": ""},
        ["agent", "--make-certificates", "keys"],
        "error: cannot write certificates to keys: File exists\n",
    ),
    ("tasks-imported", TASKS, ["tasks", "import"], "error: rtfig.toml has tasks already\n"),
    (
        "tasks-not-written",
        WORKSPACE | {"turbo.json": {"tasks": {"a": {}}}, "rtfig.toml/x": ""},
        ["--cwd", "p", "tasks", "import"],
        "error: cannot write <DIR>/rtfig.toml: Is a directory\n",
    ),
]
