"""V8's code cache for a program's own files: a later run compiles only changed files, and behaves the same."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from rig import Box

FILES = 20
SOURCES = {
    **{f"m/{n}.ts": f"export const f{n} = (x: number): number => x + {n}\n" for n in range(FILES)},
    **{f"c/{n}.cjs": f"exports.f = (x) => x + {n}\n" for n in range(FILES)},
    "fails.ts": "\n\nexport function fails(why: string): never {\n  throw new Error(why)\n}\n",
    "main.ts": "".join(f"import {{ f{n} }} from './m/{n}.ts'\n" for n in range(FILES))
    + "import { createRequire } from 'node:module'\nimport { fails } from './fails.ts'\n"
    + "const require = createRequire(import.meta.url)\nlet sum = 0\n"
    + "".join(f"sum += f{n}({n}) + require('./c/{n}.cjs').f(1)\n" for n in range(FILES))
    + "console.log(sum, String(f3).length)\n"
    + "try { fails('on purpose') } catch (error) { console.log((error as Error).stack) }\n"
    + "await import('./m/0.ts')\n",
    "main.cjs": "let sum = 0\n"
    + "".join(f"sum += require('./c/{n}.cjs').f(1)\n" for n in range(FILES))
    + "console.log(sum, module.children.length)\n",
}
RUNS = 4  # a program's code is cached from the third run on, however it starts


@pytest.fixture
def box(tmp_path: Path) -> Iterator[Box]:
    made = Box(tmp_path / "box")
    made.write(SOURCES)
    for path in SOURCES:
        set_old_times(made.folder / path)
    yield made
    made.close()


def set_old_times(path: Path) -> None:
    """Set a file's times back: rt does not cache what has just changed."""
    os.utime(path, (1_700_000_000, 1_700_000_000))


def cached_code(box: Box) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in box.cache.glob("rt/v8/*/programs/*")}


def outputs(box: Box, main: str, **environment: str) -> list[tuple[int, bytes, bytes]]:
    runs = [box.run(f"./{main}", environment=environment) for _ in range(RUNS)]
    return [(run.returncode, run.stdout, run.stderr) for run in runs]


@pytest.mark.parametrize("main", ["main.ts", "main.cjs"])
@pytest.mark.parametrize("environment", [{}, {"RT_NO_START_CACHE": "1"}], ids=["", "with Python"])
def test_all_runs_are_the_same(box: Box, main: str, environment: dict[str, str]) -> None:
    first, *others = outputs(box, main, **environment)
    assert first[0] == 0 and first[1]
    assert others == [first] * (RUNS - 1)
    [(name, code)] = cached_code(box).items()
    assert len(code) > 10_000
    outputs(box, main, **environment)
    assert cached_code(box) == {name: code}  # nothing was compiled that the cache lacks


def test_a_program_that_runs_once_keeps_nothing(box: Box) -> None:
    box.run("./main.ts")
    assert all(len(code) < 100 for code in cached_code(box).values())


def test_small_programs_keep_nothing(box: Box) -> None:
    box.write({"small.ts": "import { f1 } from './m/1.ts'\nconsole.log(f1(2))\n"})
    set_old_times(box.folder / "small.ts")
    assert [run[1] for run in outputs(box, "small.ts")] == [b"3\n"] * RUNS
    assert cached_code(box) == {}


def test_changed_files_are_compiled(box: Box) -> None:
    before = outputs(box, "main.cjs")[-1][1]
    box.write({"c/3.cjs": "exports.f = (x) => x + 9\n"})  # with the same length
    assert before == b"210 20\n"
    assert {run[1] for run in outputs(box, "main.cjs")} == {b"216 20\n"}


def test_a_few_changes_leave_the_file_as_it_is(box: Box) -> None:
    outputs(box, "main.cjs")
    before = cached_code(box)
    box.write({"c/3.cjs": "exports.f = (x) => x + 9\n"})
    outputs(box, "main.cjs")
    assert cached_code(box) == before
    box.write({f"c/{n}.cjs": f"exports.f = (x) => {n} - x\n" for n in range(FILES)})
    outputs(box, "main.cjs")
    assert cached_code(box) != before


def test_damaged_code_is_not_used(box: Box) -> None:
    expected = outputs(box, "main.cjs")[-1]
    [path] = box.cache.glob("rt/v8/*/programs/*")
    whole = path.read_bytes()
    for damaged in (b"", whole[:100], whole[:-500], whole[:-500] + bytes(500), bytes(len(whole)), whole[::-1]):
        path.write_bytes(damaged)
        assert outputs(box, "main.cjs")[0] == expected
    path.unlink()
    path.mkdir()
    assert outputs(box, "main.cjs")[0] == expected


def test_code_that_others_may_have_written_is_not_used(box: Box) -> None:
    expected = outputs(box, "main.cjs")[-1]
    [path] = box.cache.glob("rt/v8/*/programs/*")
    path.chmod(0o666)
    assert outputs(box, "main.cjs") == [expected] * RUNS
    assert path.stat().st_mode & 0o777 == 0o600


def test_an_unwritable_cache_does_no_harm(box: Box) -> None:
    expected = outputs(box, "main.cjs")[-1]
    [path] = box.cache.glob("rt/v8/*/programs/*")
    folder = path.parent
    path.unlink()
    folder.rmdir()
    folder.symlink_to("/nowhere/at/all")
    assert outputs(box, "main.cjs") == [expected] * RUNS


def test_a_program_with_its_own_compile_cache_uses_that(box: Box) -> None:
    outputs(box, "main.cjs", NODE_COMPILE_CACHE="own")
    assert cached_code(box) == {}
    assert list(box.folder.glob("own/*/*"))


def test_used_entries_are_marked_and_old_ones_removed(box: Box) -> None:
    outputs(box, "main.cjs")
    [path] = box.cache.glob("rt/v8/*/programs/*")
    for number in range(300):
        other = path.with_name(f"{number:016x}-00000000")
        other.write_bytes(b"")
        os.utime(other, (number, number))
    set_old_times(path)
    box.run("./main.cjs")
    assert path.stat().st_mtime > 1_700_000_000
    outputs(box, "main.ts")
    left = {each.name for each in path.parent.iterdir()}
    assert len(left) == 256 and path.name in left
    assert f"{299:016x}-00000000" in left and f"{0:016x}-00000000" not in left
