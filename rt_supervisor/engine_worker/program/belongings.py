"""Loads rt's own code before a program becomes another user that cannot read it.

If rt is installed in a folder of root (`/root/.venv`), code that is normally imported on demand is imported before the
change of user. Otherwise nothing is done.
"""

from __future__ import annotations

import os
import stat

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

PACKAGE = __name__.rpartition(".program.")[0]


def is_open_to_all() -> bool:
    """Return whether every user can read the files of rt and Python."""
    return all(_is_readable(os.path.realpath(path)) for path in (__file__, os.__file__))


def load_all() -> None:
    """Import the modules that serve programs, and those that they import on demand; skip what cannot be imported."""
    import ast
    import importlib
    import pkgutil

    from ..start import bundle

    bundle.snapshot.hold()

    pending = [PACKAGE, "encodings.idna"]  # which name lookup imports
    pending += [found.name for found in pkgutil.walk_packages(importlib.import_module(PACKAGE).__path__, PACKAGE + ".")]
    seen = set()
    while pending:
        name = pending.pop()
        if name in seen:
            continue
        seen.add(name)
        try:
            module = importlib.import_module(name)
            if name.partition(".")[0] == PACKAGE.partition(".")[0] and (module.__file__ or "").endswith(".py"):
                with open(str(module.__file__), encoding="utf-8") as source:
                    pending += _imported(ast.walk(ast.parse(source.read())), module.__package__ or "")
        except (ImportError, OSError):
            continue


def _imported(nodes: Iterator[object], package: str) -> Iterator[str]:
    import ast

    for node in nodes:
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            around = package.rsplit(".", node.level - 1)[0] + "." if node.level else ""
            base = (around + (node.module or "")).rstrip(".")
            yield base
            yield from (f"{base}.{alias.name}" for alias in node.names)  # names that may also be modules


def _is_readable(path: str) -> bool:
    wanted = stat.S_IROTH
    while path != "/":
        try:
            if not os.stat(path).st_mode & wanted:
                return False
        except OSError:
            return False
        path, wanted = os.path.dirname(path), stat.S_IXOTH
    return True
