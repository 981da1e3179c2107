"""The compile cache (`NODE_COMPILE_CACHE`, `module.enableCompileCache`): stores V8's code, uses it only for identical
source, and never breaks a program.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest
from rig import Box

TOLD = {"NODE_DEBUG_NATIVE": "COMPILE_CACHE"}
FILES = {
    "a.cjs": "const { twice } = require('./b.cjs'); import('./m.mjs').then(({ default: m }) => console.log(twice(4), m));",
    "b.cjs": "function later(n) { return n * 2; } exports.twice = (n) => later(n);",
    "m.mjs": "import { n } from './n.ts'; export default `m ${n}`;",
    "n.ts": "export const n: number = 7;",
}
NAMES = ("a.cjs", "b.cjs", "m.mjs", "n.ts")


def run(box: Box, *arguments: str, **changes: str) -> tuple[str, str]:
    done = box.run(*arguments, env=box.environment(**{**TOLD, **changes}))
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout.decode(), done.stderr.decode()


def cache_files(box: Box, name: str = "cache") -> list[Path]:
    (folder,) = (box.folder / name).iterdir()
    return sorted(folder.iterdir())


def test_code_is_cached_and_used(box: Box) -> None:
    box.write(FILES)
    out, reported = run(box, "a.cjs", NODE_COMPILE_CACHE="cache")
    assert out == "8 m 7\n"
    for name in NAMES:
        assert f"/{name} was not initialized, initializing the in-memory entry" in reported
    assert len(cache_files(box)) == len(NAMES)
    assert all(path.stat().st_mode & 0o777 == 0o600 for path in cache_files(box))
    out, reported = run(box, "a.cjs", NODE_COMPILE_CACHE="cache")
    assert out == "8 m 7\n"
    for name in NAMES:
        assert f"/{name} was accepted, keeping the in-memory entry" in reported
        assert f"/{name} because cache was the same" in reported
    assert box.run("a.cjs", env=box.environment(NODE_COMPILE_CACHE="cache")).stderr == b""


def test_stale_damaged_and_foreign_code_is_not_used(box: Box) -> None:
    box.write(FILES)
    run(box, "a.cjs", NODE_COMPILE_CACHE="cache")
    box.write({"b.cjs": FILES["b.cjs"].replace("n * 2", "n * 3")})  # with the same length
    out, reported = run(box, "a.cjs", NODE_COMPILE_CACHE="cache")
    assert out == "12 m 7\n"
    assert "/b.cjs... code hash mismatch" in reported
    assert reported.count("was accepted") == 3
    first, second, third, fourth = cache_files(box)
    first.write_bytes(first.read_bytes()[:50])
    whole = bytearray(second.read_bytes())
    whole[-9] ^= 1
    second.write_bytes(whole)
    third.chmod(0o666)  # other users could have written it
    shutil.copy(third, fourth)
    out, reported = run(box, "a.cjs", NODE_COMPILE_CACHE="cache")
    assert out == "12 m 7\n"
    assert reported.count("was not initialized") == 4
    out, reported = run(box, "a.cjs", NODE_COMPILE_CACHE="cache")
    assert out == "12 m 7\n"
    assert reported.count("was accepted") == 4


def test_code_of_another_snapshot_is_rejected(box: Box) -> None:
    box.write(FILES)
    run(box, "a.cjs", NODE_COMPILE_CACHE="cache")
    out, reported = run(box, "a.cjs", NODE_COMPILE_CACHE="cache", XDG_CACHE_HOME=str(box.folder / "empty"))
    assert out == "8 m 7\n"
    assert reported.count("was rejected, refreshing the in-memory entry") == 4


def test_a_folder_that_moves(box: Box) -> None:
    box.write({f"one/{name}": text for name, text in FILES.items()})
    portable = {"NODE_COMPILE_CACHE_PORTABLE": "1"}
    run(box, "one/a.cjs", NODE_COMPILE_CACHE="one/cache", **portable)
    (box.folder / "one").rename(box.folder / "two")
    out, reported = run(box, "two/a.cjs", NODE_COMPILE_CACHE="two/cache", **portable)
    assert (out, reported.count("was accepted")) == ("8 m 7\n", 4)


def test_read_only(box: Box) -> None:
    box.write(FILES)
    only = {"NODE_COMPILE_CACHE_READONLY": "1", "NODE_COMPILE_CACHE": "cache"}
    _, reported = run(box, "a.cjs", **only)
    assert "Cache directory does not exist (read-only)" in reported
    assert not (box.folder / "cache").exists()
    run(box, "b.cjs", NODE_COMPILE_CACHE="cache")
    _, reported = run(box, "a.cjs", **only)
    assert "/b.cjs was accepted" in reported
    assert "/a.cjs was not initialized, read-only, not serializing" in reported
    assert "read-only, skipping persistence" in reported
    assert len(cache_files(box)) == 1


ASK = """
const m = require('module'), reported = [], { FAILED, ENABLED, ALREADY_ENABLED, DISABLED } = m.constants.compileCacheStatus;
for (const wrong of [0, null, false, 1, NaN, true, Symbol(0), () => 1, { directory: 1 }, { directory: null }])
  try { m.enableCompileCache(wrong); } catch (error) { reported.push(error.code); }
console.log(new Set(reported).size, reported.length, reported[0], m.getCompileCacheDir(), m.flushCompileCache());
const failed = m.enableCompileCache('/dev/null/x');
console.log(failed.status === FAILED, failed.message, failed.directory);
const enabled = m.enableCompileCache({ directory: 'rel', portable: true });
console.log(enabled.status === ENABLED, enabled.message, require('path').relative(__dirname, enabled.directory));
const again = m.enableCompileCache('other');
console.log(again.status === ALREADY_ENABLED, again.directory === m.getCompileCacheDir());
require('./b.cjs');
m.flushCompileCache();
console.log(require('fs').readdirSync(m.getCompileCacheDir()).length, [FAILED, ENABLED, ALREADY_ENABLED, DISABLED].join());
process.exit();
"""


def test_the_functions(box: Box) -> None:
    box.write({**FILES, "c.cjs": ASK})
    done = box.run("c.cjs", env=box.environment())
    assert done.stdout.decode().splitlines() == [
        "1 10 ERR_INVALID_ARG_TYPE undefined undefined",
        "true Cannot create cache directory: not a directory undefined",
        "true undefined rel", "true true", "1 0,1,2,3",
    ], done.stderr.decode()  # fmt: skip
    box.write({"d.cjs": "console.log(JSON.stringify(require('module').enableCompileCache()))"})
    disabled = {"NODE_DISABLE_COMPILE_CACHE": "1", "NODE_COMPILE_CACHE": "cache"}
    out, reported = run(box, "d.cjs", **disabled)
    assert out == '{"status":3,"message":"Disabled by NODE_DISABLE_COMPILE_CACHE"}\n'
    assert "[compile cache] Disabled by NODE_DISABLE_COMPILE_CACHE." in reported
    out, _ = run(box, "d.cjs", TMPDIR=str(box.folder / "tmp"))
    assert out == f'{{"status":1,"directory":"{box.folder}/tmp/node-compile-cache"}}\n'


def test_workers_and_paths_that_are_not_files(box: Box) -> None:
    program = (
        "const { Worker } = require('worker_threads'); eval('1'); new Function('return 1')(); import('data:text/javascript,1');"
        "new Worker(__dirname + '/b.cjs').on('exit', () => console.log('over'))"
    )
    box.write({**FILES, "w.cjs": program})
    assert run(box, "w.cjs", NODE_COMPILE_CACHE="cache")[0] == "over\n"
    assert len(cache_files(box)) == 2


@pytest.mark.parametrize("end", ["process.exit(0)", "process.exitCode = 0"])
def test_many_processes_write_the_same(box: Box, end: str) -> None:
    """The processes wait for each other, so that all have compiled before any of them writes."""
    waits = (
        "const fs = require('fs'); fs.writeFileSync(process.argv[2], ''); while (fs.readdirSync('here').length < 4);"
    )
    box.write({**FILES, "c.cjs": f"require('./b.cjs'); {waits} {end}"})
    os.mkdir(box.folder / "here")
    run(box, "-e", "0")  # creates the snapshot, to which cached code is bound
    environment = box.environment(NODE_COMPILE_CACHE="cache")
    running = [box.start("c.cjs", f"here/{number}", env=environment) for number in range(4)]
    assert [each.wait() for each in running] == [0] * 4
    assert len(cache_files(box)) == 2
    _, reported = run(box, "c.cjs", "here/0", NODE_COMPILE_CACHE="cache")
    assert reported.count("was accepted") == 2
