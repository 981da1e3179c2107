"""One JavaScript engine running one program in this process: start, main module, event loop, end.

    STARTING --entry ready--> LOADING --main module evaluated or failed--> LOOPING --nothing pending--> EXITING

Host operations live in `ops/`, JavaScript's half of the runtime in `js/`; this connects them. What a program throws is
handed to `js/runtime.js`, which decides; `SystemExit` carries the exit status out of JavaScript.
"""

from __future__ import annotations

import os
import sys
from functools import partial

from .. import __version__, _native
from . import bundle, library
from .imports import ImportHooks
from .loop import Loop
from .module_files import ModuleFiles
from .modules import ModuleLoader
from .output import OutputClosed, OutputFailed, ProgramOutput
from .problems import ModuleNotFound, RequireFailed, SourceError, SystemCallFailed, Thrown, source_error
from .sources import Sources

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from ..errors import Failed
    from .macros import MacroRunner
    from .options import ProgramOptions
    from .ready_engine import ReadyEngine

NODE_VERSION = "26.3.0"
SIGPIPE_STATUS = 141
DEADLOCK_STATUS = 13
OUT_OF_MEMORY_STATUS = 134
LARGEST_HEAP_BYTES = 3 << 30

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
        self._signals: list[int] = []
        self._unsettled: list[tuple[_native.JsModule, _native.JsPromise]] = []
        self.engine = self._make_engine(ready)
        runtime = self.engine.global_object.get("__rt")
        assert isinstance(runtime, _native.JsObject)
        entry = runtime.get("entry")
        assert isinstance(entry, _native.JsObject)
        self.entry = entry
        self.engine.set_on_exception(self.as_js_error)
        self.imports = ImportHooks(self)
        self.entry.invoke("start", self._config())
        self.main = ""  # the path of evaluated code
        self.files = ModuleFiles(options, self.builtin_names(), self._tell)
        self.modules = ModuleLoader(self, self.files)
        self._macros: MacroRunner | None = None

    def _make_engine(self, ready: ReadyEngine | None) -> _native.Engine:
        flags: list[str] = []
        if self.options.smol:
            flags += ["--optimize-for-size", "--max-semi-space-size=1"]
        if ready is not None:
            return ready.used_by(self._operation, flags)
        library.start(" ".join(flags))
        return _native.Engine(bundle.snapshot(), host=self._operation, heap_limit_bytes=heap_limit_bytes())

    @property
    def macros(self) -> MacroRunner:
        if self._macros is None:
            from .macros import MacroRunner

            self._macros = MacroRunner(self, self.files)
        return self._macros

    def builtin_names(self) -> set[str]:
        names = self.entry.invoke("builtinNames")
        assert isinstance(names, _native.JsArray)
        return {str(name) for name in names.to_list()}

    # --- the life of a program

    def run(self) -> int:
        """Run the program to its end and return its exit status."""
        try:
            try:
                status = self._run()
            except SystemExit as ended:
                status = int(ended.code or 0)
            self.output.flush()
        except OutputClosed:
            return SIGPIPE_STATUS
        except _native.JsHeapLimit as problem:
            raise _out_of_memory() from problem
        except OutputFailed as failed:
            from ..errors import Failed

            stream = {1: "standard output", 2: "standard error"}[failed.descriptor]
            code, words = _error_words(failed.error)
            raise Failed("output-failed", f"cannot write to {stream}: {code}: {words}") from failed.error
        finally:
            if "process" in self._areas:
                from .ops.process import restore_terminal

                restore_terminal()
        return status

    def _run(self) -> int:
        for preload in self.options.preloads:
            self._attempt(partial(self._preload, preload))
        self._attempt(self._run_main)
        self._spin()
        while True:
            self.entry.invoke("beforeExit")
            alive, _ = self._pending()
            if not alive and self.loop.references <= 0:
                break
            self._spin()
        status = self.entry.invoke("exit", DEADLOCK_STATUS if self._tell_unsettled() else None)
        return int(status) if isinstance(status, (int, float)) else 0

    def _tell_unsettled(self) -> bool:
        """Say which top-level await nothing will ever settle; whether there is one."""
        modules = [module for module, promise in self._unsettled if promise.state == "pending"]
        for module in modules:
            for name, line, column in module.stalled():
                place = self.sources.map_position(str(name), line, column)[0] if line else None
                self.entry.invoke("warn", f"Detected unsettled top-level await at {name}:{place or '?'}")
        return bool(modules)

    def _attempt(self, action: Callable[[], None]) -> None:
        """Do `action`; what it raises is an uncaught error of the program."""
        try:
            action()
        except _native.JsError as error:
            self.entry.invoke("uncaught", error.value)
        except (ModuleNotFound, RequireFailed, SourceError, SystemCallFailed, Thrown) as problem:
            self.entry.invoke("uncaught", self.as_js_error(problem))
        self.entry.invoke("drain")

    def _spin(self, until: Callable[[], bool] | None = None) -> None:
        """Turn the loop until nothing is pending, or `until` is true."""
        while until is None or not until():
            self._deliver_signals()
            self.entry.invoke("timers")
            alive, delay = self._pending()
            if not self.loop.turn(alive, delay):
                return
            self._deliver_signals()
            self.entry.invoke("immediates")

    def _pending(self) -> tuple[bool, float]:
        pending = self.entry.invoke("pending")
        assert isinstance(pending, _native.JsArray)
        alive, delay = pending.to_list()
        return bool(alive), float(delay)

    def _run_main(self) -> None:
        options = self.options
        if options.code is not None:
            self._run_code(options.code)
            return
        path = options.entry
        record = self.files.record(path, as_script=True)
        if record.transformed is not None and record.transformed.kind == "commonjs" and not record.transformed.problems:
            self.entry.invoke("runMain", path)
            return
        self._evaluate(self.modules.instantiated(path))

    def _run_code(self, code: str) -> None:
        self.main = path = os.path.join(self.options.folder, self.options.code_name)
        completion = "globalThis.__rtCompletion" if self.options.prints else None

        def transform(macros: dict[int, str] | None = None) -> _native.Transformed:
            return self.files.transform(code, path, loader="tsx", completion=completion, macros=macros)

        transformed = transform()
        if transformed.macro_calls:
            transformed = self.macros.replaced(transformed, transform)
        self.sources.add(path, transformed)
        self._evaluate(self.modules.from_code(transformed, path))
        if self.options.prints:
            self._print_completion()

    def _print_completion(self) -> None:
        value = self.engine.global_object.get("__rtCompletion")
        self.engine.global_object.delete("__rtCompletion")
        if isinstance(value, _native.JsPromise):
            value.mark_as_handled()
            self._spin(lambda: value.state != "pending")
            if value.state == "rejected":
                self.entry.invoke("uncaught", value.result)
            value = value.result
        self.entry.invoke("print", value)

    def _preload(self, specifier: str) -> None:
        from ..errors import Failed

        found = self.files.resolve(specifier, self.options.folder + "/")
        if found.path is None:
            raise Failed("preload-not-found", f'preload not found "{specifier}"')
        transformed = self.files.record(found.path).transformed
        if transformed is not None and transformed.kind == "commonjs" and not transformed.problems:
            self.entry.invoke("loadForImport", found.path)
        else:
            self._evaluate(self.modules.instantiated(found.path, found.query))

    def _evaluate(self, module: _native.JsModule) -> None:
        """Evaluate `module` and turn the loop until it is done; what it throws is uncaught."""
        promise = module.evaluate()
        self.entry.invoke("drain")
        self._spin(lambda: promise.state != "pending")
        if promise.state == "rejected":
            self.entry.invoke("uncaught", promise.result)
        elif promise.state == "pending":
            self._unsettled.append((module, promise))

    def settle(self, promise: _native.JsPromise) -> None:
        """Turn the loop until `promise` is settled, or nothing is pending that could settle it."""
        if promise.state == "pending":
            self.entry.invoke("drain")
            self._spin(lambda: promise.state != "pending")

    def evaluate_now(self, module: _native.JsModule) -> _native.JsObject:
        """Evaluate `module` for require() and return its namespace. Raises Thrown, RequireFailed."""
        if module.status == "evaluating":  # it requires itself, at some distance: what it has so far
            return module.namespace
        if module.status == "linked" and module.is_graph_async:
            raise _awaits(module)
        promise = module.evaluate()
        if promise.state == "rejected":
            raise Thrown(promise.result)
        if promise.state == "pending":
            raise _awaits(module)
        return module.namespace

    # --- what JavaScript asks

    def _operation(self, name: str) -> Any:
        area, _, operation = name.partition("_")
        if area not in self._areas:
            from importlib import import_module

            self._areas[area] = import_module(f"{__package__}.ops.{area}").operations(self)
        return self._areas[area][operation]

    def as_js_error(self, problem: Exception) -> Any:
        """Return what JavaScript gets for what Python raised."""
        match problem:
            case Thrown():
                return problem.value
            case ModuleNotFound():
                return self.entry.invoke("moduleError", problem.code, problem.message, problem.text)
            case RequireFailed():
                return self.entry.invoke("hostError", "TypeError", problem.message, problem.code)
            case SourceError():
                detail: Any = problem.detail
                return self.entry.invoke("syntaxError", detail)
            case SystemCallFailed():
                return self.error_value(problem)
        return self.entry.invoke("hostError", type(problem).__name__, str(problem))

    def _tell(self, problem: _native.SyntaxProblem) -> None:
        """Say on stderr what is wrong with a file that does not stop the program (a tsconfig)."""
        self.entry.invoke("tell", dict(source_error(problem).detail))

    def error_value(self, problem: SystemCallFailed) -> Any:
        """Return the JavaScript error for a system call that failed."""
        code, words = _error_words(problem.error)
        number = problem.error.errno or 0
        return self.entry.invoke("systemError", code, number, words, problem.syscall, problem.path, problem.dest)

    def watch_signal(self, number: int, wanted: bool) -> None:
        """Have signal `number` emitted on `process` instead of doing what it does by default, or no longer."""
        import _signal

        if not wanted:
            _signal.signal(number, _signal.SIG_DFL)
            return
        _signal.set_wakeup_fd(self.loop.waker(), warn_on_full_buffer=False)
        _signal.signal(number, lambda received, _frame: self._signals.append(received))

    def _deliver_signals(self) -> None:
        if self._signals:
            from ..signal_names import signal_name

            while self._signals:
                number = self._signals.pop(0)
                self.entry.invoke("signal", signal_name(number), number)

    def _config(self) -> dict[str, Any]:
        options = self.options
        main = options.entry or os.path.join(options.folder, options.code_name)
        argv = [options.executable]
        if options.has_entry_argument:
            argv.append(options.entry or options.code_name.replace("[stdin]", "-"))
        return {
            "argv": [*argv, *options.arguments],
            "execArgv": list(options.runtime_arguments),
            "execPath": options.executable,
            "argv0": "rt",
            "pid": os.getpid(),
            "ppid": os.getppid(),
            "env": dict(options.environment),
            "version": __version__,
            "revision": __version__,
            "nodeVersion": NODE_VERSION,
            "v8Version": _native.v8_version(),
            "arch": {"x86_64": "x64", "aarch64": "arm64"}.get(os.uname().machine, os.uname().machine),
            "platform": sys.platform,
            "title": options.title,
            "main": main,
            "consoleDepth": options.console_depth,
            "colorsOut": options.colours[0],
            "colorsErr": options.colours[1],
            "rejectionMode": options.unhandled_rejections,
            "exposeGc": options.expose_gc,
            "noDeprecation": options.no_deprecation,
            "throwDeprecation": options.throw_deprecation,
            "noWarnings": options.no_warnings,
            "noAddons": options.no_addons,
        }


def _awaits(module: _native.JsModule) -> RequireFailed:
    message = f'require() async module "{module.name}" is unsupported. use "await import()" instead.'
    return RequireFailed("ERR_REQUIRE_ASYNC_MODULE", message)


def _error_words(error: OSError) -> tuple[str, str]:
    """Return an error's code and the words Node has for it."""
    import errno

    from .errno_words import WORDS

    code = errno.errorcode.get(error.errno or 0, "UNKNOWN")
    return code, WORDS.get(code) or (error.strerror or "unknown error").lower()


class _Rethrown(Exception):
    """A JavaScript value on its way through Python."""

    def __init__(self, value: Any) -> None:
        super().__init__("thrown by JavaScript")
        self.value = value


def run_program(options: ProgramOptions) -> int:
    """Run one program in this process and return its exit status. Raises Failed when there is no engine."""
    return EngineWorker(options, ready=ready).run()


def heap_limit_bytes() -> int:
    """Return how large the JavaScript heap may grow: half of the memory, within what V8 can address with short pointers."""
    return min(LARGEST_HEAP_BYTES, os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // 2)


def _out_of_memory() -> Failed:
    from ..errors import Failed

    limit = heap_limit_bytes() >> 20
    message = f"JavaScript ran out of memory: its heap reached the limit of {limit} MB"
    return Failed("heap-limit", message, OUT_OF_MEMORY_STATUS)
