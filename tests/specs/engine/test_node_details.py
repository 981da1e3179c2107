"""Details of Node that tools rely on: its debug log, the default of Error.prepareStackTrace, profiles of a killed program."""

from __future__ import annotations

import json
import signal
import sys

import pytest
from rig import Box

IDENTITY = "--identity=node"

REQUEST = """
const http = require('node:http');
const server = http.createServer((request, response) => response.end('x')).listen(0, () => {
  const port = server.address().port;
  http.get({ port, headers: { authorization: 'secret' } }, (response) => response.resume().on('end', () => server.close()));
});
"""


@pytest.mark.parametrize(("variable", "is_logged"), [("http", True), ("fs,HTTP*", True), ("net", False)])
def test_the_debug_log_of_http_warns_of_secrets(box: Box, variable: str, is_logged: bool) -> None:
    box.write({"a.cjs": REQUEST})
    result = box.run(IDENTITY, "a.cjs", environment={"NODE_DEBUG": variable})
    shown = result.stderr.decode()
    assert result.returncode == 0
    assert ("Setting the NODE_DEBUG environment variable to 'http' can expose sensitive data" in shown) is is_logged
    for line in ("SERVER new http connection", "SERVER incoming request: GET /", "AGENT incoming response: 200"):
        assert (line in shown) is is_logged


def test_error_prepare_stack_trace_has_a_default_for_programs_that_see_node_only(box: Box) -> None:
    box.write(
        {
            "a.cjs": """
        const initial = Error.prepareStackTrace;
        const plain = new Error('x').stack;
        Error.prepareStackTrace = (error, sites) => `${sites.length > 0} ${initial(error, sites).split('\\n')[0]}`;
        console.log(typeof initial, initial.length, plain.split('\\n')[0], '|', new Error('y').stack);
        """
        }
    )
    assert box.run(IDENTITY, "a.cjs").stdout == b"function 2 Error: x | true Error: y\n"
    box.write({"b.cjs": "console.log(typeof Error.prepareStackTrace)"})
    assert box.run("b.cjs").stdout == b"undefined\n"


@pytest.mark.skipif(sys.platform != "linux", reason="signals of Linux")
@pytest.mark.parametrize("target", ["process.pid", "String(process.pid)"])
def test_a_program_that_kills_itself_writes_its_profile_and_coverage(box: Box, target: str) -> None:
    box.write({"a.cjs": f"process.kill({target}, 'SIGTERM'); setInterval(() => {{}}, 1000);"})
    environment = {"NODE_V8_COVERAGE": str(box.folder / "coverage")}
    result = box.run("--cpu-prof", "--cpu-prof-dir=profiles", "a.cjs", environment=environment)
    assert result.returncode in (-signal.SIGTERM, 128 + signal.SIGTERM)
    (profile,) = (box.folder / "profiles").iterdir()
    assert json.loads(profile.read_text())["nodes"]
    (coverage,) = (box.folder / "coverage").iterdir()
    assert any(each["url"].endswith("a.cjs") for each in json.loads(coverage.read_text())["result"])


def test_a_signal_with_a_listener_writes_no_profile_early(box: Box) -> None:
    box.write(
        {
            "a.cjs": """
        process.once('SIGTERM', () => console.log(require('fs').existsSync('profiles')));
        process.kill(process.pid, 'SIGTERM');
        process.kill(process.pid, 0);
        setTimeout(() => {}, 50);
        """
        }
    )
    assert box.run("--cpu-prof", "--cpu-prof-dir=profiles", "a.cjs").stdout == b"false\n"
    assert len(list((box.folder / "profiles").iterdir())) == 1


def test_flags_of_the_engine_apply_to_code_that_is_evaluated(box: Box) -> None:
    box.write({"a.cjs": "console.log(eval('%HaveSameMap({ a: 1 }, { a: 2 })'))"})
    assert box.run("--allow-natives-syntax", "a.cjs").stdout == b"true\n"
    assert box.run("a.cjs").returncode == 1


def test_the_old_names_of_the_streams_of_a_repl(box: Box) -> None:
    box.write(
        {
            "a.cjs": """
        const { PassThrough } = require('node:stream');
        const [input, output] = [new PassThrough(), new PassThrough()];
        const repl = require('node:repl').start({ input, output });
        console.log(repl.inputStream === input, repl.outputStream === output, Object.keys(repl).includes('inputStream'));
        repl.close();
        """
        }
    )
    assert box.run("a.cjs").stdout == b"true true false\n"
    assert b"[DEP0141]" in box.run("a.cjs", environment={"NODE_PENDING_DEPRECATION": "1"}).stderr


def test_the_binding_of_the_inspector_tells_whether_it_listens(box: Box) -> None:
    code = "const { isEnabled } = process.binding('inspector'); const before = isEnabled(); process._debugEnd(); "
    result = box.run("--inspect=0", IDENTITY, "-e", f"{code}console.log(before, isEnabled())")
    assert result.stdout == b"true false\n"
