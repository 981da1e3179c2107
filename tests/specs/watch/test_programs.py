"""`--watch` of programs and single scripts, with real processes. The output of each generation orders the tests."""

from __future__ import annotations

import os
import shutil
import signal
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from rig import Box, wait_until
from screens import Session
from watching import STAYS, Watching, save


def test_a_program_restarts_with_its_arguments(box: Box) -> None:
    box.write({"lib/b.ts": "export const b: string = 'b1';", "data.json": {"n": 1}, ".env": "FROM_FILE=one"})
    box.write(
        {
            "a.ts": "import { b } from './lib/b'; import data from './data.json';\n"
            f"console.log([b, data.n, process.argv.slice(2), process.env.FROM_FILE, process.env._RT_WATCH_CHANNEL].join('|')); {STAYS}"
        }
    )
    watching = Watching(box, "--watch", "a.ts", "x", "--watch", "y")
    watching.read_until("b1|1|x,--watch,y|one|\n")
    save(box, "lib/b.ts", "export const b: string = 'b2';")
    assert watching.read_until("b2|1|x,--watch,y|one|\n") == "rt: restarted: lib/b.ts changed\n"
    (box.folder / "data.json").write_text('{"n": 2}')
    watching.read_until("b2|2|")
    save(box, ".env", "FROM_FILE=two")
    watching.read_until("|two|\n")
    assert watching.end() == -signal.SIGTERM
    box.await_nothing_left()


@pytest.mark.parametrize("name", ["package.json", "tsconfig.json", "rtfig.toml", ".env.local"])
def test_files_that_decide_how_it_is_read(box: Box, name: str) -> None:
    box.write({"src/a.tsx": f"console.log('ran'); {STAYS}", name: {} if name.endswith("json") else ""})
    watching = Watching(box, "--watch", "src/a.tsx")
    watching.read_until("ran")
    save(box, name, '{"compilerOptions": {}}' if name.endswith("json") else "# nothing\n")
    watching.read_until(f"rt: restarted: {name} changed\nran")
    watching.end()


def test_a_crash_a_syntax_error_and_a_missing_import_are_fixed_by_saving(box: Box) -> None:
    box.write({"a.ts": "throw new Error('crashed');"})
    watching = Watching(box, "--watch", "a.ts")
    watching.read_until("crashed")
    save(box, "a.ts", "const = 1;")
    watching.read_until("a.ts:1:")
    save(box, "a.ts", "import './later'; console.log('main ran');")
    watching.read_until("Cannot find module './later'")
    save(box, "later.ts", "console.log('later ran'); export {};")
    watching.read_until("later ran\nmain ran\n")
    save(box, "a.ts", "console.log(require('./part').part)")
    watching.read_until("Cannot find module './part'")
    save(box, "part.cjs", "exports.part = 'the part'")
    watching.read_until("the part\n")
    watching.end()


def test_a_file_that_is_required_late_is_followed(box: Box) -> None:
    box.write({"late.cjs": "console.log('late 1')", "a.cjs": f"setTimeout(() => require('./late.cjs'), 20); {STAYS}"})
    watching = Watching(box, "--watch", "a.cjs")
    watching.read_until("late 1")
    save(box, "late.cjs", "console.log('late 2')")
    watching.read_until("late 2")
    watching.end()


def test_preloads_and_evaluated_code(box: Box) -> None:
    box.write({"pre.ts": "console.log('pre 1')", "m.ts": "export const m = 'm1'"})
    watching = Watching(box, "--watch", "--preload", "./pre.ts", "-e", "import { m } from './m'; console.log(m)")
    watching.read_until("pre 1\nm1\n")
    save(box, "m.ts", "export const m = 'm2'")
    watching.read_until("pre 1\nm2\n")
    save(box, "pre.ts", "console.log('pre 2')")
    watching.read_until("pre 2\nm2\n")
    watching.end()


def test_an_interrupt_that_a_program_passed_over_does_not_end_the_next_one(box: Box) -> None:
    box.write({"a.ts": f"process.on('SIGINT', () => console.log('passed over')); console.log('first'); {STAYS}"})
    watching = Watching(box, "--watch", "a.ts")
    watching.read_until("first\n")
    watching.process.send_signal(signal.SIGINT)
    watching.read_until("passed over\n")
    save(box, "a.ts", "console.log('second')")
    watching.read_until("second\n")
    save(box, "a.ts", "console.log('third')")
    watching.read_until("third\n")
    watching.end()
    box.await_nothing_left()


def test_standard_input_is_rejected(box: Box) -> None:
    done = box.run("--watch", "-")
    assert done.returncode == 1
    assert done.stderr.decode().startswith("error: --watch runs a file again when it changes")


@pytest.mark.parametrize(
    ("name", "made"),
    [
        ("late.ts", "late.ts"),
        ("./late", "late.mts"),
        ("./late.js", "late.ts"),
        ("./late", "late/index.js"),
        ("src/late.js", "src/late.js"),
    ],
)
def test_a_missing_file_is_waited_for(box: Box, name: str, made: str) -> None:
    watching = Watching(box, "--watch", name)
    watching.read_until(f'error: Module not found "{name}"\n')
    watching.read_until("waiting for changes")
    (box.folder / made).parent.mkdir(exist_ok=True)
    save(box, made, "console.log('arrived')")
    watching.read_until("arrived\n")
    save(box, made, "console.log('again')")
    watching.read_until("again\n")
    watching.end()


def test_a_missing_file_that_need_not_be_present_is_not_waited_for(box: Box) -> None:
    assert box.run("--watch", "--if-present", "nowhere.ts").returncode == 0


def test_clean_up_ends_before_the_next_generation_starts(box: Box) -> None:
    """G19: 700 ms of asynchronous clean-up; each generation writes its start and end to one log."""
    box.write(
        {
            "a.js": "const fs = require('fs'); const log = (what) => fs.appendFileSync('log', what + process.pid + '\\n');\n"
            "log('start ');\n"
            "process.on('SIGTERM', () => setTimeout(() => { log('end '); process.exit(); }, 700)); console.log('up');"
            + STAYS
        }
    )
    watching = Watching(box, "--watch", "a.js")
    text = (box.folder / "a.js").read_text()
    for number in range(4):
        watching.read_until("up\n")
        save(box, "a.js", f"{text}// {number}")
    watching.read_until("up\n")
    assert watching.end() == 0
    words = (box.folder / "log").read_text().split()
    assert words[0::4] == ["start"] * 5 and words[2::4] == ["end"] * 5
    assert words[1::4] == words[3::4], "no generation began before the last one's end"


def test_a_program_that_ignores_the_signal_is_killed_with_all_it_started(box: Box) -> None:
    """G20."""
    box.write(
        {
            "a.js": "process.on('SIGTERM', () => {}); process.on('SIGINT', () => {});\n"
            "require('child_process').spawn('sh', ['-c', 'trap \"\" TERM; while :; do sleep 100; done'], { stdio: 'ignore' });"
            "console.log('up ' + process.pid);" + STAYS
        }
    )
    watching = Watching(box, "--watch", "--watch-grace", "50", "a.js")
    text = (box.folder / "a.js").read_text()
    watching.read_until("up ")
    first = int(watching.read_until("\n"))
    save(box, "a.js", f"{text}//")
    watching.read_until("up ")
    second = int(watching.read_until("\n"))
    assert first != second
    assert not Path(f"/proc/{first}").exists()
    wait_until(
        lambda: watching.process.send_signal(signal.SIGINT) or watching.process.poll() is not None,
        "two interrupts end it",
    )
    box.await_nothing_left()


@pytest.mark.parametrize("name", ["SIGUSR2", "SIGINT", "SIGHUP"])
def test_the_requested_signal_is_sent(box: Box, name: str) -> None:
    box.write(
        {
            "a.js": f"process.on('{name}', () => {{ console.log('reported'); process.exit() }}); console.log('up'); {STAYS}"
        }
    )
    watching = Watching(box, "--watch", "--watch-kill-signal", name, "a.js")
    text = (box.folder / "a.js").read_text()
    watching.read_until("up\n")
    save(box, "a.js", f"{text}//")
    watching.read_until("reported\n")
    watching.read_until("up\n")
    watching.end(signal.SIGKILL)
    box.await_nothing_left()


def test_many_restarts_leave_nothing_behind(box: Box) -> None:
    """G21: descriptors, threads and processes stay flat."""
    box.write({"a.js": f"console.log('up 0'); {STAYS}"})
    watching = Watching(box, "--watch", "--silent", "a.js")
    pid = watching.process.pid

    def sizes() -> tuple[int, int, int]:
        return len(os.listdir(f"/proc/{pid}/fd")), len(os.listdir(f"/proc/{pid}/task")), len(box.left())

    watching.read_until("up 0\n")
    save(box, "a.js", f"console.log('up 1'); {STAYS}")
    watching.read_until("up 1\n")
    before = sizes()
    for number in range(2, 42):
        save(box, "a.js", f"console.log('up {number}'); {STAYS}")
        watching.read_until(f"up {number}\n")
    assert sizes() == before
    assert "restarted" not in watching.seen
    watching.end()
    box.await_nothing_left()


def test_the_last_of_many_edits_is_seen(box: Box) -> None:
    """G22: 500 edits and thousands of files beside them."""
    box.write({"a.js": f"console.log('edit start.'); {STAYS}"})
    watching = Watching(box, "--watch", "a.js")
    watching.read_until("edit start.")
    for number in range(500):
        (box.folder / "a.js").write_text(f"console.log('edit {number}.'); {STAYS}")
        for junk in range(4):
            (box.folder / f"junk{number}-{junk}").write_text("")
    restarts = watching.read_until("edit 499.").count("restarted")
    assert restarts < 100
    watching.end()


def test_a_folder_that_is_deleted_and_recreated(box: Box) -> None:
    """G24."""
    box.write({"src/a.js": f"console.log('one'); {STAYS}"})
    watching = Watching(box, "--watch", "src/a.js")
    watching.read_until("one\n")
    (box.folder / "src").rename(box.folder / "away")
    box.write({"src/a.js": f"console.log('two'); {STAYS}"})
    watching.read_until("two\n")
    save(box, "src/a.js", f"console.log('three'); {STAYS}")
    watching.read_until("three\n")
    watching.end()


@pytest.mark.parametrize(
    "words", [("--watch", "a.js"), ("--watch", "run", "s"), ("run", "--filter", "*", "--watch", "s")]
)
def test_the_working_folder_is_deleted_and_recreated(box: Box, words: tuple[str, ...]) -> None:
    """rt and its processes stay in a folder that no longer exists."""

    def make(text: str) -> None:
        box.write(
            {
                "w/a.js": f"console.log('{text}'); {STAYS}",
                "w/package.json": {"name": "root", "workspaces": ["p"], "scripts": {"s": "cat p/x"}},
                "w/p/package.json": {"name": "p", "scripts": {"s": "cat x"}},
                "w/p/x": f"{text}\n",
            }
        )

    make("one")
    watching = Watching(box, *words, cwd=box.folder / "w")
    watching.read_until("one\n")
    if "s" in words:
        watching.read_until("xited with code 0") if words[0] == "run" else watching.read_until("waiting for changes")
    shutil.rmtree(box.folder / "w")
    if words[0] == "--watch" and words[-1] == "a.js":
        watching.read_until("does not exist, waiting for it\n")
    make("two")
    watching.read_until("two\n")
    save(box, "w/a.js", f"console.log('three'); {STAYS}")
    save(box, "w/p/x", "three\n")
    watching.read_until("three\n")
    watching.end()


def test_waiting_costs_nothing(box: Box) -> None:
    """No missing file is looked for repeatedly."""
    box.write({"src/a.js": f"console.log('up'); {STAYS}"})
    watching = Watching(box, "--watch", "src/a.js")
    watching.read_until("up\n")
    save(box, "src/a.js", f"console.log('again'); {STAYS}")
    watching.read_until("again\n")
    status = Path(f"/proc/{watching.process.pid}/status")

    def naps() -> int:
        return next(int(line.split()[1]) for line in status.read_text().splitlines() if line.startswith("voluntary"))

    # The program's report of its files follows a moment after its first output; from then on rt sleeps.
    wait_until(lambda: stays(naps, 1.0), "rt sleeping for a second")
    watching.end()


def stays(value: Callable[[], int], seconds: float) -> bool:
    before = value()
    time.sleep(seconds)
    return value() == before


def test_polling_instead_of_events(box: Box) -> None:
    box.write({"a.js": f"console.log('one'); {STAYS}", "rtfig.toml": "[watch]\npoll = true\n"})
    watching = Watching(box, "--watch", "a.js")
    watching.read_until("one\n")
    save(box, "a.js", f"console.log('two'); {STAYS}")
    watching.read_until("two\n")
    watching.end()


def test_paths_excluded_by_the_config(box: Box) -> None:
    box.write({"gen.ts": "export const g = 1", "a.ts": f"import {{ g }} from './gen'; console.log('ran', g); {STAYS}"})
    box.write({"rtfig.toml": '[watch]\nignore = ["gen.ts"]\n'})
    watching = Watching(box, "--watch", "a.ts")
    watching.read_until("ran 1\n")
    save(box, "gen.ts", "export const g = 2")
    save(box, "a.ts", (box.folder / "a.ts").read_text() + "//")
    assert "gen.ts" not in watching.read_until("ran 2\n")
    watching.end()


def test_a_script_runs_again_with_its_hooks(box: Box) -> None:
    box.scripts(prebuild="echo before", build="cat src.txt && echo built", postbuild="echo after")
    box.write({"src.txt": "one\n", ".gitignore": "dist\n"})
    watching = Watching(box, "--watch", "run", "build")
    watching.read_until("one\nbuilt\n")
    watching.read_until("exited with code 0, waiting for changes\n")
    box.write({"dist/x": "ignored"})
    save(box, "src.txt", "two\n")
    said = watching.read_until("two\nbuilt\n")
    assert "rt: restarted: src.txt changed\n$ echo before\nbefore\n" in said
    watching.read_until("waiting for changes\n")
    box.scripts(build="echo another script")
    watching.read_until("another script\n")
    watching.end()
    box.await_nothing_left()


def test_a_script_does_not_start_itself_by_what_it_writes(box: Box) -> None:
    box.scripts(build="mkdir -p out && cp src.txt out/built.txt && echo built")
    box.write({"src.txt": "one\n"})
    watching = Watching(box, "--watch", "run", "build")
    said = watching.read_until("waiting for changes\n")
    save(box, "src.txt", "two\n")
    said += watching.read_until("waiting for changes\n")
    save(box, "src.txt", "three\n")
    said += watching.read_until("waiting for changes\n")
    assert said.count("restarted: src.txt changed") == 2
    assert said.count("built\n") == 2 * 3, "the echo of the command, and the script's own word, three times"
    watching.end()


def test_ctrl_c_ends_a_program_and_the_watching(box: Box) -> None:
    box.write({"a.ts": f"console.log('up'); {STAYS}"})
    session = Session(box, "--watch", "a.ts")
    session.read_until("up")
    session.type("\x03")
    assert session.finish() == -signal.SIGINT
    box.await_nothing_left()


def test_ctrl_c_while_it_waits(box: Box) -> None:
    box.write({"a.ts": "console.log('ran')"})
    session = Session(box, "--watch", "a.ts")
    session.read_until("exited with code 0, waiting for changes")
    session.type("\x03")
    assert session.finish() == -signal.SIGINT


def test_a_terminal_is_cleared_and_shows_what_changed(box: Box) -> None:
    box.write({"a.ts": "console.log('first run')"})
    session = Session(box, "--watch", "a.ts")
    session.read_until("waiting for changes")
    save(box, "a.ts", "console.log('second run')")
    session.read_until("second run")
    assert session.screen.display[0].rstrip() == "rt: restarted: a.ts changed"
    assert not any("first run" in line for line in session.screen.display)
    assert b"\x1b[2J\x1b[3J\x1b[H" in session.raw
    session.type("\x03")
    session.finish()


def test_a_terminal_that_is_not_to_be_cleared(box: Box) -> None:
    box.write({"a.ts": "console.log('first run')"})
    session = Session(box, "--watch", "--no-clear-screen", "a.ts")
    session.read_until("waiting for changes")
    save(box, "a.ts", "console.log('second run')")
    session.read_until("second run")
    assert any("first run" in line for line in session.screen.display)
    assert b"\x1b[2J" not in session.raw
    session.type("\x03")
    session.finish()


def test_the_keyboard_is_the_programs_in_each_generation(box: Box) -> None:
    box.write(
        {
            "a.ts": "process.stdin.setRawMode(true); process.stdin.on('data', (key) => console.log(`key ${key}`)); console.log('gen 1');"
        }
    )
    session = Session(box, "--watch", "--no-clear-screen", "a.ts")
    session.read_until("gen 1")
    session.type("q")
    session.read_until("key q")
    save(box, "a.ts", "process.stdin.on('data', (line) => console.log(`line ${line}`)); console.log('gen 2');")
    session.read_until("gen 2")
    session.type("hello\r")
    session.read_until("line hello")
    session.type("\x03")
    assert session.finish() == -signal.SIGINT
