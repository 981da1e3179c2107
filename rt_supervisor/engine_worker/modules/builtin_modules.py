"""Built-in modules as ES modules, and their exports, which a program may change in the objects that `require` gives."""

from __future__ import annotations

from ... import _native

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from ..program.worker import EngineWorker


class BuiltinModules:
    """Those of one program that were imported, by name without `node:`."""

    def __init__(self, worker: EngineWorker, table: _native.ModuleTable) -> None:
        self._worker = worker
        self._table = table
        self._names: dict[str, _native.JsArray] = {}  # of their exports

    def module(self, name: str) -> _native.JsModule:
        known = self._table.get(f"node:{name}")
        if known is not None:
            return known
        names, view = self._worker.entry.invoke("builtin", name).to_list()
        self._names[name] = names
        made = self._worker.engine.synthetic_module(f"node:{name}", names.to_list(), source=view)
        return self._table.put(f"node:{name}", None, made)

    def know(self, imported: Iterable[tuple[str, _native.JsArray]]) -> None:
        """The program has `imported` these before Python was there: name, and the names of its exports."""
        self._names.update(imported)

    def synchronize(self) -> None:
        """Set the exports of the built-in modules that were imported to what these modules have now."""
        for name, names in self._names.items():
            module = self._table.get(f"node:{name}")
            if module is None or module.status != "evaluated":
                continue  # it reads them when it is evaluated
            values = self._worker.entry.invoke("builtinValues", name, names).to_list()
            for key, value in zip(names.to_list(), values, strict=True):
                module.set_export(key, value)
