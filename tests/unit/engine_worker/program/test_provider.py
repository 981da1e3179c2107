"""The life of one program: the order of what runs, how it ends, and its exit status. Real engines, in this process."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from rt_supervisor import _native
from rt_supervisor.engine_worker.program.options import ProgramOptions, start_values
from rt_supervisor.engine_worker.program.provider import ProgramProvider
from rt_supervisor.vocabulary.errors import Failed

Run = Callable[..., tuple[int, list[str], str]]


@pytest.fixture
def make(tmp_path: Path) -> Iterator[Callable[..., ProgramProvider]]:
    workers: list[ProgramProvider] = []

    def worker(source: str = "", *, name: str = "main.mjs", **options: Any) -> ProgramProvider:
        entry = ""
        if "code" not in options:
            entry = str(tmp_path / name)
            Path(entry).write_text(source)
        worker = ProgramProvider(ProgramOptions(entry, (), "rt", {}, str(tmp_path), **options))
        workers.append(worker)
        return worker

    yield worker
    for each in reversed(workers):
        each.engine.close()


@pytest.fixture
def run(make: Callable[..., ProgramProvider], capfd: pytest.CaptureFixture[str]) -> Run:
    def run(source: str = "", **options: Any) -> tuple[int, list[str], str]:
        status = make(source, **options).run()
        out, err = capfd.readouterr()
        return status, out.splitlines(), err

    return run


def test_a_program_that_ends_by_itself(run: Run) -> None:
    assert run("console.log(1); process.exitCode = 3; setTimeout(() => console.log(2), 1)") == (3, ["1", "2"], "")


def test_exit_ends_it_at_once_and_runs_listeners(run: Run) -> None:
    source = "process.on('exit', (code) => console.log('exit', code)); setTimeout(() => {}, 1e9); process.exit(7)"
    assert run(source) == (7, ["exit 7"], "")


def test_beforeexit_may_go_on_and_exit_ends(run: Run) -> None:
    source = """
        let turns = 0;
        process.on('beforeExit', () => { console.log('before', turns); if (turns++ < 2) setImmediate(() => {}); });
        process.on('exit', () => { console.log('exit'); setTimeout(() => console.log('never'), 0); });
    """
    assert run(source) == (0, ["before 0", "before 1", "before 2", "exit"], "")


@pytest.mark.parametrize("name", ["main.mjs", "main.cjs"])
def test_an_uncaught_error_ends_it_with_1(run: Run, name: str) -> None:
    status, out, err = run("setTimeout(() => console.log('never'), 0); throw new TypeError('bad')", name=name)
    assert (status, out) == (1, [])
    assert "TypeError: bad" in err


def test_an_await_that_never_settles_is_reported_and_exits_with_13(run: Run) -> None:
    status, out, err = run("console.log(1);\nawait new Promise(() => {});\nconsole.log(2)")
    assert (status, out) == (13, ["1"])
    assert err.startswith("warn: Detected unsettled top-level await at ")
    assert err.endswith("main.mjs:2\n")


def test_an_exit_code_of_the_program_s_own_wins_over_13(run: Run) -> None:
    assert run("process.exitCode = 5; await new Promise(() => {})")[0] == 5


def test_an_awaited_timer_is_waited_for(run: Run) -> None:
    assert run("console.log(await new Promise((done) => setTimeout(done, 1, 'x')))") == (0, ["x"], "")


def test_the_value_of_code_is_printed_when_its_promise_is_settled(run: Run) -> None:
    code = "const x = 1; new Promise((done) => setTimeout(done, 1, { x }))"
    assert run(code=code, prints=True) == (0, ["{", "  x: 1,", "}"], "")


def test_a_rejected_value_of_code_is_uncaught(run: Run) -> None:
    status, _, err = run(code="Promise.reject(new Error('no'))", prints=True)
    assert status == 1
    assert "error: no" in err


def test_preloads_come_first_in_their_order(run: Run, tmp_path: Path) -> None:
    (tmp_path / "a.mjs").write_text("await null; console.log('a')")
    (tmp_path / "b.cjs").write_text("console.log('b')")
    assert run("console.log('main')", preloads=("./a.mjs", "./b.cjs")) == (0, ["a", "b", "main"], "")


def test_a_missing_preload_is_an_error_of_rt(run: Run) -> None:
    with pytest.raises(Failed, match=r'preload not found "\./nope"') as caught:
        run("", preloads=("./nope",))
    assert caught.value.failure.reason == "preload-not-found"


def test_a_syntax_error_shows_its_place(run: Run) -> None:
    status, _, err = run("let a = 1;\nlet = ;")
    assert status == 1
    assert "main.mjs:2:" in err


def test_output_without_a_reader_ends_it_quietly(make: Callable[..., ProgramProvider]) -> None:
    worker = make("for (;;) console.log('x'.repeat(1000))")
    read, write = os.pipe()
    kept = os.dup(1)
    os.dup2(write, 1)
    os.close(write)
    os.close(read)
    try:
        assert worker.run() == 0
    finally:
        os.dup2(kept, 1)
        os.close(kept)


def test_a_module_that_awaits_cannot_be_required(run: Run, tmp_path: Path) -> None:
    (tmp_path / "later.mjs").write_text("await new Promise((done) => setTimeout(done, 1)); export const x = 1")
    source = """
        try { require('./later.mjs') } catch (error) { console.log(error.code, error instanceof TypeError) }
        import('./later.mjs').then((m) => console.log(m.x))
    """
    assert run(source, name="main.cjs") == (0, ["ERR_REQUIRE_ASYNC_MODULE true", "1"], "")


def test_python_exceptions_keep_their_kind_in_javascript(make: Callable[..., ProgramProvider]) -> None:
    worker = make(code="0")

    def raise_it(name: str) -> None:
        raise {"RecursionError": RecursionError, "TypeError": TypeError, "KeyError": KeyError}[name]("words")

    worker.engine.global_object.set("raise", worker.engine.function(raise_it))
    source = "(name) => { try { raise(name) } catch (e) { return `${e.constructor.name} ${e.message}` } }"
    caught = worker.engine.run(source)
    assert isinstance(caught, _native.JsFunction)
    assert [caught(name) for name in ("RecursionError", "TypeError", "KeyError")] == [
        "RangeError words",
        "TypeError words",
        "Error 'words'",
    ]


def test_start_values_of_a_program(tmp_path: Path) -> None:
    values = start_values(ProgramOptions("/x/main.ts", ("a", "b"), "/bin/rt", {"K": "V"}, "/x", start={"title": "t"}))
    assert values["argv"] == ["/bin/rt", "/x/main.ts", "a", "b"]
    assert (values["main"], values["env"], values["title"]) == ("/x/main.ts", {"K": "V"}, "t")
    stdin = ProgramOptions("", ("a",), "/bin/rt", {}, "/x", code="0", code_name="[stdin]")
    assert start_values(stdin)["argv"] == ["/bin/rt", "-", "a"]
    evaluated = ProgramOptions("", ("a",), "/bin/rt", {}, "/x", code="0", has_entry_argument=False)
    assert start_values(evaluated)["argv"] == ["/bin/rt", "a"]
    assert start_values(evaluated)["main"] == "/x/[eval]"
