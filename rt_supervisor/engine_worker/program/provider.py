"""The provider of one program: everything that Python does for it, from its options to the operations that JavaScript
calls.

`_native.Program` (`native/src/program/life.rs`) runs the program: main module, event loop, exit handlers, end. It calls
the methods under "called by the program" at fixed points. A program that the launcher begins without Python gets its
provider at the first call that needs one (`cli/run/attached_program.py`).

Operations are in `ops/`, the JavaScript part of the runtime in `js/`. Code that few programs need is imported on
demand: evaluated code (`evaluated_code`), abnormal ends (`endings`).
"""

from __future__ import annotations

from ... import _native
from ..modules.files import ModuleFiles
from ..modules.provider import ModuleProvider
from ..ops import core as _core  # noqa: F401 - every program uses it; imported while V8 starts
from ..start import bundle, library
from .options import limit_files, load_reporter, start_values
from .problems import FOR_JAVASCRIPT, js_error, source_error

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

THREAD_PATIENCE_S = 5.0  # for a worker in a blocking call of the host; then it ends with the process


class ProgramProvider:
    """Provides one program; `run` runs it and returns its exit status."""

    LEAVES_ADDONS = True
    """Whether cleanup hooks of native addons are skipped after `process.exit`, as in Node."""

    def __init__(
        self, options: ProgramOptions, *, ready: ReadyEngine | None = None, program: _native.Program | None = None
    ) -> None:
        """Create the program, in the engine `ready` if given; or provide `program`, which is already running.

        Raises Failed if the engine cannot be started, WholeProcessNeeded if `ready` does not suit the program.
        """
        self.options = options
        self.threads: dict[int, WorkerThread] = {}
        self._debugging: Debugging | None = None
        self._areas: dict[str, dict[str, Any]] = {}
        self._hot: HotReload | None = None
        self._macros: MacroRunner | None = None
        self._stored_main: bool | None = None  # whether the heap that is stored at the end has a main function
        if options.hot:
            from ..modules.hot import HotReload

            self._hot = HotReload(self)
        limit_files(options)
        self.program = self._make_program(ready) if program is None else self._attach_to(program)
        self.entry = self.program.entry
        self.engine.set_on_exception(self.as_js_error)
        self.engine.set_on_abandoned(self._end_here)
        self.modules = ModuleProvider(self)
        if program is None:
            self.entry.invoke("start", self._start_values())
            self.program.begin_compile_cache(options.environment)

    def _make_program(self, ready: ReadyEngine | None) -> _native.Program:
        self.sources = _native.LoadedTexts()
        self.output = _native.ProgramOutput()
        self.loop = _native.Loop(self.output)
        self.files = self._make_files()
        self.engine = self._make_engine(ready)
        options = self.options
        return _native.Program(
            self,
            self.engine,
            main=self._main_path(),
            loop=self.loop,
            output=self.output,
            records=self.files.records,
            texts=self.sources,
            code_caches=self._make_code_caches(),
            resolver=self.files.resolver,
            options=self.files.transform_options,
            leaves_addons=self.LEAVES_ADDONS,
            install="disable" if options.limits is not None else options.install,
            is_followed=self.files.is_followed,
            is_hot=options.hot,
            has_preloads=bool(options.preloads),
            is_node=options.identity == "node",
        )

    def _attach_to(self, program: _native.Program) -> _native.Program:
        self.sources = program.texts
        self.output = program.output
        self.loop = program.loop
        self.files = ModuleFiles(self.options, self._report_problem, records=program.records)
        self.engine = program.take_engine()
        self.engine.set_host(self._operation)
        if program.snapshot is not None:
            bundle.snapshot.use(program.snapshot)
        return program

    @property
    def debugging(self) -> Debugging:
        if self._debugging is None:
            from ..inspecting.debugging import Debugging

            self._debugging = Debugging(self)
            self.program.set_debugged()
        return self._debugging

    @property
    def main(self) -> ProgramProvider:
        """The provider of the process's main program."""
        return self

    @property
    def is_debugged(self) -> bool:
        return self._debugging is not None

    def reload(self, path: str) -> None:
        """Reload the module in `path` and its importers, for `import.meta.hot.invalidate`."""
        if self._hot is not None:
            self.loop.complete(lambda: self._hot.reload([path]) if self._hot is not None else None)

    def _make_files(self) -> ModuleFiles:
        options = self.options
        loaded = self._hot or load_reporter(options)
        files = ModuleFiles(options, self._report_problem, loaded)
        if options.code is None and options.entry and not options.preloads:  # preloads might still write the file
            files.read_ahead(options.entry)
        return files

    def _main_path(self) -> str:
        """Return the path of the main module; "" if `run_code` runs something else."""
        options = self.options
        return options.entry if options.code is None and not options.stores_heap else ""

    def _start_values(self) -> dict[str, Any]:
        return start_values(self.options)

    def _make_engine(self, ready: ReadyEngine | None) -> _native.Engine:
        options = self.options
        flags = " ".join(options.engine_flags)
        if ready is not None and (options.stored_heap or options.stores_heap or flags):
            from ..start.ready_engine import WholeProcessNeeded

            raise WholeProcessNeeded
        if options.stores_heap:
            return bundle.make_engine_to_store(self._operation, flags)
        if options.stored_heap:
            from ..start.heap_file import engine_of

            return engine_of(options.stored_heap, self._operation, heap_limit_bytes=self._heap_limit(), flags=flags)
        if ready is not None:
            return ready.used_by(self._operation, is_small=options.smol, heap_limit_bytes=self._heap_limit())
        return bundle.make_engine(
            self._operation, is_small=options.smol, heap_limit_bytes=self._heap_limit(), flags=flags
        )

    def _heap_limit(self) -> int | None:
        """Return the heap limit that the program requests; None for the usual one."""
        wanted_mb = self.options.heap_limit_mb
        return None if wanted_mb is None else library.possible_heap_bytes(wanted_mb << 20)

    def _make_code_caches(self) -> _native.CodeCaches:
        main = None if self.options.hot else self.options.entry
        return _native.CodeCaches(main or None)

    def keep_maps(self) -> None:
        """Make all code transpiled from now on carry its source map."""
        self.files.keep_maps()
        self.program.change_files(self.files.resolver, self.files.transform_options)

    @property
    def macros(self) -> MacroRunner:
        if self._macros is None:
            from ..modules.macros import MacroRunner

            self._macros = MacroRunner(self, self.files)
        return self._macros

    # --- called by the program

    def run(self) -> int:
        """Run the program to its end and return its exit status. Raises Failed for an abnormal end."""
        status = self.program.run()
        if status == 0 and self._stored_main is not None:
            from ..start.heap_file import StoredHeap, write_heap

            write_heap(self.options.stores_heap, StoredHeap(self.engine.take_heap(), self._stored_main))
        return status

    def store_heap(self, has_main: bool) -> None:
        """Store the heap when the program has ended, with its main function or without one."""
        self._stored_main = has_main

    def prepare(self) -> None:
        """Execute flags before the main module runs: listen for a debugger, register hooks, run preloads."""
        if self.options.inspect:
            self.debugging.begin()
        if self.options.listens_on_signal:
            self.program.listen_on_signal()
        for hooks in self.options.module_hooks:
            self.attempt(lambda name: self.entry.invoke("moduleHooks", "registerForCommand", name), hooks)
        if self.options.preloads:
            from .evaluated_code import preload_all

            preload_all(self)

    def ready_to_run(self) -> None:
        """Called before the main module is evaluated, after preloads have run."""
        self.debugging.ready_to_run()

    def run_code(self) -> None:
        """Run evaluated code, or a file whose heap is stored, as the main module."""
        if self.options.stores_heap:
            self.entry.invoke("runBuilder", self.options.entry)
            return
        if self.options.has_stored_main:
            self.entry.invoke("runStoredMain")
            return
        from .evaluated_code import run_code

        assert self.options.code is not None
        run_code(self, self.options.code)

    def begin_hot(self) -> None:
        """Called after the main module has run: reload files that change from now on."""
        if self._hot is not None:
            self._hot.begin()

    def listen(self) -> None:
        """Listen for a debugger after SIGUSR1. JavaScript may be stopped."""
        self.debugging.listen()

    def before_first(self) -> None:
        """Called before the first statement of the program."""
        self.debugging.before_first()

    def report_uncaught(self, problem: BaseException) -> None:
        """Report `problem` to the program as an uncaught error. Raises it if JavaScript must not see it."""
        if isinstance(problem, _native.JsError):
            self.entry.invoke("uncaught", problem.value)
        elif isinstance(problem, FOR_JAVASCRIPT):
            self.entry.invoke("uncaught", self.as_js_error(problem))
        else:
            raise problem

    def warn_of_unsettled(self, modules: list[_native.JsModule]) -> None:
        """Warn of the top-level awaits in the graphs of `modules` that will never settle."""
        from .endings import warn_of_unsettled

        warn_of_unsettled(self, modules)

    def ended_by(self, error: BaseException) -> tuple[int, bool]:
        """Return the exit status of `error`, and whether the program has called exit itself. Raises any other error."""
        if isinstance(error, SystemExit):
            return int(error.code or 0), True
        if isinstance(error, _native.JsError):  # thrown outside of all callbacks of JavaScript
            from .endings import ended_by

            return ended_by(self, error), False
        raise error

    def end_debugging(self) -> None:
        """Keep the ended program available to front ends of the debugger."""
        self.debugging.end()

    def explain_end(self, error: BaseException, may_run: bool) -> int:
        """Return the exit status of a program whose end has failed with `error`. Raises Failed.

        `may_run` is whether JavaScript can still run.
        """
        if isinstance(error, _native.OutputClosed):
            self.output.drop()
            return self.program.exit_status() if may_run else 0
        if isinstance(error, _native.JsHeapLimit):
            from .endings import out_of_memory

            raise out_of_memory(self._heap_limit() or library.heap_limit_bytes()) from error
        if isinstance(error, _native.OutputFailed):
            from .endings import output_failure

            raise output_failure(error) from error
        raise error

    def release(self) -> None:
        """Release resources of the process that outlive the program: worker threads, the terminal's mode."""
        self.end_threads()
        if "process" in self._areas:
            from ..ops.process import restore_terminal

            restore_terminal()

    def end_threads(self) -> None:
        """Terminate running workers, and wait for their threads."""
        threads = list(self.threads.values())
        for thread in threads:
            thread.terminate()
        for thread in threads:
            thread.join(THREAD_PATIENCE_S)

    def _end_here(self, error: BaseException) -> NoReturn:
        """End the process from within JavaScript, with the status of `error`."""
        from .endings import end_process

        end_process(lambda: self.program.end_with(error))

    # --- what JavaScript asks

    def attempt(self, action: Callable[..., None], *arguments: str) -> None:
        """Call `action`; its exceptions are uncaught errors of the program."""
        try:
            action(*arguments)
        except (_native.JsError, *FOR_JAVASCRIPT) as problem:
            self.report_uncaught(problem)
        self.entry.invoke("drain")

    def _report_problem(self, problem: _native.SyntaxProblem) -> None:
        self.entry.invoke("printSyntaxError", dict(source_error(problem).detail))

    def _operation(self, name: str) -> Any:
        area, _, operation = name.partition("_")
        if area not in self._areas:
            # importlib is 1 ms of imports
            module = __import__(f"rt_supervisor.engine_worker.ops.{area}", fromlist=("operations",))
            self._areas[area] = module.operations(self)
        return self._areas[area][operation]

    def as_js_error(self, problem: Exception) -> Any:
        """Return the JavaScript error for a Python exception."""
        return js_error(self.entry, problem)


def run_program(options: ProgramOptions, *, ready: ReadyEngine | None = None) -> int:
    """Run one program in this process and return its exit status; `ready` is the engine it was forked with. Raises Failed."""
    return ProgramProvider(options, ready=ready).run()
