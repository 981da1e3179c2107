"""The contents of a run on the requesting machine, and how agents get them: the first one from here, the others from each other.

Files are read when an agent lacks them. One request is served at a time, so that the next agent can already copy from the one before.
"""

from __future__ import annotations

import asyncio
import os

from .._native import blob_digest
from .contents import PACK_BYTES, PACK_FILES
from .manifests import LINK_MODE, MODES, encode

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterable, Sequence
    from typing import Any

    from .contents import ContentStore

    Call = Callable[..., Awaitable[Any]]
    """Calls an operation of an agent: its address, the name of the operation, and named arguments."""


class Supply:
    """The contents of one run in the workspace at `root`; `scratch` holds those that are not files there. `add` methods may be called by
    any thread, before an agent needs the content.
    """

    def __init__(self, root: str, scratch: ContentStore) -> None:
        self._root = root
        self._scratch = scratch
        self._files: Sequence[tuple[str, str]] = ()
        self._manifest: dict[str, bytes] = {}  # that of the workspace and its parts, by digest
        self._paths: dict[str, str] = {}  # the digests of the files by path, once they are needed,
        self._places: dict[str, tuple[str, str]] = {}  # and by digest a file that has it, with its mode
        self._holders: dict[str, set[str]] = {}  # by digest: the agents that have it
        self._lock = asyncio.Lock()
        self.sent_bytes = 0

    def add_tree(self, files: Sequence[tuple[str, str]]) -> str:
        """Add the files of the workspace, as `encode` gets them, and return the digest of their manifest."""
        self._files = files
        manifest, parts = encode(files)
        digest = blob_digest(manifest)
        self._manifest = {digest: manifest, **parts}
        return digest

    def add(self, data: bytes) -> str:
        """Add a content and return its digest."""
        return self._scratch.put(data)

    def preserve(self, paths: Iterable[str]) -> None:
        """Store the contents of those of `paths` that are files of the workspace, before the run replaces them: agents that have not
        fetched them yet get the tree of the run's start.
        """
        if not self._paths:
            self._paths = {path: about.partition(" ")[2] for path, about in self._files}
        for path in paths:
            digest = self._paths.get(path)
            if digest is not None and (data := self._read(digest)) is not None:
                self._scratch.put(data)

    def add_holder(self, digest: str, agent: str) -> None:
        """Record that an agent has a content."""
        self._holders.setdefault(digest, set()).add(agent)

    def remove_agent(self, agent: str) -> None:
        for holders in self._holders.values():
            holders.discard(agent)

    async def serve(self, call: Call, run: str, agent: str, digests: Sequence[str]) -> None:
        """Have `agent` get the contents `digests`. Raises OSError if it cannot be reached."""
        async with self._lock:
            left = await self._copy(call, run, agent, digests)
            while left:
                pack, missing = await asyncio.to_thread(self._pack, left)
                if missing:
                    await call(agent, "rt_fail", run=run, digests=missing, reason=self._problem(missing[0]))
                if pack:
                    self.sent_bytes += sum(map(len, pack.values()))
                    if problem := await call(agent, "rt_put", run=run, contents=pack):
                        await call(agent, "rt_fail", run=run, digests=left, reason=problem)
                        return
                for digest in pack:
                    self.add_holder(digest, agent)
                left = [digest for digest in left if digest not in pack and digest not in missing]

    async def _copy(self, call: Call, run: str, agent: str, digests: Iterable[str]) -> list[str]:
        """Have `agent` copy contents from other agents that have them. Return the digests of the others."""
        sources: dict[str, list[str]] = {}
        left = []
        for digest in digests:
            holders = self._holders.get(digest, set()) - {agent}
            if holders:
                sources.setdefault(min(holders), []).append(digest)
            else:
                left.append(digest)
        for source, found in sources.items():
            failed = await call(agent, "rt_copy", run=run, source=source, digests=found)
            for digest in found:
                if digest in failed:
                    self._holders[digest].discard(source)
                    left.append(digest)
                else:
                    self.add_holder(digest, agent)
        return left

    def _pack(self, digests: Sequence[str]) -> tuple[dict[str, bytes], list[str]]:
        """Return the first contents of `digests`, and those that are not as they were when the run started."""
        pack: dict[str, bytes] = {}
        missing = []
        size = 0
        for digest in digests:
            data = self._read(digest)
            if data is None:
                missing.append(digest)
                continue
            pack[digest] = data
            size += len(data)
            if size >= PACK_BYTES or len(pack) >= PACK_FILES:
                break
        return pack, missing

    def _place_of(self, digest: str) -> tuple[str, str] | None:
        """Return the path and mode of a file of the workspace that has the content; None if there is none."""
        if not self._places:
            for path, about in self._files:
                mode, _, found = about.partition(" ")
                self._places[found] = (path, mode)
        return self._places.get(digest)

    def _read(self, digest: str) -> bytes | None:
        if (text := self._manifest.get(digest)) is not None:
            return text
        place = self._place_of(digest)
        if place is None:
            return self._scratch.read(digest)
        path = os.path.join(self._root, place[0])
        try:
            if MODES[place[1]] == LINK_MODE:
                data = os.fsencode(os.readlink(path))
            else:
                with open(path, "rb") as file:
                    data = file.read()
        except OSError:
            return self._scratch.read(digest)
        return data if blob_digest(data) == digest else self._scratch.read(digest)

    def _problem(self, digest: str) -> str:
        place = self._place_of(digest)
        if place is None:
            return "a result that it needs was on an agent that was lost"
        return f"{os.path.join(self._root, place[0])} has changed since the run started; run it again"
