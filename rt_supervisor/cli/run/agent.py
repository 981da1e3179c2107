"""`rt agent`: from its arguments to the process of an agent or scheduler, to certificates, or to a slot of an agent."""

from __future__ import annotations

import errno
import os
import sys

from ...start.cache_folder import cache_folder
from ...vocabulary.errors import Failed
from ..streams import write

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Sequence
    from typing import NoReturn

    from ...engine_worker.start.ready_engine import ReadyEngine

_DEFAULT_PORT = 8786
_PATIENCE_S = 600
SLOT_WORD = "--slot"  # `cluster.slots` starts slots with it


def run_agent(arguments: Sequence[str], main: Callable[[ReadyEngine], NoReturn]) -> int:
    """Do what the arguments say and return the exit status; becomes another process for an agent. Raises Failed."""
    if tuple(arguments) == (SLOT_WORD,):
        from .agent_slot import run_slot

        return run_slot(main)
    options = _parser().parse_args(list(arguments))
    require_extra("rt agent")
    if not options.make_certificates:
        _become_agent(options)
    from ...cluster.certificates import make_certificates

    write(1, "".join(f"{path}\n" for path in make_certificates(options.make_certificates)))
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


def _parser() -> argparse.ArgumentParser:
    import argparse

    class Parser(argparse.ArgumentParser):
        def error(self, message: str) -> NoReturn:
            raise Failed("cluster-arguments", f"rt agent: {message}; `rt agent --help` lists the arguments")

    parser = Parser(prog="rt agent", description="Run tasks on this machine for `rt run --on`.", allow_abbrev=False)
    parser.add_argument(
        "address", nargs="?", help="of the scheduler: tcp://HOST:PORT, tls://HOST:PORT or a scheduler file"
    )
    parser.add_argument("--slots", type=int, default=0, help="how many tasks run at once; by default one for each CPU")
    parser.add_argument(
        "--tag", action="append", default=[], help="tags that tasks may require; several between commas"
    )
    parser.add_argument("--folder", help="where files and results are kept; by default in the user's cache folder")
    parser.add_argument("--scheduler", action="store_true", help="start a scheduler too, at --host and --port")
    parser.add_argument("--host", default="127.0.0.1", help="where the scheduler listens (%(default)s)")
    parser.add_argument("--port", type=int, default=_DEFAULT_PORT, help="where the scheduler listens (%(default)s)")
    parser.add_argument(
        "--dashboard", default="", metavar="HOST:PORT", help="where the scheduler shows Dask's dashboard"
    )
    parser.add_argument(
        "--once", action="store_true", help="end the scheduler, and with it all agents, after the first run"
    )
    parser.add_argument(
        "--wait", type=float, default=_PATIENCE_S, metavar="SECONDS", help="for the scheduler (%(default)s)"
    )
    parser.add_argument("--certificates", default="", metavar="DIR", help="for tls:// (see --make-certificates)")
    parser.add_argument(
        "--make-certificates", metavar="DIR", help="write an authority and certificates to DIR, and exit"
    )
    parser.add_argument(
        "--insecure", action="store_true", help="allow connections to other machines that nothing encrypts"
    )
    return parser


def _become_agent(options: argparse.Namespace) -> NoReturn:
    from ...cluster.addresses import is_loopback, parse_address, refuse_plain
    from ...cluster.process import Settings, encode

    if bool(options.address) == options.scheduler:
        raise Failed("cluster-address", "rt agent needs the address of a scheduler, or --scheduler to start one")
    is_encrypted = bool(options.certificates)
    url = ""
    if options.address:
        address = parse_address(options.address, os.getcwd())
        if address.agents:
            raise Failed("cluster-address", f'"{options.address}" is for `rt run --on`, which starts its own agents')
        url = address.url
        refuse_plain(url, is_insecure=options.insecure)
    elif not is_encrypted and not is_loopback(options.host):
        refuse_plain(f"tcp://{options.host}:{options.port}", is_insecure=options.insecure)
    settings = Settings(
        url=url,
        host=options.host if options.scheduler else "",
        port=options.port,
        agents=1,
        slots=options.slots or len(os.sched_getaffinity(0)),
        tags=tuple(tag for given in options.tag for tag in given.split(",") if tag),
        folder=agent_folder(options.folder),
        certificates=os.path.abspath(options.certificates) if options.certificates else "",
        patience_s=options.wait,
        is_once=options.once,
        follows_input=False,
        dashboard=options.dashboard,
    )
    os.execv(sys.executable, [sys.executable, "-m", "rt_supervisor.cluster.process", encode(settings)])
