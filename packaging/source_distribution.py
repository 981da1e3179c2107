"""The source distribution as maturin makes it, with the whole workspace of crates: maturin leaves those out of Cargo.toml that
its own crate does not need, and rt_build.py builds them, too."""

from __future__ import annotations

import io
import tarfile
from pathlib import Path


def keep_workspace(archive: Path, root: Path) -> None:
    """Put the Cargo.toml of `root` in the place of the one in `archive`, which appears whole."""
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
