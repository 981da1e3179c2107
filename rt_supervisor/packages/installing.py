"""Installs a package with its dependencies into the store.

Versions are chosen level by level, each name and range once; the names of a level are requested from the registry
concurrently. Then the packages missing from the store are downloaded. A package in the store keeps the dependencies
that it was unpacked with. Install scripts of packages never run.
"""

from __future__ import annotations

from .documents import read_programs
from .needs import fits_machine, needs_of
from .problems import PackageProblem
from .store import Entry, Package

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from concurrent.futures import Executor
    from typing import TypeVar

    from .lockfiles import Lockfile
    from .manifests import Manifests
    from .needs import Need
    from .project import Request
    from .registry import Registry
    from .store import Store

    T = TypeVar("T")
    R = TypeVar("R")

_IN_MEMORY_BYTES = 4 << 20  # of an archive; a larger one is downloaded into a temporary file


class Installer:
    """Puts packages into a store."""

    def __init__(self, manifests: Manifests, registry: Registry, store: Store) -> None:
        self._manifests = manifests
        self._registry = registry
        self._store = store

    def install(self, request: Request) -> Package:
        """Return the package that `request` names, unpacked, with its dependencies.

        Raises PackageProblem, also if the archive of a package does not have the integrity in the project's lockfile.
        """
        root = self._choose(request.name, request.wanted, request.lockfile)
        closure = self._store.closure(root)
        if closure is None:
            closure = self._complete(root, request.lockfile)
            self._store.mark_complete(root, closure)
        if request.lockfile is not None:
            for package, integrity in closure.items():
                request.lockfile.verify(package, integrity)
        return root

    def _choose(self, name: str, wanted: str, lockfile: Lockfile | None) -> Package:
        chosen = Package(name, *self._manifests.choose(name, wanted))
        if lockfile is not None and lockfile.is_match(chosen, chosen.integrity) is False:
            self._manifests.expire(name)  # the lockfile may be newer than the cached document
            chosen = Package(name, *self._manifests.choose(name, wanted))
        return chosen

    def _complete(self, root: Package, lockfile: Lockfile | None) -> dict[Package, str]:
        """Download those of `root` and its dependencies that the store lacks; return all of them with the digests of
        their archives."""
        from concurrent.futures import ThreadPoolExecutor

        from .transport import CONNECTIONS

        with ThreadPoolExecutor(CONNECTIONS, "rt-packages") as pool:
            closure = self._resolve(root, lockfile, pool)
            missing = [package for package, entry in closure.items() if not entry.integrity]
            if lockfile is not None:
                for package in missing:
                    lockfile.verify(package, package.integrity)
            downloaded = _in_parallel(pool, lambda each: self._download(each, closure[each]), missing)
        return {package: entry.integrity for package, entry in closure.items()} | dict(
            zip(missing, downloaded, strict=True)
        )

    def _resolve(self, root: Package, lockfile: Lockfile | None, pool: Executor) -> dict[Package, Entry]:
        """Return entries of `root` and its dependencies; those that are not in the store yet have no integrity."""
        closure: dict[Package, Entry] = {}
        level = [root]
        while level:
            stored = {package: entry for package in level if (entry := self._store.entry(package)) is not None}
            unknown = [package for package in level if package not in stored]
            closure |= stored
            for package, needs in zip(unknown, self._choose_needs(unknown, lockfile, pool), strict=True):
                closure[package] = Entry("", needs)
            level = [*dict.fromkeys(n for p in level for n in closure[p].needs.values() if n not in closure)]
        return closure

    def _choose_needs(
        self, packages: list[Package], lockfile: Lockfile | None, pool: Executor
    ) -> list[dict[str, Package]]:
        """Return, for each of `packages`, the versions of its dependencies, by alias."""

        def choose(name_and_range: tuple[str, str]) -> Package | PackageProblem:
            try:
                return self._choose(*name_and_range, lockfile)
            except PackageProblem as problem:
                return problem

        all_needs = _in_parallel(pool, self._read_needs, packages)
        wanted = [*dict.fromkeys((need.name, need.wanted) for needs in all_needs for need in needs)]
        choices = dict(zip(wanted, _in_parallel(pool, choose, wanted), strict=True))
        chosen: list[dict[str, Package]] = []
        for package, needs in zip(packages, all_needs, strict=True):
            of_package: dict[str, Package] = {}
            for need in needs:
                choice = choices[need.name, need.wanted]
                if isinstance(choice, Package):
                    if not need.is_optional or self._fits(choice):
                        of_package[need.alias] = choice
                elif not need.is_optional:
                    raise PackageProblem(f"{choice} (needed by {package})")
            chosen.append(of_package)
        return chosen

    def _read_needs(self, package: Package) -> list[Need]:
        return needs_of(self._manifests.document_of(package.name).version(package.version), str(package))

    def _fits(self, package: Package) -> bool:
        """Return whether an optional package supports this machine."""
        return fits_machine(self._manifests.document_of(package.name).version(package.version))

    def _download(self, package: Package, entry: Entry) -> str:
        import tempfile

        version = self._manifests.document_of(package.name).version(package.version)
        with tempfile.SpooledTemporaryFile(_IN_MEMORY_BYTES) as archive:
            integrity = self._registry.download(version, str(package), archive)
            archive.seek(0)
            stored = Entry(integrity, entry.needs)
            self._store.put(package, stored, archive, read_programs(version, package.name).values())
        return integrity


def _in_parallel(pool: Executor, do: Callable[[T], R], items: Iterable[T]) -> list[R]:
    """Return the results of `do` for all `items`; raises the first problem after all calls have ended."""
    futures = [pool.submit(do, item) for item in items]
    problems = [problem for future in futures if (problem := future.exception()) is not None]
    if problems:
        raise problems[0]
    return [future.result() for future in futures]
