"""Auto-install: downloads packages that a program imports but that are not installed.

The mode decides which imports qualify: in `auto`, those from a folder that has no `node_modules`, in itself or above; in
`fallback`, those of packages that no `node_modules` has; in `force`, all, before `node_modules` is searched; in `disable`, none.
Packages of the store have their own needs and get no others. The reason why a package cannot be installed becomes a note.
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
    Place: TypeAlias = tuple[str, str]  # a specifier, and the folder (with a slash) to resolve it from


class AutoInstall:
    """Decides what one program, in `folder` and with `environment`, may install, and installs it."""

    def __init__(self, mode: Mode, freshness: Freshness, folder: str, environment: Mapping[str, str]) -> None:
        self._mode = mode
        self._freshness = freshness
        self._folder = folder
        self._environment = environment
        self._parts: tuple[Installer, Store] | None = None
        self._places: dict[tuple[str, str], Place | PackageProblem] = {}
        self._notes: dict[str, str] = {}

    def place(self, specifier: str, importer: str) -> Place | None:
        """Install the package of `specifier` for the file `importer`; None if that is not allowed, or fails."""
        folder = os.path.dirname(importer)
        # Programs probe for optional packages, so the most common case is handled before any import.
        if self._mode == "disable" or (self._mode == "auto" and has_node_modules(folder)):
            return None
        from .specifiers import read_specifier

        wanted = read_specifier(specifier)
        if wanted is None or (self._mode == "fallback" and has_package(wanted.name, folder)):
            return None  # the package is installed, only the imported file is missing
        parts = self._ready()
        if parts is None:
            return None
        installer, store = parts
        if store.holds(os.path.realpath(folder) + "/"):
            return None
        key = (specifier, folder)
        if key not in self._places:
            self._places[key] = _install(wanted, folder, installer, store)
        found = self._places[key]
        if isinstance(found, PackageProblem):
            self._notes[specifier] = str(found)
            return None
        return found

    def note(self, specifier: str) -> str:
        """Return why the package of `specifier` could not be installed; "" if rt did not try."""
        return self._notes.get(specifier, "")

    def _ready(self) -> tuple[Installer, Store] | None:
        if self._parts is None:
            self._parts = make_parts(self._folder, self._environment, self._freshness)
        return self._parts


def _install(wanted: Wanted, folder: str, installer: Installer, store: Store) -> Place | PackageProblem:
    from .project import read_request

    try:
        package = installer.install(read_request(wanted, folder))
    except PackageProblem as problem:
        return problem
    return package.name + wanted.inside, store.place(package) + "/"


def make_parts(folder: str, environment: Mapping[str, str], freshness: Freshness) -> tuple[Installer, Store] | None:
    """Return the installer for a program in `folder`, and its store; None if no cache folder is safe.

    Everything that is cached depends on the registries that `.npmrc` names, so each set of registries has a folder.
    """
    from ..start.cache_folder import cache_folder

    cache = cache_folder("packages")
    if cache is None:
        return None
    from .installing import Installer
    from .manifests import Manifests
    from .npmrc import read_settings
    from .registry import Registry
    from .store import Store

    settings = read_settings(folder, environment)
    cache = os.path.join(cache, settings.registries_key)
    registry = Registry(settings, f"rt/{__version__}")
    manifests = Manifests(cache, registry, freshness, is_offline=settings.is_offline)
    store = Store(cache)
    return Installer(manifests, registry, store), store
