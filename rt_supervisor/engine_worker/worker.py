"""One JavaScript engine running one program in this process: start, main module, event loop, end.

    STARTING --entry ready--> LOADING --main module evaluated or failed--> LOOPING --nothing pending--> EXITING

Host operations live in `ops/`, JavaScript's half of the runtime in `js/`; this connects them. What a program throws is
handed to `js/runtime.js`, which decides; `SystemExit` carries the exit status out of JavaScript. What few programs need
is imported when they do: evaluated code (`evaluated_code`), signal listeners (`signal_delivery`), bad ends (`endings`).
"""

from __future__ import annotations

from .. import _native
from . import bundle, library
from .imports import ImportHooks
from .loop import Loop
from .module_files import ModuleFiles
from .modules import ModuleLoader
from .ops import core as _core  # noqa: F401 - every program asks for it; imported while V8 starts
from .options import start_values
from .output import OutputClosed, OutputFailed, ProgramOutput
from .problems import FOR_JAVASCRIPT, Thrown, awaits, js_error, source_error
from .sources import Sources

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from .child_guard import Guard
    from .macros import MacroRunner
    from .options import ProgramOptions
    from .ready_engine import ReadyEngine
    from .signal_delivery import SignalDelivery

SIGPIPE_STATUS = 141
DEADLOCK_STATUS = 13

ready: ReadyEngine | None = None
"""What `run_program` uses in place of an engine of its own: in a process that was forked with one (`zygote`)."""


class EngineWorker:
    """Runs one program; `run` returns its exit status."""

    def __init__(self, options: ProgramOptions, *, ready: ReadyEngine | None = None) -> None:
        """Raises Failed when the engine cannot be started, WholeProcessNeeded when `ready` is not for such a program."""
        self.options = options
        self.output = ProgramOutput()
        self.sources = Sources()
        self.loop = Loop(self.output.flush)
        self.changed_environment: dict[str, str | None] = {}
        self._areas: dict[str, dict[str, Any]] = {}
        self._signals: SignalDelivery | None = None
        self.wrappers: dict[str, _native.JsFunction] = {}  # CommonJS that was compiled to see whether it is
        self._is_woken_by_tasks = False
        self._unsettled: list[tuple[_native.JsModule, _native.JsPromise]] = []
        self.files = ModuleFiles(options, self._tell, self._compiles)
        if options.code is None and not options.preloads:  # those might still write the file
            self.files.read_ahead(options.entry)
        values = start_values(options)
        self.engine = self._make_engine(ready)
        runtime = self.engine.global_object.get("__rt")
        assert isinstance(runtime, _native.JsObject)
        entry = runtime.get("entry")
        assert isinstance(entry, _native.JsObject)
        self.entry = entry
        self.engine.set_on_exception(self.as_js_error)
        self.imports = ImportHooks(self)
        self.entry.invoke("start", values)
        self.main = ""  # the path of evaluated code
        self.modules = ModuleLoader(self, self.files)
        self._macros: MacroRunner | None = None
        self._child_guard: Guard | None = None

    @property
    def child_guard(self) -> Guard:
        if self._child_guard is None:
            from .child_guard import Guard

            self._child_guard = Guard()
        return self._child_guard

    def _make_engine(self, ready: ReadyEngine | None) -> _native.Engine:
        if ready is not None:
            return ready.used_by(self._operation, is_small=self.options.smol)
        return bundle.make_engine(self._operation, is_small=self.options.smol)

    @property
    def macros(self) -> MacroRunner:
        if self._macros is None:
            from .macros import MacroRunner

            self._macros = MacroRunner(self, self.files)
        return self._macros

    # --- the life of a program

    def run(self) -> int:
        """Run the program to its end and return its exit status. Raises Failed for an end that is not its own."""
        try:
            try:
                status = self._run()
            except SystemExit as ended:
                status = int(ended.code or 0)
            self.output.flush()
        except OutputClosed:
            return SIGPIPE_STATUS
        except _native.JsHeapLimit as problem:
            from .endings import out_of_memory

            raise out_of_memory(library.heap_limit_bytes()) from problem
        except OutputFailed as failed:
            from .endings import output_failure

            raise output_failure(failed) from failed.error
        finally:
            if self._child_guard is not None:
                self._child_guard.end()
            if "process" in self._areas:
                from .ops.process import restore_terminal

                restore_terminal()
        return status

    def _run(self) -> int:
        for preload in self.options.preloads:
            self._attempt(self._preload, preload)
        self._attempt(self._run_main)
        self.spin()
        while True:
            self.entry.invoke("beforeExit")
            if not self._is_alive(self._pending()[0]) and self.engine.task_delay_ms != 0:
                break
            self.spin()
        status = self.entry.invoke("exit", DEADLOCK_STATUS if self._tell_unsettled() else None)
        return int(status) if isinstance(status, (int, float)) else 0

    def _attempt(self, action: Callable[..., None], *arguments: str) -> None:
        """Do `action`; what it raises is an uncaught error of the program."""
        try:
            action(*arguments)
        except _native.JsError as error:
            self.entry.invoke("uncaught", error.value)
        except FOR_JAVASCRIPT as problem:
            self.entry.invoke("uncaught", self.as_js_error(problem))
        self.entry.invoke("drain")

    def _preload(self, specifier: str) -> None:
        from .evaluated_code import preload

        preload(self, specifier)

    def _run_main(self) -> None:
        if self.options.code is not None:
            from .evaluated_code import run_code

            run_code(self, self.options.code)
            return
        path = self.options.entry
        record = self.files.record(path, as_script=True)
        if record.transformed is not None and record.transformed.kind == "commonjs" and not record.transformed.problems:
            self.entry.invoke("runMain", path)
            return
        self.evaluate(self.modules.instantiated(path))

    def _tell_unsettled(self) -> bool:
        """Say which top-level await nothing will ever settle; whether there is one."""
        modules = [module for module, promise in self._unsettled if promise.state == "pending"]
        if modules:
            from .endings import tell_unsettled

            tell_unsettled(self, modules)
        return bool(modules)

    # --- turning the loop

    def spin(self, until: Callable[[], bool] | None = None) -> None:
        """Turn the loop until nothing is pending, or `until` is true."""
        while until is None or not until():
            self._deliver_signals()
            self.entry.invoke("timers")
            alive, delay = self._pending()
            alive = self._is_alive(alive)
            if delay and alive and not self._is_woken_by_tasks:  # first, so that none is missed
                self._is_woken_by_tasks = True
                self.engine.wake_by(self.loop.waker())
            task_delay = self.engine.task_delay_ms
            if task_delay == 0:
                self.loop.complete(self._run_tasks)  # what waits is run, even if nothing else is left
            elif task_delay > 0:  # what is due later keeps nothing alive
                delay = min(delay, task_delay) if delay >= 0 else task_delay
            if not self.loop.turn(alive, delay):
                return
            self._deliver_signals()
            self.entry.invoke("immediates")

    def _is_alive(self, alive: bool) -> bool:
        """Whether anything keeps the program alive besides JavaScript's own timers (`alive`)."""
        return alive or self.loop.references > 0 or self.engine.has_background_work

    def _run_tasks(self) -> None:
        """Run what V8 has to do: callbacks of FinalizationRegistry, of Atomics.waitAsync, garbage collection."""
        while self.engine.pump():
            for error in self.engine.take_uncaught():
                self.entry.invoke("uncaught", error.value)
            self.entry.invoke("drain")

    def settle(self, promise: _native.JsPromise) -> None:
        """Turn the loop until `promise` is settled, or nothing is pending that could settle it."""
        if promise.state == "pending":
            self.entry.invoke("drain")
            self.spin(lambda: promise.state != "pending")

    def _pending(self) -> tuple[bool, float]:
        pending = self.entry.invoke("pending")
        assert isinstance(pending, _native.JsArray)
        alive, delay = pending.to_list()
        return bool(alive), float(delay)

    def _deliver_signals(self) -> None:
        if self._signals is not None:
            self._signals.deliver()

    def watch_signal(self, number: int, wanted: bool) -> None:
        """Have signal `number` emitted on `process` instead of doing what it does by default, or no longer."""
        if self._signals is None:
            from .signal_delivery import SignalDelivery

            self._signals = SignalDelivery(self)
        self._signals.watch(number, wanted)

    # --- evaluating modules

    def evaluate(self, module: _native.JsModule) -> None:
        """Evaluate `module` and turn the loop until it is done; what it throws is uncaught."""
        promise = module.evaluate()
        self.entry.invoke("drain")
        self.spin(lambda: promise.state != "pending")
        if promise.state == "rejected":
            self.entry.invoke("uncaught", promise.result, "unhandledRejection")
        elif promise.state == "pending":
            self._unsettled.append((module, promise))

    def evaluate_now(self, module: _native.JsModule) -> _native.JsObject:
        """Evaluate `module` for require() and return its namespace. Raises Thrown, RequireFailed."""
        if module.status == "evaluating":  # it requires itself, at some distance: what it has so far
            return module.namespace
        if module.status == "linked" and module.is_graph_async:
            raise awaits(module)
        promise = module.evaluate()
        if promise.state == "rejected":
            raise Thrown(promise.result)
        if promise.state == "pending":
            raise awaits(module)
        return module.namespace

    def compiled(self, compile_script: Callable[[], Any]) -> Any:
        """Return what `compile_script` makes. Raises Thrown: a syntax error that only the engine finds, with its place."""
        try:
            return compile_script()
        except _native.JsError as error:
            raise self.placed(error, is_syntax=True) from error

    def placed(self, error: _native.JsError, *, is_syntax: bool) -> Exception:
        """Return what to raise for an error of the engine that has no frames, with the place it is about."""
        if error.file is None or error.line is None:
            return error
        line, column, file = self.sources.map_position(error.file, error.line, error.column or 1)
        source = self.sources.lines(file or error.file, line, line) or [error.source_line or ""]
        place: Any = {"file": file or error.file, "line": line, "column": column, "source": source[0]}
        return Thrown(self.entry.invoke("placedError", error.value, place, is_syntax))

    # --- what JavaScript asks

    def _operation(self, name: str) -> Any:
        area, _, operation = name.partition("_")
        if area not in self._areas:
            module = __import__(f"{__package__}.ops.{area}", fromlist=("operations",))  # importlib is 1 ms of imports
            self._areas[area] = module.operations(self)
        return self._areas[area][operation]

    def as_js_error(self, problem: Exception) -> Any:
        """Return what JavaScript gets for what Python raised."""
        return js_error(self.entry, problem)

    def _compiles(self, transformed: _native.Transformed) -> bool:
        """Compile what was taken for CommonJS unparsed; False if it is something else."""
        from .ops.modules import PARAMETERS

        try:
            self.wrappers[transformed.path] = self.engine.compile_function(
                transformed.code, PARAMETERS, transformed.path
            )
        except _native.JsError:
            return False
        return True

    def _tell(self, problem: _native.SyntaxProblem) -> None:
        """Say on stderr what is wrong with a file that does not stop the program (a tsconfig)."""
        self.entry.invoke("tell", dict(source_error(problem).detail))


def run_program(options: ProgramOptions) -> int:
    """Run one program in this process and return its exit status. Raises Failed when there is no engine."""
    return EngineWorker(options, ready=ready).run()
