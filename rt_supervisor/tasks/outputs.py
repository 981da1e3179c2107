"""Outputs of tasks: finds them on the disk, removes those of an earlier run, and restores them from the store.

A task owns the files that rt has seen it write, or has restored. Only owned files are removed; only owned files and
those that changed since the task started become part of a result. Other existing files do not.
"""

from __future__ import annotations

import os
import re
import stat

from .._native import are_outputs_present, content_digest
from ..start.dependencies import CLOCK_TICK_NS
from .digests import identity_of
from .file_index import NEVER_INPUTS
from .store import FILE, FOLDER, LINK, Output

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Mapping, Sequence

    from .digests import Identity
    from .globs import Globs
    from .small_files import EntryFiles, NewFiles
    from .store import Store


_DRAFT = r"\.rt-(\d+)-\d+"  # the process, and its number there


class Damaged(Exception):
    """The store does not have a file of an entry, or the entry has a path that leaves the workspace."""


def find(root: str, globs: Globs) -> list[str]:
    """Return the files, links and folders below `root` that `globs` match, sorted; paths are relative to `root`."""
    paths: set[str] = set()
    for start in globs.starts():
        _add_below(root, start, paths)
    return globs.matching(sorted(paths))


def _add_below(root: str, start: str, paths: set[str]) -> None:
    """Add `start` and everything below it. Installed packages are not entered from outside."""
    if start and os.path.lexists(os.path.join(root, start)):
        paths.add(start)
    todo = [start]
    while todo:
        at = todo.pop()
        try:
            entries = list(os.scandir(os.path.join(root, at)))
        except OSError:
            continue
        has_packages = any(entry.name == "package.json" for entry in entries) and at == start
        for entry in entries:
            if has_packages and entry.name in NEVER_INPUTS:
                continue
            path = f"{at}/{entry.name}" if at else entry.name
            paths.add(path)
            if entry.is_dir(follow_symlinks=False):
                todo.append(path)


def capture(
    root: str, globs: Globs, *, since_ns: int, owned: Container[str], store: Store | NewFiles | None
) -> dict[str, tuple[Output, Identity]]:
    """Return the outputs of the task by path, with their identities, and put the files into `store`.

    Files that have not changed since `since_ns` are omitted, unless they are `owned`. Raises OSError for a file that
    cannot be read or stored.
    """
    found: dict[str, tuple[Output, Identity]] = {}
    for path in find(root, globs):
        at = os.path.join(root, path)
        about = os.lstat(at)
        if path not in owned and max(about.st_ctime_ns, about.st_mtime_ns) < since_ns - CLOCK_TICK_NS:
            continue
        output = read_output(root, path, about, store)
        if output is not None:
            found[path] = (output, identity_of(about))
    return found


def read_output(root: str, path: str, about: os.stat_result, store: Store | NewFiles | None) -> Output | None:
    """Return the output at `path`, which `about` describes, and put a file into `store`; None for a socket or a device. Raises OSError."""
    at = os.path.join(root, path)
    kind = about.st_mode
    mode = stat.S_IMODE(kind)
    if stat.S_ISLNK(kind):
        return Output(path, LINK, 0, os.readlink(at), 0)
    if stat.S_ISDIR(kind):
        return Output(path, FOLDER, mode, "", 0)
    if not stat.S_ISREG(kind):
        return None
    with open(at, "rb") as file:
        data = file.read()
    digest = store.put_file(data) if store is not None else content_digest(data)
    return Output(path, FILE, mode, digest, len(data))


def remove(root: str, paths: Iterable[str]) -> None:
    """Remove files and links, and the folders that are empty then. Raises OSError."""
    for path in sorted(paths, reverse=True):  # the contents of a folder come before it
        at = os.path.join(root, path)
        try:
            if stat.S_ISDIR(os.lstat(at).st_mode):
                os.rmdir(at)
            else:
                os.unlink(at)
        except FileNotFoundError:
            continue
        except OSError:
            if not os.path.isdir(at):
                raise


def restore(
    root: str, outputs: Sequence[Output], *, present: Mapping[str, tuple[Output, Identity]], store: Store | EntryFiles
) -> dict[str, tuple[Output, Identity]]:
    """Make `outputs` exist exactly, and return them with their identities.

    A `present` output with the same identity is left unchanged. All content is read before the first file is replaced,
    so nothing is changed if anything is missing. Raises Damaged and OSError.
    """
    drafts: list[tuple[str, str]] = []
    found: dict[str, tuple[Output, Identity]] = {}
    folders: list[tuple[str, int]] = []
    own = {output.path for output in outputs if output.kind == FOLDER}
    try:
        for output in outputs:
            at = os.path.join(root, output.path)
            if _is_present(root, output, present.get(output.path)) or _is_same_file(at, output):
                continue
            at = _make_parents(root, output.path, own)
            if output.kind == FOLDER:
                folders.append((at, output.mode))
                continue
            draft = f"{os.path.dirname(at)}/.rt-{os.getpid()}-{len(drafts)}"
            _write(draft, output, store)
            drafts.append((draft, at))
        for draft, at in drafts:
            if os.path.isdir(at) and not os.path.islink(at):
                _remove_tree(at)
            os.replace(draft, at)
        drafts = []
    finally:
        for draft, _ in drafts:
            if os.path.lexists(draft):
                os.unlink(draft)
    for at, mode in folders:
        if os.path.lexists(at) and (os.path.islink(at) or not os.path.isdir(at)):
            os.unlink(at)
        os.makedirs(at, exist_ok=True)
        os.chmod(at, mode)
    for output in outputs:
        found[output.path] = (output, identity_of(os.lstat(os.path.join(root, output.path))))
    return found


def draft_folders(outputs: Sequence[Output]) -> set[str]:
    """Return the folders in which `restore` writes drafts of `outputs`."""
    return {os.path.dirname(output.path) for output in outputs if output.kind != FOLDER}


def remove_drafts(root: str, folders: Iterable[str]) -> None:
    """Remove the drafts in `folders` of processes that have ended without doing so. Raises OSError."""
    for folder in folders:
        try:
            names = os.listdir(os.path.join(root, folder))
        except (FileNotFoundError, NotADirectoryError):
            continue
        for name in names:
            found = re.fullmatch(_DRAFT, name)
            if found is not None and not os.path.exists(f"/proc/{found[1]}"):
                os.unlink(os.path.join(root, folder, name))


def are_present(root: str, outputs: dict[str, tuple[Output, Identity]]) -> bool:
    """Return whether all `outputs` are at their paths below `root`, according to their known identities."""
    return are_outputs_present(root, outputs, FOLDER)


def _is_present(root: str, output: Output, known: tuple[Output, Identity] | None) -> bool:
    return known is not None and known[0] == output and are_present(root, {output.path: known})


def _is_same_file(at: str, output: Output) -> bool:
    """Return whether the file at `at` has the content and the permissions of `output`."""
    if output.kind != FILE:
        return False
    try:
        about = os.lstat(at)
        if (
            not stat.S_ISREG(about.st_mode)
            or about.st_size != output.size
            or stat.S_IMODE(about.st_mode) != output.mode
        ):
            return False
        with open(at, "rb") as file:
            return content_digest(file.read()) == output.content
    except OSError:
        return False


def _make_parents(root: str, path: str, own: Container[str]) -> str:
    """Create the folders above an output, `own` ones also in place of other files, and return its absolute path.

    Raises Damaged if the path leaves the root, also through a link.
    """
    parts = path.split("/")
    if ".." in parts or "" in parts:
        raise Damaged(path)
    for count in range(1, len(parts)):
        parent = "/".join(parts[:count])
        at = os.path.join(root, parent)
        if os.path.isdir(at) and not os.path.islink(at):
            continue
        if os.path.lexists(at):
            if parent not in own:
                raise Damaged(path)
            os.unlink(at)
        os.mkdir(at)
    return os.path.join(root, path)


def _write(draft: str, output: Output, store: Store | EntryFiles) -> None:
    if output.kind == LINK:
        os.symlink(output.content, draft)
        return
    data = store.file(output.content, output.size)
    if data is None:
        raise Damaged(output.path)
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    try:
        written = 0
        while written < len(data):
            written += os.write(descriptor, data[written:])
        os.fchmod(descriptor, output.mode)
    finally:
        os.close(descriptor)


def _remove_tree(at: str) -> None:
    import shutil

    shutil.rmtree(at)
