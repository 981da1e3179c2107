"""npm's settings for registries: which registry a package comes from, and which credentials it gets.

The project's `.npmrc` overrides the user's, and `npm_config_*` overrides both. rt reads `registry`, `@scope:registry`,
`//host/path/:_authToken`, `:_auth`, `:username` with `:_password`, `cafile`, `ca`, `strict-ssl`, `proxy`, `https-proxy`,
`noproxy` and `offline`, and ignores the other settings.
"""

from __future__ import annotations

import os
import re

from ..vocabulary.record import record
from ..workspace.manifest import find_nearest_manifest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

PUBLIC = "https://registry.npmjs.org/"
_MAX_BYTES = 1 << 20
_VARIABLE = re.compile(r"\$\{([^${}]+)\}")


@record
class RegistrySettings:
    """`values` are npm's settings by name, as text."""

    values: Mapping[str, str]

    @property
    def is_offline(self) -> bool:
        return self.values.get("offline") == "true"

    def registry_of(self, name: str) -> str:
        """Return the URL of the registry of package `name`; it ends with a slash."""
        scope = name.partition("/")[0] if name.startswith("@") else ""
        url = (scope and self.values.get(f"{scope}:registry")) or self.values.get("registry") or PUBLIC
        return url if url.endswith("/") else f"{url}/"

    @property
    def registries_key(self) -> str:
        """A file name that is equal for two settings only if every package comes from the same registry in both."""
        import hashlib

        default = self.registry_of("")
        scopes = [
            key.removesuffix(":registry") for key in self.values if key.startswith("@") and key.endswith(":registry")
        ]
        others = sorted((scope, url) for scope in scopes if (url := self.registry_of(f"{scope}/")) != default)
        return hashlib.sha256(repr((default, others)).encode("utf-8", "surrogateescape")).hexdigest()[:16]

    def authorization(self, url: str) -> str | None:
        """Return the Authorization header for `url`: the one of the longest configured prefix of the URL."""
        place = url.partition("://")[2]
        while place:
            key = f"//{place}/:"
            if token := self.values.get(f"{key}_authToken"):
                return f"Bearer {token}"
            if pair := self.values.get(f"{key}_auth"):
                return f"Basic {pair}"
            user, password = self.values.get(f"{key}username"), self.values.get(f"{key}_password")
            if user and password:
                return _basic(user, password)
            place = place.rpartition("/")[0]
        return None


def read_settings(folder: str, environment: Mapping[str, str]) -> RegistrySettings:
    """Return the settings for a program in `folder`, which is the project's folder or one inside it."""
    home = environment.get("HOME", "")
    user = environment.get("NPM_CONFIG_USERCONFIG") or environment.get("npm_config_userconfig")
    values = _read(user or os.path.join(home or "/", ".npmrc"), environment)
    project = os.path.dirname(find_nearest_manifest(folder) or os.path.join(folder, ""))
    values |= _read(os.path.join(project, ".npmrc"), environment)
    for name, value in environment.items():
        if name.lower().startswith("npm_config_") and value:
            values[_setting(name[len("npm_config_") :])] = value
    return RegistrySettings(values)


def _setting(name: str) -> str:
    """Return the setting that a variable sets: scopes and URLs unchanged, other names in lower case with hyphens."""
    return name if name.startswith(("@", "//")) else name.lower().replace("_", "-")


def _read(path: str, environment: Mapping[str, str]) -> dict[str, str]:
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
        with open(descriptor, encoding="utf-8-sig", errors="replace") as file:
            text = file.read(_MAX_BYTES)
    except OSError:
        return {}
    values: dict[str, str] = {}
    for line in text.splitlines():
        name, equals, value = line.partition("=")
        if not equals or name.lstrip().startswith((";", "#")):
            continue
        value = value.strip()
        if len(value) > 1 and value[0] == value[-1] and value[0] in "\"'":
            value = value[1:-1]
        values[name.strip()] = _VARIABLE.sub(lambda found: environment.get(found[1], found[0]), value)
    return values


def _basic(user: str, password: str) -> str | None:
    """Return the header for a user and a password, which npm stores in base64."""
    import base64
    import binascii

    try:
        plain = base64.b64decode(password, validate=True)
    except binascii.Error:
        return None
    return f"Basic {base64.b64encode(user.encode() + b':' + plain).decode()}"
