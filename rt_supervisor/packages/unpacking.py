"""A package's archive as files."""

from __future__ import annotations

import io
import os
import shutil
import tarfile

from .problems import PackageProblem

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

_MOST_BYTES = 2 << 30


def unpack(archive: bytes, folder: str) -> None:
    """Write the files of a package's archive below `folder`, without the folder that they are in, as npm does.

    Links and devices are left out, as npm leaves them out. Raises PackageProblem, OSError, tarfile.TarError.
    """
    left = _MOST_BYTES
    made: set[str] = set()
    with tarfile.open(fileobj=io.BytesIO(archive), mode="r:*") as files:
        for member in files:
            steps = [step for step in member.name.split("/") if step not in ("", ".")][1:]
            if not member.isfile() or not steps:
                continue
            if ".." in steps or "\0" in member.name:
                raise PackageProblem(f'its archive has a file outside of it: "{member.name}"')
            left -= member.size
            if left < 0:
                raise PackageProblem("its archive holds more than 2 GB")
            path = os.path.join(folder, *steps)
            if (parent := os.path.dirname(path)) not in made:
                os.makedirs(parent, exist_ok=True)
                made.add(parent)
            source = files.extractfile(member)
            assert source is not None
            mode = 0o755 if member.mode & 0o111 else 0o644
            descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC | os.O_NOFOLLOW, mode)
            with open(descriptor, "wb") as target:
                shutil.copyfileobj(source, target, 1 << 20)


def make_executable(folder: str, paths: Iterable[str]) -> None:
    """Let the programs of a package be executed, whatever its archive says; those outside of `folder` are left alone."""
    for path in paths:
        whole = os.path.normpath(os.path.join(folder, path))
        if whole.startswith(f"{folder}/") and os.path.isfile(whole):
            os.chmod(whole, 0o755)
