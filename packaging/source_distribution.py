"""Completes maturin's source distribution with the whole cargo workspace.

maturin removes workspace members that its own crate does not depend on from Cargo.toml, but `rt_build` builds them too.
"""

from __future__ import annotations

import io
import tarfile
from pathlib import Path


def keep_workspace(archive: Path, root: Path) -> None:
    """Replace the Cargo.toml in `archive` by that of `root`. The archive is replaced atomically."""
    draft = archive.with_suffix(".new")
    with tarfile.open(archive) as source, tarfile.open(draft, "w:gz") as target:
        for member in source:
            file = source.extractfile(member) if member.isfile() else None
            data = file.read() if file is not None else b""
            if member.name.split("/")[1:] == ["Cargo.toml"]:
                data = (root / "Cargo.toml").read_bytes()
                member.size = len(data)
            target.addfile(member, io.BytesIO(data) if file is not None else None)
    draft.replace(archive)
