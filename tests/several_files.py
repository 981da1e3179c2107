"""Runs programs of several files under the real rt."""

from __future__ import annotations

from typing import Any

from rig import Box


def run(box: Box, files: dict[str, Any], *arguments: str) -> tuple[int, str, str]:
    """Write `files` and run rt with `arguments`, or with the first file; paths in its output are relative to the
    folder.
    """
    box.write(files)
    done = box.run(*(arguments or (f"./{next(iter(files))}",)))
    texts = [
        stream.decode().replace(f"{box.folder}/", "").replace(str(box.folder), ".")
        for stream in (done.stdout, done.stderr)
    ]
    assert "Traceback" not in texts[1], texts[1]
    assert "bug in rt" not in texts[1], texts[1]
    return done.returncode, texts[0], texts[1]
