"""These tests require an instrumented build: scripts/check-development makes it and runs them."""

from __future__ import annotations

import development_builds

if not development_builds.is_present():
    collect_ignore_glob = ["test_*.py"]
