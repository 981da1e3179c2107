"""The cluster of `--on local:4`: a scheduler and agents as processes of this machine, which end with the run.

They are in one process group of their own, below one process that ends when its standard input does.
"""

from __future__ import annotations

import os
import subprocess
import sys

from ..vocabulary.errors import Failed
from .process import Settings, encode

_ENDING_S = 3.0


class LocalCluster:
    """A cluster of `agents` with one slot each, whose files are in `folder`, within `store_limit_mb`."""

    def __init__(self, agents: int, folder: str, *, store_limit_mb: int) -> None:
        settings = Settings(
            url="",
            host="127.0.0.1",
            port=0,
            agents=agents,
            slots=1,
            tags=(),
            folder=folder,
            certificates="",
            patience_s=60.0,
            is_once=False,
            follows_input=True,
            dashboard="",
            store_limit_mb=store_limit_mb,
        )
        self._process = subprocess.Popen(
            [sys.executable, "-m", f"{__package__}.process", encode(settings)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=None if os.environ.get("RT_DEBUG_CLUSTER") else subprocess.DEVNULL,
            start_new_session=True,
        )

    def address(self) -> str:
        """Wait until the cluster is ready, and return its address. Raises Failed."""
        assert self._process.stdout is not None
        line = self._process.stdout.readline().decode().strip()
        if not line:
            self.close()
            raise Failed(
                "cluster-unreachable",
                "the processes of the local cluster ended at their start; RT_DEBUG_CLUSTER=1 shows why",
            )
        return line

    def close(self) -> None:
        """End the cluster, and wait for that."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        try:
            self._process.wait(_ENDING_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
