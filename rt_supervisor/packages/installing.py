"""From a name and a range to a package that lies in the store with all that it needs.

What a package needs is chosen level by level, each name and range once, with the registry asked for a level's names side by
side; then what is not there yet is fetched. What lies in the store keeps what it was given. Needed are dependencies, those
peers that are not optional, and optional dependencies made for this machine. No script of a package is run.
"""

from __future__ import annotations

import sys

from ..vocabulary.record import record
from .problems import PackageProblem
from .specifiers import is_name
from .store import Package

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from concurrent.futures import Executor
    from typing import Any, TypeVar

    from .manifests import Manifests
    from .registry import Registry
    from .store import Store

    T = TypeVar("T")
    R = TypeVar("R")

_CPU = {"x86_64": "x64", "aarch64": "arm64", "amd64": "x64", "i686": "ia32"}


@record
class Need:
    """`alias` is the name that it is imported by; without an `is_optional` one the package that needs it does not work."""

    alias: str
    name: str
    wanted: str
    is_optional: bool


class Installer:
    """Puts packages into a store."""

    def __init__(self, manifests: Manifests, registry: Registry, store: Store) -> None:
        self._manifests = manifests
        self._registry = registry
        self._store = store

    def install(self, name: str, wanted: str) -> Package:
        """Return the package that `wanted` of `name` means, there with all that it needs. Raises PackageProblem."""
        root = Package(name, self._manifests.choose(name, wanted))
        if self._store.is_whole(root):
            return root
        from concurrent.futures import ThreadPoolExecutor

        from .transport import CONNECTIONS

        with ThreadPoolExecutor(CONNECTIONS, "rt-packages") as pool:
            found = self._closure(root, pool)
            missing = [package for package, needs in found.items() if self._store.needs(package) is None]
            _in_turn(pool, lambda package: self._fetch(package, found[package]), missing)
        for package in found:
            self._store.mark_whole(package)
        return root

    def _closure(self, root: Package, pool: Executor) -> dict[Package, dict[str, Package]]:
        """Return `root` and all that it needs, near and far, each with what it is given under which names."""
        found: dict[Package, dict[str, Package]] = {}
        level = [root]
        while level:
            given = [self._store.needs(package) for package in level]
            unknown = [package for package, needs in zip(level, given, strict=True) if needs is None]
            chosen = dict(zip(unknown, self._chosen(unknown, pool), strict=True))
            for package, needs in zip(level, given, strict=True):
                found[package] = chosen[package] if needs is None else needs
            level = [*dict.fromkeys(n for package in level for n in found[package].values() if n not in found)]
        return found

    def _chosen(self, packages: list[Package], pool: Executor) -> list[dict[str, Package]]:
        """Return for each of `packages` which versions it is to be given."""
        documents = _in_turn(pool, self._document, packages)
        needs = [needs_of(document, package) for package, document in zip(packages, documents, strict=True)]
        asked = [*dict.fromkeys((need.name, need.wanted) for each in needs for need in each)]
        answers = dict(zip(asked, _in_turn(pool, self._answer, asked), strict=True))
        chosen: list[dict[str, Package]] = []
        for package, each in zip(packages, needs, strict=True):
            given: dict[str, Package] = {}
            for need in each:
                answer = answers[need.name, need.wanted]
                if isinstance(answer, Package):
                    if not need.is_optional or self._fits(answer):
                        given[need.alias] = answer
                elif not need.is_optional:
                    raise PackageProblem(f"{answer} (needed by {package})")
            chosen.append(given)
        return chosen

    def _document(self, package: Package) -> dict[str, Any]:
        versions = self._manifests.versions_of(package.name)["versions"]
        if package.version not in versions:
            raise PackageProblem(f"the registry has no {package} any more")
        document: dict[str, Any] = versions[package.version]
        return document

    def _answer(self, asked: tuple[str, str]) -> Package | PackageProblem:
        name, wanted = asked
        try:
            return Package(name, self._manifests.choose(name, wanted))
        except PackageProblem as problem:
            return problem

    def _fits(self, package: Package) -> bool:
        """Whether an optional package is made for this machine."""
        try:
            return fits_machine(self._document(package))
        except PackageProblem:
            return False

    def _fetch(self, package: Package, needs: dict[str, Package]) -> None:
        document = self._document(package)
        dist = document.get("dist")
        archive = self._registry.archive(dist if isinstance(dist, dict) else {}, str(package))
        self._store.put(package, archive, needs, programs_of(document, package.name).values())


def programs_of(manifest: Mapping[str, object], name: str) -> dict[str, str]:
    """Return the programs that package `name` says it has, by command: paths within the package."""
    said = manifest.get("bin")
    if isinstance(said, str):
        return {name.rpartition("/")[2]: said}
    if not isinstance(said, dict):
        return {}
    return {command: path for command, path in said.items() if isinstance(path, str)}


def needs_of(document: dict[str, Any], package: Package) -> list[Need]:
    """Return what a version's document says that it needs. Raises PackageProblem for what no registry has."""

    def table(key: str) -> dict[str, Any]:
        value = document.get(key)
        return value if isinstance(value, dict) else {}

    bundled = document.get("bundleDependencies") or document.get("bundledDependencies") or ()
    within = set(table("dependencies")) if bundled is True else set(bundled)
    optional = table("optionalDependencies")
    needs: dict[str, Need] = {}
    for alias, meta in table("peerDependencies").items():
        said = table("peerDependenciesMeta").get(alias)
        if not (isinstance(said, dict) and said.get("optional")):
            needs[alias] = _need(alias, meta, package, is_optional=False)
    for alias, wanted in table("dependencies").items():
        if alias not in optional:
            needs[alias] = _need(alias, wanted, package, is_optional=False)
    for alias, wanted in optional.items():
        try:
            needs[alias] = _need(alias, wanted, package, is_optional=True)
        except PackageProblem:
            continue
    return [need for alias, need in needs.items() if alias not in within and alias != package.name]


def read_need(alias: str, wanted: str) -> tuple[str, str] | None:
    """Return (name, range) of a dependency `"alias": "wanted"`; None where it is no package of a registry."""
    if wanted.startswith("npm:"):
        name, at, version = wanted[4:].rpartition("@")
        return (name, version) if at and name else (wanted[4:], "")
    if ":" in wanted or wanted.startswith((".", "/", "~/")) or ("/" in wanted and not wanted.startswith("@")):
        return None
    return alias, wanted


def _need(alias: str, wanted: object, package: Package, *, is_optional: bool) -> Need:
    read = read_need(alias, wanted) if isinstance(wanted, str) else None
    if read is None or not (is_name(alias) and is_name(read[0])):
        raise PackageProblem(f'{package} needs "{alias}" from {wanted}, which is no package of a registry')
    return Need(alias, *read, is_optional)


def fits_machine(document: dict[str, Any]) -> bool:
    """Whether `os`, `cpu` and `libc` of a version allow this machine."""
    import platform

    libc = "glibc" if platform.libc_ver()[0] else "musl"
    here = {
        "os": sys.platform,
        "cpu": _CPU.get(platform.machine(), platform.machine()),
        "libc": libc,
    }
    return all(_allows(document.get(key), value) for key, value in here.items())


def _allows(said: object, value: str) -> bool:
    words = [said] if isinstance(said, str) else said if isinstance(said, list) else []
    refused = [word[1:] for word in words if word.startswith("!")]
    wanted = [word for word in words if not word.startswith("!")]
    return value not in refused and (not wanted or value in wanted or "any" in wanted)


def _in_turn(pool: Executor, do: Callable[[T], R], items: Iterable[T]) -> list[R]:
    """Return what `do` gives for each of `items`, done side by side; the first problem is raised when all are done."""
    futures = [pool.submit(do, item) for item in items]
    problems = [problem for future in futures if (problem := future.exception()) is not None]
    if problems:
        raise problems[0]
    return [future.result() for future in futures]
