"""Bodies that are larger than the memory they may take, through servers and clients, both ways."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from rig import Box

CLIENT = Path(__file__).parent / "large_bodies" / "client.mjs"
SIZE = 1 << 30
MOST_GROWTH_KB = 64 << 10  # what V8 alone lets lie before it collects; what is not held back shows as all of it


@pytest.mark.parametrize("method", ["GET", "POST"])
@pytest.mark.parametrize(("server", "client"), [("serve", "fetch"), ("http", "http")])
def test_memory_is_bounded(box: Box, server: str, client: str, method: str) -> None:
    result = box.run(str(CLIENT), server, client, method, environment={"SIZE": str(SIZE)})
    told = json.loads(result.stdout)
    assert told["size"] == SIZE, result.stderr
    assert max(told["server"], told["client"]) < MOST_GROWTH_KB, told
