"""Packages as they lie on disk: each version once for all programs of the user, with links to the versions that it needs.

    packages/unpacked/lodash@4.17.21/node_modules/lodash/…        the package
    packages/unpacked/lodash@4.17.21/node_modules/its-dependency  a link to another of these folders
    packages/unpacked/lodash@4.17.21/needs.json                   where those links lead
    packages/whole/lodash@4.17.21                                 it is there with all that it needs, near and far

So Node's own resolution finds from inside a package what that package was given, and nothing else. A folder appears whole
(it is renamed from a draft) and is never changed; of two processes that make the same one, one has it.
"""

from __future__ import annotations

import json
import os

from .. import _native
from ..vocabulary.record import record
from .problems import PackageProblem

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

_DRAFT = ".draft-"


@record
class Package:
    """One version of one package."""

    name: str
    version: str

    def __str__(self) -> str:
        return f"{self.name}@{self.version}"


class Store:
    """The packages below one folder."""

    def __init__(self, folder: str) -> None:
        self._unpacked = os.path.join(folder, "unpacked")
        self._whole = os.path.join(folder, "whole")

    def place(self, package: Package) -> str:
        """Return the folder whose `node_modules` has `package`."""
        return os.path.join(self._unpacked, str(package).replace("/", "+"))

    def holds(self, path: str) -> bool:
        """Whether `path` is of a package that lies here."""
        return path.startswith(f"{self._unpacked}/")

    def is_whole(self, package: Package) -> bool:
        return os.path.exists(self._mark(package))

    def mark_whole(self, package: Package) -> None:
        _native.cache_put(self._mark(package), b"", is_durable=False)

    def needs(self, package: Package) -> dict[str, Package] | None:
        """Return what `package` was given under which names; None where it does not lie here."""
        try:
            with open(os.path.join(self.place(package), "needs.json"), "rb") as file:
                return {alias: Package(str(name), str(version)) for alias, (name, version) in json.load(file).items()}
        except (OSError, ValueError, AttributeError, TypeError):
            return None

    def put(self, package: Package, archive: bytes, needs: Mapping[str, Package], programs: Iterable[str]) -> None:
        """Unpack `package`, link what it `needs`, make its `programs` executable. Raises PackageProblem."""
        import shutil
        import tarfile
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
            for alias, needed in needs.items():
                self._link(modules, alias, needed)
            with open(os.path.join(draft, "needs.json"), "w", encoding="utf-8") as file:
                json.dump({alias: (needed.name, needed.version) for alias, needed in needs.items()}, file)
            self._appear(draft, place, package)
        except (OSError, tarfile.TarError, EOFError) as error:
            reason = (isinstance(error, OSError) and error.strerror) or error
            raise PackageProblem(f"{package} cannot be unpacked: {reason}") from error
        finally:
            shutil.rmtree(draft, ignore_errors=True)

    def _appear(self, draft: str, place: str, package: Package) -> None:
        try:
            os.rename(draft, place)
        except OSError:
            if self.needs(package) is not None:
                return  # another process was faster
            import shutil

            shutil.rmtree(place, ignore_errors=True)  # it was damaged
            os.rename(draft, place)

    def _link(self, modules: str, alias: str, needed: Package) -> None:
        link = os.path.join(modules, alias)
        os.makedirs(os.path.dirname(link), exist_ok=True)
        # Relative, so that a cache folder that is moved stays whole.
        target = os.path.join("..", "..", os.path.basename(self.place(needed)), "node_modules", needed.name)
        os.symlink(os.path.join(*[".."] * alias.count("/"), target), link)

    def _mark(self, package: Package) -> str:
        return os.path.join(self._whole, str(package).replace("/", "+"))
