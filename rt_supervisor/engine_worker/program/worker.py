"""One JavaScript engine running one program in this process: start, main module, event loop, end.

`EngineWorker.__init__` makes the engine; `_run` is a program's life from its first module to its exit status.
Host operations live in `ops/`, JavaScript's half of the runtime in `js/`; this connects them. What a program throws is
handed to `js/boot/runtime.js`, which decides; `SystemExit` carries the exit status out of JavaScript. What few programs need
is imported when they do: evaluated code (`evaluated_code`), bad ends (`endings`).
"""

from __future__ import annotations

from ... import _native
from ..modules.compiling import Compiling
from ..modules.files import ModuleFiles
from ..modules.imports import ImportHooks
from ..modules.loader import ModuleLoader
from ..ops import core as _core  # noqa: F401 - every program asks for it; imported while V8 starts
from ..start import bundle, library
from .options import limit_files, load_reporter, start_values
from .problems import FOR_JAVASCRIPT, Thrown, awaits, js_error, source_error

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, NoReturn

    from ..inspecting.debugging import Debugging
    from ..modules.hot import HotReload
    from ..modules.macros import MacroRunner
    from ..start.ready_engine import ReadyEngine
    from .options import ProgramOptions
    from .thread import WorkerThread

    Evaluate = Callable[[_native.JsModule], None]

DEADLOCK_STATUS = 13
THREAD_PATIENCE_S = 5.0  # for a worker that a call of the host holds up; then it ends with the process


class EngineWorker:
    """Runs one program; `run` returns its exit status."""

    LEAVES_ADDONS = True
    """A program that leaves through `process.exit` runs no cleanup hooks of native addons, as in Node."""

    def __init__(self, options: ProgramOptions, *, ready: ReadyEngine | None = None) -> None:
        """Raises Failed when the engine cannot be started, WholeProcessNeeded when `ready` is not for such a program."""
        self.options = options
        self.sources = _native.LoadedTexts()
        self.output, self.loop = self._make_loop()
        self.required: set[str] = set()  # the files of CommonJS that were read
        self._debugging: Debugging | None = None
        self._areas: dict[str, dict[str, Any]] = {}
        self._unsettled: list[tuple[_native.JsModule, _native.JsPromise]] = []
        self._hot: HotReload | None = None
        if options.hot:
            from ..modules.hot import HotReload

            self._hot = HotReload(self)
        limit_files(options)
        self.compiling = Compiling(self)
        self.files = self._make_files()
        self.engine = self._make_engine(ready)
        self.compiling.keepers = self._make_keepers()
        self.entry = self._find_entry()
        self.engine.set_on_exception(self.as_js_error)
        self.engine.set_on_abandoned(self._end_here)
        self.imports = ImportHooks(self)
        self._begin()
        self.main = ""  # the path of evaluated code
        self.modules = self._make_modules()
        if options.environment.get("NODE_COMPILE_CACHE"):
            from ..modules import compile_cache

            compile_cache.begin(self)
        self.threads: dict[int, WorkerThread] = {}
        self._macros: MacroRunner | None = None

    @property
    def debugging(self) -> Debugging:
        if self._debugging is None:
            from ..inspecting.debugging import Debugging

            self._debugging = Debugging(self)
        return self._debugging

    @property
    def is_debugged(self) -> bool:
        return self._debugging is not None

    def debug_soon(self) -> None:
        """Listen for a debugger, as soon as that can be; from any thread."""
        from ..inspecting.asking import listen_soon

        listen_soon(self)

    def reload(self, path: str) -> None:
        """Reload the module in `path` and what imports it, for `import.meta.hot.invalidate`."""
        if self._hot is not None:
            self.loop.complete(lambda: self._hot.reload([path]) if self._hot is not None else None)

    def _make_loop(self) -> tuple[_native.ProgramOutput, _native.Loop]:
        return (output := _native.ProgramOutput()), _native.Loop(output)

    def _make_files(self) -> ModuleFiles:
        options = self.options
        loaded = self._hot or load_reporter(options)
        files = ModuleFiles(options, self._tell_problem, self.compiling.fits_commonjs, loaded)
        if options.code is None and not options.preloads:  # those might still write the file
            files.read_ahead(options.entry)
        return files

    def _make_modules(self) -> ModuleLoader:
        return ModuleLoader(self, self.files)

    def _find_entry(self) -> _native.JsObject:
        return bundle.entry_of(self.engine)

    def _begin(self) -> None:
        self.loop.serve(self.engine, self.entry)
        self.entry.invoke("start", self._start_values())

    def _start_values(self) -> dict[str, Any]:
        return start_values(self.options)

    def _make_engine(self, ready: ReadyEngine | None) -> _native.Engine:
        make = bundle.make_engine if ready is None else ready.used_by
        return make(self._operation, is_small=self.options.smol)

    def _make_keepers(self) -> _native.CodeKeepers:
        main = None if self.options.hot else self.options.entry
        return _native.CodeKeepers(self.engine, main or None)

    @property
    def macros(self) -> MacroRunner:
        if self._macros is None:
            from ..modules.macros import MacroRunner

            self._macros = MacroRunner(self, self.files)
        return self._macros

    # --- the life of a program

    def run(self) -> int:
        """Run the program to its end and return its exit status. Raises Failed for an end that is not its own."""
        return self._ended(self._run, may_run=True)

    def _ended(self, run: Callable[[], int], *, may_run: bool) -> int:
        """Return the status with which `run` ends, after the last things to do. Raises Failed.

        `may_run`: JavaScript can be told of an end that it did not choose.
        """
        try:
            has_left = False
            try:
                status = self._thrown(run) if may_run else run()
            except SystemExit as ended:
                status = int(ended.code or 0)
                has_left = self.LEAVES_ADDONS
            self.output.flush()
            self.compiling.keep()
            if self._debugging is not None:
                self._debugging.end()
            self.loop.close(leaves_addons=has_left)
        except _native.OutputClosed:
            self.output.drop()
            return self._exit_status() if may_run else 0
        except _native.JsHeapLimit as problem:
            from .endings import out_of_memory

            raise out_of_memory(library.heap_limit_bytes()) from problem
        except _native.OutputFailed as failed:
            from .endings import output_failure

            raise output_failure(failed) from failed
        finally:
            self.end_threads()
            _native.end_children()
            if "process" in self._areas:
                from ..ops.process import restore_terminal

                restore_terminal()
        return status

    def _thrown(self, run: Callable[[], int]) -> int:
        """Return what `run` returns; where something throws behind JavaScript's back, that is the program's error, too."""
        try:
            return run()
        except _native.JsError as error:
            from .endings import ended_by

            return ended_by(self, error)

    def end_threads(self) -> None:
        """End the workers that still run, and wait for their threads."""
        threads = list(self.threads.values())
        for thread in threads:
            thread.terminate()
        for thread in threads:
            thread.join(THREAD_PATIENCE_S)

    def _run(self) -> int:
        if self.options.inspect:
            self.debugging.begin()
        if self.options.heeds_debug_signal:
            self.loop.waker()
            _native.when_asked_to_debug(self.debug_soon)
        for hooks in self.options.module_hooks:
            self.attempt(lambda name: self.entry.invoke("moduleHooks", "registerForCommand", name), hooks)
        if self.options.preloads:
            from .evaluated_code import preload_all

            preload_all(self)
        self.attempt(self._run_main)
        if self._hot is not None:
            self._hot.begin()
        self.spin()
        while True:
            if not self.entry.invoke("beforeExit"):
                break
            if not self._is_alive() and self.engine.task_delay_ms != 0:
                break
            self.spin()
        if not (unsettled := self._left_waiting()):
            return self._exit_status()
        status = self._exit_status(DEADLOCK_STATUS)
        if status == DEADLOCK_STATUS:  # a program that has chosen another one means to end so
            from .endings import tell_unsettled

            tell_unsettled(self, unsettled)
        return status

    def _left_waiting(self) -> list[_native.JsModule]:
        return [module for module, promise in self._unsettled if promise.state == "pending"]

    def _exit_status(self, unsettled: int | None = None) -> int:
        """Tell the program of its end and return its status."""
        try:
            status = self.entry.invoke("exit", unsettled)
        except SystemExit as ended:  # a listener's process.exit()
            return int(ended.code or 0)
        return int(status) if isinstance(status, (int, float)) else 0

    def _end_here(self, error: BaseException) -> NoReturn:
        """End the process from inside JavaScript, with what `error` means."""
        from .endings import end_process

        def run() -> int:
            raise error

        end_process(lambda: self._ended(run, may_run=False))

    def attempt(self, action: Callable[..., None], *arguments: str) -> None:
        """Do `action`; what it raises is an uncaught error of the program."""
        try:
            action(*arguments)
        except _native.JsError as error:
            self.entry.invoke("uncaught", error.value)
        except FOR_JAVASCRIPT as problem:
            self.entry.invoke("uncaught", self.as_js_error(problem))
        self.entry.invoke("drain")

    def _run_main(self) -> None:
        if self._debugging is not None:
            self._debugging.ready_to_run()
        if self.options.code is not None:
            from .evaluated_code import run_code

            run_code(self, self.options.code)
            return
        path = self.options.entry
        if self.options.preloads and self.entry.invoke("runsOwnMain", path):
            return
        self._run_path(path, self.evaluate, may_be_hooked=bool(self.options.preloads))

    def run_file(self, path: str, *, is_module: bool = False) -> None:
        """Run a file as the main module, on behalf of JavaScript: CommonJS at once, an ES module in a later turn of the loop."""
        self._run_path(path, lambda module: self.loop.complete(lambda: self.evaluate(module)), is_module=is_module)

    def _run_path(self, path: str, evaluate: Evaluate, *, is_module: bool = False, may_be_hooked: bool = True) -> None:
        found = self.files.record(path, as_script=True).transformed
        is_commonjs = found is not None and found.kind == "commonjs" and not found.problems
        if not is_module and (is_commonjs or (may_be_hooked and self.entry.invoke("isHookedMain", path))):
            self.entry.invoke("runMain", path)
        elif (module := self.modules.instantiated_main(path)) is not None:
            evaluate(module)

    # --- turning the loop

    def spin(self, until: _native.JsPromise | None = None) -> None:
        """Turn the loop until nothing is pending, or `until` is settled."""
        self.loop.run(self._run_tasks, until)

    def _is_alive(self) -> bool:
        """Whether anything keeps the program alive."""
        return self.entry.invoke("isAlive") is True or self.loop.references > 0 or self.engine.has_background_work

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
            self.spin(promise)

    # --- evaluating modules

    def evaluate(self, module: _native.JsModule) -> None:
        """Evaluate `module` and turn the loop until it is done; what it throws is uncaught."""
        if self._debugging is not None:
            self._debugging.before_first()
        promise = module.evaluate()
        if promise.state == "pending":
            self.entry.invoke("turning")
        self.entry.invoke("drain")
        self.spin(promise)
        if promise.state == "rejected":
            self.entry.invoke("uncaught", promise.result, "unhandledRejection")
        elif promise.state == "pending":
            self._unsettled.append((module, promise))
        elif isinstance(module.namespace.get("default"), _native.JsObject):
            self.entry.invoke("serveDefault", module.namespace)

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

    def _tell_problem(self, problem: _native.SyntaxProblem) -> None:
        self.entry.invoke("tell", dict(source_error(problem).detail))

    def _operation(self, name: str) -> Any:
        area, _, operation = name.partition("_")
        if area not in self._areas:
            # importlib is 1 ms of imports
            module = __import__(f"rt_supervisor.engine_worker.ops.{area}", fromlist=("operations",))
            self._areas[area] = module.operations(self)
        return self._areas[area][operation]

    def as_js_error(self, problem: Exception) -> Any:
        """Return what JavaScript gets for what Python raised."""
        return js_error(self.entry, problem)


def run_program(options: ProgramOptions, *, ready: ReadyEngine | None = None) -> int:
    """Run one program in this process and return its exit status; `ready` is the engine it was forked with. Raises Failed."""
    return EngineWorker(options, ready=ready).run()
