"""`--hot`: after a change, modules are evaluated again in the same process, with `globalThis` kept.

A change makes stale the changed modules and their importers, up to a module that accepts the change
(`import.meta.hot.accept`). If it reaches the main module, all modules are stale, as in Bun: the main module and everything it
imports are evaluated again. The stale modules are read, transpiled and linked before the old ones are dropped: if that fails,
the error is printed and the old modules stay.
"""

from __future__ import annotations

from ... import _native
from ...vocabulary.errors import unreachable
from ...vocabulary.identity import identity_of
from ..program.problems import FOR_JAVASCRIPT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any, Literal, TypeAlias

    from ...vocabulary.identity import Identity
    from ...watching.watcher import Watcher
    from ..loop_watcher import LoopWatcher
    from ..program.provider import ProgramProvider

    State: TypeAlias = Literal["gathering", "watching"]


class HotReload:
    """Watches the files of one program and reloads them; keeps the program alive.

    gathering --the first turn of the loop--> watching
    """

    def __init__(self, provider: ProgramProvider) -> None:
        self._provider = provider
        self._state: State = "gathering"
        self._loaded: dict[str, Identity] = {}  # while gathering
        self._watcher: Watcher  # while watching; `_on_loop` likewise
        self._on_loop: LoopWatcher

    def report(self, paths: Iterable[str]) -> None:
        """Watch files that the program has loaded, or would load if they existed."""
        files = {path: identity_of(path) for path in paths}
        match self._state:
            case "gathering":
                self._loaded.update(files)
            case "watching":
                self._watcher.follow_files(files)
            case other:
                unreachable(other)

    def begin(self) -> None:
        """Keep the program alive, and start watching in the first turn of its loop."""
        self._provider.loop.references += 1
        self._provider.loop.waker()
        self._provider.loop.complete(self._watch)

    def _watch(self) -> None:
        from ...watching.rules import IgnoreRules
        from ...watching.watcher import Watcher
        from ..loop_watcher import LoopWatcher

        rules = IgnoreRules(self._provider.options.folder)
        self._watcher = Watcher(rules, warn=lambda text: self._provider.entry.invoke("warn", text))
        self._watcher.follow_files(self._loaded)
        self._loaded = {}
        self._state = "watching"
        self._on_loop = LoopWatcher(self._provider.loop, self._watcher, self.reload)
        self._on_loop.look()

    # --- reloading

    def reload(self, changed: list[str]) -> None:
        """Reevaluate the modules that `changed` has made stale."""
        provider = self._provider
        self._print_reload(changed)
        if provider.is_debugged:
            provider.debugging.report_reload()
        stale, roots = self._stale(changed)
        # A tsconfig.json or package.json decides how other files are read.
        for path in stale if any(path.endswith(".json") for path in changed) else changed:
            provider.program.read_again(path)
        provider.files.resolver.invalidate()
        provider.entry.invoke("hotEvent", "beforeUpdate", changed)
        removed = provider.modules.native.take_out(stale)
        hooked = provider.modules.take_out_hooked(stale)
        commonjs = provider.entry.invoke("hotTakeOut", sorted(stale))
        try:
            modules = [self._load(root) for root in roots]
        except _native.JsError as error:
            self._keep_old(removed, hooked, commonjs, error.value)
            return
        except FOR_JAVASCRIPT as problem:
            self._keep_old(removed, hooked, commonjs, provider.as_js_error(problem))
            return
        provider.entry.invoke("hotDispose", sorted(stale))
        for root, module in zip(roots, modules, strict=True):
            if module is None:
                provider.attempt(lambda root=root: provider.entry.invoke("runMain", root))
            else:
                provider.attempt(lambda module=module: provider.program.evaluate(module))
        updated: Any = [[root, module and module.namespace] for root, module in zip(roots, modules, strict=True)]
        provider.entry.invoke("hotAccept", updated)
        provider.entry.invoke("hotEvent", "afterUpdate", changed)
        provider.entry.invoke("drain")

    def _print_reload(self, changed: list[str]) -> None:
        from ...watching.descriptions import CLEAR, describe_files

        options = self._provider.options
        if options.hot_clears:
            self._provider.entry.invoke("hotWrite", 1, CLEAR.decode())
        if not options.hot_is_silent:
            self._provider.entry.invoke(
                "hotWrite", 2, f"rt: reloaded: {describe_files(changed, options.folder)} changed\n"
            )

    def _load(self, path: str) -> _native.JsModule | None:
        """Return the linked module of a file; None for CommonJS, which runs when it is loaded."""
        provider = self._provider
        script = provider.modules.native.script(path)
        if script is not None and script.kind == "commonjs" and not script.problems:
            return None
        return provider.modules.native.instantiate(path)

    def _keep_old(
        self, removed: _native.RemovedModules, hooked: dict[str, _native.JsModule], commonjs: Any, error: Any
    ) -> None:
        self._provider.modules.native.put_back(removed)
        self._provider.modules.put_back_hooked(hooked)
        self._provider.entry.invoke("hotPutBack", commonjs)
        self._provider.entry.invoke("hotFailed", error)
        self._provider.entry.invoke("drain")

    def _stale(self, changed: list[str]) -> tuple[set[str], list[str]]:
        """Return the paths of stale modules, and the files to be evaluated again: those that accept, otherwise the main one."""
        provider = self._provider
        main = provider.options.entry
        stale: set[str] = set()
        roots: dict[str, None] = {}
        waiting = list(changed)
        while waiting:
            name = waiting.pop()
            if name in stale:
                continue
            stale.add(name)
            if name != main and provider.entry.invoke("hotAccepts", name, name):
                roots[name] = None
                continue
            importers = {
                *provider.modules.native.importers_of(name),
                *provider.entry.invoke("hotRequirers", name).to_list(),
            }
            accepting = [each for each in importers if provider.entry.invoke("hotAccepts", each, name)]
            if accepting and len(accepting) == len(importers):
                roots[name] = None
                continue
            waiting += [str(each) for each in importers]
        if not roots or main in stale:
            stale.update((main, *self._reloadable()))
            roots = {main: None}
        return stale, list(roots)

    def _reloadable(self) -> list[str]:
        """Return the paths of all modules of files, except for native addons, which cannot be initialized twice."""
        provider = self._provider
        loaded = [*provider.modules.native.paths(), *provider.modules.hooked_paths()]
        loaded += [str(path) for path in provider.entry.invoke("hotRequired").to_list()]
        return [path for path in loaded if path.startswith("/") and not path.endswith(".node")]
