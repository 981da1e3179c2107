"""Macros: imports `with { type: "macro" }`, whose calls run while a file is transpiled and are replaced by their values.

Macro modules are separate instances from the program's. Nested calls are evaluated inside out, with one pass of the
transpiler
for each level; a call that cannot be evaluated is an error of the file that contains it.
"""

from __future__ import annotations

from ... import _native
from ..program.problems import ModuleNotFound, SourceError, Thrown
from .provider import ModuleProvider

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from ..program.provider import ProgramProvider
    from .files import ModuleFiles

    Again = Callable[[dict[int, str]], _native.Transformed]


class MacroRunner:
    """Evaluates the macro calls of files."""

    def __init__(self, provider: ProgramProvider, files: ModuleFiles) -> None:
        self._provider = provider
        self._files = files
        self.modules = ModuleProvider(provider, 1)
        self._expanded: dict[tuple[str, str | None], _native.Transformed] = {}

    def expanded(self, record: _native.GraphModule) -> _native.Transformed:
        """Return the script of a record with its macro calls replaced. Raises SourceError, Thrown."""
        assert record.transformed is not None
        key = (record.path, record.forced_loader)
        if key not in self._expanded:
            self._expanded[key] = self.replaced(
                record.transformed, lambda results: self._files.transform_again(record, results)
            )
        return self._expanded[key]

    def replaced(self, transformed: _native.Transformed, again: Again) -> _native.Transformed:
        """Return `transformed` with its macro calls replaced; `again(results)` transpiles it again."""
        results: dict[int, str] = {}
        while len(results) < len(transformed.macro_calls):
            known = len(results)
            for index, call in enumerate(transformed.macro_calls):
                if call.is_dead:
                    results.setdefault(index, "undefined")
                elif index not in results and not call.obstacle:
                    results[index] = self._evaluate(call, transformed)
            if len(results) == known:
                call = next(call for index, call in enumerate(transformed.macro_calls) if index not in results)
                words = call.obstacle if call.obstacle.startswith("template") else f'"{call.obstacle}" error in macro'
                raise _problem(words, call, transformed)
            transformed = again(results)
        return transformed

    def _evaluate(self, call: _native.MacroCall, caller: _native.Transformed) -> str:
        """Return the value of a macro call as JavaScript."""
        if self._provider.options.no_macros:
            raise _problem("Macros are disabled", call, caller)
        if "/node_modules/" in caller.path:
            raise _problem("For security reasons, macros cannot be run from node_modules.", call, caller)
        function = self._function(call, caller)
        try:
            value = self._provider.entry.invoke("callMacro", function, self._arguments(call))
            if isinstance(value, _native.JsPromise):
                value = self._settle(value, call, caller)
            text = self._provider.entry.invoke("macroText", value)
        except _native.JsError as error:
            raise Thrown(error.value) from error
        if not isinstance(text, str):
            assert isinstance(text, _native.JsArray)
            raise _problem(f"cannot coerce {text[0]} to source code. Please return a simpler type", call, caller)
        return text

    def _function(self, call: _native.MacroCall, caller: _native.Transformed) -> Any:
        try:
            module = self.modules.native.ready_target(call.specifier, caller.path, {})
        except ModuleNotFound as error:
            raise _problem(f'Macro "{call.specifier}" not found', call, caller) from error
        if module.status == "evaluating":
            raise _problem(f'Macro "{call.specifier}" is called while it is loaded', call, caller)
        self._settle(module.evaluate(), call, caller)
        if not module.namespace.has(call.imported):
            raise _problem(f"Macro '{call.imported}' not found in '{module.name}'", call, caller)
        function = module.namespace.get(call.imported)
        if not isinstance(function, _native.JsFunction):
            raise _problem("Macro must be a function", call, caller)
        return function

    def _arguments(self, call: _native.MacroCall) -> Any:
        code = f"(() => {{ {call.constants} return [{call.arguments}]; }})()"
        transformed = _native.transform(code, "macro.ts", self._files.transform_options, package_type="commonjs")
        return self._provider.engine.run(transformed.code, "rt:macro")

    def _settle(self, promise: _native.JsPromise, call: _native.MacroCall, caller: _native.Transformed) -> Any:
        promise.mark_as_handled()
        self._provider.program.settle(promise)
        if promise.state == "rejected":
            raise Thrown(promise.result)
        if promise.state == "pending":
            raise _problem("This macro returns a promise that is never settled", call, caller)
        return promise.result


def _problem(message: str, call: _native.MacroCall, caller: _native.Transformed) -> SourceError:
    lines = caller.source.split("\n")
    source = lines[call.line - 1].rstrip("\r") if 0 < call.line <= len(lines) else ""
    return SourceError(
        {"message": message, "file": caller.path, "line": call.line, "column": call.column, "source": source}
    )
