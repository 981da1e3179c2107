"""Runs of tasks on the machines of a Dask cluster: the only package that imports `distributed`, and only for `--on` and `rt agent`.

`session` is the requesting side, `agent` the plugin of a Dask worker, `execution` the process on an agent that runs tasks. Dask schedules,
detects lost workers and moves their tasks; files travel by content (`contents`), results as those of the remote cache
(`tasks.artifact`).
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from distributed import Worker


async def dask_setup(worker: Worker) -> None:
    """Make a Dask worker an agent: `dask worker --preload rt_supervisor.cluster`."""
    from .agent import make_agent

    await make_agent(worker)
