"""The private folder of --rt if the shared one cannot be used: created on request, removed afterwards, and never
another user's.
"""

from __future__ import annotations

import os
import stat
from pathlib import Path

from rt_supervisor.settings.node_link import NodeLink


def test_made_once_and_removed(tmp_path: Path) -> None:
    link = NodeLink("/opt/rt", str(tmp_path))
    assert os.listdir(tmp_path) == []
    folder = link.folder()
    assert link.folder() == folder
    assert os.readlink(f"{folder}/node") == os.readlink(f"{folder}/rt") == "/opt/rt"
    assert stat.S_IMODE(os.stat(folder).st_mode) == 0o700
    link.remove()
    link.remove()
    assert os.listdir(tmp_path) == []


def test_a_forked_child_leaves_it(tmp_path: Path) -> None:
    link = NodeLink("/opt/rt", str(tmp_path))
    folder = link.folder()
    pid = os.fork()
    if pid == 0:
        link.remove()
        os._exit(0)
    os.waitpid(pid, 0)
    assert os.path.lexists(f"{folder}/node")
    link.remove()


def test_leftovers_of_a_killed_process_are_removed(tmp_path: Path) -> None:
    pid = os.fork()
    if pid == 0:
        NodeLink("/opt/rt", str(tmp_path)).folder()
        os._exit(0)
    os.waitpid(pid, 0)
    (left,) = os.listdir(tmp_path)
    (tmp_path / "rt-node-mine").mkdir()
    link = NodeLink("/opt/rt", str(tmp_path))
    folder = link.folder()
    assert left not in os.listdir(tmp_path)
    assert sorted(os.listdir(tmp_path)) == sorted(["rt-node-mine", os.path.basename(folder)])
    other = NodeLink("/opt/rt", str(tmp_path))
    other.folder()
    assert os.path.exists(folder), "that of a running process stays"


def test_foreign_files_are_not_removed(tmp_path: Path) -> None:
    link = NodeLink("/opt/rt", str(tmp_path))
    folder = Path(link.folder())
    (folder / "mine").write_text("")
    link.remove()
    assert (folder / "mine").exists()


def test_it_replaces_a_missing_node(tmp_path: Path) -> None:
    (tmp_path / "temporary").mkdir()
    link = NodeLink("/opt/rt", str(tmp_path / "temporary"))
    folder = str(tmp_path / "w" / "deep")
    made = link.wanted_folder(forced=False, path=str(tmp_path), folder=folder)
    assert made is not None and os.readlink(f"{made}/node") == "/opt/rt"
    link.remove()
    local = tmp_path / "w" / "node_modules" / ".bin" / "node"
    local.parent.mkdir(parents=True)
    local.touch(0o755)
    assert link.wanted_folder(forced=False, path=str(tmp_path), folder=folder) is None
    assert link.wanted_folder(forced=True, path=str(tmp_path), folder=folder) is not None
    link.remove()


def test_a_folder_that_is_not_required_causes_no_failure(tmp_path: Path) -> None:
    link = NodeLink("/opt/rt", str(tmp_path / "missing"))
    assert link.wanted_folder(forced=False, path=str(tmp_path), folder=str(tmp_path)) is None
