"""Definitions of tasks in rtfig.toml, turbo.json and package.json: what they mean, and errors that name file, line and remedy."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from trees import write_tree

from rt_supervisor.tasks.definitions import TaskSettings, TaskTable
from rt_supervisor.tasks.importing import rtfig_text
from rt_supervisor.tasks.positions import lines_of_json_keys
from rt_supervisor.tasks.schema import schema
from rt_supervisor.tasks.setting_table import AUTO, TASK_SETTINGS, WORKSPACE_SETTINGS, duration_ms
from rt_supervisor.tasks.sources import read_tasks
from rt_supervisor.vocabulary.errors import Failed

PACKAGES: dict[str, object] = {
    "package.json": {"name": "root", "workspaces": ["packages/*"]},
    "packages/a/package.json": {"name": "a", "scripts": {"build": "x"}},
    "packages/b/package.json": {"name": "b", "scripts": {"build": "x"}},
}
TURBO = """{
  // comments and trailing commas are allowed
  "$schema": "https://example.com/schema.json",
  "globalEnv": ["CI"],
  "tasks": {
    "build": { "dependsOn": ["^build"], "outputs": ["dist/**"], "env": ["MODE"] },
    "b#build": { "outputs": ["out/**"] },
    "lint": {},
  },
}"""


def table_of(root: Path, files: dict[str, object]) -> TaskTable:
    write_tree(root, PACKAGES | files)
    table = read_tasks(str(root)).table
    assert table is not None
    return table


def settings(table: TaskTable, package: str, task: str) -> TaskSettings:
    found = table.resolve((package,), task)
    assert found is not None
    return found


def test_packages_override_key_by_key_in_rtfig(tmp_path: Path) -> None:
    table = table_of(
        tmp_path,
        {
            "rtfig.toml": '[tasks."a#build"]\noutputs = ["lib"]\n\n[tasks.build]\ndependsOn = ["^build"]\noutputs = ["dist"]\n',
            "packages/b/rtfig.toml": "[tasks.build]\ncache = false\n",
        },
    )
    a, b = settings(table, "a", "build"), settings(table, "b", "build")
    assert (a.depends_on, a.outputs, a.cache) == (("^build",), ("lib",), True)
    assert (b.depends_on, b.outputs, b.cache) == (("^build",), ("dist",), False)
    assert a.places == {"dependsOn": "rtfig.toml:5", "outputs": "rtfig.toml:2"}
    assert b.places["cache"] == "packages/b/rtfig.toml:2"
    assert table.resolve(("a",), "test") is None


def test_turbo_json_is_read_as_turborepo_reads_it(tmp_path: Path) -> None:
    own = '{"extends": ["//"], "tasks": {"build": {"env": ["$TURBO_EXTENDS$", "OWN"]}}}'
    table = table_of(tmp_path, {"turbo.json": TURBO, "packages/a/turbo.json": own})
    a, b = settings(table, "a", "build"), settings(table, "b", "build")
    assert (a.depends_on, a.outputs, a.env) == (("^build",), ("dist/**",), ("MODE", "OWN"))
    assert (b.depends_on, b.outputs, b.env) == ((), ("out/**",), ())  # pkg#task replaces
    assert (table.globals.env, table.globals.env_mode) == (("CI",), "strict")
    assert a.places["outputs"] == "turbo.json:6"


def test_rtfig_with_tasks_wins_over_turbo_json(tmp_path: Path) -> None:
    assert table_of(tmp_path, {"turbo.json": TURBO, "rtfig.toml": "[run]\nsilent = true\n"}).origin == "turbo.json"
    assert table_of(tmp_path, {"rtfig.toml": "[tasks.build]\n"}).origin == "rtfig.toml"


def wireit_of(settings: str) -> dict[str, object]:
    """Return the package a, whose task `build` has these settings of wireit from line 3 on."""
    text = (
        f'{{"name": "a", "scripts": {{"build": "wireit"}},\n"wireit": {{"build": {{"command": "run",\n{settings}}}}}}}'
    )
    return {"packages/a/package.json": text}


def test_wireit_scripts_are_tasks(tmp_path: Path) -> None:
    wireit = {
        "build": {
            "command": "tsc",
            "dependencies": ["gen", "../b:build", {"script": "lint", "cascade": False}],
            "files": ["src/**"],
            "output": ["lib"],
            "env": {"MODE": {"external": True}},
        },
        "dev": {"command": "serve", "service": True},
    }
    scripts = {"build": "wireit", "dev": "wireit", "gen": "echo", "lint": "echo"}
    package = {"name": "a", "scripts": scripts, "wireit": wireit}
    other = {"name": "b", "scripts": {"build": "make", "test": "make test"}}
    table = table_of(tmp_path, {"packages/a/package.json": package, "packages/b/package.json": other})
    build, dev = settings(table, "a", "build"), settings(table, "a", "dev")
    assert (build.command, build.depends_on) == ("tsc", ("gen", "b#build", "lint"))
    assert (build.inputs, build.outputs, build.env, build.cache) == (("src/**",), ("lib",), ("MODE",), True)
    assert (dev.persistent, dev.cache, dev.interruptible, dev.ready) == (
        True, False, True, {"command": "true", "timeout": 60_000},
    )  # fmt: skip
    plain = settings(table, "b", "build")  # a script that only a dependency mentions
    assert (plain.cache, plain.values) == (False, {"cache": False})
    assert table.resolve(("b",), "test") is None


@pytest.mark.parametrize(
    ("task", "expected"),
    [
        ({"service": {"readyWhen": {"lineMatches": r"on (?<port>\d+)"}}}, {"ready": {"line": r"on (?P<port>\d+)", "timeout": 60_000}}),
        ({"service": {}}, {"ready": {"command": "true", "timeout": 60_000}, "persistent": True}),
        ({"service": False}, {"ready": None, "persistent": False}),
        ({"files": ["/src", "!/src/a", "src/a/b", "!x"]}, {"inputs": ("src", "src/a/b", "!x"), "cache": False}),
        ({"files": [], "output": ["lib", "!lib/x"]}, {"inputs": (), "outputs": ("lib", "!lib/x"), "cache": True}),
        ({"files": [], "output": ["lib", "!lib/x", "lib/x/y"]}, {"cache": False}),
        ({"clean": "if-file-deleted"}, {"clean": True}),
        ({"clean": False}, {"clean": False}),
        ({"env": {"A": "it's"}}, {"command": "export A='it'\"'\"'s'; run", "env": ()}),
        ({"env": {"A": {"external": True, "default": "x"}}}, {"command": '[ -n "${A+set}" ] || export A=x; run', "env": ("A",)}),
        ({"dependencies": ["../b:build:all", "only"]}, {"depends_on": ("b#build:all", "only")}),
        ({"packageLocks": ["x.lock"], "allowUsuallyExcludedPaths": True}, {"command": "run"}),
    ],
)  # fmt: skip
def test_forms_of_wireit(tmp_path: Path, task: dict[str, object], expected: dict[str, object]) -> None:
    wireit = {"build": {"command": "run", **task}, "only": {"command": "echo"}}
    package = {"name": "a", "scripts": {"build": "wireit"}, "wireit": wireit}
    other = {"name": "b", "scripts": {"build:all": "make"}}
    files: dict[str, object] = {"packages/a/package.json": package, "packages/b/package.json": other}
    found = settings(table_of(tmp_path, files), "a", "build")
    assert {name: getattr(found, name) for name in expected} == expected


@pytest.mark.parametrize(
    ("files", "message"),
    [
        (
            {"rtfig.toml": "[tasks.build]\n\ndependOn = []\n"},
            'rtfig.toml:3: unknown setting "dependOn" of task "build"; did you mean "dependsOn"?',
        ),
        (
            {"rtfig.toml": '[tasks]\nbuild = { cache = "no" }\n'},
            'rtfig.toml:2: "cache" of task "build" must be true or false',
        ),
        ({"rtfig.toml": "tasks = 1\n"}, 'rtfig.toml:1: "tasks" must be a table of tasks'),
        (
            {"rtfig.toml": "[tasks.build]\n", "packages/a/rtfig.toml": '[tasks."b#build"]\n'},
            'packages/a/rtfig.toml:1: a package\'s own file names its tasks without "b#"',
        ),
        (
            {"turbo.json": '{"tasks": {\n"build": {\n"output": []}}}'},
            'turbo.json:3: unknown setting "output" of task "build"; did you mean "outputs"?',
        ),
        (
            {"turbo.json": '{"globalEnvs": []}'},
            'turbo.json:1: unknown setting "globalEnvs" of the workspace; did you mean "globalEnv"?',
        ),
        (
            {"turbo.json": '{"tasks": {"build": {"outputLogs": "some"}}}'},
            'turbo.json:1: "outputLogs" of task "build" must be "full", "hash-only", "new-only", "errors-only", "none"',
        ),
        (
            {"turbo.json": '{"tasks": {"build": {"inputs": [{"auto": true}]}}}'},
            'turbo.json:1: "inputs" of task "build" must be a list of strings',
        ),
        (
            {"rtfig.toml": "[tasks.build]\ninputs = [{ outo = true }]\n"},
            'rtfig.toml:2: "inputs" of task "build" has a table with the unknown key "outo"; did you mean "auto"?',
        ),
        ({"turbo.json": '{"tasks": [\n}'}, "turbo.json:2:1: "),
        ({"turbo.json": '{\n"pipeline": {}}'}, 'turbo.json:2: "pipeline" is of Turborepo 1'),
        (
            {"turbo.json": "{}", "packages/a/turbo.json": '{"tasks": {}}'},
            'packages/a/turbo.json:1: the turbo.json of a package needs "extends": ["//"]',
        ),
        (
            {"packages/a/package.json": '{"name": "a",\n"wireit": {"build": {\n"comand": "x"}}}'},
            'packages/a/package.json:3: unknown setting "comand" of task "build"; did you mean "command"?',
        ),
        (
            wireit_of('"service": {\n"readyWhen": {\n"lineMatch": "x"}}'),
            'packages/a/package.json:5: unknown setting "lineMatch" in "service.readyWhen" of task "build"; did you mean "lineMatches"?',
        ),
        (
            wireit_of('"service": {"readyWhen": {\n"lineMatches": "("}}'),
            'packages/a/package.json:4: "lineMatches" must be a regular expression: ',
        ),
        (wireit_of('"service": true, "output": []'), 'packages/a/package.json:3: a service cannot have "output"'),
        (
            wireit_of('"dependencies": [\n{"script": "build", "cascades": false}]'),
            'packages/a/package.json:4: unknown setting "cascades" in "dependencies" of task "build"; did you mean "cascade"?',
        ),
        (
            wireit_of('"dependencies": ["biuld"]'),
            'packages/a/package.json:3: a has no script "biuld"; did you mean "build"?',
        ),
        (
            wireit_of('"dependencies": ["../c:x"]'),
            'packages/a/package.json:3: "../c" is not a package of the workspace',
        ),
        (wireit_of('"files": "src"'), 'packages/a/package.json:3: "files" must be a list of strings'),
        (wireit_of('"clean": "never"'), 'packages/a/package.json:3: "clean" must be true, false or "if-file-deleted"'),
        (
            wireit_of('"env": {\n"A": {"external": false}}'),
            'packages/a/package.json:4: "A" must be a string, or an object with {"external": true}',
        ),
    ],
)
def test_errors_name_the_line_and_the_remedy(tmp_path: Path, files: dict[str, object], message: str) -> None:
    write_tree(tmp_path, PACKAGES | files)
    with pytest.raises(Failed) as caught:
        read_tasks(str(tmp_path))
    assert caught.value.failure.message.startswith(message)


def test_lists_of_files_may_contain_what_is_traced(tmp_path: Path) -> None:
    text = '[tasks.a]\ninputs = [{ auto = true }, "!*.md"]\n[tasks.b]\noutputs = ["dist", { auto = true }]\n[tasks.c]\noutputs = []\n'
    table = table_of(tmp_path, {"rtfig.toml": text + '[tasks.d]\ninputs = ["src"]\n'})
    found = {name: settings(table, "a", name) for name in "abcd"}
    traced = {name: (each.traces_inputs, each.traces_outputs) for name, each in found.items()}
    assert traced == {"a": (True, True), "b": (True, True), "c": (False, False), "d": (False, True)}
    assert found["a"].inputs == (AUTO, "!*.md")
    assert rtfig_text(table).startswith('[tasks.a]\ninputs = [{ auto = true }, "!*.md"]\n')
    items = schema()["properties"]["tasks"]["additionalProperties"]["properties"]["inputs"]["items"]  # type: ignore[index]
    assert items["oneOf"][1]["required"] == ["auto"]


def test_imported_tasks_mean_the_same(tmp_path: Path) -> None:
    own = '{"extends": ["//"], "tasks": {"build": {"cache": false, "env": ["$TURBO_EXTENDS$", "OWN"]}}}'
    before = table_of(tmp_path, {"turbo.json": TURBO, "packages/a/turbo.json": own})
    after = table_of(tmp_path, {"rtfig.toml": rtfig_text(before)})
    assert after.origin == "rtfig.toml"
    assert after.globals == before.globals
    for package in ("a", "b", "c"):
        for task in ("build", "lint"):
            old, new = settings(before, package, task), settings(after, package, task)
            for name in ("depends_on", "outputs", "env", "cache", "clean", "inputs", "persistent"):
                expected = getattr(old, name)
                assert getattr(new, name) == (() if name == "outputs" and expected is None else expected), (
                    package,
                    name,
                )


def test_lines_of_json_keys_skip_comments_and_strings() -> None:
    text = '{ // "x": {\n"a": [{"b": 1},\n{"b": ":"}], /* "c":\n */ "d": {"e\\"": "}"},\n"a2": 1}'
    assert lines_of_json_keys(text) == {("a",): 2, ("a", "b"): 2, ("d",): 4, ("d", 'e\\"'): 4, ("a2",): 5}


@pytest.mark.parametrize(
    ("value", "expected"),
    [(5, 5), ("5ms", 5), ("1.5s", 1500), ("2m", 120_000), ("1 h", 3_600_000), ("5", None), (True, None), (-1, None)],
)
def test_durations(value: object, expected: int | None) -> None:
    assert duration_ms(value) == expected


def test_the_schema_has_every_setting() -> None:
    described = json.loads(json.dumps(schema()))["properties"]
    assert described["tasks"]["additionalProperties"]["properties"].keys() == {row.name for row in TASK_SETTINGS}
    assert described.keys() == {"tasks"} | {row.name for row in WORKSPACE_SETTINGS}


def test_the_documentation_lists_every_setting() -> None:
    text = (Path(__file__).parents[3] / "docs/tasks.md").read_text()
    rows = [line.split("|")[1].strip(" `") for line in text.splitlines() if line.startswith("| `")]
    assert {row.name for row in (*TASK_SETTINGS, *WORKSPACE_SETTINGS)} <= set(rows)


def test_a_workspace_without_definitions_has_no_table(tmp_path: Path) -> None:
    write_tree(tmp_path, PACKAGES)
    assert read_tasks(str(tmp_path)).table is None
