"""`--test` with `--inspect`: the processes of the test files are debugged one after the other, but not the runner."""

from __future__ import annotations

import re

from rig import Box

FILE = "require('node:test')('a', () => { console.log('port', process.debugPort > 0, process.execArgv.join()); });\n"
LISTENS = re.compile(r"^  ws://", re.MULTILINE)


def test_each_file_listens(box: Box) -> None:
    box.write({"a.test.cjs": FILE, "b.test.cjs": FILE})
    done = box.run("--test", "--inspect=0", "--test-reporter=tap")
    out, err = done.stdout.decode(), done.stderr.decode()
    assert done.returncode == 0
    assert len(LISTENS.findall(err)) == 2 and "rt inspector" not in out
    assert "forces running at a concurrency of 1" in err and "# pass 2\n" in out
    missing = box.run("--test", "--inspect=0", "nothing.cjs")
    assert (missing.returncode, missing.stderr) == (1, b"Could not find 'nothing.cjs'\n")


def test_ports_of_run(box: Box) -> None:
    box.write(
        {
            "a.test.cjs": FILE,
            "run.mjs": "import { run } from 'node:test';\n"
            "for (const inspectPort of [undefined, 0, () => 0, 'text', 70000]) {\n"
            "  for await (const { type, data } of run({ files: ['a.test.cjs'], inspectPort })) {\n"
            "    if (type === 'test:stdout') console.log(data.message.match(/--inspect=\\S*/)[0]);\n"
            "    if (type === 'test:fail') console.log(data.details.error.cause.code);\n  }\n}\n"
            "console.log(process.debugPort + 1);\n",
        }
    )
    done = box.run("--inspect=127.0.0.1:0", "run.mjs")
    first, *more, following = done.stdout.decode().splitlines()
    assert first == f"--inspect=127.0.0.1:{following}"
    assert more == ["--inspect=127.0.0.1:0"] * 2 + ["ERR_SOCKET_BAD_PORT"] * 2
