"""The options of a program, from the command line and the config; plain data.

`start_values` makes the part of them that the runtime's JavaScript receives when it starts.
"""

from __future__ import annotations

import os
import sys

from ... import NODE_VERSION, PEER_VERSION, __version__, _native
from ...vocabulary.record import record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any, TypedDict

    from ...packages.auto_install import Mode
    from ...packages.manifests import Freshness
    from ...settings.inspect_address import Address
    from ...vocabulary.load_report import LoadReporter

    class Preconnect(TypedDict, total=False):
        """What the program connects to while it is loading."""

        fetch: list[str]
        redis: bool
        sql: bool

    class CaStore(TypedDict):
        """Whose certificate authorities are trusted: those that rt contains, and those of the system."""

        bundled: bool
        system: bool

    class Network(TypedDict, total=False):
        """The start value `network`; what no flag sets is left out."""

        userAgent: str
        maxHeaderSize: int
        port: int
        tlsMin: str
        tlsMax: str
        tlsCiphers: str
        tlsKeylog: str
        autoSelectFamily: bool
        attemptTimeoutMs: int
        hiddenGlobals: list[str]
        usesEnvProxy: bool
        preconnect: Preconnect
        caStore: CaStore

    class Limits(TypedDict):
        """The start value `limits`: paths that may be read and written, files that rt itself reads, and grants without "allow-"."""

        read: list[str]
        write: list[str]
        own: list[str]
        granted: list[str]
        isAudit: bool

    class TestWatch(TypedDict):
        """How the test runner watches files: patterns, whether it polls, and how long no file may change before a run."""

        ignore: list[str]
        include: list[str]
        polls: bool
        quiet_s: float

    # The start value `tests`: the test flags by name, and with "test" the files or patterns to run.
    Tests = TypedDict(
        "Tests",
        {
            "test": bool,
            "test-only": bool,
            "test-force-exit": bool,
            "test-update-snapshots": bool,
            "test-randomize": bool,
            "test-random-seed": int,
            "experimental-test-coverage": bool,
            "test-coverage-include-all": bool,
            "test-coverage-lines": int,
            "test-coverage-branches": int,
            "test-coverage-functions": int,
            "test-coverage-include": list[str],
            "test-coverage-exclude": list[str],
            "test-name-pattern": list[str],
            "test-skip-pattern": list[str],
            "experimental-test-tag-filter": list[str],
            "test-reporter": list[str],
            "test-reporter-destination": list[str],
            "test-concurrency": int,
            "test-timeout": int,
            "test-isolation": str,
            "test-global-setup": str,
            "test-shard": str,
            "test-rerun-failures": str,
            "words": list[str],
            "preloads": list[str],
            "watch": TestWatch,
        },
        total=False,
    )

    class Repl(TypedDict, total=False):
        """The start value `repl`: of Node's REPL, of `rt repl` with `handlesTypes`, or the words of `rt inspect`.

        `code` is what Node's REPL evaluates first, and what `rt repl` evaluates instead of input; `prints` its result.
        """

        handlesTypes: bool
        code: str
        prints: bool
        inspects: list[str]


_REALMS = "--harmony-shadow-realm"
# Which certificate authorities a flag chooses.
CA_STORES: dict[str, CaStore] = {
    "use-system-ca": {"bundled": True, "system": True},
    "use-openssl-ca": {"bundled": False, "system": True},
    "use-bundled-ca": {"bundled": True, "system": False},
}


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
    identity: str = "bun"  # "node": the program sees Node, without the global Bun and its version
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
    install: Mode = "auto"  # when missing packages are downloaded from a registry
    install_freshness: Freshness = ""  # the maximum age of cached answers of the registry
    tsconfig: str | None = None
    jsx_runtime: str | None = None
    jsx_factory: str | None = None
    jsx_fragment: str | None = None
    jsx_import_source: str | None = None
    jsx_is_requested: bool = False
    jsx_side_effects: bool = False
    ignore_dce_annotations: bool = False
    no_macros: bool = False
    no_addons: bool = False
    smol: bool = False
    heap_limit_mb: int | None = None  # the value of --max-old-space-size
    engine_flags: tuple[str, ...] = ()  # experimental flags of V8, which count when it starts
    stores_heap: str = ""  # the file in which the heap is stored when the program ends
    stored_heap: str = ""  # a file with a heap to start from
    has_stored_main: bool = False  # which has a main function, run in place of a file
    start: Mapping[str, Any] = {}  # start values that flags set (`Flag.start`)
    limits: Limits | None = None  # what --permission grants
    tests: Tests | None = None  # the flags of --test; with "test", the program is the test runner
    repl: Repl | None = None  # the program is a REPL or the debugger's command line
    colours: tuple[bool, bool] = (False, False)
    hot: bool = False  # changed modules are evaluated again
    hot_clears: bool = False  # the screen, before that
    hot_is_silent: bool = False
    # "on": the debugger listens; "wait": the program waits for a front end; "break": it also pauses at its first statement
    inspect: str = ""
    inspect_address: Address = ("127.0.0.1", None, "")  # settings.inspect_address.ANYWHERE
    inspect_is_shared: bool = (
        False  # other programs may listen at the address: if its port is in use, another is chosen
    )
    inspect_notify: str = (
        ""  # the URL of a socket that is notified when the debugger listens; then no banner is printed
    )
    inspect_as_node: bool = False  # the debugger prints Node's lines, for which tools search that start `node`
    inspect_publish: tuple[str, ...] = ("stderr", "http")  # where the debugger names its WebSocket
    inspect_ui: str = ""  # the address of the page that debugs; "": RT_DEBUGGER_UI, or the debugger's own page
    listens_on_signal: bool = True  # SIGUSR1 makes the debugger listen
    inline_maps: bool = False  # transpiled code carries its map, for the debugger
    watch_channel: str | None = None  # where the program reports the files it loads to a watching rt
    watch_reads: bool = False  # and the files that it reads with `node:fs`


def load_reporter(options: ProgramOptions) -> LoadReporter | None:
    """Return the reporter that sends the loaded files to a watching rt; None if rt does not watch."""
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
    """Return a text of the system as JavaScript sees it: U+FFFD stands for bytes that are not UTF-8, as in Node."""
    return text if text.isascii() else text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def _follows(options: ProgramOptions) -> dict[str, Any]:
    """Return the start values that make JavaScript report what it loads; none if no changes are watched."""
    if not options.hot and options.watch_channel is None:
        return {}
    follows = "reads" if options.watch_reads else "modules"
    return {"follows": follows, "watchChannel": options.watch_channel or ""}


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
        "isNode": options.identity == "node",
        "v8Version": _native.v8_version(),
        "arch": {"x86_64": "x64", "aarch64": "arm64"}.get(os.uname().machine, os.uname().machine),
        "platform": sys.platform,
        "network": {},
        "main": main,
        "code": options.code,
        "colorsOut": options.colours[0],
        "colorsErr": options.colours[1],
        "noAddons": options.no_addons,
        "storesHeap": bool(options.stores_heap),
        "hasRealms": _REALMS in options.engine_flags,
        "isHot": options.hot,
        **_follows(options),
        **({} if options.inspect_address[1] is None else {"debugPort": options.inspect_address[1]}),
        **({} if options.limits is None else {"limits": dict(options.limits)}),
        **({} if options.repl is None else {"repl": dict(options.repl)}),
        **({} if options.tests is None else {"tests": dict(options.tests)}),
        **options.start,
    }
