"""The agents of a scheduler, as it lists its workers: their slots and tags, and what a run lacks.

An agent announces its slots as a Dask resource whose name has its version of rt, and each tag as another one, so that Dask gives a job
only to agents that can run it.
"""

from __future__ import annotations

from .. import __version__
from ..vocabulary.errors import Failed
from .waiting_jobs import AgentSlots

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from .waiting_jobs import Needs

_SLOT_PREFIX = "rt/"
_TAG_PREFIX = "rt-tag/"


def slot_resource(version: str = __version__) -> str:
    """Return the name of the resource that stands for the slots of agents with rt `version`."""
    return f"{_SLOT_PREFIX}{version}"


def tag_resource(tag: str) -> str:
    """Return the name of the resource that stands for the slots of agents with `tag`."""
    return f"{_TAG_PREFIX}{tag}"


class AgentList:
    """The agents at `url`. `tags` are those that tasks require together, each with the name of such a task."""

    def __init__(self, url: str, tags: Mapping[tuple[str, ...], str]) -> None:
        self._url = url
        self._tags = tags
        self.agents: dict[str, AgentSlots] = {}  # by address
        self._most_slots = 1

    def update(self, workers: Mapping[str, Mapping[str, Any]]) -> tuple[set[str], set[str]]:
        """Read the scheduler's list of workers. Return the addresses of agents that have joined, and of those that have left."""
        before, name = self.agents, slot_resource()
        self.agents = {
            address: before.get(address) or _slots_in(info["resources"])
            for address, info in workers.items()
            if name in info["resources"]
        }
        self._most_slots = max((agent.slots for agent in self.agents.values()), default=1)
        return self.agents.keys() - before.keys(), before.keys() - self.agents.keys()

    def resources(self, needs: Needs) -> dict[str, float]:
        """Return the resources that a job takes."""
        names = [slot_resource(), *map(tag_resource, needs.tags)]
        return dict.fromkeys(names, float(min(needs.weight, self._most_slots)))

    def lack(self) -> Failed | None:
        """Return what the run lacks: any agent, or one with the tags of a task."""
        for tags in ((), *self._tags):
            if not any(agent.tags.issuperset(tags) for agent in self.agents.values()):
                return self.lack_of(tags)
        return None

    def lack_of(self, tags: tuple[str, ...]) -> Failed:
        """Return the failure for lack of an agent with `tags`: none, or a key of those of the run."""
        if not tags or not self.agents:
            return Failed(
                "cluster-no-agents",
                f"the scheduler at {self._url} has no agent of rt: start one with `rt agent {self._url}` on each machine",
            )
        shown = "the tag" if len(tags) == 1 else "the tags"
        named = " and ".join(f'"{tag}"' for tag in tags)
        return Failed(
            "cluster-no-agents",
            f"no agent at {self._url} has {shown} {named}, which {self._tags[tags]} requires: start one with "
            f"`rt agent {self._url} --tag {','.join(tags)}`",
        )


def refuse_other_versions(workers: Mapping[str, Mapping[str, Any]]) -> None:
    """Raise Failed for an agent with another version of rt."""
    others = {
        address: name.removeprefix(_SLOT_PREFIX)
        for address, info in workers.items()
        for name in info["resources"]
        if name.startswith(_SLOT_PREFIX) and name != slot_resource()
    }
    if others:
        address, version = min(others.items())
        raise Failed(
            "cluster-version",
            f"the agent {address} runs rt {version}, and this is rt {__version__}: install the same version on both",
        )


def _slots_in(resources: Mapping[str, float]) -> AgentSlots:
    tags = frozenset(name.removeprefix(_TAG_PREFIX) for name in resources if name.startswith(_TAG_PREFIX))
    return AgentSlots(int(resources[slot_resource()]), tags)
