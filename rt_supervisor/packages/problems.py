"""The error for a package that rt cannot provide."""

from __future__ import annotations


class PackageProblem(Exception):
    """One package cannot be resolved, downloaded or unpacked. The message completes a note for the user."""
