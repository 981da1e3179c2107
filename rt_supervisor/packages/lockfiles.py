"""Lockfiles of npm and Bun: the version of each package that a project has locked, and its integrity.

`npm-shrinkwrap.json`, `package-lock.json` (all versions of the format) and `bun.lock` are read. Unreadable lockfiles and entries
of an unknown form are ignored: they are other programs' files.
"""

from __future__ import annotations

import json
import os

from .. import _native
from ..vocabulary.record import record
from ..workspace.manifest import ancestors
from .integrity import is_match, matching_part, strongest
from .problems import PackageProblem

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

    from .store import Package

_MAX_BYTES = 64 << 20


@record
class LockedPackage:
    """The locked version of one name; `integrity` is "" if the lockfile has none."""

    name: str
    version: str
    integrity: str


class Lockfile:
    """`direct` are the packages that the project itself imports, by alias; `packages` are all of them."""

    def __init__(self, path: str, direct: Mapping[str, LockedPackage], packages: Iterator[LockedPackage]) -> None:
        self.path = path
        self.direct = direct
        self._integrities: dict[tuple[str, str], list[str]] = {}
        for each in packages:
            if strongest(each.integrity):
                self._integrities.setdefault((each.name, each.version), []).append(each.integrity)

    def is_match(self, package: Package, integrity: str) -> bool | None:
        """Return whether the lockfile accepts an archive of `package` with the digests `integrity`; None if it cannot
        tell."""
        accepted = self._integrities.get((package.name, package.version))
        if not accepted:
            return True
        answers = [is_match(each, integrity) for each in accepted]
        return True if True in answers else None if None in answers else False

    def verify(self, package: Package, integrity: str) -> None:
        """Raise PackageProblem if the lockfile has another integrity for `package` than `integrity`."""
        if self.is_match(package, integrity) is False:
            expected = self._integrities[package.name, package.version][0]
            raise PackageProblem(
                f"the integrity of {package} differs: {self.path} has {strongest(expected)}, "
                f"the registry has {matching_part(expected, integrity)}"
            )


_parsed: dict[str, tuple[tuple[int, int], Lockfile | None]] = {}  # by path, with the time and size of the file


def nearest_lockfile(folder: str) -> Lockfile | None:
    """Return the lockfile in `folder` or the nearest folder above it."""
    for at in ancestors(folder):
        for name in ("bun.lock", "npm-shrinkwrap.json", "package-lock.json"):
            if (lockfile := _read_lockfile(os.path.join(at, name))) is not None:
                return lockfile
    return None


def _read_lockfile(path: str) -> Lockfile | None:
    try:
        status = os.stat(path)
    except OSError:
        return None
    identity = (status.st_mtime_ns, status.st_size)
    known = _parsed.get(path)
    if known is None or known[0] != identity:
        known = _parsed[path] = (identity, _parse(path))
    return known[1]


def _parse(path: str) -> Lockfile | None:
    is_bun = path.endswith("bun.lock")
    lock = read_json(path, has_comments=is_bun)
    if lock is None:
        return None
    packages = lock.get("packages")
    if is_bun:
        return _bun_lockfile(path, packages) if isinstance(packages, dict) else None
    if isinstance(packages, dict):
        return _npm_lockfile(path, packages)
    dependencies = lock.get("dependencies")
    return _old_npm_lockfile(path, dependencies) if isinstance(dependencies, dict) else None


def _bun_lockfile(path: str, packages: dict[str, Any]) -> Lockfile:
    """Read `"alias": ["name@version", registry, {…}, integrity]`."""
    found: dict[str, LockedPackage] = {}
    for alias, entry in packages.items():
        words = [word if isinstance(word, str) else "" for word in entry] if isinstance(entry, list) else []
        name, _, version = words[0].rpartition("@") if words else ("", "", "")
        if name and version[:1].isdigit():
            found[alias] = LockedPackage(name, version, words[3] if len(words) > 3 else "")
    return Lockfile(path, found, iter(found.values()))


def _npm_lockfile(path: str, packages: dict[str, Any]) -> Lockfile:
    """Read `"node_modules/alias": {"name", "version", "integrity"}`."""
    found: dict[str, LockedPackage] = {}
    for place, entry in packages.items():
        before, folder, alias = place.rpartition("node_modules/")
        if folder and isinstance(entry, dict) and (locked := _npm_entry(alias, entry)):
            found[place if before else alias] = locked
    return Lockfile(path, found, iter(found.values()))


def _old_npm_lockfile(path: str, dependencies: dict[str, Any]) -> Lockfile:
    """Read `"alias": {"version", "integrity", "dependencies"}`, the form of npm 6 and older."""
    direct: dict[str, LockedPackage] = {}
    found: list[LockedPackage] = []
    levels = [dependencies]
    for level in levels:
        for alias, entry in level.items():
            if isinstance(entry, dict):
                if locked := _npm_entry(alias, entry):
                    found.append(locked)
                    if level is dependencies:
                        direct[alias] = locked
                if isinstance(inner := entry.get("dependencies"), dict):
                    levels.append(inner)
    return Lockfile(path, direct, iter(found))


def _npm_entry(alias: str, entry: dict[str, Any]) -> LockedPackage | None:
    name, version, integrity = entry.get("name", alias), entry.get("version"), entry.get("integrity", "")
    if isinstance(version, str) and version.startswith("npm:"):
        name, _, version = version[4:].rpartition("@")
    if not (isinstance(name, str) and isinstance(version, str) and version[:1].isdigit()):
        return None
    return LockedPackage(name, version, integrity if isinstance(integrity, str) else "")


def read_json(path: str, *, has_comments: bool = False) -> dict[str, Any] | None:
    """Return the object in a JSON file; None if there is none. With comments, trailing commas are allowed too."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
        with open(descriptor, "rb") as file:
            text = file.read(_MAX_BYTES).decode("utf-8-sig")
        value = _native.read_json(text, path, is_json5=False)[0] if has_comments else json.loads(text)
    except (OSError, ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None
