"""The edition of rt's JavaScript in a wheel: one file that stands for all of it, so that a start of an installed rt looks at one
file in place of hundreds (`native/src/files/stamps.rs`).

It is put into the wheel that is made, never into a checkout, whose files change.
"""

from __future__ import annotations

import hashlib
from base64 import urlsafe_b64encode
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile

FOLDER = "rt_supervisor/engine_worker/js/"
EDITION = f"{FOLDER}EDITION"
NAMES = "rt_supervisor/engine_worker/ops/names.py"  # the snapshot is made with these, too


def add_edition(wheel: Path) -> None:
    """Put the edition into a wheel, and into its record of files."""
    made = wheel.with_suffix(".whl.new")
    with ZipFile(wheel) as old, ZipFile(made, "w", ZIP_DEFLATED) as new:
        text = _edition(old)
        digest = urlsafe_b64encode(hashlib.sha256(text).digest()).rstrip(b"=").decode()
        for entry in old.infolist():
            content = old.read(entry)
            if entry.filename.endswith(".dist-info/RECORD"):
                content += f"{EDITION},sha256={digest},{len(text)}\n".encode()
            new.writestr(entry, content)
        new.writestr(EDITION, text)
    made.replace(wheel)


def _edition(wheel: ZipFile) -> bytes:
    """Return a text that is another one for any other files."""
    whole = hashlib.sha256()
    for name in sorted(name for name in wheel.namelist() if name.startswith(FOLDER) or name == NAMES):
        whole.update(f"{name} {hashlib.sha256(wheel.read(name)).hexdigest()}\n".encode())
    return whole.hexdigest().encode()
