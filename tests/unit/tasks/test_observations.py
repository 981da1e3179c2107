"""What a trace says about a task: places that count, calls that failed, and files that others have changed."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from rt_supervisor.tasks.digests import DigestMemo, identity_of
from rt_supervisor.tasks.observations import (
    IGNORED,
    INSIDE,
    OUTSIDE,
    TEMPORARY,
    Classified,
    Ground,
    classify,
    observe_again,
)
from rt_supervisor.tasks.traces import EXECUTED, LISTED, LOOKED_UP, READ, WRITTEN, Trace, Use, decode, merge

if TYPE_CHECKING:
    from rt_supervisor.tasks.digests import Identity


def ground(root: Path) -> Ground:
    return Ground(str(root), {"HOME": "/home/me", "TMPDIR": "/scratch", "XDG_CACHE_HOME": "/caches"})


@pytest.mark.parametrize(
    ("path", "place"),
    [
        ("/w/src/a", INSIDE),
        ("/w", INSIDE),
        ("/work/a", OUTSIDE),
        ("/home/me/.npmrc", OUTSIDE),
        ("/home/me/.npm/_logs/a", IGNORED),
        ("/caches/x", IGNORED),
        ("/home/me/.cargo/registry/src/a", IGNORED),
        ("/home/me/.cargo/.global-cache-journal", IGNORED),
        ("/home/me/.cargo/config.toml", OUTSIDE),
        ("/home/me/.rustup/toolchains/stable/bin/rustc", OUTSIDE),
        ("/run/user/1", IGNORED),
        ("/scratch/a", TEMPORARY),
        ("/tmp/a", TEMPORARY),
        ("/w/p/node_modules/.cache/babel/a", IGNORED),
        ("/w/p/node_modules/.tmp/app.tsbuildinfo", INSIDE),
        ("/w/p/node_modules/.bin/tsc", INSIDE),
        ("/w/p/__pycache__", IGNORED),
        ("/usr/lib/python3/__pycache__/a.pyc", IGNORED),
    ],
)
def test_which_places_count(path: str, place: str) -> None:
    assert ground(Path("/w")).place_of(path) == place


def test_a_cache_in_the_workspace_is_ignored_and_a_workspace_in_a_cache_is_not() -> None:
    environment = {"HOME": "/home/me", "XDG_CACHE_HOME": "/w/.cache"}
    assert Ground("/w", environment).place_of("/w/.cache/rt/a") == IGNORED
    assert Ground("/home/me/.cache/w", environment).place_of("/home/me/.cache/w/a") == INSIDE


def test_a_program_from_a_cache_counts(tmp_path: Path) -> None:
    root, cache = tmp_path / "w", tmp_path / "cache"
    for folder in (root, cache):
        folder.mkdir()
    (cache / "tool").write_text("tool")
    place = Ground(str(root), {"HOME": "/home/me", "XDG_CACHE_HOME": str(cache)})
    tool = str(cache / "tool")
    for flags, inputs in ((READ, []), (READ | EXECUTED, [tool])):
        trace = Trace((), {tool: Use(flags, state(cache / "tool"))})
        assert list(classify(trace, place, DigestMemo()).inputs) == inputs


def found(root: Path, uses: dict[str, Use]) -> Classified:
    return classify(Trace((), {str(root / path): use for path, use in uses.items()}), ground(root), DigestMemo())


def state(path: Path) -> Identity:
    return identity_of(os.lstat(path))


def test_a_followed_link_that_was_replaced_has_changed(tmp_path: Path) -> None:
    """The new link may have the inode of the one that was removed."""
    (tmp_path / "l").symlink_to("a")
    now = state(tmp_path / "l")
    assert found(tmp_path, {"l": Use(LOOKED_UP, now)}).problem == ""
    before = (*now[:3], now[3] - 1, now[4] - 1)
    assert found(tmp_path, {"l": Use(LOOKED_UP, before)}).problem == "l has changed while it ran"


def test_unchanged_files_outside_are_observed_once_in_a_run(tmp_path: Path) -> None:
    root, cache = tmp_path / "w", tmp_path / "cache"  # in which programs count
    for folder in (root, cache):
        folder.mkdir()
    tool = cache / "tool"
    tool.write_text("tool")
    place = Ground(str(root), {"HOME": "/home/me", "XDG_CACHE_HOME": str(cache)})
    use = Use(READ | EXECUTED, state(tool))
    first = classify(Trace((), {str(tool): use}), place, DigestMemo())
    tool.write_text("another")
    assert classify(Trace((), {str(tool): use}), place, DigestMemo()) == first
    later = classify(Trace((), {str(tool): Use(use.flags, state(tool))}), place, DigestMemo())
    assert later.inputs.keys() == first.inputs.keys()
    assert (later.inputs != first.inputs, later.problem) == (True, "")
    assert place.take_changed_outside() == {
        str(tool)
    }  # a task may have looked at it before the change and read it afterwards


def test_changes_outside_are_found_when_a_run_ends(tmp_path: Path) -> None:
    root, cache = tmp_path / "w", tmp_path / "cache"
    for folder in (root, cache):
        folder.mkdir()
    tool, other = cache / "tool", cache / "other"
    place = Ground(str(root), {"HOME": "/home/me", "XDG_CACHE_HOME": str(cache)})
    for each in (tool, other):
        each.write_text("tool")
        classify(Trace((), {str(each): Use(READ | EXECUTED, state(each))}), place, DigestMemo())
    assert place.take_changed_outside() == set()
    tool.write_text("another")
    assert place.take_changed_outside() == {str(tool)}
    assert place.take_changed_outside() == set()


def test_a_file_outside_the_workspace_must_not_be_written(tmp_path: Path) -> None:
    root = tmp_path / "w"
    root.mkdir()
    (tmp_path / "other").write_text("x")
    near = Ground(str(root), {"HOME": "/home/me"})
    near._temporary = ()
    uses = {str(tmp_path / "other"): Use(WRITTEN, None), str(tmp_path / "gone"): Use(WRITTEN, None)}
    assert classify(Trace((), uses), near, DigestMemo()).problem == (
        f"it writes {tmp_path}/other, which is outside of the workspace"
    )


def test_a_call_that_failed_is_a_lookup(tmp_path: Path) -> None:
    (tmp_path / "full").mkdir()
    (tmp_path / "full/a").write_text("a")
    result = found(tmp_path, {"full": Use(WRITTEN, state(tmp_path / "full"))})
    assert (dict(result.inputs), result.outputs, result.problem) == ({"full": "folder 755"}, (), "")


def test_what_another_process_changes_meanwhile_is_a_problem(tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / name).write_text(name)
    before = state(tmp_path / "a")
    (tmp_path / "a").write_text("longer")
    assert found(tmp_path, {"a": Use(READ, before)}).problem == "a has changed while it ran"
    assert found(tmp_path, {"a": Use(LOOKED_UP, before)}).problem == ""
    assert found(tmp_path, {"b": Use(READ, None)}).problem == "b has been created by another process while it ran"
    gone = found(tmp_path, {"gone": Use(READ, before)})
    assert gone.problem == "gone has been removed by another process while it ran"


def test_a_listing_does_not_have_what_the_task_writes(tmp_path: Path) -> None:
    (tmp_path / "src").mkdir()
    (tmp_path / "src/a").write_text("a")
    folder = state(tmp_path / "src")
    first = found(tmp_path, {"src": Use(LISTED, folder, ("fa",))})
    (tmp_path / "src/out").write_text("x")
    uses = {"src": Use(LISTED, folder, ("fa", "fout", "ftemporary"))}
    uses |= {"src/out": Use(WRITTEN, None), "src/temporary": Use(WRITTEN, None)}
    second = found(tmp_path, uses)
    assert second.inputs == first.inputs
    assert second.outputs == ("src/out",)
    at, own = str(tmp_path), [str(tmp_path / "src/out")]
    again = observe_again("src/", "", ground(tmp_path), DigestMemo(), own=own, removed=())
    assert again == first.inputs["src/"]
    (tmp_path / "src/b").write_text("b")
    assert observe_again("src/", "", ground(tmp_path), DigestMemo(), own=own, removed=()) != again, at


def test_steps_share_what_they_write(tmp_path: Path) -> None:
    (tmp_path / "made").write_text("x")
    one = Trace(("first",), {"/made": Use(WRITTEN, None), "/in": Use(READ, None)})
    two = Trace(("second",), {"/made": Use(READ, state(tmp_path / "made")), "/in": Use(WRITTEN, None)})
    joined = merge([one, two])
    assert joined.obstacles == ("first", "second")
    assert {path: use.flags for path, use in joined.uses.items()} == {"/made": WRITTEN, "/in": READ | WRITTEN}


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"0\0\0",
        b"0\0\x001\0/a\0\0end\0\0",
        b"0\0\x001\0/a\x001\x002\x003\x004\x005\0\0",
        b"0\0\x001\0/a\x001\x002\x003\x004\x005\0fb\0fc\0\0end\0\0",
        b"x\0\0end\0\0",
        b"1\0\0end\0\0",
        b"end\0\0",
    ],
)
def test_a_damaged_trace_is_none(data: bytes) -> None:
    assert decode(data) is None


def test_a_trace_has_the_first_state(tmp_path: Path) -> None:
    trace = decode(
        b"1\0why\0\x001\0/a\x007\x0033188\x003\x004\x005\0\x004\0/b\x008\x0016877\x003\x004\x005\0fc/dd\0\0end\0\0"
    )
    assert trace == Trace(
        ("why",), {"/a": Use(1, (7, 33188, 3, 4, 5)), "/b": Use(4, (8, 16877, 3, 4, 5), ("fc", "dd"))}
    )
