"""The cluster that tests share which leave it as it is: one for each worker of pytest."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from clusters import RunCluster
from rig import Box


@pytest.fixture(scope="package")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunCluster]:
    box = Box(tmp_path_factory.mktemp("cluster"))
    made = RunCluster(box)
    yield made
    made.close()
    box.close()
