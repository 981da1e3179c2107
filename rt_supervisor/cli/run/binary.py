"""`rt x NAME`: the binary of an installed package, otherwise of one that is installed into rt's store."""

from __future__ import annotations

import os

from ...settings.environment import DEFAULT_PATH, find_executable
from ...settings.target import BINARY, SYSTEM, Target, find_binary
from ...vocabulary.errors import Failed
from ...vocabulary.record import replace
from ..line.binary_words import read_binary_words
from ..request import places_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..line.binary_words import BinaryWords
    from ..request import Request


def prepare_binary(request: Request) -> tuple[Request, Target]:
    """Return the binary that `rt x` names, and the request to run it with its arguments. Raises Failed."""
    words = read_binary_words(request.invocation.arguments)
    options = dict(request.invocation.options)
    options |= {name: True for name, is_set in (("rt", words.as_rt), ("silent", words.is_silent)) if is_set}
    arguments = words.arguments
    target = None if words.package or words.needs_npx else find_binary(words.binary, places_of(request, {}, ""))
    if target is None and (words.no_install or request.environment.get("RT_NO_INSTALL")):
        hint = "note: no installed package has it; add the one that has it with npm, pnpm or yarn"
        raise Failed("binary-not-found", f'Binary not found "{words.binary}"\n{hint}')
    if target is None and words.needs_npx:
        target, arguments = _npx(words.binary, request), request.invocation.arguments
    target = target or _install(words, request)
    invocation = replace(request.invocation, names=(words.binary,), arguments=arguments, options=options)
    return replace(request, invocation=invocation), target


def _npx(flag: str, request: Request) -> Target:
    """Return npx as a target, for a command line with a `flag` that rt does not have."""
    npx = find_executable("npx", request.environment.get("PATH") or DEFAULT_PATH)
    if npx is None:
        raise Failed("binary-not-found", f"rt x has no flag {flag}, and npx, which may have it, is not on PATH")
    return Target(SYSTEM, "npx", os.path.abspath(npx))


def _install(words: BinaryWords, request: Request) -> Target:
    """Install the package of `words` into rt's store and return its binary as a target."""
    from ...packages.binaries import install_binary
    from ...packages.problems import PackageProblem

    command = words.binary if words.package else ""
    try:
        path = install_binary(words.package or words.binary, command, request.folder, request.environment)
    except PackageProblem as problem:
        raise Failed("binary-not-found", f'Binary not found "{words.binary}"\nnote: {problem}') from problem
    return Target(BINARY, words.binary, path)
