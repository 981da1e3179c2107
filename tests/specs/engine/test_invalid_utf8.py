"""System strings that are not valid UTF-8: JavaScript gets U+FFFD in place of the invalid bytes, as under Node."""

from __future__ import annotations

import json
import subprocess

import pytest
from rig import Box, executable

BYTES = b"caf\xe9 \xf0\x9f"
TEXT = "caf\ufffd \ufffd"


@pytest.mark.parametrize("file", [[], ["--env-file=named.env"]], ids=["default", "named"])
def test_environment_arguments_and_env_files(box: Box, file: list[str]) -> None:
    box.write({"a.js": "console.log(JSON.stringify([process.env.GIVEN, process.env.FILE, ...process.argv.slice(2)]))"})
    for name in (".env", "named.env"):
        (box.folder / name).write_bytes(b"FILE=" + BYTES)
    environment = {key.encode(): value.encode() for key, value in box.environment().items()} | {b"GIVEN": BYTES}
    command: list[str | bytes] = [executable(), *file, "a.js", BYTES, "h\u00e9"]
    done = subprocess.run(command, cwd=box.folder, env=environment, capture_output=True, timeout=60)
    assert (json.loads(done.stdout), done.stderr) == ([TEXT, TEXT, TEXT, "h\u00e9"], b"")


def test_an_env_file_without_a_name_is_none(box: Box) -> None:
    box.write({"a.js": "console.log(process.env.FILE)", ".env": "FILE=default"})
    done = box.run("--env-file=", "a.js")
    assert (done.stdout, done.stderr) == (b"undefined\n", b"")
