"""The outputs of a task that has run: received from another machine, remembered with their identities, or as one digest."""

from __future__ import annotations

import errno
import time

from .._native import digest_of
from .digests import is_settled
from .store import FILE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from .digests import Identity
    from .store import Output, Store

    Received = tuple[Store, Mapping[str, tuple[Output, Identity]]]
    """The outputs of a task that ran on another machine, by path with their identities, and the store that has their files."""

_UNSETTLED: Identity = (0, 0, 0, 0, 0)


def adopt(received: Received, store: Store | None) -> dict[str, tuple[Output, Identity]]:
    """Return received outputs, and put their files into `store`. Raises OSError."""
    source, outputs = received
    for output, _ in outputs.values():
        if store is not None and output.kind == FILE:
            data = source.file(output.content, output.size)
            if data is None:
                raise OSError(errno.EIO, "a received file is damaged", output.path)
            store.put_file(data)
    return dict(outputs)


def settled(outputs: Mapping[str, tuple[Output, Identity]]) -> dict[str, tuple[Output, Identity]]:
    """Return `outputs` without the identities of files that may still change within the same tick of the clock.

    Such a file is compared by content the next time.
    """
    now = time.time_ns()
    return {
        path: (output, about if is_settled(about, now) else _UNSETTLED) for path, (output, about) in outputs.items()
    }


def contents_digest(digest: str, outputs: Sequence[Output]) -> str:
    """Return what stands for the outputs of a task: their content, or its key if it has none."""
    return digest_of(*(output.line() for output in outputs)) if outputs else digest
