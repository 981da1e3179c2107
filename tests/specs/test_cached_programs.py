"""A program whose options come from the launcher's cache runs as if they were computed now, after changes of every
input.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from asking import Asker, appear, differences_after, edit, relink, remove, renew
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from rig import Box, executable

pytestmark = pytest.mark.skipif(
    Path(executable()).read_bytes()[:4] != b"\x7fELF", reason="rt is installed without its launcher"
)
TELL = """
const kept = ['FROM_FILE', 'NODE_ENV', 'NODE_OPTIONS', 'NO_MEANING', 'LC_CTYPE'].map((name) => `${name}=${process.env[name]}`);
console.log({ argv: process.argv, execArgv: process.execArgv, execPath: process.execPath, kept, depth: { a: { b: { c: {} } } } });
console.log(process.cwd(), import.meta.url, import.meta.main, process.title, process.stdout.isTTY);
console.error(new Error('as a value').message, [1, 'two']);
"""
TELLS_HOW = "console.log(/rt-program/.test(require('fs').readFileSync('/proc/self/cmdline', 'utf8')))\n"


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Create one cache for all tests, because it holds V8."""
    return tmp_path_factory.mktemp("cache")


@pytest.fixture
def box(tmp_path: Path, cache: Path) -> Iterator[Box]:
    (tmp_path / "box").mkdir()
    made = Box(tmp_path / "box")
    made.cache = cache
    shutil.rmtree(cache / "rt/starts", ignore_errors=True)
    write_files(made)
    yield made
    made.cache = tmp_path / "none"
    made.close()


def write_files(box: Box) -> None:
    box.write(
        {
            "package.json": {"name": "outer", "scripts": {"other": "echo a script"}},
            "app/a.ts": TELL,
            "app/deep/b.mjs": TELL,
            "app/how.js": TELLS_HOW,
            "else/a.ts": TELL.replace("as a value", "from elsewhere"),
            "else/deep/b.mjs": TELL.replace("as a value", "from elsewhere"),
        }
    )


def moved_behind_link(asker: Asker) -> None:
    """The folder of `b.mjs` is the same one, under another name."""
    deep = asker.app / "deep"
    if deep.is_dir() and not deep.is_symlink() and not (asker.app / "moved").exists():
        deep.rename(asker.app / "moved")
        deep.symlink_to("moved")


def other_folder(asker: Asker) -> None:
    deep = asker.app / "deep"
    if deep.is_symlink():
        deep.unlink()
    elif deep.is_dir():
        shutil.rmtree(deep)
    deep.symlink_to(asker.box.folder / "else/deep")


def becomes_folder(asker: Asker) -> None:
    for name in ("a.ts", "deep/b.mjs"):
        remove(asker, f"app/{name}")
        appear(asker, f"app/{name}/index.js", "console.log('an index')\n")


def unreadable(asker: Asker) -> None:
    for name in ("a.ts", "deep/b.mjs"):
        if (asker.app / name).is_file():
            (asker.app / name).chmod(0)


CHANGES: dict[str, Callable[[Asker], object]] = {
    "the program changes": lambda a: [edit(a, f"app/{n}", "as a value", "changed") for n in ("a.ts", "deep/b.mjs")],
    "the program breaks": lambda a: [appear(a, f"app/{n}", "let let = (\n") for n in ("a.ts", "deep/b.mjs")],
    "the program throws": lambda a: [appear(a, f"app/{n}", "throw new Error('no')\n") for n in ("a.ts", "deep/b.mjs")],
    "the program ends itself": lambda a: [appear(a, f"app/{n}", "process.exit(7)\n") for n in ("a.ts", "deep/b.mjs")],
    "the program goes": lambda a: [remove(a, f"app/{n}") for n in ("a.ts", "deep/b.mjs")],
    "the program becomes a link": lambda a: (
        relink(a, "app/a.ts", "else/a.ts"),
        (a.app / "deep").is_dir() and relink(a, "app/deep/b.mjs", "else/a.ts"),
    ),
    "the program becomes a folder": lambda a: None if (a.app / "a.ts").is_dir() else becomes_folder(a),
    "the program may not be read": unreadable,
    "its folder is behind a link": moved_behind_link,
    "its folder is another one": other_folder,
    "a script of its name comes": lambda a: appear(
        a, "app/package.json", '{"scripts": {"a.ts": "echo script", "deep/b.mjs": "echo script"}}'
    ),
    "a broken package.json comes": lambda a: appear(a, "app/package.json", "{"),
    "the outer package.json goes": lambda a: remove(a, "package.json"),
    "it is a CommonJS package": lambda a: appear(a, "app/package.json", '{"type": "commonjs"}'),
    "a tsconfig comes": lambda a: appear(a, "app/tsconfig.json", '{"compilerOptions": {"target": 7}}'),
    "a config comes": lambda a: appear(a, "app/rtfig.toml", "smol = true\n[console]\ndepth = 1\n"),
    "a config of scripts comes": lambda a: appear(a, "app/rtfig.toml", "[run]\nsilent = true\n"),
    "a broken config comes": lambda a: appear(a, "app/rtfig.toml", "[run\n"),
    "an env file comes": lambda a: appear(a, "app/.env", "FROM_FILE=1\n"),
    "an env file comes for development": lambda a: appear(a, "app/.env.development", "FROM_FILE=2\n"),
    "an env file comes for production": lambda a: appear(a, "app/.env.production", "FROM_FILE=3\n"),
    "a local env file comes": lambda a: appear(a, "app/.env.local", "FROM_FILE=4\n"),
    "an env file that is refused comes": lambda a: appear(a, "app/.env", "PATH=/nowhere\n"),
    "an env file goes": lambda a: [remove(a, f"app/{n}") for n in (".env", ".env.local", ".env.development")],
    "it is production": lambda a: a.variables.update(NODE_ENV="production"),
    "options of node are given": lambda a: a.variables.update(NODE_OPTIONS="--conditions=x"),
    "wrong options of node are given": lambda a: a.variables.update(NODE_OPTIONS="--no-such-flag"),
    "options of rt are given": lambda a: a.variables.update(RT_OPTIONS="--console-depth=9"),
    "colours are wanted": lambda a: a.variables.update(FORCE_COLOR="1"),
    "colours are not wanted": lambda a: a.variables.update(FORCE_COLOR="0"),
    "no colours": lambda a: a.variables.update(NO_COLOR="1"),
    "a variable of no meaning": lambda a: a.variables.update(NO_MEANING="1"),
    "a variable that a file gives": lambda a: a.variables.update(FROM_FILE="given"),
    "a language": lambda a: a.variables.update(LANG="C"),
    "PATH changes": lambda a: a.variables.update(PATH=a.box.environment()["PATH"]),
}
REQUESTED = (("a.ts", "x", "--y"), ("run", "./a.ts"), ("deep/b.mjs",), ("run", "deep/b.mjs", "-"), ("a",))


@pytest.mark.parametrize("words", [("a.ts", "x", "--y"), ("run", "deep/b.mjs")], ids=" ".join)
def test_one_thing_changes(box: Box, words: tuple[str, ...]) -> None:
    assert differences_after(CHANGES, Asker(box, *words), write_files) == {}


@settings(deadline=None, max_examples=10, suppress_health_check=list(HealthCheck))
@given(st.sampled_from(REQUESTED), st.lists(st.sampled_from(sorted(CHANGES)), min_size=2, max_size=5))
def test_one_thing_changes_after_the_other(box: Box, words: tuple[str, ...], changes: list[str]) -> None:
    renew(box, write_files)
    asker = Asker(box, *words)
    for change in [None, *changes]:
        with contextlib.suppress(
            IsADirectoryError, NotADirectoryError, FileExistsError
        ):  # created by an earlier change
            if change is not None:
                CHANGES[change](asker)
        decided = asker.run_uncached()
        for _ in range(2):
            assert asker.run() == decided


def test_options_are_handed_back(box: Box) -> None:
    asker = Asker(box, "how.js")
    asker.await_stored()
    assert asker.run() == (0, b"true\n", b"")
    assert asker.run_uncached() == (0, b"false\n", b"")
    assert asker.run(RT_NO_START_CACHE="1") == (0, b"false\n", b"")
    edit(asker, "app/how.js", "\n", "; 1\n")
    assert asker.run() == (0, b"true\n", b""), "what the file holds decides nothing"


@pytest.mark.parametrize("named", [("args.js",), ("run", "./args.js")], ids=" ".join)
def test_arguments_are_the_programs(box: Box, named: tuple[str, ...]) -> None:
    box.write(
        {"app/args.js": f"console.log(...process.argv.slice(2).map((each) => JSON.stringify(each)));\n{TELLS_HOW}"}
    )
    Asker(box, *named, "first").await_stored()
    for words in (
        (),
        ("",),
        ("", ""),
        ("--", "--"),
        ("--", "x"),
        ("x", "--"),
        ("--smol", "run"),
        ("ä", "a\nb", "-e", "1"),
    ):
        asker = Asker(box, *named, *words)
        status, out, err = asker.run()
        uncached = asker.run_uncached()
        assert (status, out, err) == (uncached[0], uncached[1].replace(b"false\n", b"true\n"), uncached[2])


def test_a_program_called_run_is_one(box: Box) -> None:
    (box.folder / "first").mkdir()
    (box.folder / "first/node").symlink_to(executable())
    box.write({"app/run": "console.log('run', process.argv.slice(2))\n", "app/how.js": TELLS_HOW})
    node = str(box.folder / "first/node")
    for _ in range(5):
        done = box.run("run", "how.js", cwd=box.folder / "app", executable=node)
        assert done.stdout == b"run [ 'how.js' ]\n"


@pytest.mark.parametrize(
    "words", [("--no-env-file", "how.js"), ("--cwd=.", "how.js"), ("-r", "./none.js", "how.js")], ids=" ".join
)
def test_flags_are_read_always(box: Box, words: tuple[str, ...]) -> None:
    box.write({"app/none.js": ""})
    asker = Asker(box, *words)
    for _ in range(5):
        assert asker.run() == (0, b"false\n", b"")


@pytest.mark.parametrize(
    "name, text", [(".env", ""), (".env", "FROM_FILE=1\n"), ("rtfig.toml", "[run]\nsilent = true\n")]
)
def test_settings_in_files_are_always_read(box: Box, name: str, text: str) -> None:
    box.write({f"app/{name}": text})
    asker = Asker(box, "how.js")
    for _ in range(5):
        assert asker.run() == (0, b"false\n", b"")


def test_another_folder_is_another_question(box: Box) -> None:
    asker = Asker(box, "a.ts")
    asker.await_stored()
    elsewhere = Asker(box, "a.ts", folder="else")
    assert b"from elsewhere" in elsewhere.run()[2]
    assert elsewhere.run() == elsewhere.run_uncached()


def test_files_that_others_may_write_are_not_used(box: Box) -> None:
    asker = Asker(box, "how.js")
    asker.await_stored()
    for answer in (box.cache / "rt/starts").iterdir():
        answer.chmod(0o666)
    assert asker.run() == (0, b"false\n", b"")


def test_a_link_called_node_is_node(box: Box) -> None:
    (box.folder / "first").mkdir()
    (box.folder / "first/node").symlink_to(executable())
    box.write({"app/name.js": f"console.log(process.execPath, process.argv0);\n{TELLS_HOW}"})
    asker = Asker(box, "-p", "0")

    def output() -> bytes:
        done = box.run("name.js", cwd=asker.app, environment=asker.variables, executable=str(box.folder / "first/node"))
        return done.stdout.splitlines()[0]

    first = output()
    for _ in range(4):
        assert output() == first


def test_argv0_is_the_name_that_rt_was_called_by(box: Box) -> None:
    box.write({"app/word.js": "console.log(JSON.stringify([process.argv0, ...process.argv.slice(2)]));\n"})
    asker = Asker(box, "word.js", "rt-argv0=x")
    asker.await_stored()
    script = 'exec -a "$1" "$2" word.js rt-argv0=x'
    for word in ("other", "rt", "", "rt", "-S", "other"):
        done = subprocess.run(
            ["bash", "-c", script, "-", word, executable()],
            cwd=asker.app,
            env={**box.environment(), **asker.variables},
            capture_output=True,
        )
        assert json.loads(done.stdout) == [word, "rt-argv0=x"], done.stderr


def test_it_prints_to_a_closed_pipe_as_usual(box: Box) -> None:
    box.write({"app/much.js": "for (let i = 0; i < 1e5; i++) console.log(i);\nconsole.error('end');\n"})
    asker = Asker(box, "much.js")
    asker.await_stored()
    for more in ({}, {"RT_NO_START_CACHE": "1"}):
        reader, writer = os.pipe()
        started = box.start("much.js", cwd=asker.app, environment={**asker.variables, **more}, stdout=writer)
        os.close(writer)
        os.close(reader)
        assert started.wait(60) == 0
