"""`rt agent`: from its arguments to the process of an agent or scheduler, to certificates, or to a slot of an agent."""

from __future__ import annotations

import errno
import os
import sys

from ...start.cache_folder import cache_folder
from ...vocabulary.errors import Failed
from ..line.command_words import parse
from ..line.commands import AGENT
from ..line.flags import OF_AGENT
from ..streams import write

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import NoReturn

    from ...engine_worker.start.ready_engine import ReadyEngine
    from ..line.command_words import CommandWords

SLOT_WORD = "--slot"  # `cluster.slots` starts slots with it


def run_agent(arguments: Sequence[str], main: Callable[[ReadyEngine], NoReturn]) -> int:
    """Do what the arguments say and return the exit status; becomes another process for an agent. Raises Failed."""
    if tuple(arguments) == (SLOT_WORD,):
        from .agent_slot import run_slot

        return run_slot(main)
    given = parse(AGENT, arguments)
    if len(given.words) > 1:
        raise Failed("cluster-address", f"rt agent takes one address, and {len(given.words)} are given")
    require_extra("rt agent")
    folder = given.text("make-certificates")
    if folder is None:
        _become_agent(given)
    from ...cluster.certificates import make_certificates

    write(1, "".join(f"{path}\n" for path in make_certificates(folder)))
    return 0


def require_extra(what: str) -> None:
    """Raise Failed if the packages of the extra `cluster` are not installed; `what` needs them."""
    from importlib.util import find_spec

    if find_spec("distributed") is None:
        raise Failed(
            "cluster-extra",
            f"{what} needs the cluster extra, which is not installed: pip install 'rt-supervisor[cluster]'",
        )


def agent_folder(given: str | None = None) -> str:
    """Create and return the folder where agents keep their files: `given`, by default one in the user's cache. Raises Failed."""
    folder = os.path.abspath(given) if given else cache_folder("cluster")
    if folder is None:
        raise Failed(
            "cluster-folder", "rt has no cache folder that only this user can write to; name one with --folder"
        )
    try:
        os.makedirs(folder, mode=0o700, exist_ok=True)
        if not os.access(folder, os.W_OK | os.X_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    except OSError as error:
        raise Failed(
            "cluster-folder",
            f"cannot keep the files of agents in {folder}: {error.strerror}; name another folder with --folder",
        ) from error
    return folder


def _become_agent(given: CommandWords) -> NoReturn:
    from ...cluster.addresses import is_loopback, parse_address, refuse_plain
    from ...cluster.certificates import AGENT, SCHEDULER, require_files
    from ...cluster.process import Settings, encode

    starts_scheduler, certificates = given.has("scheduler"), given.text("certificates") or ""
    require_files(certificates, AGENT, *((SCHEDULER,) if starts_scheduler else ()))
    if bool(given.words) == starts_scheduler:
        raise Failed("cluster-address", "rt agent needs the address of a scheduler, or --scheduler to start one")
    host, port = _text(given, "host"), _number(given, "port")
    url = ""
    if given.words:
        address = parse_address(given.words[0], os.getcwd())
        if address.agents:
            raise Failed("cluster-address", f'"{given.words[0]}" is for `rt run --on`, which starts its own agents')
        url = address.url
        refuse_plain(url, is_insecure=given.has("insecure"))
    elif not certificates and not is_loopback(host):
        refuse_plain(f"tcp://{host}:{port}", is_insecure=given.has("insecure"))
    settings = Settings(
        url=url,
        host=host if starts_scheduler else "",
        port=port,
        agents=1,
        slots=given.number("slots") or len(os.sched_getaffinity(0)),
        tags=tuple(tag for text in given.texts("tag") for tag in text.split(",") if tag),
        folder=agent_folder(given.text("folder")),
        certificates=os.path.abspath(certificates) if certificates else "",
        patience_s=_number(given, "wait"),
        is_once=given.has("once"),
        follows_input=False,
        dashboard=given.text("dashboard") or "",
        store_limit_mb=_number(given, "store-limit"),
    )
    os.execv(sys.executable, [sys.executable, "-m", "rt_supervisor.cluster.process", encode(settings)])


def default_number(name: str) -> int:
    """Return the default of a flag of `rt agent` that takes a number."""
    default = _DEFAULTS[name]
    assert isinstance(default, int)
    return default


def _number(given: CommandWords, name: str) -> int:
    """Return the value of a flag, otherwise its default."""
    value = given.number(name)
    return default_number(name) if value is None else value


def _text(given: CommandWords, name: str) -> str:
    """Return the value of a flag, otherwise its default."""
    return given.text(name) or str(_DEFAULTS[name])


_DEFAULTS = {flag.name: flag.default for flag in OF_AGENT}
