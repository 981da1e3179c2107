"""A request: a parsed command line with the settings that apply to it, created once, before a name is resolved."""

from __future__ import annotations

import os

from ..settings.environment import DEFAULT_PATH, WATCH_INSPECT_PORT, own_executable
from ..settings.target import Places
from ..start.dependencies import depend_on
from ..vocabulary.errors import Failed
from ..vocabulary.extensions import EXTENSIONS
from ..vocabulary.record import record, replace
from . import streams

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from ..settings.inspect_address import Address, Mode
    from ..start.dependencies import Variables
    from .line.arguments import Invocation


@record
class Request:
    """A run, with the folder, the config and the env files that decide it.

    `invocation` is as parsed, with the options of the config merged in; `folder` the absolute working folder;
    `given` the names of the flags on the command line; `executable` the path of rt; `environment` the process
    environment with the values of --env-file under it.
    """

    invocation: Invocation
    folder: str
    executable: str
    environment: Mapping[str, str]
    given: frozenset[str] = frozenset()
    as_node: bool = False  # rt was called as `node`


def change_folder(invocation: Invocation) -> None:
    """Change to the folder of --cwd. Raises `Failed`."""
    wanted = invocation.options.get("cwd")
    if not isinstance(wanted, str):
        return
    try:
        os.chdir(wanted)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise Failed("cwd-not-usable", f'Could not change directory to "{wanted}": {reason}') from error


# Flags that make a run of several scripts. A config file sets them for `rt run NAME` only, so that other commands still work.
SEVERAL_SCRIPTS = ("filter", "workspaces", "parallel", "sequential", "tasks", "affected")
_OF_THE_RUN = (
    *SEVERAL_SCRIPTS,
    "watch",
    "hot",
    "inspect",
    "inspect-wait",
    "inspect-brk",
    "cpu-prof",
    "cpu-prof-md",
    "heap-prof",
    "heap-prof-md",
)
IDENTITY = "RT_IDENTITY"  # the variable by which --identity reaches the programs that scripts start
LONGEST_FOLDER = 4095 - len("/package.json")  # PATH_MAX without the terminator


def make_request(invocation: Invocation, *, as_node: bool = False) -> Request:
    """Read config and env files, and print their warnings. Raises `Failed`.

    `as_node`: rt was called as `node`, usually by a script, and the config's flags about the run do not apply.
    """
    folder = _working_folder(as_node=as_node)
    if (
        len(os.fsencode(folder)) > LONGEST_FOLDER
    ):  # its package.json could not be opened, but that of a parent folder could
        raise Failed("cwd-not-usable", f"the path of the working folder is longer than {LONGEST_FOLDER} bytes")
    given = frozenset(invocation.options)
    config_path = invocation.options.get("config")
    if config_path is not None or os.path.lexists(depend_on(os.path.join(folder, "rtfig.toml"))):
        from ..settings import config
        from .line.config_keys import find_key

        loaded = config.load(folder, config_path if isinstance(config_path, str) else None, find_key)
        streams.warn_all(loaded.warnings)
        options = config.merge(loaded, invocation.options)
        if left_out := _OF_THE_RUN if as_node else () if invocation.with_run and invocation.names else SEVERAL_SCRIPTS:
            options = {name: value for name, value in options.items() if name in given or name not in left_out}
        invocation = replace(invocation, options=options)
    environment: Mapping[str, str] = os.environ
    if invocation.texts("env-file"):
        from ..settings import env_files

        paths = invocation.texts("env-file")
        variables = (
            env_files.load_as_node(paths, invocation.texts("env-file-if-exists"), folder)
            if as_node
            else env_files.load_named(paths, folder, os.environ)
        )
        streams.warn_all(variables.warnings)
        env_files.apply_time_zone(variables.values)
        environment = {**variables.values, **os.environ}
    if identity := invocation.text("identity"):
        environment = {**environment, IDENTITY: identity}
    return Request(invocation, folder, own_executable(), environment, given, as_node)


def _working_folder(*, as_node: bool) -> str:
    """Return the working folder; the root if it has been deleted and `as_node`, since Node starts and only process.cwd() fails.

    Raises Failed.
    """
    try:
        return os.getcwd()
    except OSError as error:
        if as_node:
            return "/"
        raise Failed("cwd-gone", f"cannot determine the working folder: {error.strerror}") from error


def program_environment(request: Request) -> Mapping[str, str]:
    """Return the environment of a program that runs in the engine: with the default env files, unless flags disable them.

    Scripts do not get those: the programs that they start read them. Under the name `node` there are none.
    """
    invocation = request.invocation
    if request.as_node or invocation.texts("env-file") or invocation.is_set("no-env-file"):
        return request.environment
    from ..settings import env_files

    variables = env_files.load_default(request.folder, request.environment)
    streams.warn_all(variables.warnings)
    env_files.apply_time_zone(variables.values)
    return {**variables.values, **request.environment} if variables.values else request.environment


def places_of(request: Request, scripts: Mapping[str, str], problem: str) -> Places:
    invocation = request.invocation
    order = [part for value in invocation.texts("extension-order") for part in value.split(",") if part]
    return Places(
        folder=request.folder,
        scripts=scripts,
        path=request.environment.get("PATH") or DEFAULT_PATH,
        problem=problem,
        extensions=order or EXTENSIONS,
        loaders=[value.partition(":")[0] for value in invocation.texts("loader")],
    )


# The variables that debug a program (`settings.inspect_address`): addresses, then where a client waits.
INSPECT_VARIABLES = ("RT_INSPECT", "BUN_INSPECT", "RT_INSPECT_NOTIFY", "BUN_INSPECT_NOTIFY")
_INSPECT_MODES: dict[str, Mode] = {"inspect-brk": "break", "inspect-wait": "wait", "inspect": "on"}


def inspect_request(invocation: Invocation) -> tuple[Address, Mode] | None:
    """Return the address that the debugger's flags give, and how the program starts ("": the debugger does not listen yet).

    None without these flags. Raises Failed.
    """
    options = invocation.options
    given = [flag for flag in _INSPECT_MODES if invocation.is_set(flag)]
    if not given and "inspect-port" not in options:
        return None
    from ..settings.inspect_address import ANYWHERE, read_address

    address = ANYWHERE
    for flag, value in options.items():  # the last address counts
        if flag != "inspect-port" and flag not in _INSPECT_MODES:
            continue
        if value and isinstance(value, str):
            address = read_address(f"--{flag}", value)
    return address, _INSPECT_MODES[given[0]] if given else ""


def requested_by_variable(environment: Mapping[str, str | None]) -> tuple[Address, Mode] | None:
    """Return what RT_INSPECT or BUN_INSPECT requests; None if neither is set. Raises Failed."""
    for name in INSPECT_VARIABLES[:2]:
        if value := environment.get(name):
            from ..settings.inspect_address import from_url

            return from_url(name, value)
    return None


def watched_address(address: Address, environment: Variables) -> Address:
    """Return `address` with the port that a watching rt has selected for all restarts, if it may be any port."""
    host, port, path = address
    selected = None if port else environment.get(WATCH_INSPECT_PORT)
    return (host, int(selected), path) if selected else address


def script_request(request: Request) -> Request:
    """Return the request for scripts and binaries: the debugger's flags apply to the programs that they start."""
    given = inspect_request(request.invocation)
    if given is None or not given[1]:
        return request
    given = watched_address(given[0], request.environment), given[1]
    from ..settings.inspect_address import to_url

    environment = {**request.environment, INSPECT_VARIABLES[0]: to_url(*given)}
    changed: Request = replace(request, environment=environment)
    return changed
