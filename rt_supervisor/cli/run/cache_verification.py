"""`rt cache verify TASK`: runs a task again in a copy of the workspace and compares what it writes with its stored outputs."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile

from ...tasks.file_index import NEVER_INPUTS
from ...tasks.globs import parse
from ...tasks.outputs import capture, find, remove
from ...tasks.state import State
from ...tasks.task_graph import title
from ...tasks.traced_tasks import capture_paths
from ...vocabulary.errors import Failed
from ...vocabulary.record import replace
from ..streams import warn, write
from .task_run import choose_tasks, is_about_scripts

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ...tasks.globs import Globs
    from ...tasks.store import Output
    from ..request import Request


def verify(request: Request, name: str) -> int:
    """Run the task `name` in the workspace and in a copy, compare, and return 0 if the outputs are the same. Raises Failed."""
    is_plain = is_about_scripts(request)
    options = {**request.invocation.options, "cache" if is_plain else "tasks": True, "only": True}
    chosen = choose_tasks(replace(request, invocation=replace(request.invocation, names=(name,), options=options)))
    root = chosen.tasks.workspace.root
    folder = os.path.relpath(request.folder, root)
    if _run(request, request.folder, "--cache" if is_plain else "--tasks", name) != 0:
        raise Failed("verify-failed", f'task "{name}" fails, so there is nothing to compare')
    place = tempfile.mkdtemp(prefix="rt-verify-")
    status = 0
    try:
        copy = os.path.join(place, "workspace")
        _copy(root, copy)
        wanted: list[tuple[str, Globs | list[str]]] = []
        for key in range(len(chosen.members)):
            node = chosen.node(key)
            if node.is_traced and node.settings.traces_outputs:
                paths = _traced_outputs(root, title(chosen.tasks, node))
                remove(copy, paths)
                wanted.append((chosen.choice.recipes[key].label, paths))
                continue
            package = os.path.relpath(chosen.tasks.packages[node.place].folder, root)
            globs = parse(node.settings.outputs or (), "" if package == "." else package)
            if not globs.included:
                warn(f"{chosen.choice.recipes[key].label} declares no outputs")
            remove(copy, find(copy, globs))
            wanted.append((chosen.choice.recipes[key].label, globs))
        flags = () if is_plain else ("--tasks", "--no-cache", "--only")
        if _run(request, os.path.normpath(os.path.join(copy, folder)), *flags, name) != 0:
            raise Failed("verify-failed", f'task "{name}" fails in a copy of the workspace')
        for label, which in wanted:
            before, after = _outputs(root, which), _outputs(copy, which)
            differing = sorted(path for path in before.keys() | after.keys() if before.get(path) != after.get(path))
            lines = [f"{label}: {'not deterministic' if differing else 'the same outputs'}"]
            lines += [f"  {path}: {_difference(before.get(path), after.get(path))}" for path in differing]
            write(1, "\n".join(lines) + "\n")
            status = status or int(bool(differing))
    finally:
        shutil.rmtree(place, ignore_errors=True)
    return status


def _traced_outputs(root: str, name: str) -> list[str]:
    """Return what a traced task has just written. Raises Failed if its result was not stored."""
    state = State.of(root)
    known = state.tasks.get(name) if state is not None else None
    if known is None or not known.key:
        raise Failed("verify-failed", f"the result of {name} is not stored, so there is nothing to compare")
    return list(known.outputs)


def _outputs(root: str, which: Globs | list[str]) -> dict[str, Output]:
    if isinstance(which, list):
        present = [path for path in which if os.path.lexists(os.path.join(root, path))]
        found = capture_paths(root, present, None)
    else:
        found = capture(root, which, since_ns=0, owned=(), store=None)
    return {path: output for path, (output, _) in found.items()}


def _run(request: Request, folder: str, *flags_and_name: str) -> int:
    words = [request.executable, "run", *flags_and_name]
    done = subprocess.run(words, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, check=False)
    return done.returncode


def _copy(root: str, copy: str) -> None:
    """Copy a workspace; installed packages are links to those of the original."""

    def ignore(folder: str, names: list[str]) -> set[str]:
        return set(NEVER_INPUTS.intersection(names))

    shutil.copytree(root, copy, symlinks=True, ignore=ignore)
    for at, folders, _ in os.walk(root):
        if "node_modules" in folders:
            os.symlink(os.path.join(at, "node_modules"), os.path.join(copy, os.path.relpath(at, root), "node_modules"))
        folders[:] = [name for name in folders if name not in NEVER_INPUTS]


def _difference(before: Output | None, after: Output | None) -> str:
    if before is None:
        return "only in the copy"
    if after is None:
        return "not in the copy"
    if before.kind != after.kind:
        return f"a {before.kind}, in the copy a {after.kind}"
    return "other content" if before.content != after.content else f"mode {before.mode:o}, in the copy {after.mode:o}"
