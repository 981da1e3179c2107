"""Source files, standard input and evaluated code: from a request to a program in the engine, in rt's own process."""

from __future__ import annotations

import os

from ...settings.target import is_pipe
from ...start.dependencies import Asked, evidence
from ...vocabulary.errors import Failed
from ...vocabulary.record import replace
from ..colours import wants_colour
from ..request import program_environment
from ..streams import read_text

WATCH_CHANNEL = "_RT_WATCH_CHANNEL"  # vocabulary.load_report.CHANNEL, which only watched programs import

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ...engine_worker.program.options import ProgramOptions
    from ...engine_worker.start.ready_engine import ReadyEngine
    from ...packages.auto_install import Mode
    from ...packages.manifests import Freshness
    from ...settings.target import Target
    from ..line.arguments import Invocation
    from ..request import Request


def run_program(request: Request, target: Target | None, *, engine: ReadyEngine | None = None) -> int:
    """Run a source file, standard input (a target named "-") or evaluated code (none); return its exit status.

    `engine` is one that this process was forked with. Raises Failed.
    """
    from ...engine_worker.program.worker import run_program as run

    options = program_options(request, target)
    if evidence.is_whole:
        from . import kept_program

        kept_program.keep(options, request, target)  # V8 is being started meanwhile
    return run(options, ready=engine)


def program_options(request: Request, target: Target | None) -> ProgramOptions:
    """Return what the program is to be run with. Raises Failed."""
    from ...engine_worker.program.options import ProgramOptions

    environment = program_environment(request)
    asked = Asked(environment)
    if node_options := asked.get("NODE_OPTIONS"):
        from ..line.node_options import with_node_options

        evidence.spoil()
        request = replace(request, invocation=with_node_options(request.invocation, node_options))
    from ..line.flag_values import names_module

    invocation = request.invocation
    if any("-prof" in flag for flag in invocation.options):
        from ..line.flag_values import check_profile_flags

        check_profile_flags(invocation.options)
    code: str | None = None
    repl: dict[str, object] | None = None
    entry = ""
    arguments = invocation.arguments
    tests: dict[str, object] | None = dict(invocation.tests) or None
    if tests is not None and "test" in tests:
        code = ""
        tests["words"] = list(arguments)
        arguments = ()
        if invocation.is_set("watch"):
            tests["watch"] = _watching(request)
    elif invocation.command == "inspect":
        code = ""
        repl = {"inspects": list(invocation.arguments)}
        arguments = ()
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
        # The link to a pipe in /proc leads nowhere by name.
        keeps_link = invocation.is_set("preserve-symlinks-main") or is_pipe(target.path)
        entry = target.path if keeps_link else os.path.realpath(target.path)
    if not (entry.isascii() and request.folder.isascii()):
        _check_text(entry or request.folder)
    limits: dict[str, object] | None = None
    if invocation.permission:
        from ..line.permission_flags import limits as limits_of

        limits = limits_of(invocation.permission, (entry, *invocation.texts("preload"))) or None
    if limits is not None and not limits["isAudit"] and "inspect" in (inspection := _inspection(request)):
        granted = limits["granted"]
        if inspection["inspect"] and isinstance(granted, list) and "inspector" not in granted:
            raise Failed("invalid-flag-value", ACCESS_DENIED)
    loaders = invocation.texts("loader")
    watch_channel = asked.get(WATCH_CHANNEL)
    if watch_channel is not None:
        evidence.spoil()
        environment = {name: value for name, value in environment.items() if name != WATCH_CHANNEL}
        os.environ.pop(WATCH_CHANNEL, None)
    return ProgramOptions(
        entry=entry,
        arguments=arguments,
        executable=request.executable,
        environment=environment,
        folder=request.folder,
        code=code,
        code_name="[stdin]" if target is not None and target.kind == "stdin" else "[eval]",
        has_entry_argument=target is not None,
        prints="print" in invocation.options and repl is None,
        runtime_arguments=invocation.runtime_arguments,
        preloads=invocation.texts("preload"),
        define=tuple(_split(value) for value in invocation.texts("define")),
        drop=tuple(part for value in invocation.texts("drop") for part in value.split(",")),
        module_hooks=(*invocation.texts("experimental-loader"), *(each for each in loaders if names_module(each))),
        loaders=dict(_split(value) for value in loaders if not names_module(value)),
        conditions=tuple(part for value in invocation.texts("conditions") for part in value.split(",")),
        main_fields=tuple(part for value in invocation.texts("main-fields") for part in value.split(",")),
        extensions=tuple(part for value in invocation.texts("extension-order") for part in value.split(",") if part),
        preserve_symlinks=invocation.is_set("preserve-symlinks"),
        preserve_symlinks_main=invocation.is_set("preserve-symlinks-main"),
        install=_install_mode(request, asked),
        install_freshness=_install_freshness(request),
        tsconfig=_tsconfig(request),
        jsx_runtime=_given(request, "jsx-runtime"),
        jsx_factory=_given(request, "jsx-factory"),
        jsx_fragment=_given(request, "jsx-fragment"),
        jsx_import_source=_given(request, "jsx-import-source"),
        jsx_is_asked=not _JSX_FLAGS.isdisjoint(request.given),
        jsx_side_effects=invocation.is_set("jsx-side-effects"),
        ignore_dce_annotations=invocation.is_set("ignore-dce-annotations"),
        no_macros=invocation.is_set("no-macros"),
        no_addons=invocation.is_set("no-addons") or _refuses_addons(limits),
        smol=invocation.is_set("smol"),
        expose_gc=invocation.is_set("expose-gc"),
        stack_trace_limit=_stack_trace_limit(invocation),
        console_depth=invocation.number("console-depth") or 0,
        disable_proto=_given(request, "disable-proto") or "",
        unhandled_rejections=_given(request, "unhandled-rejections") or "",
        no_deprecation=invocation.is_set("no-deprecation"),
        throw_deprecation=invocation.is_set("throw-deprecation"),
        no_warnings=invocation.is_set("no-warnings"),
        disable_warning=tuple(invocation.texts("disable-warning")),
        trace_warnings=invocation.is_set("trace-warnings"),
        trace_deprecation=invocation.is_set("trace-deprecation"),
        zero_fill_buffers=invocation.is_set("zero-fill-buffers"),
        title=_given(request, "title"),
        dns_result_order=_given(request, "dns-result-order") or "verbatim",
        network=_network(request),
        colours=(wants_colour(1, asked), wants_colour(2, asked)),
        tests=tests,
        limits=limits,
        repl=repl,
        hot=invocation.is_set("hot"),
        **_inspection(request),
        heeds_debug_signal=not invocation.is_set("disable-sigusr1"),
        hot_clears=invocation.is_set("hot")
        and os.isatty(1)
        and wants_colour(1, environment)
        and not invocation.is_set("no-clear-screen"),
        hot_is_silent=invocation.is_set("silent"),
        watch_channel=watch_channel,
    )


def _watching(request: Request) -> dict[str, object]:
    """Return what flags and config say of the watching that the runner of tests does itself. Raises Failed."""
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


def _inspection(request: Request) -> dict[str, Any]:
    """Return what flags say of the debugger; nothing where none was given."""
    options = request.invocation.options
    modes = {"inspect-brk": "break", "inspect-wait": "wait", "inspect": "on"}
    given = [flag for flag in modes if flag in options]
    if not given and "inspect-port" not in options:
        return {}
    from ...settings.inspect_address import ANYWHERE, read_address

    address = ANYWHERE
    for flag in ("inspect-port", *reversed(modes)):
        if options.get(flag):
            address = read_address(flag, str(options[flag]))
    tests = request.invocation.tests
    if "test" in tests and tests.get("test-isolation") != "none":
        return {}  # the processes of the files are debugged, which get the flags
    return {"inspect": modes[given[0]] if given else "", "inspect_address": address, "inline_maps": bool(given)}


# The globals that a flag's negation takes away.
_GLOBALS = {
    "experimental-websocket": ("WebSocket", "CloseEvent"),
    "experimental-eventsource": ("EventSource",),
    "experimental-global-navigator": ("navigator", "Navigator"),
}

# Which store of certificates a flag chooses.
_CA_STORES = {"use-system-ca": "system", "use-openssl-ca": "openssl", "use-bundled-ca": "bundled"}


def _stack_trace_limit(invocation: Invocation) -> int | None:
    limit = invocation.options.get("stack-trace-limit")
    return limit if isinstance(limit, int) else None


def _refuses_addons(limits: dict[str, object] | None) -> bool:
    """Whether `--permission` leaves the program no native addons."""
    granted = [] if limits is None else limits["granted"]
    return limits is not None and not limits["isAudit"] and isinstance(granted, list) and "addons" not in granted


def _network(request: Request) -> dict[str, object]:
    """Return what flags say of the network; nothing where none was given."""
    invocation = request.invocation
    network: dict[str, object] = {}
    for flag, name in (("user-agent", "userAgent"), ("max-http-header-size", "maxHeaderSize"), ("port", "port")):
        if invocation.options.get(flag, "") != "":
            network[name] = invocation.options[flag]
    network.update(_tls(invocation))
    if invocation.options.get("network-family-autoselection") is False:
        network["autoSelectFamily"] = False
    if "network-family-autoselection-attempt-timeout" in invocation.options:
        network["attemptTimeoutMs"] = invocation.options["network-family-autoselection-attempt-timeout"]
    hidden = [name for flag, names in _GLOBALS.items() if invocation.options.get(flag) is False for name in names]
    if hidden:
        network["hiddenGlobals"] = hidden
    if "use-env-proxy" in invocation.options:
        network["usesEnvProxy"] = invocation.is_set("use-env-proxy")
    preconnect: dict[str, object] = {}
    if urls := invocation.texts("fetch-preconnect"):
        preconnect["fetch"] = list(urls)
    for name in ("redis", "sql"):
        if invocation.is_set(f"{name}-preconnect"):
            preconnect[name] = True
    if preconnect:
        network["preconnect"] = preconnect
    stores = [store for flag, store in _CA_STORES.items() if invocation.is_set(flag)]
    if len(stores) > 1:
        raise Failed(
            "several-ca-stores", "choose exactly one of --use-system-ca, --use-openssl-ca, or --use-bundled-ca"
        )
    if stores:
        network["caStore"] = stores[0]
    elif invocation.options.get("use-system-ca") is False:
        network["caStore"] = "bundled"  # whatever NODE_USE_SYSTEM_CA says
    return network


def _tls(invocation: Invocation) -> dict[str, object]:
    """Return the defaults of node:tls that flags have changed; of several versions the widest range."""
    least = [version for version in ("1.0", "1.1", "1.2", "1.3") if invocation.is_set(f"tls-min-v{version}")]
    most = [version for version in ("1.3", "1.2") if invocation.is_set(f"tls-max-v{version}")]
    if invocation.is_set("tls-min-v1.3") and invocation.is_set("tls-max-v1.2"):
        raise Failed("tls-versions-conflict", "either --tls-min-v1.3 or --tls-max-v1.2 can be used, not both")
    found: dict[str, object] = {}
    if least:
        found["tlsMin"] = "TLSv1" if least[0] == "1.0" else f"TLSv{least[0]}"
    if most:
        found["tlsMax"] = f"TLSv{most[0]}"
    for flag, name in (("tls-cipher-list", "tlsCiphers"), ("tls-keylog", "tlsKeylog")):
        if flag in invocation.options:
            found[name] = invocation.options[flag]
    return found


def _install_mode(request: Request, asked: Asked) -> Mode:
    """When packages that are missing are installed: as flags, the environment and the config say."""
    given = _given(request, "install")
    if request.invocation.is_set("no-install") or given == "disable" or asked.get("RT_NO_INSTALL"):
        return "disable"
    return "force" if given == "force" else "fallback" if given == "fallback" else "auto"


def _install_freshness(request: Request) -> Freshness:
    if request.invocation.is_set("prefer-latest"):
        return "latest"
    return "offline" if request.invocation.is_set("prefer-offline") else ""


def _tsconfig(request: Request) -> str | None:
    """The absolute path of --tsconfig-override. Raises Failed where there is none."""
    given = _given(request, "tsconfig-override")
    if given is None:
        return None
    path = os.path.normpath(os.path.join(request.folder, given))
    if not os.path.exists(path):
        raise Failed("tsconfig-not-found", f'Cannot find tsconfig file "{path}"')
    return path


ACCESS_DENIED = "Access to this API has been restricted. Use --allow-inspector to manage permissions."

_JSX_FLAGS = frozenset(("jsx-runtime", "jsx-factory", "jsx-fragment", "jsx-import-source"))


def _given(request: Request, name: str) -> str | None:
    value = request.invocation.options.get(name)
    return value if isinstance(value, str) else None


def _split(value: str) -> tuple[str, str]:
    """What stands before and after the first `:` or `=`."""
    colon, equals = value.find(":"), value.find("=")
    key, _, rest = value.partition("=" if colon < 0 or 0 <= equals < colon else ":")
    return key, rest


def _check_text(path: str) -> None:
    """Raise Failed for a path that JavaScript has no text for."""
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
