"""Programs that exit while V8 evaluates a module after an await: V8 cannot propagate the termination itself."""

from __future__ import annotations

import subprocess

import pytest
from rig import Box, executable

AWAITS = "await new Promise((done) => setTimeout(done, 1)); export const x = 1;"
CHAINS = {
    "its own await": {"main.mjs": "await 0; BODY"},
    "below the main module": {"main.mjs": "import './a.mjs'; export {}", "a.mjs": "import './slow.mjs'; BODY"},
    "beside another that awaits": {
        "main.mjs": "import './slow.mjs'; import './a.mjs'; console.log('never')",
        "a.mjs": "import { x } from './slow.mjs'; BODY",
    },
    "two levels below": {
        "main.mjs": "import './b.mjs'; import './slow.mjs'",
        "b.mjs": "import './a.mjs'; export {}",
        "a.mjs": "import './slow.mjs'; BODY",
    },
    "imported dynamically": {"main.mjs": "await import('./b.mjs')", "b.mjs": "import './a.mjs'", "a.mjs": "import './slow.mjs'; BODY"},
    "imported by CommonJS": {"main.cjs": "import('./b.mjs')", "b.mjs": "import './a.mjs'", "a.mjs": "import './slow.mjs'; BODY"},
    "written in TypeScript": {"main.ts": "import './a.ts'; let a: 1", "a.ts": "import './slow.mjs'; let a: number; BODY"},
}  # fmt: skip


def write(box: Box, chain: str, body: str) -> str:
    files = {name: text.replace("BODY", body) for name, text in CHAINS[chain].items()}
    box.write({"slow.mjs": AWAITS, **files})
    return next(iter(files))


@pytest.mark.parametrize("chain", CHAINS)
def test_exit(box: Box, chain: str) -> None:
    body = "process.on('exit', (code) => console.log('exit', code)); console.log('here'); process.exit(3)"
    done = box.run(write(box, chain, body))
    assert (done.returncode, done.stdout, done.stderr) == (3, b"here\nexit 3\n", b"")


def test_a_reader_that_goes_away(box: Box) -> None:
    entry = write(box, "below the main module", "for (let i = 0; ; i++) console.log(i)")
    command = f"{executable()} {entry} | head -1; exit ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", command], cwd=box.folder, env=box.environment(), capture_output=True)
    assert (done.stdout, done.stderr) == (b"0\n", b"")
    assert done.returncode == 0


def test_no_memory_left(box: Box) -> None:
    entry = write(box, "below the main module", "const all = []; for (;;) all.push(new Array(1e5).fill(all.length))")
    done = box.run("--max-old-space-size=300", entry)
    assert done.returncode == 134
    assert done.stderr.startswith(b"error: JavaScript ran out of memory")


def test_its_children_end_with_it(box: Box) -> None:
    body = "require('child_process').spawn('sleep', ['1000']).on('spawn', () => 0); process.exit(3)"
    done = box.run(write(box, "below the main module", body))
    assert done.returncode == 3, done.stderr
    box.await_nothing_left()
