"""A cached choice equals a fresh one, or is not used."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from trees import Write

from rt_supervisor._native import identify, is_unchanged
from rt_supervisor.plan import cache as plan_cache
from rt_supervisor.plan.choosing import choose
from rt_supervisor.plan.model import MODE_FILTER
from rt_supervisor.plan.recipe import Choice, Request
from rt_supervisor.start.dependencies import CLOCK_TICK_NS
from rt_supervisor.vocabulary.record import replace
from rt_supervisor.workspace.finding import Workspace, find_workspace

FILES: dict[str, object] = {
    "package.json": {"workspaces": ["packages/*", "extra", "deep/**"]},
    "packages/a/package.json": {
        "name": "a",
        "version": "1",
        "config": {"k": "v"},
        "scripts": {"build": "x", "prebuild": "y"},
    },
    "packages/b/package.json": {"name": "b", "scripts": {"build": "x"}, "dependencies": {"a": "*"}},
    "packages/empty/readme": "",
    "packages/bad/package.json": "{",
    "deep/one/x": "",
}


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache/rt/plans"


def await_file_clock(root: Path) -> None:
    """Wait until new changes get a later timestamp than all existing files: file systems use a coarse clock."""
    newest = max(os.stat(path).st_ctime_ns for path in (root, *root.rglob("*")))
    touched = root.parent / "touched"
    touched.write_text("")
    while touched.stat().st_ctime_ns <= newest:
        touched.touch()


def found_later(root: Path) -> Workspace:
    """Return the workspace as if read a minute from now, when all files are old enough to be trusted."""
    workspace = find_workspace(str(root))
    later: Workspace = replace(workspace, read_at_ns=workspace.read_at_ns + 60 * 10**9)
    return later


def cached_choice(root: Path) -> tuple[Request, Choice]:
    await_file_clock(root)
    request = Request(str(root), MODE_FILTER, ("build",), ("*",))
    workspace = found_later(root)
    choice = choose(workspace, request)
    plan_cache.store(request, choice, workspace)
    return request, choice


def prepare(write: Write) -> tuple[Request, Choice, Path]:
    root = write(FILES)
    return *cached_choice(root), root


def test_cached_values_come_back_complete(tree: Write) -> None:
    request, choice, _ = prepare(tree)
    assert plan_cache.load(request) == choice
    assert len(choice.recipes) == 2 and len(choice.warnings) == 1


def test_equal_requests_have_the_same_answer(tree: Write) -> None:
    request, choice, root = prepare(tree)
    for words in (("bu", "ild"), ("b", "uild")):
        equal = Request(str(root), "".join(("fil", "ter")), ("".join(words),), ("*",))
        assert plan_cache.load(equal) == plan_cache.load(request) == choice


def test_another_question_has_another_answer(tree: Write) -> None:
    request, _, root = prepare(tree)
    for other in (
        Request(str(root / "packages"), MODE_FILTER, ("build",), ("*",)),
        Request(str(root), MODE_FILTER, ("test",), ("*",)),
        Request(str(root), MODE_FILTER, ("build",), ("*",), if_present=True),
        Request(str(root), MODE_FILTER, ("build",), ("*", "")),
    ):
        assert plan_cache.load(other) is None
    assert plan_cache.load(request) is not None
    assert plan_cache.load(request, version="999") is None


CHANGES: dict[str, Callable[[Path], object]] = {
    "edited": lambda root: (root / "packages/a/package.json").write_text('{"name": "z"}'),
    "same size": lambda root: (root / "packages/b/package.json").write_text(
        (root / "packages/b/package.json").read_text().replace('"x"', '"w"')
    ),
    "root edited": lambda root: (root / "package.json").write_text('{"workspaces": []}'),
    "removed": lambda root: (root / "packages/a/package.json").unlink(),
    "mended": lambda root: (root / "packages/bad/package.json").write_text("{}"),
    "added folder": lambda root: (root / "packages/new").mkdir(),
    "added to a known folder": lambda root: (root / "packages/empty/package.json").write_text("{}"),
    "added literal": lambda root: ((root / "extra").mkdir(), (root / "extra/package.json").write_text("{}")),
    "added deep": lambda root: (root / "deep/one/two").mkdir(),
    "renamed folder": lambda root: (root / "packages/b").rename(root / "packages/c"),
    "replaced": lambda root: (
        (root / "new").write_bytes((root / "packages/a/package.json").read_bytes()),
        (root / "new").rename(root / "packages/a/package.json"),
    ),
    "an outer workspace": lambda root: (root.parent / "package.json").write_text("{}"),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES.keys())
def test_every_change_is_noticed(tree: Write, change: Callable[[Path], object]) -> None:
    request, choice, root = prepare(tree)
    if change is CHANGES["an outer workspace"]:
        (root / "package.json").unlink()
        request, choice = cached_choice(root)
    assert plan_cache.load(request) == choice
    change(root)
    assert plan_cache.load(request) is None


def test_an_edit_that_keeps_the_modification_time_is_noticed(tree: Write) -> None:
    request, _, root = prepare(tree)
    path = root / "packages/b/package.json"
    about = path.stat()
    path.write_text(path.read_text().replace('"x"', '"w"'))
    os.utime(path, ns=(about.st_atime_ns, about.st_mtime_ns))
    assert plan_cache.load(request) is None


def test_recently_changed_files_are_not_cached(tree: Write, cache: Path) -> None:
    request, choice, root = prepare(tree)
    (entry,) = cache.iterdir()
    entry.unlink()
    path = root / "packages/a/package.json"
    path.write_text('{"name": "a"}')
    changed_ns = path.stat().st_ctime_ns
    found = find_workspace(str(root))
    for read_at_ns in (changed_ns, changed_ns + CLOCK_TICK_NS):
        plan_cache.store(request, choice, replace(found, read_at_ns=read_at_ns))
        assert not list(cache.iterdir())
    # If timestamps have a resolution of a second, two of them must have passed.
    os.utime(path, ns=(0, (changed_ns // 10**9 + 10) * 10**9))
    plan_cache.store(request, choice, replace(found, read_at_ns=(changed_ns // 10**9 + 11) * 10**9))
    assert not list(cache.iterdir())
    plan_cache.store(request, choice, replace(found, read_at_ns=(changed_ns // 10**9 + 13) * 10**9))
    assert plan_cache.load(request) == choice


def test_damaged_entries_count_as_missing(tree: Write, cache: Path) -> None:
    request, _, _ = prepare(tree)
    (entry,) = cache.iterdir()
    whole = entry.read_bytes()
    rng = random.Random(5)
    damaged = [whole[: len(whole) * part // 20] for part in range(20)]
    for _ in range(400):
        copy = bytearray(whole)
        copy[rng.randrange(len(copy))] ^= 1 << rng.randrange(8)
        damaged.append(bytes(copy))
    for data in [*damaged, whole + b"x", b"", b"\0" * 4096]:
        entry.write_bytes(data)
        assert plan_cache.load(request) is None
    entry.write_bytes(whole)
    assert plan_cache.load(request) is not None


def test_identities_of_any_shape_are_checked_without_raising() -> None:
    rng = random.Random(6)
    known = identify([b"/", b"/nope", os.fsencode(__file__)], time.time_ns())
    assert known is not None and is_unchanged(known) and is_unchanged(b"")
    first = len(identify([b"/"], time.time_ns()) or b"")
    first_two = len(identify([b"/", b"/nope"], time.time_ns()) or b"")
    for cut in range(1, len(known)):
        assert is_unchanged(known[:cut]) == (cut in (first, first_two))
    for _ in range(500):
        is_unchanged(rng.randbytes(rng.randrange(80)))


def test_entries_that_others_could_have_written_are_not_used(tree: Write, cache: Path) -> None:
    request, _, _ = prepare(tree)
    (entry,) = cache.iterdir()
    entry.chmod(0o666)
    assert plan_cache.load(request) is None
    entry.chmod(0o600)
    assert plan_cache.load(request) is not None
    elsewhere = cache.parent / "elsewhere"
    entry.rename(elsewhere)
    entry.symlink_to(elsewhere)
    assert plan_cache.load(request) is None
    entry.unlink()
    os.mkfifo(entry, 0o600)
    assert plan_cache.load(request) is None


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a file away")
def test_entries_of_another_user_are_not_used(tree: Write, cache: Path) -> None:
    request, _, _ = prepare(tree)
    (entry,) = cache.iterdir()
    os.chown(entry, 65534, 65534)
    assert plan_cache.load(request) is None


def test_an_unwritable_cache_is_silent(tree: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    request, _, _ = prepare(tree)
    assert plan_cache.load(request) is None
    monkeypatch.setenv("XDG_CACHE_HOME", "/proc/self")
    prepare(tree)


def test_the_cache_is_bounded(tree: Write, cache: Path) -> None:
    request, choice, root = prepare(tree)
    workspace = found_later(root)
    for number in range(12):
        plan_cache.store(Request(str(root), MODE_FILTER, (str(number),)), choice, workspace, most=5)
    assert len(list(cache.iterdir())) == 5
    assert plan_cache.load(Request(str(root), MODE_FILTER, ("11",))) == choice
    assert plan_cache.load(request) is None


def test_a_cached_run_imports_nothing_heavy(tree: Write) -> None:
    request, _, root = prepare(tree)
    source = (
        "import os, sys; before = set(sys.modules)\n"
        "from rt_supervisor.plan import cache as plan_cache, model as plan, recipe\n"
        "request = recipe.Request(sys.argv[1], plan.MODE_FILTER, ('build',), ('*',))\n"
        "choice = plan_cache.load(request)\n"
        "recipe.assemble(choice, mode=plan.MODE_FILTER, concurrency=1, exit_on_error=False,\n"
        "    make_environment=lambda *_: ({}, {}), make_argv=lambda command: (command,))\n"
        "print(*sorted(set(sys.modules) - before))\n"
    )
    done = subprocess.run(
        [sys.executable, "-S", "-c", source, str(root)],
        capture_output=True,
        text=True,
        check=True,
        cwd=Path(plan_cache.__file__).parents[2],
    )
    assert done.stdout.split() == [
        "__future__",
        "rt_supervisor",
        "rt_supervisor._native",
        "rt_supervisor.plan",
        "rt_supervisor.plan.cache",
        "rt_supervisor.plan.model",
        "rt_supervisor.plan.recipe",
        "rt_supervisor.start",
        "rt_supervisor.start.cache_folder",
        "rt_supervisor.start.dependencies",
        "rt_supervisor.vocabulary",
        "rt_supervisor.vocabulary.record",
    ]
    assert request.cwd == str(root)
