"""The environment variables of tasks: which of them a result depends on, and which a task gets.

With envMode "strict" a task gets only the variables that its settings list, and those of `ALWAYS`; with "loose" all of them. What
frameworks inline into builds (`NEXT_PUBLIC_*`) counts for packages that depend on them, as in Turborepo.
"""

from __future__ import annotations

import re

from ..settings.late_environment import LateEnvironment

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

    from ..plan.recipe import Limit

# Variables that every task gets and that no result depends on: where programs and the user's files are, and how output looks.
ALWAYS = (
    "PATH", "HOME", "USER", "LOGNAME", "SHELL", "PWD", "TMPDIR", "TEMP", "TMP", "LANG", "LANGUAGE", "LC_*", "TZ", "TERM",
    "TERM_*", "COLORTERM", "COLUMNS", "LINES", "FORCE_COLOR", "NO_COLOR", "CI", "GITHUB_ACTIONS", "XDG_*", "SSH_AUTH_SOCK",
    "DISPLAY", "EDITOR", "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "http_proxy", "https_proxy", "no_proxy", "NODE",
    "NODE_EXTRA_CA_CERTS", "SSL_CERT_FILE", "SSL_CERT_DIR", "LD_LIBRARY_PATH", "SHLVL", "COREPACK_*", "VOLTA_*", "NVM_*",
    "PNPM_HOME", "npm_*", "RT_*",
)  # fmt: skip

_FRAMEWORKS: dict[str, tuple[str, ...]] = {
    "next": ("NEXT_PUBLIC_*",),
    "vite": ("VITE_*",),
    "nuxt": ("NUXT_*", "NITRO_*"),
    "astro": ("PUBLIC_*",),
    "gatsby": ("GATSBY_*",),
    "expo": ("EXPO_PUBLIC_*",),
    "react-scripts": ("REACT_APP_*",),
    "@vue/cli-service": ("VUE_APP_*",),
    "@sveltejs/kit": ("VITE_*", "PUBLIC_*"),
    "@redwoodjs/core": ("REDWOOD_ENV_*",),
    "sanity": ("SANITY_STUDIO_*",),
}


def framework_patterns(dependencies: Collection[str]) -> tuple[str, ...]:
    """Return the patterns of variables that a package with these dependencies inlines."""
    if _FRAMEWORKS.keys().isdisjoint(dependencies):
        return ()
    return tuple(pattern for name in dependencies for pattern in _FRAMEWORKS.get(name, ()))


def select(names: Iterable[str], patterns: Sequence[str]) -> set[str]:
    """Return the `names` that `patterns` include: `*` is a wildcard, `!` excludes, a backslash escapes both."""
    included = [pattern for pattern in patterns if not pattern.startswith("!")]
    excluded = [pattern[1:] for pattern in patterns if pattern.startswith("!")]
    if not included:
        return set()
    matches, is_excluded = _matcher(included), _matcher(excluded)
    return {name for name in names if matches(name) and not (excluded and is_excluded(name))}


class StrictEnvironments:
    """The environments of tasks with envMode "strict", of which `inherited` is what rt itself has."""

    def __init__(self, inherited: Mapping[str, str]) -> None:
        self._inherited = dict(inherited)
        self._removed: dict[tuple[str, ...], frozenset[str]] = {}  # by patterns: what rt has and tasks do not get

    def limit(self, environment: Mapping[str, str], patterns: tuple[str, ...]) -> Mapping[str, str]:
        """Return `environment` without what rt only inherited and neither `patterns` nor `ALWAYS` include. PATH is one of these."""
        path = environment.get("PATH")
        if path is None:
            return self._limited(environment, patterns)
        return LateEnvironment(path, lambda: self._limited(environment, patterns))

    def limiter(self, patterns_of: Callable[[int], tuple[str, ...]]) -> Limit:
        """Return what limits the environment of the task of a recipe to what `patterns_of` the recipe says."""

        def limit(
            key: int, environment: Mapping[str, str], variables: Mapping[str, str]
        ) -> tuple[Mapping[str, str], Mapping[str, str]]:
            patterns = patterns_of(key)
            return self.limit(environment, patterns), self.limit(variables, patterns)

        return limit

    def _limited(self, environment: Mapping[str, str], patterns: tuple[str, ...]) -> Mapping[str, str]:
        removed = self._removed.get(patterns)
        if removed is None:
            allowed = select(self._inherited, (*ALWAYS, *patterns))
            removed = self._removed[patterns] = frozenset(self._inherited).difference(allowed)
        if removed.isdisjoint(environment):
            return environment
        inherited = self._inherited
        return {name: value for name, value in environment.items() if name not in removed or inherited[name] != value}


def _matcher(patterns: Sequence[str]) -> Callable[[str], object]:
    return re.compile("|".join(map(_expression, patterns))).fullmatch


def _expression(pattern: str) -> str:
    text = ""
    at = 0
    while at < len(pattern):
        if pattern[at] == "\\" and pattern[at + 1 : at + 2] in ("*", "!", "\\"):
            at += 1
            text += re.escape(pattern[at])
        else:
            text += ".*" if pattern[at] == "*" else re.escape(pattern[at])
        at += 1
    return text
