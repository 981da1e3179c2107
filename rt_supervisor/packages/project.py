"""Which version of a package a project wants: what its lockfile says, else the nearest package.json that names it."""

from __future__ import annotations

import json
import os
import re

from ..workspace.manifest import ancestors
from .installing import read_need
from .problems import PackageProblem
from .specifiers import is_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .specifiers import Wanted

_TABLES = ("dependencies", "devDependencies", "optionalDependencies", "peerDependencies")
_MAX_BYTES = 64 << 20
_LOOSE_COMMA = re.compile(r'("(?:[^"\\]|\\.)*")|,(?=\s*[}\]])')


def meant(wanted: Wanted, folder: str) -> tuple[str, str]:
    """Return (name, range) of what a specifier asks for in `folder`: its own version counts first. Raises PackageProblem."""
    return (wanted.name, wanted.version) if wanted.version else wanted_version(wanted.name, folder)


def wanted_version(name: str, folder: str) -> tuple[str, str]:
    """Return (name, range) of what `name` means for a file in `folder`; the range is "" where nobody says anything.

    Raises PackageProblem where it is no package of a registry.
    """
    for at in ancestors(folder):
        manifest = _json(os.path.join(at, "package.json"))
        if manifest is None:
            continue
        for table in _TABLES:
            named = manifest.get(table)
            said = named.get(name) if isinstance(named, dict) else None
            if isinstance(said, str):
                read = read_need(name, said)
                if read is None or not is_name(read[0]):
                    raise PackageProblem(f'package.json wants "{name}" from {said}, which auto-install does not fetch')
                return read[0], _locked(read[0], folder) or read[1]
    return name, _locked(name, folder) or ""


def _locked(name: str, folder: str) -> str | None:
    """Return the version of `name` that the nearest lockfile has chosen."""
    for at in ancestors(folder):
        for file, read in (("bun.lock", _of_peer_lock), ("package-lock.json", _of_npm_lock)):
            lock = _json(os.path.join(at, file), is_loose=file == "bun.lock")
            packages = lock.get("packages") if lock is not None else None
            if isinstance(packages, dict):
                return read(packages, name)
    return None


def _of_npm_lock(packages: dict[str, Any], name: str) -> str | None:
    entry = packages.get(f"node_modules/{name}")
    version = entry.get("version") if isinstance(entry, dict) else None
    return version if isinstance(version, str) else None


def _of_peer_lock(packages: dict[str, Any], name: str) -> str | None:
    """`"name": ["name@version", …]`"""
    entry = packages.get(name)
    said = entry[0] if isinstance(entry, list) and entry else None
    locked, _, version = said.rpartition("@") if isinstance(said, str) else ("", "", "")
    return version if locked == name and version[:1].isdigit() else None


def _json(path: str, *, is_loose: bool = False) -> dict[str, Any] | None:
    """Return an object of a JSON file, None where there is none; a loose one has commas before its brackets close."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
        with open(descriptor, "rb") as file:
            text = file.read(_MAX_BYTES).decode("utf-8-sig")
        value = json.loads(_LOOSE_COMMA.sub(r"\1", text) if is_loose else text)
    except (OSError, ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None
