"""Which version of a package a project needs: the one in its lockfile, otherwise the range in the nearest
package.json."""

from __future__ import annotations

import os

from ..vocabulary.record import record
from ..workspace.manifest import ancestors
from .lockfiles import nearest_lockfile, read_json
from .needs import read_need
from .problems import PackageProblem
from .specifiers import is_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .lockfiles import Lockfile
    from .specifiers import Wanted

_TABLES = ("dependencies", "devDependencies", "optionalDependencies", "peerDependencies")


@record
class Request:
    """A package to install: `wanted` is a version, a range or a tag, "" for the latest; `lockfile` has its integrity."""

    name: str
    wanted: str
    lockfile: Lockfile | None


def read_request(wanted: Wanted, folder: str) -> Request:
    """Return the request of a specifier in `folder`; a version in the specifier takes precedence. Raises
    PackageProblem."""
    lockfile = nearest_lockfile(folder)
    if wanted.version:
        return Request(wanted.name, wanted.version, lockfile)
    name, declared = _read_declared(wanted.name, folder)
    locked = lockfile.direct.get(wanted.name) if lockfile is not None else None
    if locked is not None and locked.name == name:
        return Request(name, locked.version, lockfile)
    return Request(name, declared, lockfile)


def _read_declared(alias: str, folder: str) -> tuple[str, str]:
    """Return (name, range) that the nearest package.json with `alias` declares; the range is "" if there is none.

    Raises PackageProblem if it does not come from a registry.
    """
    for at in ancestors(folder):
        manifest = read_json(os.path.join(at, "package.json")) or {}
        for table in _TABLES:
            declared = manifest.get(table)
            wanted = declared.get(alias) if isinstance(declared, dict) else None
            if isinstance(wanted, str):
                read = read_need(alias, wanted)
                if read is None or not is_name(read[0]):
                    raise PackageProblem(
                        f'package.json wants "{alias}" from {wanted}, which auto-install does not fetch'
                    )
                return read
    return alias, ""
