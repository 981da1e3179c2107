"""The cache of choices: which scripts a command runs in an unchanged workspace.

An entry is found by its request (`Request` and rt's version) and is valid while every file and folder that decided it is
unchanged: the manifests, the folders that were listed, and the paths where a package.json could appear. Damaged, foreign
and unreadable entries count as absent; a cache that cannot be written is ignored.
"""

from __future__ import annotations

import marshal
import os

from .. import __version__
from .._native import Manifest, cache_put, checksum, identified_paths, identify, is_unchanged
from ..start.cache_folder import cache_folder, evict
from ..start.dependencies import CLOCK_TICK_NS, dependencies
from .recipe import Choice, Recipe, Request

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..workspace.finding import Workspace

MOST_ENTRIES = 100
LARGEST_BYTES = 64 << 20
# The version of entries; changes with their layout or meaning.
FORMAT = 3
_CHECKSUM_BYTES = 8


def load(request: Request, *, version: str = __version__) -> Choice | None:
    """Return the choice that this `version` of rt stored for `request`, if it is valid."""
    key = _key(request, version)
    try:
        payload = _read(_path(key))
        kept_key, identities, warnings, recipes = marshal.loads(payload)
        if kept_key != key or not is_unchanged(identities):
            return None
        dependencies.add_paths(identified_paths(identities))
        return Choice(tuple(_thaw(fields) for fields in recipes), warnings)
    except (OSError, ValueError, EOFError, TypeError):
        return None


def store(request: Request, choice: Choice, workspace: Workspace, *, most: int = MOST_ENTRIES) -> None:
    """Store `choice`, made from `workspace`, unless a file of it changed too recently; keep at most `most` entries."""
    paths = [os.fsencode(path) for path in workspace.watched]
    dependencies.add_paths(paths)
    try:
        identities = identify(paths, workspace.read_at_ns - CLOCK_TICK_NS)
        if identities is None:
            return
        key = _key(request, __version__)
        recipes = [_freeze(recipe) for recipe in choice.recipes]
        payload = marshal.dumps((key, identities, choice.warnings, recipes))
        path = _path(key)
        # The checksum detects entries that a power failure has cut short.
        cache_put(path, checksum(payload).to_bytes(_CHECKSUM_BYTES, "little") + payload, is_durable=False)
        evict(os.path.dirname(path), keep=path, most=most)
    except (OSError, ValueError):
        return


def _key(request: Request, version: str) -> bytes:
    fields = tuple(getattr(request, name) for name in Request.__annotations__)
    # Not `marshal`: its bytes depend on other references to a string, so one request could have two keys.
    return repr((FORMAT, version, fields)).encode("utf-8", "backslashreplace")


def _path(key: bytes) -> str:
    """Return the path of an entry. Raises OSError without a cache."""
    folder = cache_folder("plans")
    if folder is None:
        raise OSError("no cache")
    return os.path.join(folder, f"{checksum(key):016x}")


def _read(path: str) -> bytes:
    """Return an entry's payload. Raises OSError or ValueError for a file that this user's rt did not write."""
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


def _freeze(recipe: Recipe) -> tuple[object, ...]:
    manifest = recipe.manifest.plain() if recipe.manifest else None
    return (manifest, *(getattr(recipe, name) for name in Recipe.__annotations__ if name != "manifest"))


def _thaw(fields: tuple[object, ...]) -> Recipe:
    manifest, *rest = fields
    return Recipe(Manifest(*manifest) if manifest else None, *rest)  # type: ignore[misc, arg-type]
