"""What Dask's scheduler spends on each task of a large cluster, without agents and tasks: where it saturates.

    benchmarks/cluster_scheduling.py [--tasks 100000] [--agents 8 100 1000] [--all-at-once]

The scheduler is a process of its own, whose CPU time is measured. This process stands for the agents and for the requesting side: the agents
answer each task as soon as it arrives, and `rt_supervisor.cluster.waiting_jobs` decides how many tasks the scheduler gets at a time.
`--all-at-once` gives it all of them, to compare.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import subprocess
import sys
import time
from collections.abc import Iterable
from typing import Any

from distributed import Client, wait
from distributed.comm import connect
from distributed.core import Status
from servers import processor_s

from rt_supervisor.cluster.frames import Job
from rt_supervisor.cluster.waiting_jobs import AgentSlots, Needs, WaitingJobs

NEEDS = Needs(1, ())
RESOURCE = "rt/simulated"
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


def do_nothing(task: int) -> None:
    """Stand for a task; no agent calls it."""


class SilentAgent:
    """A worker, as the scheduler sees it: one slot, and tasks that end at once."""

    def __init__(self, number: int) -> None:
        self._address = f"tcp://127.0.0.1:{10_000 + number}"
        self._number = number

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
            answers = [
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


async def measure(address: str, pid: int, *, tasks: int, agents: int, is_windowed: bool) -> str:
    """Run `tasks` tasks on `agents` agents, and return what that cost."""
    team = [SilentAgent(number) for number in range(agents)]
    await asyncio.gather(*(agent.join(address) for agent in team))
    work = [asyncio.create_task(agent.work()) for agent in team]
    waiting = WaitingJobs()
    waiting.set_agents([AgentSlots(1, frozenset())] * agents)
    for task in range(tasks):
        waiting.add(Job("run", task, "", "", (), 0, False, "", "", (), (), (), {}, (), ((), ()), "", 0.0, "", 1), NEEDS)
    async with Client(address, asynchronous=True) as client:
        began, cpu = time.perf_counter(), processor_s(pid)
        running = set() if is_windowed else set(submit(client, range(tasks)))
        left = tasks
        while left:
            if is_windowed:
                for _, jobs in waiting.take():
                    running.update(submit(client, [job.task for job in jobs]))
            done, running = await wait(running, return_when="FIRST_COMPLETED")
            left -= len(done)
            for _ in done if is_windowed else ():
                waiting.end(NEEDS, 0.2)
        spent, wall = processor_s(pid) - cpu, time.perf_counter() - began
    for each in work:
        each.cancel()
    return f"{tasks} tasks on {agents} agents: {1000 * spent / tasks:.2f} ms of the scheduler each, {tasks / wall:.0f}/s here"


def submit(client: Client, tasks: Iterable[int]) -> list[Any]:
    tasks = list(tasks)
    keys = [f"package{task}#build-{task}" for task in tasks]
    futures: list[Any] = client.map(do_nothing, tasks, key=keys, resources={RESOURCE: 1}, pure=False)
    return futures


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tasks", type=int, default=100_000)
    parser.add_argument("--agents", type=int, nargs="*", default=[8, 100, 1000])
    parser.add_argument("--all-at-once", action="store_true")
    options = parser.parse_args()
    for agents in options.agents:
        words = [sys.executable, "-m", "distributed.cli.dask_scheduler", "--host", "127.0.0.1", "--port", "0"]
        words += ["--no-dashboard", "--no-show"]
        environment = os.environ | {"DASK_DISTRIBUTED__SCHEDULER__ACTIVE_MEMORY_MANAGER__START": "False"}
        scheduler = subprocess.Popen(words, stderr=subprocess.PIPE, text=True, env=environment)
        try:
            assert scheduler.stderr is not None
            line = next(line for line in scheduler.stderr if "Scheduler at:" in line)
            address = line.split("Scheduler at:")[1].strip()
            is_windowed = not options.all_at_once
            print(
                asyncio.run(
                    measure(address, scheduler.pid, tasks=options.tasks, agents=agents, is_windowed=is_windowed)
                )
            )
        finally:
            scheduler.terminate()
            scheduler.wait()


if __name__ == "__main__":
    main()
