"""What rt reads of git's index: entries that git does not compare with the working tree, conflicts, and names that look like entries."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from rt_supervisor._native import blob_digest
from rt_supervisor.tasks.git_files import GitReading


def git(folder: Path, *words: str, data: str = "") -> None:
    subprocess.run(["git", *words], cwd=folder, check=True, capture_output=True, input=data.encode())


def test_every_kind_of_entry_is_read(tmp_path: Path) -> None:
    a, b = blob_digest(b"a"), blob_digest(b"b")
    odd = f"odd\tH 100644 {b} 0\tname"
    git(tmp_path, "init", "-q", ".")
    for name in ("plain", "run", "assumed", "skipped", odd):
        (tmp_path / name).write_text("a")
    (tmp_path / "run").chmod(0o755)
    (tmp_path / "link").symlink_to("plain")
    git(tmp_path, "add", "-A")
    git(tmp_path, "update-index", "--assume-unchanged", "assumed")
    git(tmp_path, "update-index", "--skip-worktree", "skipped")
    usual = {
        "plain": f"100644 {a}",
        "run": f"100755 {a}",
        "link": f"120000 {blob_digest(b'plain')}",
        odd: f"100644 {a}",
    }
    read = {**usual, "assumed": None, "skipped": None}
    assert _files_of(tmp_path) == (read, ())

    for name in ("both", "gone"):
        (tmp_path / name).write_text("b")
    git(tmp_path, "hash-object", "-w", "both")
    stages = [f"100644 {digest} {stage}\tboth\n" for stage, digest in ((1, a), (2, b), (3, a))]
    git(tmp_path, "update-index", "--index-info", data="".join((*stages, f"160000 {a} 0\tnested\n")))
    git(tmp_path, "add", "gone")
    (tmp_path / "gone").unlink()
    (tmp_path / "plain").write_text("changed")
    (tmp_path / "nested").mkdir()
    assert _files_of(tmp_path) == ({**read, "plain": None, "both": None}, ("nested",))


def _files_of(folder: Path) -> tuple[dict[str, str | None], tuple[str, ...]]:
    found = GitReading(str(folder)).result()
    assert found is not None
    return found.files, found.folders


def test_a_reading_that_nothing_needs_leaves_no_process(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q", ".")
    opened = set(os.listdir("/proc/self/fd"))
    reading = GitReading(str(tmp_path))
    begun = [process.pid for process in reading._processes if process is not None]
    assert len(begun) == 4
    reading.close()
    for pid in begun:
        with pytest.raises(ChildProcessError):
            os.waitpid(pid, os.WNOHANG)
    assert set(os.listdir("/proc/self/fd")) == opened
    used = GitReading(str(tmp_path))
    assert used.result() is not None
    used.close()


@pytest.mark.parametrize("place", ["repository", "worktree", "folder"])
def test_an_index_that_is_replaced_while_git_runs(tmp_path: Path, place: str) -> None:
    """git may have read the old index for one answer and the new one for another."""
    repository = tmp_path / "repository"
    (repository / "src").mkdir(parents=True)
    git(repository, "init", "-q", "-b", "one", ".")
    for branch in ("one", "two"):
        git(repository, "checkout", "-q", "-B", branch)
        (repository / "src/file").write_text(branch)
        (repository / f"src/{branch}").write_text(branch)
        git(repository, "add", "-A")
        git(repository, "-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", branch)
    git(repository, "worktree", "add", "-q", "--detach", "../worktree", "two")
    root = {"repository": repository, "worktree": tmp_path / "worktree", "folder": repository / "src"}[place]
    reading = GitReading(str(root))
    git(root, "checkout", "-q", "--detach", "one")
    found = reading.result()
    assert found is not None
    fresh = GitReading(str(root)).result()
    assert fresh is not None
    assert found.files == fresh.files
    assert None not in found.files.values()
    assert len(found.files) == 2
