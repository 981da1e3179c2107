"""`rt --version` and `rt --revision`."""

from __future__ import annotations

import os

import rt_supervisor as package

from ... import __version__
from ..._native import IS_DEBUG_BUILD


def version_text(*, with_revision: bool) -> str:
    """Return `0.1.0`, `0.1.0_debug` for a debug build, or `0.1.0+1a2b3c4d5` with the commit of a source checkout."""
    version = f"{__version__}_debug" if IS_DEBUG_BUILD else __version__
    commit = _commit(os.path.dirname(os.path.dirname(package.__file__))) if with_revision else None
    return f"{version}+{commit[:9]}" if commit else version


def _commit(checkout: str) -> str | None:
    """Return the commit of HEAD in `checkout`; None if it is not a checkout of this project."""
    git = os.path.join(checkout, ".git")
    if not os.path.isfile(os.path.join(checkout, "native", "Cargo.toml")):
        return None
    if os.path.isfile(git):  # a linked worktree
        git = os.path.normpath(os.path.join(checkout, _first_line(git).removeprefix("gitdir: ")))
    head = _first_line(os.path.join(git, "HEAD"))
    if not head.startswith("ref: "):
        return head or None
    common = os.path.normpath(os.path.join(git, _first_line(os.path.join(git, "commondir")) or "."))
    reference = head.removeprefix("ref: ")
    return _first_line(os.path.join(common, reference)) or _find_packed(os.path.join(common, "packed-refs"), reference)


def _find_packed(path: str, reference: str) -> str | None:
    try:
        with open(path, encoding="utf-8") as file:
            for line in file:
                commit, _, name = line.rstrip("\n").partition(" ")
                if name == reference:
                    return commit
    except OSError:
        return None
    return None


def _first_line(path: str) -> str:
    try:
        with open(path, encoding="utf-8") as file:
            return file.readline().strip()
    except OSError:
        return ""
