"""Choices kept between runs: an unchanged workspace is asked once what a command runs.

An entry is found by what was asked (`Request` and rt's version) and believed only while every file and folder that
decided it is the one it was: the manifests, the folders that were listed, and the places where a package.json could
appear. Damaged, foreign or unreadable entries count as absent, and nothing is said of a cache that cannot be written.
"""

from __future__ import annotations

import marshal
import os

from .. import __version__
from .._native import Manifest, cache_put, checksum, identify, is_unchanged
from ..start.cache_folder import cache_folder, evict
from ..start.dependencies import CLOCK_TICK_NS, evidence
from .recipe import Choice, Recipe, Request

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..workspace.finding import Workspace

MOST_ENTRIES = 100
LARGEST_BYTES = 64 << 20
# Changed with everything that an entry's layout or meaning depends on.
FORMAT = 1
_CHECKSUM_BYTES = 8
_IDENTITY_BYTES = 56  # of native/src/files/identities.rs


def load(request: Request, *, version: str = __version__) -> Choice | None:
    """Return the choice that this `version` of rt made for `request` earlier, if it is certain to be what it would make now."""
    key = _key(request, version)
    try:
        payload = _read(_path(key))
        kept_key, identities, warnings, recipes = marshal.loads(payload)
        if kept_key != key or not is_unchanged(identities):
            return None
        evidence.note_all(_paths_of(identities))
        return Choice(tuple(_thawed(fields) for fields in recipes), warnings)
    except (OSError, ValueError, EOFError, TypeError):
        return None


def store(request: Request, choice: Choice, workspace: Workspace, *, most: int = MOST_ENTRIES) -> None:
    """Keep `choice`, made from `workspace`, unless something in it changed too lately to be sure of; keep `most` at the most."""
    evidence.note_all(map(os.fsencode, workspace.watched))
    try:
        identities = identify(workspace.watched, workspace.read_at_ns - CLOCK_TICK_NS)
        if identities is None:
            return
        key = _key(request, __version__)
        recipes = [_frozen(recipe) for recipe in choice.recipes]
        payload = marshal.dumps((key, identities, choice.warnings, recipes))
        path = _path(key)
        # The checksum finds what a failure of power left of it.
        cache_put(path, checksum(payload).to_bytes(_CHECKSUM_BYTES, "little") + payload, is_durable=False)
        evict(os.path.dirname(path), keep=path, most=most)
    except (OSError, ValueError):
        return


def _paths_of(identities: bytes) -> Iterator[bytes]:
    """Yield the paths in `identities`: all that the choice was made of."""
    place = 0
    while place < len(identities):
        end = place + 4 + int.from_bytes(identities[place : place + 4], "little")
        yield identities[place + 4 : end]
        place = end + _IDENTITY_BYTES


def _key(request: Request, version: str) -> bytes:
    fields = tuple(getattr(request, name) for name in Request.__annotations__)
    # Not `marshal`: its bytes depend on who else refers to a string, so the same question could have two keys.
    return repr((FORMAT, version, fields)).encode("utf-8", "backslashreplace")


def _path(key: bytes) -> str:
    """Where the entry is. Raises OSError where there is no cache to be used."""
    folder = cache_folder("plans")
    if folder is None:
        raise OSError("no cache")
    return os.path.join(folder, f"{checksum(key):016x}")


def _read(path: str) -> bytes:
    """Return an entry's payload. Raises OSError or ValueError where it is not one that this user's rt wrote."""
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOFOLLOW)
    try:
        about = os.fstat(descriptor)
        regular = about.st_mode & 0o170000 == 0o100000
        if not regular or about.st_uid != os.geteuid() or about.st_mode & 0o022 or about.st_size > LARGEST_BYTES:
            raise ValueError("not an entry of this user")
        blocks = []
        while block := os.read(descriptor, 1 << 20):
            blocks.append(block)
    finally:
        os.close(descriptor)
    data = b"".join(blocks)
    payload = data[_CHECKSUM_BYTES:]
    if checksum(payload).to_bytes(_CHECKSUM_BYTES, "little") != data[:_CHECKSUM_BYTES]:
        raise ValueError("damaged")
    return payload


def _frozen(recipe: Recipe) -> tuple[object, ...]:
    manifest = recipe.manifest.plain() if recipe.manifest else None
    return (manifest, *(getattr(recipe, name) for name in Recipe.__annotations__ if name != "manifest"))


def _thawed(fields: tuple[object, ...]) -> Recipe:
    manifest, *rest = fields
    return Recipe(Manifest(*manifest) if manifest else None, *rest)  # type: ignore[misc, arg-type]
