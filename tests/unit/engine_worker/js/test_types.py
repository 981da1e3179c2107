"""TypeScript checks the library files that opt in with @ts-check, and finds mistakes in them."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest
from rig import executable

from rt_supervisor.engine_worker.start import bundle

JS = Path(bundle.JS_FOLDER)
PROJECT = Path(__file__).parents[4]
STUBS = PROJECT / "stubs/js"
COMPILER = PROJECT / "node_modules/typescript/bin/tsc"
CHECKED = ["node/events/events", "node/fs/promises", "node/fs/requests", "node/fs/streams"]


def test_the_central_files_are_checked() -> None:
    floors = [path for floor in ("boot", "internal", "web") for path in (JS / floor).rglob("*.js")]
    for path in [*floors, *(JS / f"{name}.js" for name in CHECKED)]:
        assert path.read_text().startswith("// @ts-check\n"), path


@pytest.mark.skipif(not COMPILER.exists(), reason="TypeScript is not installed (scripts/javascript-tools)")
@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("host.vmModulesAreListed;", "Property 'vmModulesAreListed' does not exist on type 'Host'"),
        ("host.native.fs_readfile();", "Property 'fs_readfile' does not exist on type 'Native'"),
        ("host.inspect = host.inspect;", "Cannot assign to 'inspect' because it is a read-only property"),
        ("new (require('internal/errors/errors').codes.ERR_NO_SUCH)();", "Property 'ERR_NO_SUCH' does not exist"),
        ("require('internal/primordials').StringSlice('a', 'b');", "not assignable to parameter of type 'number'"),
        ("require('internal/primordials').ArrayShift(new (class { shift() {} })());", "to parameter of type 'Listed'"),
        (
            "require('internal/primordials').MapGet(new WeakMap(), {});",
            "properties from type 'Map<any, any>'",
        ),
        ("require('internal/start_values').startedat;", "Property 'startedat' does not exist"),
        ("require('internal/validators').validateString(1, 2);", "not assignable to parameter of type 'string'"),
    ],
)
def test_a_type_error_is_found(tmp_path: Path, line: str, said: str) -> None:
    (tmp_path / "mistaken.js").write_text(f"// @ts-check\n'use strict';\n{line}\n")
    project = {"extends": str(STUBS / "tsconfig.json"), "include": [f"{STUBS}/*.d.ts", "mistaken.js"]}
    (tmp_path / "tsconfig.json").write_text(json.dumps(project))
    done = subprocess.run([executable(), COMPILER, "--project", tmp_path], capture_output=True, text=True, cwd=tmp_path)
    assert said in done.stdout
    assert (done.returncode != 0) == bool(said), done.stdout
