"""Bodies larger than the allowed memory, through servers and clients, in both directions."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from rig import Box

CLIENT = Path(__file__).parent / "large_bodies" / "client.mjs"
SIZE = 1 << 30
# the garbage that V8 alone may leave before it collects; without back-pressure the whole body would show
MOST_GROWTH_KB = 64 << 10


@pytest.mark.parametrize("method", ["GET", "POST"])
@pytest.mark.parametrize(("server", "client"), [("serve", "fetch"), ("http", "http")])
def test_memory_is_bounded(box: Box, server: str, client: str, method: str) -> None:
    result = box.run(str(CLIENT), server, client, method, environment={"SIZE": str(SIZE)})
    reported = json.loads(result.stdout)
    assert reported["size"] == SIZE, result.stderr
    assert max(reported["server"], reported["client"]) < MOST_GROWTH_KB, reported
