"""A program that began without Python, and needs it now: this process's interpreter was started inside it.

`native/src/program` runs such a program, and goes on doing so: its loop turns there. Here is what it asks of Python from now
on; engine, loop and modules are those that are there.
"""

from __future__ import annotations

from ... import _native
from ...vocabulary.errors import Failed
from ..modules.files import ModuleFiles
from ..modules.imports import Begun
from ..modules.loader import ModuleLoader
from ..start import bundle
from .worker import EngineWorker

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from .options import ProgramOptions


class AdoptedProgram(EngineWorker):
    """Python's half of a program that runs already; native code calls its methods."""

    def __init__(
        self, options: ProgramOptions, begun: _native.BegunProgram, tell_failure: Callable[[Failed], int]
    ) -> None:
        """`tell_failure` prints a failure and returns the exit status that it means."""
        self._begun = begun
        self._tell_failure = tell_failure
        super().__init__(options)
        self.required.update(begun.required)

    def _make_loop(self) -> tuple[_native.ProgramOutput, _native.Loop]:
        self.sources = self._begun.texts
        return self._begun.output, self._begun.loop

    def _make_files(self) -> ModuleFiles:
        return ModuleFiles(self.options, self._tell_problem, self.compiling.fits_commonjs, records=self._begun.records)

    def _make_engine(self, ready: object) -> _native.Engine:
        bundle.snapshot.be(self._begun.snapshot)
        self._begun.engine.set_host(self._operation)
        return self._begun.engine

    def _make_keepers(self) -> _native.CodeKeepers:
        return self._begun.keepers

    def _make_modules(self) -> ModuleLoader:
        modules = ModuleLoader(self, self.files, self._begun.table)
        modules.builtins.know(self._begun.builtins)
        return modules

    def _find_entry(self) -> _native.JsObject:
        return self._begun.entry

    def _begin(self) -> None:
        return  # JavaScript's half began before this one

    def run_adopted_main(self) -> None:
        """Run the main module, which is not plain after all."""
        self.attempt(self._run_main)

    def module_of_loaded(self, name: str, loaded: _native.JsArray) -> _native.JsModule:
        """Return the module of CommonJS that has run; `loaded` is what the entry `loadForImport` has returned."""
        return self.modules.of_loaded(name, loaded)

    def broken_module(self, name: str, error: BaseException, known: list[str]) -> _native.JsModule:
        """Return the module of CommonJS that has failed with `error`."""
        if not isinstance(error, _native.JsError):
            raise error
        return self.modules.broken(name, error.value, known)

    def load_import(self, specifier: str, importer: str, answer: _native.JsObject) -> None:
        """Load a module for an `import()` that began before; `answer` has the functions that settle its promise."""
        self.imports.load(specifier, importer, {}, Begun(answer))

    def has_unsettled(self) -> bool:
        """Whether a module that ran here waits for what will never come."""
        return bool(self._left_waiting())

    def tell_unsettled(self, module: _native.JsModule | None) -> None:
        """Warn of the top-level awaits of `module`, and of what ran here, that nothing will settle."""
        from .endings import tell_unsettled

        tell_unsettled(self, [*([] if module is None else [module]), *self._left_waiting()])

    def end_adopted(self, status: int | None, error: BaseException | None) -> int:
        """End the program, which has come to its end with `status` or with `error`; return its exit status."""

        def outcome() -> int:
            if error is not None:
                raise error
            assert status is not None
            return status

        try:
            return self._ended(outcome, may_run=True)
        except Failed as failed:
            return self._tell_failure(failed)
