"""One run on an agent: its private tree, the results that were put there, and the contents that the agent waits for.

A content that the agent lacks is requested by an event; the requesting machine then sends it, or names another agent that has it. The tree is
made of links into the agent's store; what remains of it after the run is where that of the next one begins (`trees`).
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import shutil

from ..tasks.artifact import pack, unpack
from ..tasks.digests import identity_of
from ..tasks.globs import Globs
from ..tasks.outputs import capture, find, remove, restore
from ..tasks.store import Entry, Store
from . import manifests
from .outbox import Outbox
from .packages import install_packages
from .trees import clean_tree, make_tree

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence

    from ..tasks.digests import Identity
    from .contents import ContentStore
    from .frames import GlobLists, Job
    from .trees import SpareTree


_FIRST_LEASE_S = 15.0  # until the first request says how long the run is kept without another one
_SMALL_BYTES = 1 << 16  # results up to this size travel with the event that reports the end of their task


class ContentUnavailable(Exception):
    """The requesting machine cannot send a content; the message says why."""


class AgentRun:
    """The run `name`, below the folder `place`; `contents` is the store of the agent, `has_more_jobs` that of its outbox. The tree comes
    from `spare` and goes back there; `parts` has the rows of the manifest that the agent has read last, by the digests of its parts.
    """

    def __init__(
        self,
        name: str,
        place: str,
        *,
        contents: ContentStore,
        has_more_jobs: Callable[[], bool],
        environment: Mapping[str, str],
        spare: SpareTree,
        parts: dict[str, Sequence[manifests.Row]],
    ) -> None:
        self.name = name
        self.place = place
        self.tree = os.path.join(place, "tree")
        self.outbox = Outbox(has_more_jobs)
        self.lease_s = _FIRST_LEASE_S
        self.last_request_s = asyncio.get_running_loop().time()
        self._contents = contents
        self._results = Store(os.path.join(place, "results"))  # their keys mean nothing to other runs
        self._environment = environment
        self._spare = spare
        self._parts = parts
        self._lock = asyncio.Lock()
        self._manifest = ""
        self._rows_of_tree: Sequence[manifests.Row] = ()
        self._applied: set[str] = set()
        self._waiting: dict[str, asyncio.Future[None]] = {}
        self._written: dict[int, list[str]] = {}  # by task: what an attempt that did not succeed has left

    # --- contents

    async def need(self, digests: Sequence[str]) -> None:
        """Wait until the agent has the contents `digests`. Raises ContentUnavailable."""
        if digests:
            await self._find(digests)

    async def _find(self, digests: Collection[str]) -> dict[str, int]:
        """Wait until the agent has the contents `digests`, and return their inodes. Raises ContentUnavailable."""
        inodes = await asyncio.to_thread(self._contents.inodes, digests)
        if len(inodes) < len(wanted := dict.fromkeys(digests)):
            missing = [digest for digest in wanted if digest not in inodes]
            await self._fetch(missing)
            inodes.update(await asyncio.to_thread(self._contents.inodes, missing))
        return inodes

    async def _fetch(self, missing: Sequence[str]) -> None:
        """Request contents, and wait for them. Raises ContentUnavailable."""
        new = [digest for digest in missing if digest not in self._waiting]
        loop = asyncio.get_running_loop()
        for digest in new:
            self._waiting[digest] = loop.create_future()
        if new:
            self.outbox.add("need", new, is_urgent=True)
        waits = [self._waiting[digest] for digest in missing if digest in self._waiting]
        if waits:
            await asyncio.gather(*(asyncio.shield(wait) for wait in waits))

    async def put(self, contents: Mapping[str, bytes]) -> None:
        """Store contents that have arrived, and continue what waits for them. Raises OSError, ValueError."""
        await asyncio.to_thread(self._contents.put_all, contents)
        for digest in contents:
            wait = self._waiting.pop(digest, None)
            if wait is not None and not wait.done():
                wait.set_result(None)

    def fail(self, digests: Sequence[str], reason: str) -> None:
        """End the wait for contents that cannot be sent."""
        for digest in digests:
            wait = self._waiting.pop(digest, None)
            if wait is not None and not wait.done():
                wait.set_exception(ContentUnavailable(reason))
                wait.exception()  # also if nothing waits any more

    # --- the tree

    async def prepare(self, job: Job) -> None:
        """Make the tree that `job` runs in: the files of its manifest, the packages that they need, the results of its dependencies.

        Raises ContentUnavailable, OSError, InstallationFailed.
        """
        if job.manifest == self._manifest and self._applied.issuperset(digest for digest, _, _ in job.restores):
            return
        async with self._lock:
            if job.manifest != self._manifest:
                rows = await self._rows(job.manifest)
                inodes = await self._find([row.digest for row in rows])
                await self._spare.settle()
                await asyncio.to_thread(self._make_tree, rows, inodes)
                await install_packages(
                    self.tree,
                    rows,
                    folder=os.path.dirname(os.path.dirname(self.place)),
                    command=job.setup,
                    environment=self._environment,
                )
                self._manifest, self._applied = job.manifest, set()
            needed = [each for each in job.restores if each[0] not in self._applied]
            await self.need([digest for digest, _, _ in needed])
            for digest, key, globs in needed:
                await asyncio.to_thread(self._apply, digest, key, globs)
                self._applied.add(digest)

    async def _rows(self, manifest: str) -> list[manifests.Row]:
        await self.need([manifest])
        parts = manifests.part_digests(self._contents.read(manifest) or b"")
        await self.need(parts)
        self._contents.use([manifest, *parts])
        read = {
            part: self._parts.get(part) or manifests.decode_part(self._contents.read(part) or b"") for part in parts
        }
        self._parts.clear()
        self._parts.update(read)
        return [row for part in parts for row in read[part]]

    def _make_tree(self, rows: Sequence[manifests.Row], inodes: Mapping[str, int]) -> None:
        known = None
        if not os.path.isdir(self.tree):
            os.makedirs(self.place, exist_ok=True)
            known = self._spare.move_to(self.tree)
        make_tree(self.tree, rows, self._contents, inodes=inodes, known=known)
        self._rows_of_tree = rows

    def _apply(self, digest: str, key: str, globs: GlobLists) -> None:
        with open(self._contents.path(digest), "rb") as file:
            unpack(key, file, Globs(*globs, False), self._results)
        entry = self._results.load(key)
        if entry is None:
            raise OSError("the store of results is damaged")
        restore(self.tree, entry.outputs, present={}, store=self._results)

    # --- results

    def begin(self, job: Job) -> dict[str, Identity]:
        """Remove what an earlier attempt at the task has left, and return the files that match its outputs now."""
        remove(self.tree, self._written.pop(job.task, ()))
        return self._matching(job)

    def finish(self, job: Job, before: Mapping[str, Identity]) -> tuple[str, bytes]:
        """Store what the task has written since `begin`. Return the digest of its result, and the result itself if it is small."""
        changed = self._changed(job, before)
        globs = Globs(*job.outputs, False)
        found = capture(self.tree, globs, since_ns=1 << 63, owned=changed, store=self._results) if changed else {}
        entry = Entry((), tuple(output for output, _ in found.values()), 0.0)
        self._results.put(job.key, entry)
        draft = os.path.join(self.place, f"result-{job.task}-{job.attempt}")
        with open(draft, "wb") as file:
            pack(job.key, entry, self._results, file)
        with open(draft, "rb") as file:
            data = file.read()
        digest = self._contents.put(data)
        os.unlink(draft)
        self._applied.add(digest)
        return digest, data if len(data) <= _SMALL_BYTES else b""

    def give_up(self, job: Job, before: Mapping[str, Identity]) -> None:
        """Remember what the task has written that did not succeed, so that another attempt removes it."""
        self._written[job.task] = self._changed(job, before)

    def _matching(self, job: Job) -> dict[str, Identity]:
        found = {}
        for path in find(self.tree, Globs(*job.outputs, False)):
            found[path] = identity_of(os.lstat(os.path.join(self.tree, path)))
        return found

    def _changed(self, job: Job, before: Mapping[str, Identity]) -> list[str]:
        return [
            path
            for path, identity in self._matching(job).items()
            if _content_of(before.get(path)) != _content_of(identity)
        ]

    def cancel(self) -> None:
        """End everything that waits for contents. Called in the agent's event loop."""
        self.fail(list(self._waiting), "the run has ended")

    def remove(self) -> None:
        """Give the tree back, and remove everything else, from any thread."""
        with contextlib.suppress(OSError):
            self._spare.keep(self.tree, clean_tree(self.tree, self._rows_of_tree, self._contents))
        shutil.rmtree(self.place, ignore_errors=True)


def _content_of(identity: Identity | None) -> tuple[int, ...]:
    """Return the part of an identity that changes with the file itself: a link that is made elsewhere changes only the time of status."""
    return () if identity is None else identity[:4]
