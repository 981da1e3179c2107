"""The record of a run of several scripts: native code reads it, and only runs without anything to decide are cached."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from rt_supervisor import _native
from rt_supervisor.cli.line.arguments import parse
from rt_supervisor.cli.request import Request, make_request
from rt_supervisor.cli.run.run_records import may_be_cached, record_of
from rt_supervisor.plan.model import MODE_FILTER, RunPlan, Step, Task
from rt_supervisor.start.dependencies import dependencies


def plan_of(*, program: tuple[str, ...] = ()) -> RunPlan:
    step = Step("build", "echo {name}", ("/bin/sh", "-c", "echo {name}"), dict(os.environ), program)
    return RunPlan(MODE_FILTER, (Task(0, "a:build", "a", "build", "/", (step,), (), ""),), 2, True)


@pytest.fixture
def recording(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Pass a question to this process, as the launcher does."""
    monkeypatch.chdir(tmp_path)
    for field in ("question", "_state"):  # restored afterwards
        monkeypatch.setattr(dependencies, field, getattr(dependencies, field))
    question = os.memfd_create("question")
    os.write(question, b"/place\0words")
    monkeypatch.setitem(sys._xoptions, "rt", "/bin/rt")
    monkeypatch.setitem(sys._xoptions, "rt-question", str(question))
    assert dependencies.begin() == "/bin/rt"
    assert dependencies.is_recording


def request_of(*argv: str) -> Request:
    return make_request(parse(["run", *argv, "build"]))


def test_native_code_reads_the_record(recording: None) -> None:
    for is_cached in (False, True):
        record = record_of(request_of("--filter", "a"), plan_of(), grace_s=5.0, is_cached=is_cached)
        assert _native.is_plan(record)
        assert not _native.is_plan(record[:-1])
        assert (b"cannot start {path}: {reason}\n" in record) == is_cached
        assert b"cannot start: {folder} is gone\n" in record


def test_only_a_plain_run_is_cached(recording: None) -> None:
    assert may_be_cached(request_of("--filter", "a"), plan_of())
    for flags in (("--watch",), ("--output=json",), ("--summary",), ("--report=r",), ("--concurrency=50%",)):
        assert not may_be_cached(request_of("--filter", "a", *flags), plan_of()), flags
    assert not may_be_cached(request_of("--filter", "a"), plan_of(program=("rt", "x.ts")))
    assert not may_be_cached(request_of("--filter", "a"), RunPlan(MODE_FILTER, (), 1, True))


def test_env_files_prevent_it(recording: None, tmp_path: Path) -> None:
    (tmp_path / "my.env").write_text("A=1")
    assert not may_be_cached(request_of("--env-file=my.env", "--filter", "a"), plan_of())
