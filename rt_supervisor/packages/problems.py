"""Why a package cannot be had, in words that end a note for users."""

from __future__ import annotations


class PackageProblem(Exception):
    """What is wrong with one package; the message says it."""
