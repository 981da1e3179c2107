"""What a program is run with, as the command line and the config said it; plain data for `worker`.

`start_values` is what JavaScript's half of the runtime is told of it when it starts.
"""

from __future__ import annotations

import os
import sys

from ... import NODE_VERSION, PEER_VERSION, __version__, _native
from ...vocabulary.record import record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from ...packages.auto_install import Mode
    from ...packages.manifests import Freshness
    from ...settings.inspect_address import Address
    from ...vocabulary.load_report import LoadReporter


@record
class ProgramOptions:
    """One program.

    `entry` is the absolute path of the main file ("" with `code`), `code` the text of -e, -p or standard input under the
    name `code_name`; `prints` shows the completion value. `environment` is complete.
    """

    entry: str
    arguments: tuple[str, ...]
    executable: str
    environment: Mapping[str, str]
    folder: str
    code: str | None = None
    code_name: str = "[eval]"
    has_entry_argument: bool = True
    prints: bool = False
    runtime_arguments: tuple[str, ...] = ()
    preloads: tuple[str, ...] = ()
    module_hooks: tuple[str, ...] = ()  # modules whose exports `resolve` and `load` are hooks
    define: tuple[tuple[str, str], ...] = ()
    drop: tuple[str, ...] = ()
    loaders: Mapping[str, str] = {}
    conditions: tuple[str, ...] = ()
    main_fields: tuple[str, ...] = ()
    extensions: tuple[str, ...] = ()
    preserve_symlinks: bool = False
    preserve_symlinks_main: bool = False
    install: Mode = "auto"  # when packages that are missing are had from a registry
    install_freshness: Freshness = ""  # how old its answers may be
    tsconfig: str | None = None
    jsx_runtime: str | None = None
    jsx_factory: str | None = None
    jsx_fragment: str | None = None
    jsx_import_source: str | None = None
    jsx_is_asked: bool = False
    jsx_side_effects: bool = False
    ignore_dce_annotations: bool = False
    no_macros: bool = False
    no_addons: bool = False
    smol: bool = False
    expose_gc: bool = False
    stack_trace_limit: int | None = None  # frames of an error's stack; without, ten
    console_depth: int = 2
    unhandled_rejections: str = ""  # one of the modes; without, as "throw", but what is no error is thrown as it is
    disable_proto: str = ""  # what becomes of the accessor `__proto__`: "delete" or "throw"
    no_deprecation: bool = False
    throw_deprecation: bool = False
    no_warnings: bool = False
    disable_warning: tuple[str, ...] = ()
    trace_warnings: bool = False
    trace_deprecation: bool = False
    zero_fill_buffers: bool = False
    title: str | None = None
    dns_result_order: str = "verbatim"
    network: Mapping[str, Any] = {}  # what flags say of the network, as JavaScript's half knows it
    limits: Mapping[str, Any] | None = None  # what --permission leaves of its rights (cli/line/permission_flags)
    tests: Mapping[str, Any] | None = None  # what flags say of tests; with "test", the program is their runner
    repl: Mapping[str, Any] | None = None  # the program is a REPL, which evaluates `code` first
    colours: tuple[bool, bool] = (False, False)
    hot: bool = False  # changed modules are evaluated again
    hot_clears: bool = False  # the screen, before that
    hot_is_silent: bool = False
    inspect: str = ""  # the debugger listens: "on", and the program "wait"s for it, or "break"s at its first statement
    inspect_address: Address = ("127.0.0.1", None, "")  # settings.inspect_address.ANYWHERE
    heeds_debug_signal: bool = True  # SIGUSR1 has it listen
    inline_maps: bool = False  # what is transpiled carries its map, for the debugger
    watch_channel: str | None = None  # where a watching rt hears which files the program loads


def load_reporter(options: ProgramOptions) -> LoadReporter | None:
    """Return what tells a watching rt of the files that are loaded; None where nobody watches."""
    if options.watch_channel is None:
        return None
    from ...vocabulary.load_report import LoadReporter

    return LoadReporter(options.watch_channel)


def limit_files(options: ProgramOptions) -> None:
    """Limit this process to the files that `--permission` leaves it, where it is given."""
    limits = options.limits
    if limits is None:
        return
    read, write = (
        [os.fsencode(path) for name in names for path in limits[name]] for names in (("read", "own"), ("write",))
    )
    _native.limit_files(read, write, limits["isAudit"])


def _well_formed(text: str) -> str:
    """Return what the system gave as bytes the way JavaScript has it: U+FFFD stands for what is no UTF-8, as in Node."""
    return text if text.isascii() else text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def start_values(options: ProgramOptions) -> dict[str, Any]:
    """Return the argument of `start` in js/boot/runtime.js."""
    main = options.entry or os.path.join(options.folder, options.code_name)
    argv = [options.executable]
    if options.has_entry_argument:
        argv.append(options.entry or options.code_name.replace("[stdin]", "-"))
    return {
        "argv": [*argv, *map(_well_formed, options.arguments)],
        "execArgv": list(options.runtime_arguments),
        "execPath": options.executable,
        "argv0": _well_formed(str(sys._xoptions.get("rt-argv0", "rt"))),
        "pid": os.getpid(),
        "ppid": os.getppid(),
        "env": {name: _well_formed(value) for name, value in options.environment.items()},
        "version": __version__,
        "revision": __version__,
        "nodeVersion": NODE_VERSION,
        "peerVersion": PEER_VERSION,
        "v8Version": _native.v8_version(),
        "arch": {"x86_64": "x64", "aarch64": "arm64"}.get(os.uname().machine, os.uname().machine),
        "platform": sys.platform,
        "dnsResultOrder": options.dns_result_order,
        "network": dict(options.network),
        "title": options.title,
        "main": main,
        "code": options.code,
        "consoleDepth": options.console_depth,
        "colorsOut": options.colours[0],
        "colorsErr": options.colours[1],
        "rejectionMode": options.unhandled_rejections,
        "exposeGc": options.expose_gc,
        "stackTraceLimit": options.stack_trace_limit,
        "disableProto": options.disable_proto,
        "noDeprecation": options.no_deprecation,
        "throwDeprecation": options.throw_deprecation,
        "noWarnings": options.no_warnings,
        "disableWarning": options.disable_warning,
        "traceWarnings": options.trace_warnings,
        "traceDeprecation": options.trace_deprecation,
        "noAddons": options.no_addons,
        "isHot": options.hot,
        **({} if options.inspect_address[1] is None else {"debugPort": options.inspect_address[1]}),
        **({} if options.limits is None else {"limits": dict(options.limits)}),
        **({} if options.repl is None else {"repl": dict(options.repl)}),
        **({} if options.tests is None else {"tests": dict(options.tests)}),
    }
