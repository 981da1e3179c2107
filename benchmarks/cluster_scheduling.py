"""What Dask's scheduler spends on each task of a large cluster, without agents and processes of tasks: where it saturates.

    benchmarks/cluster_scheduling.py [--tasks 1000 10000 100000] [--agents 10 100 1000] [--seconds 60]

The scheduler is a process whose CPU time is measured. This process stands for the agents, which answer each task as soon as it arrives, and
for the requesting side: `rt_supervisor.cluster.waiting_jobs` decides how many tasks the scheduler gets at a time, and
`rt_supervisor.cluster.submitted_jobs` submits them. Each number of tasks is measured with each number of agents, for at most `--seconds`; the
rate is printed meanwhile, every five seconds. Tasks take no time, so the last rate is the one at which this machine saturates: the scheduler, if it
uses all of a CPU, this process otherwise.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import os
import subprocess
import sys
import threading
import time
import warnings
from collections.abc import Callable, Sequence
from typing import Any

from distributed import Client
from distributed.comm import connect
from distributed.core import Status
from distributed.versions import VersionMismatchWarning
from servers import processor_s

from rt_supervisor.cluster.frames import Job
from rt_supervisor.cluster.submitted_jobs import SubmittedJobs
from rt_supervisor.cluster.waiting_jobs import AgentSlots, Needs, WaitingJobs

NEEDS = Needs(1, ())
RESOURCE = "rt/simulated"
JOINING = 50  # agents that join at once
REFILL_S = 0.05  # as `rt_supervisor.cluster.session` waits for more room
SHOWN_S = 5.0
METRICS = {
    "cpu": 0,
    "memory": 0,
    "event_loop_interval": 0,
    "spilled_bytes": {"memory": 0, "disk": 0},
    "bandwidth": {"total": 1e8, "workers": {}, "types": {}},
    "digests_total_since_heartbeat": {},
    "managed_bytes": 0,
    "transfer": {"incoming_bytes": 0, "incoming_count": 0, "incoming_count_total": 0, "outgoing_bytes": 0,
                 "outgoing_count": 0, "outgoing_count_total": 0},
    "task_counts": {},
}  # fmt: skip


class SilentAgent:
    """A worker, as the scheduler sees it: one slot, and tasks that end at once. `ended` gets the keys of such tasks."""

    def __init__(self, number: int, ended: Callable[[Sequence[str]], None]) -> None:
        self._address = f"tcp://127.0.0.1:{10_000 + number}"
        self._number = number
        self._ended = ended

    async def join(self, scheduler: str) -> None:
        self._comm: Any = await connect(scheduler)
        await self._comm.write(
            {
                "op": "register-worker",
                "reply": False,
                "address": self._address,
                "status": Status.running.name,
                "nthreads": 1,
                "name": str(self._number),
                "now": time.time(),
                "resources": {RESOURCE: 1},
                "memory_limit": None,
                "local_directory": "/",
                "services": {},
                "nanny": None,
                "pid": self._number,
                "versions": {},
                "metrics": METRICS,
                "extra": {},
                "stimulus_id": f"join-{self._number}",
                "server_id": str(self._number),
            }
        )
        await self._comm.read()

    async def work(self) -> None:
        while True:
            messages = await self._comm.read()
            answers: list[dict[str, Any]] = [
                {
                    "op": "task-finished",
                    "status": "OK",
                    "key": each["key"],
                    "run_id": each["run_id"],
                    "nbytes": 16,
                    "type": b"",
                    "typename": "NoneType",
                    "thread": 1,
                    "startstops": [{"action": "compute", "start": 0.0, "stop": 0.001}],
                    "metadata": {},
                    "stimulus_id": "finished",
                }
                for each in messages
                if each.get("op") == "compute-task"
            ]
            if answers:
                await self._comm.write(answers)
                self._ended([answer["key"] for answer in answers])


class Simulation:
    """A run of `tasks` tasks on `agents` agents, with the scheduler at `address`, whose process is `pid`."""

    def __init__(self, address: str, pid: int, *, tasks: int, agents: int) -> None:
        self._address = address
        self._pid = pid
        self._tasks = tasks
        self._left = tasks
        self._waiting = WaitingJobs()
        self._waiting.set_agents([AgentSlots(1, frozenset())] * agents)
        self._submitted = SubmittedJobs()
        self._refill: asyncio.TimerHandle | None = None
        self._is_over = asyncio.Event()
        self._team = [SilentAgent(number, self._end) for number in range(agents)]

    async def run(self, seconds: float) -> None:
        """Run for at most `seconds`, and print what a task costs."""
        began = time.perf_counter()
        for first in range(0, len(self._team), JOINING):
            await asyncio.gather(*(agent.join(self._address) for agent in self._team[first : first + JOINING]))
        work = [asyncio.create_task(agent.work()) for agent in self._team]
        print(
            f"{self._tasks} tasks on {len(self._team)} agents, which joined in {time.perf_counter() - began:.1f} s",
            flush=True,
        )
        for task in range(self._tasks):
            title = f"package{task}#build"
            self._waiting.add(
                Job("run", task, title, "build", (), 0, False, "", "", (), (), (), {}, (), ((), ()), "", 0.0, "", 1),
                NEEDS,
            )
        async with Client(self._address, asynchronous=True, set_as_default=False) as client:
            self._submitted.connect(client)
            self._submit_some()
            try:
                async with asyncio.timeout(seconds):
                    await self._show_rates()
            except TimeoutError:
                print(f"  ended after {seconds:.0f} s")
            for each in work:
                each.cancel()

    async def _show_rates(self) -> None:
        began, first_cpu = time.perf_counter(), processor_s(self._pid)
        own_first, before, at, cpu = time.process_time(), self._left, began, first_cpu
        while not self._is_over.is_set():
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._is_over.wait(), SHOWN_S)
            now, now_cpu, done = time.perf_counter(), processor_s(self._pid), before - self._left
            load = (now_cpu - cpu) / (now - at)
            each = 1000 * (now_cpu - cpu) / max(done, 1)
            print(
                f"  {self._tasks - self._left:7} ended, {done / (now - at):6.0f}/s, {each:.2f} ms of the scheduler each, "
                f"which used {load:.0%} of a CPU",
                flush=True,
            )
            before, at, cpu = self._left, now, now_cpu
        spent, own = processor_s(self._pid) - first_cpu, time.process_time() - own_first
        wall = time.perf_counter() - began
        print(
            f"  all: {self._tasks / wall:.0f}/s; {1000 * spent / self._tasks:.2f} ms of the scheduler and "
            f"{1000 * own / self._tasks:.2f} ms of this process for each task"
        )

    def _end(self, keys: Sequence[str]) -> None:
        for key in keys:
            self._submitted.end(int(key.split("-", 2)[1]))
            self._waiting.end(NEEDS, 0.0)
        self._left -= len(keys)
        if self._left == 0:
            self._is_over.set()
        elif self._waiting.has_much_room():
            self._submit_some()
        elif self._refill is None:
            self._refill = asyncio.get_running_loop().call_later(REFILL_S, self._submit_some)

    def _submit_some(self) -> None:
        if self._refill is not None:
            self._refill.cancel()
            self._refill = None
        for needs, jobs in self._waiting.take():
            self._submitted.submit(jobs, needs, {RESOURCE: 1.0})
        if self._waiting.has_much_room():
            self._refill = asyncio.get_running_loop().call_later(REFILL_S, self._submit_some)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tasks", type=int, nargs="*", default=[1000, 10_000, 100_000])
    parser.add_argument("--agents", type=int, nargs="*", default=[10, 100, 1000])
    parser.add_argument("--seconds", type=float, default=60.0)
    options = parser.parse_args()
    warnings.simplefilter("ignore", VersionMismatchWarning)  # the agents here have no versions
    for tasks in options.tasks:
        for agents in options.agents:
            measure(tasks=tasks, agents=agents, seconds=options.seconds)


def measure(*, tasks: int, agents: int, seconds: float) -> None:
    """Measure with a new scheduler."""
    words = [sys.executable, "-m", "distributed.cli.dask_scheduler", "--host", "127.0.0.1", "--port", "0"]
    words += ["--no-dashboard", "--no-show"]
    settings = {"ACTIVE_MEMORY_MANAGER__START": "False", "WORKER_TTL": "None"}  # agents here send no heartbeats
    environment = os.environ | {f"DASK_DISTRIBUTED__SCHEDULER__{name}": value for name, value in settings.items()}
    scheduler = subprocess.Popen(words, stderr=subprocess.PIPE, text=True, env=environment)
    try:
        assert scheduler.stderr is not None
        line = next(line for line in scheduler.stderr if "Scheduler at:" in line)
        address = line.split("Scheduler at:")[1].strip()
        threading.Thread(target=scheduler.stderr.read, daemon=True).start()
        asyncio.run(simulate(address, scheduler.pid, tasks=tasks, agents=agents, seconds=seconds))
    finally:
        scheduler.terminate()
        scheduler.wait()


async def simulate(address: str, pid: int, *, tasks: int, agents: int, seconds: float) -> None:
    await Simulation(address, pid, tasks=tasks, agents=agents).run(seconds)


if __name__ == "__main__":
    main()
