"""Closes the front ends that a test leaves open."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from front_end import FrontEnd


@pytest.fixture(autouse=True)
def leaving_front_ends() -> Iterator[None]:
    yield
    while FrontEnd.all:
        FrontEnd.all.pop().socket.close()
