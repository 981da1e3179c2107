"""rt's cache folder: `rt` in the user's cache folder, if only this user can write there.

Another user who can write to the cache could make rt run any code, so no folder is used that another user owns or can write
to, nor one below such a folder (`native/wire/src/trust.rs`). rt then uses the home that the system knows for this user, as
for root with the HOME of another user; if that is not safe either, rt runs without a cache. A note reports it, once if
that can be stored.
"""

from __future__ import annotations

import os
import sys

from .. import _native

MOST_IMAGES = 8  # start images and shell bundles, which share a folder
_known: dict[tuple[int, str], str | None] = {}  # by user and cache folder: the home that this process uses


def cache_folder(name: str) -> str | None:
    """Return the cache folder `name`, whether or not it exists; None if none is safe."""
    chosen = _chosen_home()
    user = os.geteuid()
    key = (user, chosen)
    if key not in _known:
        _known[key] = _safe_home(chosen, user)
    home = _known[key]
    return None if home is None else os.path.join(home, "rt", name)


def silent_folder(name: str) -> str | None:
    """Return the cache folder `name`, or None wherever `cache_folder` would print a note."""
    folder = os.path.join(_chosen_home(), "rt", name)
    return folder if _native.cache_flaw(folder) is None else None


def evict(folder: str, *, keep: str, most: int) -> None:
    """Remove the oldest entries beyond `most`, among them files of interrupted writes."""
    names = os.listdir(folder)
    if len(names) <= most:
        return
    paths = [os.path.join(folder, name) for name in names]
    paths.sort(key=lambda path: (path == keep, os.lstat(path).st_mtime_ns))
    for path in paths[: len(paths) - most]:
        os.unlink(path)


def _chosen_home() -> str:
    return _native.cache_home() or os.path.join(os.path.expanduser("~"), ".cache")


def _safe_home(chosen: str, user: int) -> str | None:
    flaw = _flaw(chosen)
    if flaw is None:
        return chosen
    own = _own_home(user)
    if own is None or own == chosen or _flaw(own):
        own = None
    _note(chosen, flaw, own)
    return own


def _flaw(home: str) -> tuple[str, int | None] | None:
    # Each folder is checked separately: a flaw in one is a flaw in what may be created beside it.
    for name in ("plans", "v8"):
        flaw = _native.cache_flaw(os.path.join(home, "rt", name))
        if flaw is not None:
            return flaw
    return None


def _own_home(user: int) -> str | None:
    import pwd

    try:
        return os.path.join(pwd.getpwuid(user).pw_dir, ".cache")
    except KeyError:
        return None


def _note(chosen: str, flaw: tuple[str, int | None], own: str | None) -> None:
    if "rt-helper" in sys._xoptions:  # the process that started this one has printed it
        return
    place, owner = flaw
    why = f"belongs to {_user_name(owner)}" if owner is not None else "may be written to by others"
    instead = f"uses {own}/rt" if own else "starts slower without a cache"
    if own is not None and not _is_first_time(own, chosen):
        return
    text = f"note: rt does not use the cache below {chosen} and {instead}: {place} {why}\n"
    try:
        os.write(2, text.encode("utf-8", "surrogateescape"))
    except OSError:
        return


def _is_first_time(own: str, chosen: str) -> bool:
    mark = os.path.join(own, "rt", "printed-notes", f"{_native.checksum(os.fsencode(chosen)):016x}")
    if os.path.exists(mark):
        return False
    try:
        _native.cache_put(mark, b"", is_durable=False)
        return True
    except OSError:
        return True  # printed again the next time


def _user_name(user: int) -> str:
    import pwd

    try:
        return f'the user "{pwd.getpwuid(user).pw_name}"'
    except KeyError:
        return f"the user {user}"
