"""What programs see of the runtime: Bun by default, Node under the name node, or as `--identity` says."""

from __future__ import annotations

import json
from typing import Any

import pytest
from rig import Box

SHOWN = """
const child = process.argv[2] === 'child' ? undefined : JSON.parse(require('child_process').execFileSync(process.execPath, [__filename, 'child']));
console.log(JSON.stringify({
  globals: [typeof Bun, typeof RT], versions: [process.versions.bun, process.versions.rt].filter(Boolean).length,
  conditions: require('conditional'), program: require('path').basename(process.argv[0]), child,
}));
"""
PACKAGE = {
    "node_modules/conditional/package.json": {"exports": {"bun": "./bun.js", "rt": "./bun.js", "node": "./node.js"}},
    "node_modules/conditional/bun.js": "module.exports = 'bun';",
    "node_modules/conditional/node.js": "module.exports = 'node';",
    "node_modules/.bin/tool": "#!/usr/bin/env node\nrequire('../../shown.cjs');",
    "shown.cjs": SHOWN,
    "package.json": {"name": "app", "scripts": {"tool": "tool", "node": "node shown.cjs", "rt": "rt shown.cjs"}},
}
BUN = {"globals": ["object", "object"], "versions": 2, "conditions": "bun", "program": "rt"}
NODE = {"globals": ["undefined", "object"], "versions": 1, "conditions": "node", "program": "node"}


def seen(box: Box, *arguments: str, **options: Any) -> dict[str, Any]:
    result = box.run(*arguments, **options)
    assert result.returncode == 0, result.stderr
    found: dict[str, Any] = json.loads(result.stdout.splitlines()[-1])
    assert {**found, "child": None} == {**found.pop("child"), "child": None}, "a child sees what its parent sees"
    return found


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["shown.cjs"], BUN),
        (["--identity=node", "shown.cjs"], NODE),
        (["--rt", "tool"], NODE),
        (["run", "--rt", "tool"], NODE),
        (["run", "--rt", "--identity=bun", "tool"], BUN | {"program": "rt"}),
        (["run", "--rt", "node"], NODE),
        (["run", "--rt", "--sequential", "node"], NODE | {"child": None}),
        (["run", "--rt", "rt"], BUN),
    ],
)
def test_identity(box: Box, arguments: list[str], expected: dict[str, Any]) -> None:
    box.write(PACKAGE)
    if "--sequential" in arguments:
        line = box.run(*arguments).stdout.decode().partition(" | ")[2]
        found = json.loads(line)
        assert {name: found[name] for name in NODE} == NODE
        return
    assert seen(box, *arguments) == expected


def test_again_from_the_cache(box: Box) -> None:
    box.write(PACKAGE)
    for _ in range(3):
        assert seen(box, "shown.cjs") == BUN
        assert seen(box, "run", "--rt", "node") == NODE


def test_the_config_sets_it(box: Box) -> None:
    box.write({**PACKAGE, "rtfig.toml": '[run]\nidentity = "bun"\n'})
    assert seen(box, "run", "--rt", "tool") == BUN
    box.write({"rtfig.toml": '[run]\nidentity = "node"\n'})
    assert seen(box, "shown.cjs") == NODE


@pytest.mark.parametrize(("identity", "name"), [("bun", "rt"), ("node", "node")])
def test_warnings_name_the_runtime(box: Box, identity: str, name: str) -> None:
    code = "process.emitWarning('first'); process.emitWarning('second', 'DeprecationWarning', 'DEP0');"
    box.write({"a.cjs": f"{code} new (require('worker_threads').Worker)({code!r}, {{ eval: true }});"})
    lines = box.run(f"--identity={identity}", "a.cjs").stderr.decode().splitlines()
    assert len(lines) >= 3
    assert {line.split()[0].split(":")[0] for line in lines} == {f"({name}", "(Use"}
    assert next(line.split()[1] for line in lines if line.startswith("(Use")) == f"`{name}"


def test_an_unknown_identity_is_an_error(box: Box) -> None:
    result = box.run("--identity=deno", "-e", "1")
    assert result.stderr == b'error: Invalid value for --identity: "deno". Must be one of "bun", "node"\n'


def test_the_version_of_bun_is_that_of_its_member(box: Box) -> None:
    program = "import { version, serve } from 'bun'; import * as all from 'bun';\n"
    program += "console.log(new Set([Bun.version, process.versions.bun, version, all.version]).size, Bun.version !== RT.version, serve === RT.serve);"
    box.write({"a.mjs": program})
    assert box.run("a.mjs").stdout == b"1 true true\n"
    shown = box.run("-p", "[Bun.version, RT.version].join()").stdout.decode().strip().split(",")
    assert shown[1] == box.run("--version").stdout.decode().strip()


def test_workers_and_macros_see_the_same(box: Box) -> None:
    shown = "console.log(typeof Bun, process.versions.bun)"
    box.write({"a.cjs": f"new (require('worker_threads').Worker)({shown!r}, {{ eval: true }});"})
    assert box.run("--identity=node", "a.cjs").stdout == b"undefined undefined\n"


def test_names_of_the_program_in_help_texts(box: Box) -> None:
    """The rule of yargs: argv[0] is dropped if it is node."""
    rule = r"const { argv } = process; console.log(require('path').basename(/\b(node|iojs|electron)(\.exe)?$/.test(argv[0]) ? argv[1] : argv[0]));"
    box.write({"node_modules/.bin/cli": f"#!/usr/bin/env node\n{rule}", "package.json": {"name": "app"}})
    assert box.run("--rt", "cli").stdout == b"cli\n"
