"""The provider of one program: what Python does for it, from its options to the operations that JavaScript calls.

`_native.Program` (`native/src/program/life.rs`) runs the program: main module, event loop, exit handlers, end. It calls
`prepare` and `run_main` at the beginning and the methods under "called by the program" at fixed points. A program that the
launcher begins without Python gets its provider at the first call that needs one (`cli/run/attached_program.py`).

Operations live in `ops/`, JavaScript's half of the runtime in `js/`. What few programs need is imported when they do:
evaluated code (`evaluated_code`), bad ends (`endings`).
"""

from __future__ import annotations

from ... import _native
from ..modules.compiling import Compiling
from ..modules.files import ModuleFiles
from ..modules.imports import Begun, ImportHooks
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

THREAD_PATIENCE_S = 5.0  # for a worker that a call of the host holds up; then it ends with the process


class EngineWorker:
    """Provides one program; `run` runs it and returns its exit status."""

    LEAVES_ADDONS = True
    """A program that leaves through `process.exit` runs no cleanup hooks of native addons, as in Node."""

    def __init__(
        self, options: ProgramOptions, *, ready: ReadyEngine | None = None, program: _native.Program | None = None
    ) -> None:
        """Make the program, in the engine `ready` if given; or provide `program`, which runs already.

        Raises Failed when the engine cannot be started, WholeProcessNeeded when `ready` is not for such a program.
        """
        self.options = options
        self.main = ""  # the path of evaluated code
        self.threads: dict[int, WorkerThread] = {}
        self._debugging: Debugging | None = None
        self._areas: dict[str, dict[str, Any]] = {}
        self._hot: HotReload | None = None
        self._macros: MacroRunner | None = None
        if options.hot:
            from ..modules.hot import HotReload

            self._hot = HotReload(self)
        limit_files(options)
        self.compiling = Compiling(self)
        self.program = self._make_program(ready) if program is None else self._attach_to(program)
        self.entry = self.program.entry
        self.required = set(self.program.required)  # the files of CommonJS that were read
        self.engine.set_on_exception(self.as_js_error)
        self.engine.set_on_abandoned(self._end_here)
        self.imports = ImportHooks(self)
        if program is None:
            self.entry.invoke("start", self._start_values())
        self.modules = ModuleLoader(self, self.files, self.program.table)
        self.modules.builtins.know(self.program.builtins)
        if options.environment.get("NODE_COMPILE_CACHE"):
            from ..modules import compile_cache

            compile_cache.begin(self)

    def _make_program(self, ready: ReadyEngine | None) -> _native.Program:
        self.sources = _native.LoadedTexts()
        self.output = _native.ProgramOutput()
        self.loop = _native.Loop(self.output)
        self.files = self._make_files()
        self.engine = self._make_engine(ready)
        self.compiling.keepers = self._make_keepers()
        return _native.Program(
            self,
            self.engine,
            main=self.options.entry,
            loop=self.loop,
            output=self.output,
            records=self.files.records,
            texts=self.sources,
            keepers=self.compiling.keepers,
            resolver=self.files.resolver,
            options=self.files.transform_options,
            leaves_addons=self.LEAVES_ADDONS,
        )

    def _attach_to(self, program: _native.Program) -> _native.Program:
        self.sources = program.texts
        self.output = program.output
        self.loop = program.loop
        self.files = ModuleFiles(
            self.options, self._tell_problem, self.compiling.fits_commonjs, records=program.records
        )
        self.engine = program.take_engine()
        self.engine.set_host(self._operation)
        self.compiling.keepers = program.keepers
        if program.snapshot is not None:
            bundle.snapshot.be(program.snapshot)
        return program

    @property
    def debugging(self) -> Debugging:
        if self._debugging is None:
            from ..inspecting.debugging import Debugging

            self._debugging = Debugging(self)
            self.program.set_debugged()
        return self._debugging

    @property
    def is_debugged(self) -> bool:
        return self._debugging is not None

    def reload(self, path: str) -> None:
        """Reload the module in `path` and what imports it, for `import.meta.hot.invalidate`."""
        if self._hot is not None:
            self.loop.complete(lambda: self._hot.reload([path]) if self._hot is not None else None)

    def _make_files(self) -> ModuleFiles:
        options = self.options
        loaded = self._hot or load_reporter(options)
        files = ModuleFiles(options, self._tell_problem, self.compiling.fits_commonjs, loaded)
        if options.code is None and not options.preloads:  # those might still write the file
            files.read_ahead(options.entry)
        return files

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

    # --- called by the program

    def run(self) -> int:
        """Run the program to its end and return its exit status. Raises Failed for an end that is not its own."""
        return self.program.run()

    def prepare(self) -> None:
        """Do what flags ask for before the main module: listen for a debugger, register hooks, run preloads."""
        if self.options.inspect:
            self.debugging.begin()
        if self.options.listens_on_signal:
            self.program.listen_on_signal()
        for hooks in self.options.module_hooks:
            self.attempt(lambda name: self.entry.invoke("moduleHooks", "registerForCommand", name), hooks)
        if self.options.preloads:
            from .evaluated_code import preload_all

            preload_all(self)

    def run_main(self) -> None:
        """Run the main module; what it raises is an uncaught error of the program."""
        try:
            self._run_main()
        finally:
            if self._hot is not None:
                self._hot.begin()

    def listen(self) -> None:
        """Listen for a debugger: SIGUSR1 has come. JavaScript may be stopped."""
        self.debugging.listen()

    def before_first(self) -> None:
        """The next statement is the program's first one."""
        self.debugging.before_first()

    def tell_uncaught(self, problem: BaseException) -> None:
        """Report `problem` to the program as an uncaught error. Raises it if JavaScript must not see it."""
        if isinstance(problem, _native.JsError):
            self.entry.invoke("uncaught", problem.value)
        elif isinstance(problem, FOR_JAVASCRIPT):
            self.entry.invoke("uncaught", self.as_js_error(problem))
        else:
            raise problem

    def warn_of_unsettled(self, modules: list[_native.JsModule]) -> None:
        """Warn of the top-level awaits in the graphs of `modules`, which nothing will settle."""
        from .endings import tell_unsettled

        tell_unsettled(self, modules)

    def ended_by(self, error: BaseException) -> tuple[int, bool]:
        """Return the exit status that `error` means, and whether the program has left by itself. Raises any other error."""
        if isinstance(error, SystemExit):
            return int(error.code or 0), True
        if isinstance(error, _native.JsError):  # thrown where no callback of JavaScript could catch it
            from .endings import ended_by

            return ended_by(self, error), False
        raise error

    def end_debugging(self) -> None:
        """Let front ends look at the program that is over."""
        self.debugging.end()

    def explain_end(self, error: BaseException, may_run: bool) -> int:
        """Return the exit status of a program whose end has failed with `error`. Raises Failed.

        `may_run`: JavaScript can still run.
        """
        if isinstance(error, _native.OutputClosed):
            self.output.drop()
            return self.program.exit_status() if may_run else 0
        if isinstance(error, _native.JsHeapLimit):
            from .endings import out_of_memory

            raise out_of_memory(library.heap_limit_bytes()) from error
        if isinstance(error, _native.OutputFailed):
            from .endings import output_failure

            raise output_failure(error) from error
        raise error

    def release(self) -> None:
        """Give back what the process keeps beyond the program: worker threads, the terminal's mode."""
        self.end_threads()
        if "process" in self._areas:
            from ..ops.process import restore_terminal

            restore_terminal()

    def end_threads(self) -> None:
        """End the workers that still run, and wait for their threads."""
        threads = list(self.threads.values())
        for thread in threads:
            thread.terminate()
        for thread in threads:
            thread.join(THREAD_PATIENCE_S)

    def _end_here(self, error: BaseException) -> NoReturn:
        """End the process from inside JavaScript, with what `error` means."""
        from .endings import end_process

        end_process(lambda: self.program.end_with(error))

    # --- the main module

    def attempt(self, action: Callable[..., None], *arguments: str) -> None:
        """Do `action`; what it raises is an uncaught error of the program."""
        try:
            action(*arguments)
        except (_native.JsError, *FOR_JAVASCRIPT) as problem:
            self.tell_uncaught(problem)
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
        self._run_path(path, self.program.evaluate, may_be_hooked=bool(self.options.preloads))

    def run_file(self, path: str, *, is_module: bool = False) -> None:
        """Run a file as the main module, on behalf of JavaScript: CommonJS at once, an ES module in a later turn of the loop."""
        self._run_path(
            path, lambda module: self.loop.complete(lambda: self.program.evaluate(module)), is_module=is_module
        )

    def _run_path(self, path: str, evaluate: Evaluate, *, is_module: bool = False, may_be_hooked: bool = True) -> None:
        found = self.files.record(path, as_script=True).transformed
        is_commonjs = found is not None and found.kind == "commonjs" and not found.problems
        if not is_module and (is_commonjs or (may_be_hooked and self.entry.invoke("isHookedMain", path))):
            self.entry.invoke("runMain", path)
        elif (module := self.modules.instantiated_main(path)) is not None:
            evaluate(module)

    # --- evaluating modules

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
