"""The process of `rt agent`, and that of `--on local:4`: a scheduler, agents, or both, in one event loop of Dask.

Each agent is a worker under a nanny, which restarts it if it dies. `python -m rt_supervisor.cluster.process` gets its settings as JSON (the fields
of `Settings`), prints one line with the scheduler's address once everything is ready, and ends everything when it gets a signal or, with
`follows_input`, when its standard input ends.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import signal
import sys

import dask
from distributed import Nanny, Scheduler, SchedulerPlugin, Security
from distributed.comm import connect, get_address_host
from distributed.utils import get_ip

from ..output.plain import error, warning
from ..vocabulary.errors import Failed
from ..vocabulary.record import record
from . import agent, certificates
from .connecting import waiting_for_scheduler

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

_RETURN_S = 0.5  # within which a client whose connection broke may be back
_NO_PAGES = "127.0.0.1:0"  # where Dask opens the port of web pages that it does not serve
_CLIENT = "Client-rt-"  # the names of rt's clients begin so (`session`)


@record
class Settings:
    """What the process does. With a `host`, it starts a scheduler there ("" without one, and port 0 for any); otherwise its agents
    join that at `url`, for which they wait `patience_s` seconds. Each of `agents` has `slots`, `tags` and the `folder`,
    whose stored files may have `store_limit_mb`.
    `certificates` is a folder, "" without one. With `is_once`, the scheduler ends when the last client of rt has left.
    """

    url: str
    host: str
    port: int
    agents: int
    slots: int
    tags: tuple[str, ...]
    folder: str
    certificates: str
    patience_s: float
    is_once: bool
    follows_input: bool
    dashboard: str
    store_limit_mb: int


def security_of(folder: str) -> Security | None:
    """Return the security with the certificates in `folder`; that of Dask's configuration without one."""
    if not folder:
        return None
    return Security(
        require_encryption=True,
        tls_ca_file=os.path.join(folder, certificates.AUTHORITY),
        tls_client_cert=os.path.join(folder, certificates.CLIENT),
        tls_scheduler_cert=os.path.join(folder, certificates.SCHEDULER),
        tls_worker_cert=os.path.join(folder, certificates.AGENT),
    )


class ClusterProcess:
    """The servers of this process."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._security = security_of(settings.certificates)
        self._end = asyncio.Event()

    async def run(self) -> None:
        """Start everything, and end it when that is requested."""
        settings = self._settings
        loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            loop.add_signal_handler(number, self._end.set)
        if settings.follows_input:
            loop.add_reader(0, self._look_at_input)
        async with contextlib.AsyncExitStack() as stack:
            url = settings.url
            waits: list[asyncio.Task[object]] = [asyncio.create_task(self._end.wait())]
            if settings.host:
                scheduler = await stack.enter_async_context(self._scheduler())
                url = scheduler.address
                waits.append(asyncio.create_task(scheduler.finished()))
                if settings.is_once:
                    clients = _Clients()
                    scheduler.add_plugin(clients)
                    waits.append(asyncio.create_task(clients.await_last()))
            else:
                await self._await_scheduler()
            nannies = [self._agent(url, number) for number in range(settings.agents)]
            await asyncio.gather(*(stack.enter_async_context(nanny) for nanny in nannies))
            if nannies and not settings.host:
                waits.append(asyncio.create_task(_await_all(nannies)))
            sys.stdout.write(f"{url}\n")
            sys.stdout.flush()
            await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
            for wait in waits:
                wait.cancel()

    async def _await_scheduler(self) -> None:
        """Wait until the scheduler answers: a nanny that has to wait for it fails without a reason. Raises Failed."""
        settings, security = self._settings, self._security or Security()
        waiting = waiting_for_scheduler(
            settings.url, security, patience_s=settings.patience_s, setting="--wait", say=_warn
        )
        async with waiting:
            connection = await connect(
                settings.url, timeout=max(settings.patience_s, 1.0), **security.get_connection_args("worker")
            )
            await connection.close()

    def _scheduler(self) -> Scheduler:
        settings = self._settings
        return Scheduler(
            host=settings.host,
            port=settings.port,
            protocol="tls" if settings.certificates else "tcp",
            security=self._security,
            dashboard_address=settings.dashboard or _NO_PAGES,
            dashboard=bool(settings.dashboard),
        )

    def _agent(self, url: str, number: int) -> Nanny:
        settings = self._settings
        environment = {
            agent.FOLDER_VARIABLE: settings.folder,
            agent.SLOTS_VARIABLE: str(settings.slots),
            agent.TAGS_VARIABLE: ",".join(settings.tags),
            agent.LIMIT_VARIABLE: str(settings.store_limit_mb),
        }
        return Nanny(
            url,
            host=get_ip(get_address_host(url)),  # by default, Dask's workers listen on all addresses
            nthreads=settings.slots,
            preload=["rt_supervisor.cluster"],
            local_directory=os.path.join(settings.folder, "dask"),
            memory_limit=0,  # tasks are other processes
            env=environment,
            security=self._security,
            death_timeout=settings.patience_s,
            dashboard=False,
            dashboard_address=_NO_PAGES,
            name=f"{os.uname().nodename}-{os.getpid()}-{number}",
        )

    def _look_at_input(self) -> None:
        if not os.read(0, 4096):
            asyncio.get_running_loop().remove_reader(0)
            self._end.set()


class _Clients(SchedulerPlugin):
    """The clients of rt that are connected to a scheduler."""

    def __init__(self) -> None:
        self._here: set[str] = set()
        self._left = asyncio.Event()

    def add_client(self, scheduler: Scheduler, client: str) -> None:
        if client.startswith(_CLIENT):
            self._here.add(client)

    def remove_client(self, scheduler: Scheduler, client: str) -> None:
        if client in self._here:
            self._here.remove(client)
            self._left.set()

    async def await_last(self) -> None:
        """Wait until a client has come, and the last one has left and does not come back at once."""
        while True:
            await self._left.wait()
            self._left.clear()
            await asyncio.sleep(_RETURN_S)
            if not self._here:
                return


def _warn(message: str) -> None:
    sys.stderr.write(f"{warning(message, colour=False)}\n")


async def _await_all(nannies: list[Nanny]) -> None:
    await asyncio.gather(*(nanny.finished() for nanny in nannies))


def encode(settings: Settings) -> str:
    """Return the argument of the process."""
    return json.dumps({name: getattr(settings, name) for name in Settings.__annotations__})


def decode(text: str) -> Settings:
    values = json.loads(text)
    values["tags"] = tuple(values["tags"])
    return Settings(**values)


_CONFIGURATION: Mapping[str, object] = {
    "distributed.nanny.pre-spawn-environ": {},  # variables for numerical libraries, which tasks would inherit
    "distributed.scheduler.worker-ttl": "30 seconds",
    "distributed.scheduler.active-memory-manager.start": False,  # results of tasks stay outside of Dask
    "distributed.worker.profile.enabled": False,
    "distributed.worker.http.routes": [],
    "distributed.admin.system-monitor.disk": False,
    "distributed.admin.system-monitor.interval": "5s",
    "distributed.admin.tick.interval": "1s",  # Dask's 20 ms cost each idle process 2 % of a CPU
    "distributed.admin.tick.limit": "10s",
    "distributed.comm.timeouts.connect": "20s",
}


def main() -> None:
    dask.config.set(_CONFIGURATION)
    settings = decode(sys.argv[1])
    if not settings.dashboard:  # everyone could read the names of tasks there, whatever the certificates
        dask.config.set({"distributed.scheduler.http.routes": []})
    try:
        asyncio.run(ClusterProcess(settings).run())
    except Failed as failed:
        sys.exit(error(failed.failure.message, colour=False))


if __name__ == "__main__":
    main()
