"""Runs source files, standard input and evaluated code: from a request to a program in rt's own process."""

from __future__ import annotations

import os

from ...settings.environment import WATCH_INSPECT_PORT
from ...settings.target import is_pipe
from ...start.dependencies import RecordedVariables, dependencies
from ...vocabulary.errors import Failed
from ...vocabulary.record import replace
from ..colours import wants_colour
from ..line import flags
from ..request import (
    IDENTITY,
    INSPECT_VARIABLES,
    inspect_request,
    program_environment,
    requested_by_variable,
    watched_address,
)
from ..streams import read_text

WATCH_CHANNEL = "_RT_WATCH_CHANNEL"  # vocabulary.load_report.CHANNEL, which only watched programs import

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ...engine_worker.program.options import Limits, Network, ProgramOptions, Repl, Tests, TestWatch
    from ...engine_worker.start.ready_engine import ReadyEngine
    from ...packages.auto_install import Mode
    from ...packages.manifests import Freshness
    from ...settings.target import Target
    from ..line.arguments import Invocation, Value
    from ..request import Request


def run_program(request: Request, target: Target | None, *, engine: ReadyEngine | None = None) -> int:
    """Run a source file, standard input (a target named "-") or evaluated code (none); return its exit status.

    `engine` is one that this process was forked with. Raises Failed.
    """
    from ...engine_worker.program.provider import run_program as run

    if request.invocation.is_set("check"):
        from .checked import check_program

        return check_program(request, target, engine)
    options = program_options(request, target)
    if dependencies.is_recording:
        from . import cached_program

        cached_program.store(options, request, target)  # V8 starts meanwhile
    return run(options, ready=engine)


def program_options(request: Request, target: Target | None) -> ProgramOptions:
    """Return the options of the program. Raises Failed."""
    from ...engine_worker.program.options import ProgramOptions

    environment = program_environment(request)
    variables = RecordedVariables(environment)
    if node_options := variables.get("NODE_OPTIONS"):
        from ..line.node_options import with_node_options

        dependencies.prevent_caching()
        invocation = with_node_options(request.invocation, node_options, as_node=request.as_node)
        more = invocation.options.keys() - request.invocation.options.keys()
        request = replace(request, invocation=invocation, given=request.given | more)
    from ..line.flag_values import names_module

    invocation = request.invocation
    if any("-prof" in flag for flag in invocation.options):
        from ..line.flag_values import check_profile_flags

        check_profile_flags(request.given, invocation.options)
    code: str | None = None
    repl: Repl | None = None
    entry = ""
    arguments = invocation.arguments
    tests: Tests | None = {**invocation.tests} if invocation.tests else None
    if tests is not None and "test" in tests:
        code = ""
        tests["words"] = list(arguments)
        arguments = ()
        if invocation.is_set("watch"):
            tests["watch"] = _watching(request)
        if tests.get("test-isolation") == "none":  # the runner imports them after the global setup, as in Node
            tests["preloads"] = list(invocation.texts("preload"))
    elif invocation.command == "inspect":
        code = ""
        repl = {"inspects": list(invocation.arguments)}
        arguments = ()
    elif invocation.command == "repl":
        code = ""
        repl = {"handlesTypes": True}
        if (text := invocation.text("print")) is not None:
            repl |= {"code": text, "prints": True}
        elif (text := invocation.text("eval")) is not None:
            repl["code"] = text
    elif target is None and invocation.is_set("interactive"):
        code = ""
        repl = {"code": text} if (text := invocation.text("print") or invocation.text("eval")) else {}
        arguments = (*invocation.names, *arguments)
    elif target is None:
        code = invocation.text("print") if "print" in invocation.options else invocation.text("eval")
        arguments = (*invocation.names, *arguments)
    elif target.kind == "stdin":
        code = _standard_input()
    else:
        # The target of a link to a pipe in /proc is not a path.
        keeps_link = (
            invocation.is_set("preserve-symlinks-main")
            or variables.get("NODE_PRESERVE_SYMLINKS_MAIN") == "1"
            or is_pipe(target.path)
        )
        entry = target.path if keeps_link else os.path.realpath(target.path)
    if not (entry.isascii() and request.folder.isascii()):
        _check_text(entry or request.folder)
    limits: Limits | None = None
    if invocation.permission:
        from ..line.permission_flags import limits as limits_of

        limits = limits_of(invocation.permission, (entry, *invocation.texts("preload")))
    inspection = _inspection(request, variables)
    if inspection and any(environment.get(name) for name in (*INSPECT_VARIABLES, WATCH_INSPECT_PORT)):
        left_out = (*INSPECT_VARIABLES, WATCH_INSPECT_PORT)
        environment = {name: value for name, value in environment.items() if name not in left_out}
    if (
        limits is not None
        and not limits["isAudit"]
        and inspection.get("inspect")
        and "inspector" not in limits["granted"]
    ):
        if not request.as_node or inspection["inspect"] == "break":
            raise Failed("inspector-not-allowed", ACCESS_DENIED)
        inspection = {}  # Node does not listen, and runs the program
    loaders = invocation.texts("loader")
    watch_channel = variables.get(WATCH_CHANNEL)
    if watch_channel is not None:
        dependencies.prevent_caching()
        environment = {name: value for name, value in environment.items() if name != WATCH_CHANNEL}
        os.environ.pop(WATCH_CHANNEL, None)
    identity = variables.get(IDENTITY) or ("node" if request.as_node else "bun")
    return ProgramOptions(
        entry=entry,
        arguments=arguments,
        executable=_shown_executable(request, identity),
        identity=identity,
        environment=environment,
        folder=request.folder,
        code=code,
        code_name="[stdin]" if target is not None and target.kind == "stdin" else "[eval]",
        has_entry_argument=target is not None,
        prints="print" in invocation.options and repl is None,
        runtime_arguments=invocation.runtime_arguments,
        **flag_options(invocation)
        | _symlinks(variables)
        | ({"preloads": ()} if tests and tests.get("preloads") else {}),
        define=tuple(_split(value) for value in invocation.texts("define")),
        module_hooks=(*invocation.texts("experimental-loader"), *(each for each in loaders if names_module(each))),
        loaders=dict(_split(value) for value in loaders if not names_module(value)),
        install=_install_mode(request, variables, identity),
        install_freshness=_install_freshness(request),
        tsconfig=_tsconfig(request),
        jsx_is_requested=not _JSX_FLAGS.isdisjoint(request.given),
        heap_limit_mb=_heap_limit_mb(invocation),
        **_stored_heap(request),
        engine_flags=_engine_flags(invocation),
        no_addons=invocation.is_set("no-addons") or _refuses_addons(limits),
        start=start_values(invocation) | _main_argument(request, target, entry, identity),
        colours=(wants_colour(1, variables), wants_colour(2, variables)),
        tests=tests,
        limits=limits,
        repl=repl,
        **inspection,
        inspect_ui=_debugger_ui(request, variables),
        listens_on_signal=not invocation.is_set("disable-sigusr1"),
        hot_clears=invocation.is_set("hot")
        and os.isatty(1)
        and wants_colour(1, environment)
        and not invocation.is_set("no-clear-screen"),
        hot_is_silent=invocation.is_set("silent"),
        watch_channel=watch_channel,
    )


def _symlinks(variables: RecordedVariables) -> dict[str, bool]:
    """Return the option of `--preserve-symlinks` if its variable sets it."""
    return {"preserve_symlinks": True} if variables.get("NODE_PRESERVE_SYMLINKS") == "1" else {}


def _main_argument(request: Request, target: Target | None, entry: str, identity: str) -> dict[str, Any]:
    """Return the start value for `process.argv[1]` where it is not `entry`: a program that sees Node finds the file as it was named."""
    if identity != "node" or target is None or not entry:
        return {}
    name = target.path
    if target.kind == "file":
        name = os.path.normpath(os.path.join(request.folder, target.name))
    return {} if name == entry else {"mainArgument": name}


def _shown_executable(request: Request, identity: str) -> str:
    """Return `process.execPath`: for a program that sees Node, a link named node if there is one, which starts such programs."""
    if identity != "node":
        return request.executable
    from ...settings.node_link import kept_node

    return kept_node(request.executable) or request.executable


def _stored_heap(request: Request) -> dict[str, Any]:
    """Return the options for heaps that are stored. Raises Failed."""
    invocation = request.invocation
    if invocation.options.keys().isdisjoint(_SNAPSHOT_FLAGS):
        return {}
    from .stored_heaps import options_of

    return options_of(request)


def _engine_flags(invocation: Invocation) -> tuple[str, ...]:
    """Return the experimental flags of V8 among the given ones, which V8 reads when it starts."""
    names = (word.replace("_", "-") for word in invocation.runtime_arguments)
    flags = ("--harmony-shadow-realm" if name == "--experimental-shadow-realm" else name for name in names)
    return tuple(flag for flag in flags if flag.startswith(("--harmony", "--no-harmony")))


def _heap_limit_mb(invocation: Invocation) -> int | None:
    """Return the heap size that --max-old-space-size or its percentage sets; warns of one that V8 cannot address."""
    if part := invocation.text("max-old-space-size-percentage"):
        from ...engine_worker.start.library import heap_bytes_of

        return heap_bytes_of(float(part)) >> 20
    given = invocation.text("max-old-space-size")
    if given is None or int(given) == 0:  # 0 stands for the default, as in V8
        return None
    from ...engine_worker.start.library import ADDRESSABLE_HEAP_BYTES

    most = ADDRESSABLE_HEAP_BYTES >> 20
    if int(given) > most:
        from ..streams import warn

        warn(f"--max-old-space-size={given}: rt's engine addresses {most} MB; the heap is limited to that")
    return int(given)


def _watching(request: Request) -> TestWatch:
    """Return the watch settings of the test runner, which watches files itself. Raises Failed."""
    invocation = request.invocation
    for flag in ("test-force-exit", "test-shard", "test-randomize", "test-random-seed"):
        if flag in invocation.tests:
            raise Failed("watch-of-tests", f"--watch and --{flag} cannot be used together")
    quiet_ms = invocation.number("watch-debounce")
    return {
        "ignore": list(invocation.texts("watch-ignore")),
        "include": list(invocation.texts("watch-include")),
        "polls": invocation.is_set("watch-poll"),
        "quiet_s": (30 if quiet_ms is None else quiet_ms) / 1000,
    }


def _inspection(request: Request, environment: RecordedVariables) -> dict[str, Any]:
    """Return the options of the debugger: those of its flags, or of RT_INSPECT. Raises Failed."""
    given = inspect_request(request.invocation)
    if _runs_test_files(request):
        return {}  # their processes get the flags and the variables
    variables = {name: environment.get(name) for name in INSPECT_VARIABLES}
    if any(variables.values()):
        dependencies.prevent_caching()
        for name in INSPECT_VARIABLES:  # the program's children are not debugged
            os.environ.pop(name, None)
    as_node = {"inspect_as_node": request.as_node and not any(variables.values())}
    notify = next((value for name in INSPECT_VARIABLES[2:] if (value := variables[name])), "")
    is_shared = False
    if (given is None or not given[1]) and (found := requested_by_variable(variables)):
        given, is_shared = found, True
    if given is None:
        return as_node
    selected, mode = given
    address = watched_address(selected, environment)
    if address != selected:
        os.environ.pop(WATCH_INSPECT_PORT, None)
        is_shared = True
    publish = (request.invocation.text("inspect-publish-uid") or "stderr,http").split(",")
    more = {"inspect_publish": tuple(publish), "inspect_notify": notify, "inspect_is_shared": is_shared}
    return {"inspect": mode, "inspect_address": address, "inline_maps": bool(mode), **as_node, **(more if mode else {})}


def _runs_test_files(request: Request) -> bool:
    """Whether the program is the test runner, which starts a process for each file."""
    tests = request.invocation.tests
    return "test" in tests and tests.get("test-isolation") != "none"


def _debugger_ui(request: Request, variables: RecordedVariables) -> str:
    """Return the address of the debugger's page that a flag or `rtfig.toml` sets; the environment overrides the file."""
    ui = request.invocation.text("inspect-ui")
    return "" if not ui or ("inspect-ui" not in request.given and variables.get("RT_DEBUGGER_UI")) else ui


# The globals that the negation of a flag removes.
_GLOBALS = {
    "experimental-websocket": ("WebSocket", "CloseEvent"),
    "experimental-eventsource": ("EventSource",),
    "experimental-global-navigator": ("navigator", "Navigator"),
}


def _refuses_addons(limits: Limits | None) -> bool:
    """Whether `--permission` keeps the program from loading native addons."""
    return limits is not None and not limits["isAudit"] and "addons" not in limits["granted"]


def flag_options(invocation: Invocation) -> dict[str, Any]:
    """Return the fields of `ProgramOptions` that flags set, as their rows in the table say."""
    given = [(flag.option, _value_of(flag, value)) for flag, value in _given_flags(invocation) if flag.option]
    return {option: tuple(value) if isinstance(value, list) else value for option, value in given}


def start_values(invocation: Invocation) -> dict[str, Any]:
    """Return the start values that flags set: those of their rows in the table, and what several flags together say."""
    values: dict[str, Any] = {}
    for flag, value in _given_flags(invocation):
        if flag.start:
            *outer, name = flag.start.split(".")
            place = values
            for each in outer:
                place = place.setdefault(each, {})
            place[name] = _value_of(flag, value)
    network = {**values.get("network", {}), **_tls_versions(invocation), **_ca_store(invocation)}
    if hidden := [name for flag, names in _GLOBALS.items() if invocation.options.get(flag) is False for name in names]:
        network["hiddenGlobals"] = hidden
    return {**values, "network": network} if network else values


def _given_flags(invocation: Invocation) -> list[tuple[flags.Flag, Value]]:
    return [(flags.BY_NAME[name], value) for name, value in invocation.options.items()]


def _value_of(flag: flags.Flag, value: Value) -> object:
    """Return a flag's value as options and start values have it: the parts of a list one by one."""
    if isinstance(value, tuple):
        return [part for each in value for part in each.split(",") if part] if flag.splits else list(value)
    return value


def _tls_versions(invocation: Invocation) -> Network:
    """Return the default range of TLS versions that flags set, the widest one that they name. Raises Failed for an empty one."""
    least = [version for version in ("1.0", "1.1", "1.2", "1.3") if invocation.is_set(f"tls-min-v{version}")]
    most = [version for version in ("1.3", "1.2") if invocation.is_set(f"tls-max-v{version}")]
    if invocation.is_set("tls-min-v1.3") and invocation.is_set("tls-max-v1.2"):
        raise Failed("tls-versions-conflict", "either --tls-min-v1.3 or --tls-max-v1.2 can be used, not both")
    found: Network = {}
    if least:
        found["tlsMin"] = "TLSv1" if least[0] == "1.0" else f"TLSv{least[0]}"
    if most:
        found["tlsMax"] = f"TLSv{most[0]}"
    return found


def _ca_store(invocation: Invocation) -> Network:
    """Return which certificate authorities flags choose. Raises Failed where they choose several."""
    from ...engine_worker.program.options import CA_STORES

    stores = [store for flag, store in CA_STORES.items() if invocation.is_set(flag)]
    if len(stores) > 1:
        raise Failed(
            "several-ca-stores", "choose exactly one of --use-system-ca, --use-openssl-ca, or --use-bundled-ca"
        )
    if stores:
        return {"caStore": stores[0]}
    # The negation also overrides NODE_USE_SYSTEM_CA.
    return {"caStore": CA_STORES["use-bundled-ca"]} if invocation.options.get("use-system-ca") is False else {}


def _install_mode(request: Request, variables: RecordedVariables, identity: str) -> Mode:
    """Return when missing packages are installed, according to flags, environment and config; never by default for a program
    that sees Node only, because Node installs nothing."""
    given = _text_of(request, "install")
    if given is None and identity == "node":
        return "disable"
    if request.invocation.is_set("no-install") or given == "disable" or variables.get("RT_NO_INSTALL"):
        return "disable"
    return "force" if given == "force" else "fallback" if given == "fallback" else "auto"


def _install_freshness(request: Request) -> Freshness:
    if request.invocation.is_set("prefer-latest"):
        return "latest"
    return "offline" if request.invocation.is_set("prefer-offline") else ""


def _tsconfig(request: Request) -> str | None:
    """Return the absolute path of --tsconfig-override. Raises Failed if there is no such file."""
    given = _text_of(request, "tsconfig-override")
    if given is None:
        return None
    path = os.path.normpath(os.path.join(request.folder, given))
    if not os.path.exists(path):
        raise Failed("tsconfig-not-found", f'Cannot find tsconfig file "{path}"')
    return path


ACCESS_DENIED = "Access to this API has been restricted. Use --allow-inspector to manage permissions."

_SNAPSHOT_FLAGS = ("build-snapshot", "build-snapshot-config", "snapshot-blob")
_JSX_FLAGS = frozenset(("jsx-runtime", "jsx-factory", "jsx-fragment", "jsx-import-source"))


def _text_of(request: Request, name: str) -> str | None:
    value = request.invocation.options.get(name)
    return value if isinstance(value, str) else None


def _split(value: str) -> tuple[str, str]:
    """Return the parts before and after the first `:` or `=`."""
    colon, equals = value.find(":"), value.find("=")
    key, _, rest = value.partition("=" if colon < 0 or 0 <= equals < colon else ":")
    return key, rest


def _check_text(path: str) -> None:
    """Raise Failed for a path that is not valid text in JavaScript."""
    try:
        path.encode()
    except UnicodeEncodeError:
        shown = path.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
        raise Failed("path-not-utf8", f'"{shown}" cannot be used: the path is not UTF-8') from None


def _standard_input() -> str:
    try:
        return read_text(0).decode("utf-8", "replace")
    except OSError as error:
        raise Failed("stdin-not-readable", f"cannot read standard input: {error.strerror}") from error
