"""What a program's files hold, compiled: functions of CommonJS and ES modules, with the code that is kept of them."""

from __future__ import annotations

from ... import _native

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..program.worker import EngineWorker

PARAMETERS = ("exports", "require", "module", "__filename", "__dirname")


class Compiling:
    """Compiles for one program. Its methods raise JsError where they do not say what else."""

    def __init__(self, worker: EngineWorker) -> None:
        self._worker = worker
        self.keepers: _native.CodeKeepers
        """Set once there is an engine."""
        self._fitting: dict[str, _native.JsFunction] = {}  # CommonJS that was compiled to see whether it is

    def function(self, code: str, path: str, parameters: Sequence[str] = PARAMETERS) -> _native.JsFunction:
        """Return the function that runs CommonJS."""
        function = self.keepers.compile_function(code, parameters, path)
        return self._worker.engine.compile_function(code, parameters, path) if function is None else function

    def module(self, code: str, name: str) -> _native.JsModule:
        """Return an ES module."""
        module = self.keepers.compile_module(code, name)
        return self._worker.engine.compile_module(code, name) if module is None else module

    def fits_commonjs(self, transformed: _native.Transformed) -> bool:
        """Compile code as CommonJS, and keep what is made for who runs it; False if it is something else."""
        try:
            self._fitting[transformed.path] = self.function(transformed.code, transformed.path)
        except _native.JsError:
            return False
        return True

    def take_fitting(self, path: str) -> _native.JsFunction | None:
        """Return what `fits_commonjs` made of the file, once."""
        return self._fitting.pop(path, None)

    def keep(self) -> None:
        """Have what was compiled lie ready for other programs, which is a program's last act."""
        self.keepers.keep()
        _native.keep_library_code(self._worker.engine)
