"""`rt init`: writes a commented rtfig.toml, the only file of a project that is for rt. It never replaces a file."""

from __future__ import annotations

import os

from ...settings.config import FILE_NAME
from ...settings.starter import starter_text
from ...vocabulary.errors import Failed
from ..streams import write


def write_config(folder: str) -> int:
    """Write `rtfig.toml` in `folder` and return the exit status. Raises Failed if there is one, or for a failed write."""
    path = os.path.join(folder, FILE_NAME)
    data = memoryview(starter_text().encode())
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o666)
    except FileExistsError as error:
        raise Failed("config-exists", f"{path} already exists; `rt help config` describes its keys") from error
    except OSError as error:
        raise Failed("config-not-written", f"cannot write {path}: {error.strerror}") from error
    try:
        while data:
            data = data[os.write(descriptor, data) :]
    except OSError as error:
        os.unlink(path)
        raise Failed("config-not-written", f"cannot write {path}: {error.strerror}") from error
    finally:
        os.close(descriptor)
    write(1, f"Wrote {FILE_NAME}: the common settings are in it, commented out. `rt help config` describes all.\n")
    return 0
