"""The watcher on real files: tests wait for its reports, never for time to pass."""

from __future__ import annotations

import os
import select
import shutil
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from rt_supervisor.vocabulary.identity import file_time_ns, identity_of
from rt_supervisor.watching.rules import IgnoreRules
from rt_supervisor.watching.settling import Settling
from rt_supervisor.watching.watcher import Watcher

PATIENCE_S = 30.0


class Watched:
    def __init__(self, root: Path, *, polls: bool, slice_s: float = 10) -> None:
        self.root = root
        self.warnings: list[str] = []
        rules = IgnoreRules(str(root))
        self.watcher = Watcher(rules, polls=polls, warn=self.warnings.append, slice_s=slice_s)

    def write(self, name: str, text: str) -> None:
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def await_change(self, *names: str) -> set[str]:
        """Wait until changes of all `names` have been reported. Return everything reported."""
        seen: set[str] = set()
        while not {str(self.root / name) for name in names} <= seen:
            descriptor = self.watcher.fileno()
            wait_s = self.watcher.timeout_s
            ready, _, _ = select.select(
                [descriptor] if descriptor is not None else [], [], [], PATIENCE_S if wait_s is None else wait_s
            )
            assert ready or wait_s is not None, f"no change of {names} was reported, only {seen}"
            seen.update(self.watcher.take())
        return {str(Path(path).relative_to(self.root)) for path in seen}

    def await_events(self) -> None:
        """Wait until the watcher has received events that it does not report yet."""
        descriptor = self.watcher.fileno()
        assert descriptor is not None
        assert select.select([descriptor], [], [], PATIENCE_S)[0]
        assert self.watcher.take() == []


@pytest.fixture(params=[False, True], ids=["events", "polling"])
def watched(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Watched]:
    (tmp_path / ".git").mkdir()
    made = Watched(tmp_path, polls=request.param)
    yield made
    made.watcher.close()


def follow(watched: Watched, *names: str) -> None:
    watched.watcher.follow_files({(path := str(watched.root / name)): identity_of(path) for name in names})


def test_a_watched_file_is_reported_and_its_neighbour_is_not(watched: Watched) -> None:
    watched.write("a.ts", "1")
    follow(watched, "a.ts")
    watched.write("b.ts", "1")
    watched.write("a.ts", "2")
    assert watched.await_change("a.ts") == {"a.ts"}


def test_saving_by_rename_and_atomic_replacement(watched: Watched) -> None:
    watched.write("a.ts", "1")
    follow(watched, "a.ts")
    for round_ in range(3):
        (watched.root / "a.ts").rename(watched.root / "a.ts~")
        watched.write("a.ts", f"saved {round_}")
        watched.await_change("a.ts")
        watched.write(".a.ts.new", f"replaced {round_}")
        (watched.root / ".a.ts.new").rename(watched.root / "a.ts")
        watched.await_change("a.ts")


def test_a_file_that_does_not_exist_yet(watched: Watched) -> None:
    follow(watched, "later.ts", "new/folder/later.ts")
    watched.write("later.ts", "1")
    watched.await_change("later.ts")
    watched.write("new/folder/later.ts", "1")
    watched.await_change("new/folder/later.ts")


def test_a_folder_that_is_deleted_and_recreated(watched: Watched) -> None:
    watched.write("src/a.ts", "1")
    follow(watched, "src/a.ts")
    shutil.rmtree(watched.root / "src")
    watched.await_change("src/a.ts")
    watched.write("src/a.ts", "2")
    watched.await_change("src/a.ts")
    watched.write("src/a.ts", "33")
    watched.await_change("src/a.ts")


@pytest.mark.parametrize("polls", [False, True], ids=["events", "polling"])
def test_a_large_tree_is_read_in_slices(tmp_path: Path, polls: bool) -> None:
    watched = Watched(tmp_path, polls=polls, slice_s=0)  # a folder at a time
    for folder in "abc":
        watched.write(f"one/{folder}/{folder}/x.ts", "1")
        watched.write(f"two/{folder}/x.ts", "1")
    for path in tmp_path.rglob("x.ts"):
        os.utime(path, ns=(1_000, 1_000))
    for root in ("one", "two"):
        watched.watcher.follow_tree(str(tmp_path / root))
    assert watched.watcher.timeout_s == 0
    changed = {f"one/{folder}/{folder}/x.ts" for folder in "abc"} | {"two/c/x.ts", "two/new.ts", "two/d/x.ts"}
    for name in changed:
        watched.write(name, "changed")
    assert watched.await_change(*changed) == changed
    watched.write("one/b/later.ts", "1")
    watched.write("two/a/x.ts", "changed")
    assert watched.await_change("one/b/later.ts", "two/a/x.ts") == {"one/b/later.ts", "two/a/x.ts"}
    watched.watcher.close()


def test_files_modified_since_a_time_count_as_changed(watched: Watched) -> None:
    for name, modified_ns in (("old.ts", 1_000), ("new.ts", 3_000)):
        watched.write(f"project/{name}", "1")
        os.utime(watched.root / "project" / name, ns=(modified_ns, modified_ns))
    watched.watcher.follow_tree(str(watched.root / "project"), since_ns=2_000)
    watched.await_change("project/new.ts")


def test_a_file_that_is_written_at_once_counts_as_modified(watched: Watched) -> None:
    """The clock that the kernel has for files is behind the one of programs."""
    names = [f"{number}/{name}" for number in range(50) for name in ("single.json", "of-tree.ts")]
    for name in names:
        watched.write(name, "1")
    for single, of_tree in zip(names[::2], names[1::2], strict=True):
        while time.time_ns() - (since_ns := file_time_ns()) < 1_000_000:
            pass
        for name in (single, of_tree):  # without a question for its time, which would be answered more precisely
            file = os.open(watched.root / name, os.O_WRONLY | os.O_TRUNC)
            os.write(file, b"2")
            os.close(file)
        path = str(watched.root / single)
        watched.watcher.follow_files({path: identity_of(path)}, since_ns=since_ns)
        watched.watcher.follow_tree(os.path.dirname(path), since_ns=since_ns)
    assert watched.await_change(*names) == set(names)


def test_a_root_in_use_is_deleted_and_recreated(watched: Watched) -> None:
    """The kernel reports a folder as deleted once no process uses it, which may be never."""
    root = watched.root / "project"
    watched.write("project/src/a.ts", "1")
    watched.watcher.follow_tree(str(root))
    inside = os.open(root, os.O_RDONLY)
    try:
        for text in ("22", "333"):
            shutil.rmtree(root)
            watched.await_change("project/src/a.ts")
            watched.write("project/src/a.ts", text)
            watched.await_change("project/src/a.ts")
            watched.write("project/src/a.ts", f"{text}!")
            watched.await_change("project/src/a.ts")
    finally:
        os.close(inside)


def test_a_tree_that_is_moved_away_and_recreated(watched: Watched) -> None:
    watched.write("project/src/deep/a.ts", "1")
    watched.watcher.follow_tree(str(watched.root / "project"))
    (watched.root / "project").rename(watched.root / "elsewhere")
    watched.await_change("project/src/deep/a.ts")
    watched.write("project/src/deep/a.ts", "22")
    watched.await_change("project/src/deep/a.ts")
    watched.write("project/src/deep/a.ts", "333")
    watched.await_change("project/src/deep/a.ts")


def test_a_tree_with_new_files_and_folders_less_what_is_ignored(watched: Watched) -> None:
    watched.write(".gitignore", "dist/\n")
    watched.write("src/a.ts", "1")
    watched.watcher.follow_tree(str(watched.root))
    watched.write("dist/a.js", "1")
    watched.write("node_modules/x/index.js", "1")
    watched.write("src/deep/er/b.ts", "1")
    seen = watched.await_change("src/deep/er/b.ts")
    assert str(watched.root / "src/deep/er/b.ts") in watched.watcher.new or seen
    watched.write("src/a.ts", "2")
    seen |= watched.await_change("src/a.ts")
    watched.write("src/deep/er/b.ts", "2")
    seen |= watched.await_change("src/deep/er/b.ts")
    assert not any(path.startswith(("dist", "node_modules")) for path in seen)


def test_a_renamed_draft_is_not_reported(tmp_path: Path) -> None:
    """Also for slow editors: the draft is observed, written and closed before it is renamed."""
    watched = Watched(tmp_path, polls=False)
    watched.watcher._settling = Settling(
        quiet_s=PATIENCE_S, longest_s=2 * PATIENCE_S
    )  # the editor is in time, however slow
    watched.write("a.ts", "1")
    watched.watcher.follow_tree(str(tmp_path))
    draft = tmp_path / ".a.ts.draft"
    draft.write_text("")
    watched.await_events()
    draft.write_text("2")
    watched.await_events()
    draft.rename(tmp_path / "a.ts")
    assert watched.await_change("a.ts") == {"a.ts"}
    watched.watcher.close()


def test_a_link_that_leads_in_a_circle(watched: Watched) -> None:
    watched.write("src/a.ts", "1")
    (watched.root / "src/loop").symlink_to(watched.root)
    watched.watcher.follow_tree(str(watched.root))
    watched.write("src/a.ts", "2")
    watched.await_change("src/a.ts")


def test_a_change_before_watching_is_reported(watched: Watched) -> None:
    watched.write("a.ts", "as it was loaded")
    path = str(watched.root / "a.ts")
    loaded = identity_of(path)
    watched.write("a.ts", "changed")
    watched.watcher.follow_files({path: loaded})
    assert watched.await_change("a.ts") == {"a.ts"}


def test_lost_events_are_recovered_by_polling(tmp_path: Path) -> None:
    watched = Watched(tmp_path, polls=False)
    watched.write("a.ts", "1")
    follow(watched, "a.ts")
    notifier = watched.watcher._notifier
    assert notifier is not None
    notifier._inotify.remove_callbacks([(notifier._descriptors[str(tmp_path)], 0)])  # type: ignore[list-item]
    watched.write("a.ts", "2")  # no event arrives
    notifier.on_queue_overflow()
    assert watched.await_change("a.ts") == {"a.ts"}
    watched.watcher.close()


def test_a_deleted_tree_leaves_nothing_to_look_for(watched: Watched) -> None:
    names = [f"packages/p{number}/src/a.ts" for number in range(50)]
    for name in names:
        watched.write(name, "1")
    watched.watcher.follow_tree(str(watched.root))
    shutil.rmtree(watched.root / "packages")
    assert watched.await_change(*names) >= set(names)
    if watched.watcher.fileno() is not None:
        assert watched.watcher.timeout_s is None  # it waits for events only
    for name in names:
        watched.write(name, "2")
    watched.await_change(*names)
    watched.write("packages/p3/src/new.ts", "1")
    watched.await_change("packages/p3/src/new.ts")
