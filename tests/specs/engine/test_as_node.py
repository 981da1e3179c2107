"""Programs that see Node only (`--identity=node`): their uncaught errors are printed as Node prints them, and the loader
refuses what Node's refuses."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path

import js_peers as peers
import pytest
from rig import Box, executable

FOLDER = Path(__file__).parent / "as_node"
PROGRAMS = (
    "resolution.mjs",
    "formats.mjs",
    "cycles.cjs",
    "interop.mjs",
    "lexer.mjs",
    "console.cjs",
    "singletons.cjs",
    "required_urls.cjs",
    "published_maps.cjs",
)
IDENTITY = "--identity=node"

THROWN = {
    "error.cjs": "// first\n\nfunction fail() { throw new TypeError('a\\nb'); }\nfail();",
    "timer.cjs": "\tsetTimeout(() => { null.x; }, 1);",
    "properties.cjs": "throw Object.assign(new Error('x', { cause: new RangeError('y') }), { code: 'E_X', more: { a: [1] } });",
    "aggregate.cjs": "throw new AggregateError([new Error('one'), new TypeError('two')], 'both');",
    "subclass.cjs": "class Own extends Error {}; throw new Own('text');",
    "assertion.cjs": "require('assert').strictEqual(1, 2);",
    "rejected.cjs": "Promise.reject(new Error('rejected'));",
    "reason.cjs": "Promise.reject({ a: 1 });",
    "syntax.cjs": "var foo bar;",
    "syntax.mjs": "let a = 1;\n  let let = 2;",
    "missing.cjs": "require('./nothing');",
    "missing.mjs": "import './nothing.mjs';",
    "name.mjs": "import { nothing } from 'fs';",
}
VALUES = {
    "number.cjs": "throw 5",
    "object.cjs": "throw { a: [1] }",
    "symbol.cjs": "throw Symbol('s')",
    "bigint.mjs": "throw 1n",
}


def run(box: Box, command: list[str], *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = {**box.environment(), "NODE_TEST_CONTEXT": ""}
    return subprocess.run(
        [*command, *arguments], cwd=box.folder, env=environment, capture_output=True, text=True, timeout=60
    )


def report(box: Box, text: str) -> str:
    """Return a report without frames, versions and the source lines of the runtime's own files."""
    text = re.sub(r"\Anode:[^\n]*\n[^\n]*\n[ ~^]*\n\n?", "", text.replace("file://", ""))
    text = re.sub(
        r"^ +(?:at|\.\.\.) .*?( \{)?\n", lambda frame: f"{frame[1]}\n" if frame[1] else "", text, flags=re.MULTILINE
    )
    text = re.sub(r"\n+ \{", " {", re.sub(r"Node\.js v[\d.]+", "Node.js", text))
    return text.replace(str(box.folder), "<DIR>")


@pytest.mark.parametrize("name", THROWN)
def test_prints_an_uncaught_error_as_node_does(box: Box, name: str) -> None:
    box.write({name: THROWN[name]})
    own, other = run(box, [executable(), IDENTITY], name), run(box, [peers.node()], name)
    found, expected = report(box, own.stderr), report(box, other.stderr)
    if name in ("assertion.cjs", "missing.cjs"):  # Node shows its own source; rt shows the program's
        found = found.partition("^\n\n")[2]
    assert (found, own.returncode) == (expected, other.returncode)


@pytest.mark.parametrize("code", ["let a = 1;\nthrow new TypeError('x')", "var a b"])
def test_prints_evaluated_code_as_node_does(box: Box, code: str) -> None:
    own, other = run(box, [executable(), IDENTITY], "-e", code), run(box, [peers.node()], "-e", code)
    expected = report(box, other.stderr).replace("Expected a semicolon\n", "")
    assert (report(box, own.stderr), own.returncode) == (expected, other.returncode)


@pytest.mark.parametrize("name", VALUES)
def test_prints_a_thrown_value_as_node_does(box: Box, name: str) -> None:
    """With the source line of the throw, if the main module throws the value while it runs as CommonJS."""
    box.write({name: VALUES[name]})
    own, other = run(box, [executable(), IDENTITY], name), run(box, [peers.node()], name)
    expected = re.sub(r"`\S+ --trace", "`node --trace", report(box, other.stderr))
    if name.endswith(".mjs"):
        expected = "Uncaught:\n" + re.split(r"\^+\n", expected)[-1]
    assert (report(box, own.stderr), own.returncode) == (expected, other.returncode)


@pytest.mark.parametrize(
    "code", ["function f() {\n  throw { a: 1 };\n}\nf();", "const e = new Error('x');\n\n  throw e;", "\tthrow null"]
)
def test_trace_uncaught_shows_the_place_of_the_throw(box: Box, code: str) -> None:
    """Node prints the frames below that, too."""
    box.write({"a.cjs": code})
    own, other = (
        run(box, [executable(), IDENTITY, "--trace-uncaught", "a.cjs"]),
        run(box, [peers.node(), "--trace-uncaught", "a.cjs"]),
    )
    head, _, trace = own.stderr.partition("Thrown at:\n")
    assert report(box, head) == report(box, other.stderr.partition("Thrown at:\n")[0])
    line = other.stderr.partition(":")[2].partition("\n")[0]
    assert trace.startswith(f"    at {box.folder}/a.cjs:{line}:")
    for words in (["-e", "throw undefined"], ["-p", "throw [1]"]):
        own = run(box, [executable(), IDENTITY, "--trace-uncaught", *words])
        assert "\nThrown at:\n    at [eval]:1:1\n" in own.stderr


@pytest.mark.parametrize("program", PROGRAMS)
def test_loads_what_node_loads(box: Box, program: str) -> None:
    shutil.copytree(FOLDER, box.folder, dirs_exist_ok=True)
    own, other = (
        run(box, [executable(), IDENTITY], program),
        run(box, [peers.node()], program),
    )
    assert (own.stdout.splitlines(), own.returncode) == (other.stdout.splitlines(), other.returncode), own.stderr


def test_the_own_identity_keeps_its_forms(box: Box) -> None:
    """Of errors, of `import.meta`, and of imports that Node refuses."""
    box.write(
        {"a.mjs": "import data from './b.json';\nconsole.log(data.x, typeof import.meta.dir);\nthrow new Error('x');"}
    )
    box.write({"b.json": '{ "x": 1 }'})
    result = run(box, [executable()], "a.mjs")
    assert result.stdout == "1 string\n"
    assert "error: x\n      at " in result.stderr


def test_refuses_the_command_lines_that_node_refuses(box: Box) -> None:
    """Names of V8's flags are known to V8 alone, and a misspelled one is refused."""
    node = box.folder / "node"
    node.symlink_to(executable())
    for line in (
        ["--no-such-flag", "-p", "1"],
        ["--stress-compaction", "-p", "1"],
        ["--use-bundled-ca", "--use-openssl-ca", "x"],
    ):
        ours = run(box, [str(node)], *line)
        theirs = run(box, [peers.node()], *line)
        assert (ours.stdout, ours.returncode) == (theirs.stdout, theirs.returncode)
        assert ours.stderr.replace(str(node), "<node>") == theirs.stderr.replace(peers.node(), "<node>")


def test_preloads_and_buffer_warnings_are_those_of_node(box: Box) -> None:
    """`--require` adds extensions and is the parent of its module; a package may call `Buffer()`."""
    box.write(
        {
            "first.js": "console.log(module.parent.id, module.parent.paths[0]); Buffer(1);",
            "node_modules/old/index.js": "new Buffer(1);",
            "main.cjs": "require('old');",
        }
    )
    programs = (["-r", "./first", "-p", "1"], ["main.cjs"], ["--pending-deprecation", "main.cjs"])
    for line in programs:
        ours = run(box, [executable(), IDENTITY], *line)
        theirs = run(box, [peers.node()], *line)
        assert (ours.stdout, ours.returncode) == (theirs.stdout, theirs.returncode)
        assert [word in ours.stderr for word in ("DEP0005", "Buffer() is deprecated")] == [
            word in theirs.stderr for word in ("DEP0005", "Buffer() is deprecated")
        ]


def test_the_globals_are_those_of_node(box: Box) -> None:
    program = "JSON.stringify(Object.getOwnPropertyNames(globalThis))"
    for flags in ([], ["--experimental-eventsource"]):
        ours = json.loads(run(box, [executable(), IDENTITY], *flags, "-p", program).stdout)
        theirs = json.loads(run(box, [peers.node()], *flags, "-p", program).stdout)
        assert set(ours) - set(theirs) == {"RT"}


def test_env_files_are_those_of_the_command_line(box: Box) -> None:
    """No default file is read, values are not expanded, a missing file ends the program, and the time zone applies."""
    node = box.folder / "node"
    node.symlink_to(executable())
    box.write({".env": "FROM=default", "own.env": "A=1\nB={ port: $A}\nTZ=Pacific/Honolulu\nC='$A'"})
    code = "const { FROM, A, B, C } = process.env; console.log(FROM, A, B, C, new Date(0).getHours())"
    command_lines = [
        ["-e", "console.log(process.env.FROM)"],
        ["--env-file=own.env", "-e", code],
        ["--env-file-if-exists=missing.env", "--env-file-if-exists", "own.env", "-e", code],
        ["--env-file=missing.env", "-e", code],
    ]
    for words in command_lines:
        own, other = run(box, [str(node)], *words), run(box, [peers.node()], *words)
        assert (own.stdout, own.returncode) == (other.stdout, other.returncode), (words, own.stderr)
        assert other.stderr.replace(peers.node(), "").strip() in own.stderr.replace(str(node), ""), words


def test_evaluates_and_checks_code_as_node_does(box: Box) -> None:
    """Promises are printed when the program ends; --eval may follow --print; syntax errors are the engine's."""
    node = box.folder / "node"
    node.symlink_to(executable())
    arguments = "JSON.stringify(require('util').parseArgs({ strict: false }).values)"
    for words in (
        ["-p", "Promise.resolve().then(() => 42)"],
        ["-p", "setTimeout(process.exit, 1, 3); new Promise(() => {})"],
        ["-p", "-e", arguments, "--", "--foo", "--bar"],
        ["--print", f"--eval={arguments}", "--", "--foo"],
        ["-pe", arguments, "--", "--foo"],
        ["-p", "\\-42"],
        ["-p", "typeof crypto.randomBytes + typeof crypto.subtle"],
        [
            "-p",
            "process.allowedNodeEnvironmentFlags.clear.call(new Set()), process.allowedNodeEnvironmentFlags.size > 300",
        ],
    ):
        own, other = run(box, [str(node)], *words), run(box, [peers.node()], *words)
        assert (own.stdout, own.returncode) == (other.stdout, other.returncode), (words, own.stderr)
    box.write({"text.crt": "-----BEGIN CERTIFICATE-----\n", "bad.cjs": "var foo bar;"})
    for words, text in ((["-c"], "var foo bar;"), (["-c", "bad.cjs"], ""), (["-e", "require('./text.crt')"], "")):
        own, other = (
            subprocess.run(
                [*command, *words], input=text, cwd=box.folder, capture_output=True, text=True, env=box.environment()
            )
            for command in ([str(node)], [peers.node()])
        )
        message = re.search(r"^SyntaxError: .*", other.stderr, re.MULTILINE)
        assert message is not None and message[0] in own.stderr, own.stderr
        assert own.stderr.splitlines()[0].replace(f"{box.folder}/", "") == other.stderr.splitlines()[0].replace(
            f"{box.folder}/", ""
        )
        assert own.returncode == other.returncode == 1


def test_an_error_without_a_fatal_exception_handler_ends_the_program(box: Box) -> None:
    box.write({"removed.cjs": "process._fatalException = undefined; throw new Error('x');"})
    own, other = run(box, [executable(), IDENTITY], "removed.cjs"), run(box, [peers.node()], "removed.cjs")
    assert (own.returncode, other.returncode) == (6, 6)
    assert "Error: x" in own.stderr


def test_flags_and_warnings_are_those_of_node(box: Box) -> None:
    node = box.folder / "node"
    node.symlink_to(executable())
    write = str(box.folder / "a,b")
    for words, status, text in (
        (["--allow-fs-read=*", "-e", "1"], 1, "--permission is required"),
        (
            ["--permission", f"--allow-fs-write={write}", "-e", "1"],
            0,
            "Warning: The --allow-fs-write CLI flag has changed.",
        ),
        (["--no-warnings", "--warnings", "-e", "process.emitWarning('shown')"], 0, "shown"),
        (["--warnings", "--no-warnings", "-e", "process.emitWarning('hidden')"], 0, ""),
        (["--watch", "--watch-kill-signal", "nothing", "a.js"], 1, "Unknown signal: nothing"),
        (
            ["--test", "--test-coverage-lines=101", "--experimental-test-coverage"],
            1,
            "[ERR_OUT_OF_RANGE]: The value of",
        ),
        (["--secure-heap=3", "--secure-heap-min=3", "-e", "1"], 9, "--secure-heap-min must be a power of 2"),
        (["--secure-heap=6", "-e", "1"], 9, "--secure-heap must be a power of 2"),
        (["--permission", "--inspect-brk=0", "-e", "1"], 1, "code: 'ERR_ACCESS_DENIED'"),
        (["--disallow-code-generation-from-strings", "-e", "eval('1')"], 1, "EvalError: Code generation from strings"),
        (["--disallow-code-generation-from-strings", "-e", "new Function('1')"], 1, "EvalError: Code generation"),
        (["--disallow-code-generation-from-strings", "-e", "require('vm').runInNewContext('eval(1)')"], 0, ""),
        (
            ["--trace-sync-io", "-e", "fs.statSync('.'); setImmediate(() => fs.readdirSync('.'))"],
            0,
            "Detected use of sync API",
        ),
        (
            ["-e", "import('./').catch((error) => process.stderr.write(`${error}`.slice(0, 35)))"],
            0,
            "[ERR_UNSUPPORTED_DIR_IMPORT]",
        ),
    ):
        own, other = run(box, [str(node)], *words), run(box, [peers.node()], *words)
        assert status is None or (own.returncode, other.returncode) == (status, status), words
        assert text in other.stderr and text in own.stderr, (words, own.stderr)
        assert bool(own.stderr) == bool(text), words
        assert "statSync" not in own.stderr
    code = """
        const vm = require('vm');
        new vm.Script('import("fs")', { importModuleDynamically() {} }).runInThisContext().catch((error) => console.log(error.code));
        console.log(require('module').builtinModules.filter((name) => /^(bun|rt)/.test(name)));
    """
    own, other = run(box, [str(node)], "-e", code), run(box, [peers.node()], "-e", code)
    assert own.stdout == other.stdout, own.stderr
    code = """
        try { new console.clear(); } catch (error) { console.log(console.clear.name, error.name); }
        require('dns').reverse('127.0.0.1', (error) => console.log(error?.code));
    """
    for flags in ([], ["--permission"]):
        own, other = run(box, [str(node)], *flags, "-e", code), run(box, [peers.node()], *flags, "-e", code)
        assert own.stdout == other.stdout, own.stderr
    typed = "process.on('uncaughtException', () => {})\nrequire('./none')\n"
    code = f"require('repl').start({{ prompt: '', terminal: false }}).write({json.dumps(typed)})"
    own, other = run(box, [str(node)], "-e", code), run(box, [peers.node()], "-e", code)
    assert report(box, own.stdout) == report(box, other.stdout), own.stderr


def test_publishes_the_debugger_where_it_is_asked_to(box: Box) -> None:
    node = box.folder / "node"
    node.symlink_to(executable())
    code = (
        "const url = require('inspector').url().replace('ws:', 'http:');"
        "require('http').get(new URL('/json/list', url), (response) => { console.log(response.statusCode); process.exit(); });"
    )
    for places, status in (("http", "200"), ("stderr", "404"), ("stderr,http", "200")):
        done = run(box, [str(node)], "--inspect=0", f"--inspect-publish-uid={places}", "-e", code)
        assert (done.stdout.strip(), "ws://" in done.stderr) == (status, "stderr" in places), done.stderr
    done = run(box, [str(node)], "--inspect-publish-uid=file", "-e", "1")
    assert (done.returncode, done.stderr) == (9, f"{node}: --inspect-publish-uid destination can be stderr or http\n")


def test_a_handled_error_does_not_abort(box: Box) -> None:
    """Although V8's flag would abort where the main module throws; without a handler the process aborts."""
    flag = "require('v8').setFlagsFromString('--abort-on-uncaught-exception');"
    box.write({"handled.cjs": f"{flag} process.on('uncaughtException', () => console.log('handled')); throw 1;"})
    box.write({"unhandled.cjs": f"{flag} throw 1;"})
    assert run(box, [executable(), IDENTITY], "handled.cjs").stdout == "handled\n"
    assert run(box, [executable(), IDENTITY], "unhandled.cjs").returncode in (-6, 134)


def test_the_main_file_is_named_as_on_the_command_line(box: Box) -> None:
    """In every form, also from a cached start; a preload may call `Module.runMain`."""
    box.write(
        {
            "real/tool.js": "console.log(process.argv.slice(1).join(), __filename, require.main.filename);",
            "real/module.mjs": "console.log(process.argv[1], import.meta.filename);",
            "preload.cjs": "const Module = require('module'); const { runMain } = Module; Module.runMain = () => runMain();",
        }
    )
    (box.folder / "link.js").symlink_to("real/tool.js")
    (box.folder / "folder").symlink_to("real")
    commands = (
        ("link.js",),
        ("./folder/tool.js", "--word"),
        ("folder/tool", "a", "b"),
        ("folder/../link.js",),
        (str(box.folder / "link.js"),),
        ("folder/module.mjs",),
        ("--preserve-symlinks-main", "link.js"),
        ("-r", "./preload.cjs", "folder/tool"),
    )
    for command in commands:
        expected = subprocess.run(
            [peers.node(), *command], cwd=box.folder, capture_output=True, text=True, check=True
        ).stdout
        for _ in range(3):
            assert box.run(IDENTITY, *command).stdout.decode() == expected, command
