"""Unpacked packages on disk: each version once for all of a user's programs, linked to the versions that it needs.

    unpacked/lodash@4.17.21_DIGEST/node_modules/lodash/…        the package
    unpacked/lodash@4.17.21_DIGEST/node_modules/its-dependency  a link to another of these folders
    unpacked/lodash@4.17.21_DIGEST/entry.json                   the digests of its archive, and where those links lead
    complete/lodash@4.17.21_DIGEST                              all packages that it needs, directly or not, are there

DIGEST stands for the integrity that the archive was verified against, and a store holds packages of one set of registries, so
a package from one registry never serves a project that uses another. Node's resolution, started inside a package, finds what that
package needs and nothing else. A folder appears whole (it is renamed from a draft) and never changes; when two processes
make the same one, the first wins.
"""

from __future__ import annotations

import hashlib
import json
import os

from .. import _native
from ..vocabulary.record import record
from .problems import PackageProblem

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import IO


_DRAFT = ".draft-"


@record
class Package:
    """One version of one package; `integrity` is the digest that the registry declares for its archive."""

    name: str
    version: str
    integrity: str

    def __str__(self) -> str:
        return f"{self.name}@{self.version}"


@record
class Entry:
    """An unpacked package: all digests of its archive, and the packages that it needs, by the names that it imports."""

    integrity: str
    needs: Mapping[str, Package]


class Store:
    """The packages below one folder."""

    def __init__(self, folder: str) -> None:
        self._unpacked = os.path.join(folder, "unpacked")
        self._complete = os.path.join(folder, "complete")

    def place(self, package: Package) -> str:
        """Return the folder whose `node_modules` has `package`."""
        return os.path.join(self._unpacked, _file_name(package))

    def holds(self, path: str) -> bool:
        """Return whether `path` belongs to a package of this store."""
        return path.startswith(f"{self._unpacked}/")

    def entry(self, package: Package) -> Entry | None:
        """Return the entry of `package`, None if it is not unpacked."""
        try:
            with open(os.path.join(self.place(package), "entry.json"), "rb") as file:
                stored = json.load(file)
            needs = {alias: Package(*map(str, each)) for alias, each in stored["needs"].items()}
            return Entry(str(stored["integrity"]), needs)
        except (OSError, ValueError, KeyError, AttributeError, TypeError, RecursionError):
            return None

    def closure(self, root: Package) -> dict[Package, str] | None:
        """Return `root` and all that it needs, each with the digests of its archive; None unless all of it is there."""
        try:
            with open(self._mark(root), "rb") as file:
                return {Package(*map(str, package)): str(integrity) for package, integrity in json.load(file)}
        except (OSError, ValueError, TypeError, RecursionError):
            return None

    def mark_complete(self, root: Package, closure: Mapping[Package, str]) -> None:
        """Record that `root` and all that it needs is there."""
        stored = [(_fields(package), integrity) for package, integrity in closure.items()]
        _native.cache_put(self._mark(root), json.dumps(stored).encode(), is_durable=False)

    def put(self, package: Package, entry: Entry, archive: IO[bytes], programs: Iterable[str]) -> None:
        """Unpack `package`, link what it needs, make its `programs` executable. Raises PackageProblem."""
        import shutil
        import tempfile

        from .unpacking import make_executable, unpack

        place = self.place(package)
        try:
            os.makedirs(self._unpacked, mode=0o700, exist_ok=True)
            draft = tempfile.mkdtemp(prefix=_DRAFT, dir=self._unpacked)
        except OSError as error:
            raise PackageProblem(f"{package} cannot be unpacked: {error.strerror}") from error
        try:
            modules = os.path.join(draft, "node_modules")
            unpack(archive, os.path.join(modules, package.name))
            make_executable(os.path.join(modules, package.name), programs)
            for alias, needed in entry.needs.items():
                self._link(modules, alias, needed)
            with open(os.path.join(draft, "entry.json"), "w", encoding="utf-8") as file:
                stored = {alias: _fields(needed) for alias, needed in entry.needs.items()}
                json.dump({"integrity": entry.integrity, "needs": stored}, file)
            self._publish(draft, place, package)
        except PackageProblem as problem:
            raise PackageProblem(f"{package} cannot be unpacked: {problem}") from problem
        except OSError as error:
            raise PackageProblem(f"{package} cannot be unpacked: {error.strerror or error}") from error
        finally:
            shutil.rmtree(draft, ignore_errors=True)

    def _publish(self, draft: str, place: str, package: Package) -> None:
        try:
            os.rename(draft, place)
        except OSError:
            if self.entry(package) is not None:
                return  # another process was faster
            import shutil

            shutil.rmtree(place, ignore_errors=True)  # the entry is damaged
            os.rename(draft, place)

    def _link(self, modules: str, alias: str, needed: Package) -> None:
        link = os.path.join(modules, alias)
        os.makedirs(os.path.dirname(link), exist_ok=True)
        # A relative link survives a move of the cache folder.
        target = os.path.join("..", "..", os.path.basename(self.place(needed)), "node_modules", needed.name)
        os.symlink(os.path.join(*[".."] * alias.count("/"), target), link)

    def _mark(self, package: Package) -> str:
        return os.path.join(self._complete, _file_name(package))


def _file_name(package: Package) -> str:
    digest = hashlib.sha256(package.integrity.encode()).hexdigest()[:16]
    return f"{str(package).replace('/', '+')}_{digest}"


def _fields(package: Package) -> tuple[str, str, str]:
    return package.name, package.version, package.integrity
