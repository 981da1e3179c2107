"""Packages that a program imports and nobody has installed: had from the registry, when the program asks for them.

Which imports may be answered so is a matter of the mode: `auto` where neither the importing file's folder nor one above it
has a `node_modules`, `fallback` everywhere, `force` even before `node_modules` is looked at, `disable` nowhere. Packages in
the store were given what they need, and get nothing else. A package that cannot be had is told once, in a note.
"""

from __future__ import annotations

import os

from .. import __version__
from .installed import has_node_modules, has_package
from .problems import PackageProblem

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Literal, TypeAlias

    from .installing import Installer
    from .manifests import Freshness
    from .specifiers import Wanted
    from .store import Store

    Mode: TypeAlias = Literal["auto", "fallback", "force", "disable"]
    Place: TypeAlias = tuple[str, str]  # a specifier, and the folder (with a slash) from which it leads to the package


class AutoInstall:
    """What one program may have installed while it runs, in `folder` and with `environment`."""

    def __init__(self, mode: Mode, freshness: Freshness, folder: str, environment: Mapping[str, str]) -> None:
        self._mode = mode
        self._freshness = freshness
        self._folder = folder
        self._environment = environment
        self._parts: tuple[Installer, Store] | None = None
        self._places: dict[tuple[str, str], Place | PackageProblem] = {}
        self._notes: dict[str, str] = {}

    def place(self, specifier: str, importer: str) -> Place | None:
        """Return where `specifier` in the file `importer` leads to, installing it; None where it may not be, or cannot."""
        folder = os.path.dirname(importer)
        # The usual answer, with nothing imported for it: programs try packages that they can do without.
        if self._mode == "disable" or (self._mode == "auto" and has_node_modules(folder)):
            return None
        from .specifiers import read_specifier

        wanted = read_specifier(specifier)
        if wanted is None or (self._mode == "fallback" and has_package(wanted.name, folder)):
            return None  # a package that is there only lacks what is asked of it
        parts = self._ready()
        if parts is None:
            return None
        installer, store = parts
        if store.holds(os.path.realpath(folder) + "/"):
            return None
        key = (specifier, folder)
        if key not in self._places:
            self._places[key] = self._placed(wanted, folder, installer, store)
        found = self._places[key]
        if isinstance(found, PackageProblem):
            self._notes[specifier] = str(found)
            return None
        return found

    def note(self, specifier: str) -> str:
        """Return why `specifier` could not be had; "" where nobody tried."""
        return self._notes.get(specifier, "")

    def _placed(self, wanted: Wanted, folder: str, installer: Installer, store: Store) -> Place | PackageProblem:
        from .project import meant

        try:
            package = installer.install(*meant(wanted, folder))
        except PackageProblem as problem:
            return problem
        return package.name + wanted.inside, store.place(package) + "/"

    def _ready(self) -> tuple[Installer, Store] | None:
        if self._parts is None:
            self._parts = make_parts(self._folder, self._environment, self._freshness)
        return self._parts


def make_parts(folder: str, environment: Mapping[str, str], freshness: Freshness) -> tuple[Installer, Store] | None:
    """Return what installs packages for whoever runs in `folder`; None where no cache folder is safe."""
    from ..start.cache_folder import cache_folder

    kept = cache_folder("packages")
    if kept is None:
        return None
    from .installing import Installer
    from .manifests import Manifests
    from .npmrc import read_settings
    from .registry import Registry
    from .store import Store

    settings = read_settings(folder, environment)
    registry = Registry(settings, f"rt/{__version__}")
    manifests = Manifests(kept, registry, freshness, is_offline=settings.is_offline)
    store = Store(kept)
    return Installer(manifests, registry, store), store
