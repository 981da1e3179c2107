"""A registry's document about one package: parsed, with everything that rt relies on checked once.

`read_document` drops what cannot be a version or a tag; later code reads the fields of a version through the functions here,
which ignore values of the wrong type. A document without any version is a PackageProblem, never a Python error.
"""

from __future__ import annotations

import json

from ..vocabulary.record import record
from .integrity import declared_integrity
from .problems import PackageProblem
from .specifiers import is_version

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any


@record
class Document:
    """`versions` are the package.json files of each version, as the registry abbreviates them; `tags` name versions."""

    name: str
    versions: Mapping[str, dict[str, Any]]
    tags: Mapping[str, str]

    def version(self, version: str) -> dict[str, Any]:
        """Return the document of one version. Raises PackageProblem."""
        if version not in self.versions:
            raise PackageProblem(f"the registry no longer has {self.name}@{version}")
        return self.versions[version]

    def integrity(self, version: str) -> str:
        """Return the digest that the registry declares for the archive of `version`; "" if there is none."""
        return declared_integrity(read_table(self.version(version), "dist"))


def read_document(name: str, body: bytes) -> Document:
    """Parse the registry's answer about package `name`. Raises PackageProblem."""
    try:
        document = json.loads(body)
    except (ValueError, RecursionError):
        raise PackageProblem(f'the registry\'s answer for "{name}" is not valid JSON') from None
    if not isinstance(document, dict):
        raise PackageProblem(f'the registry\'s answer for "{name}" is not a JSON object')
    versions = {
        version: each
        for version, each in read_table(document, "versions").items()
        if is_version(version) and isinstance(each, dict)
    }
    if not versions:
        raise PackageProblem(f'the registry\'s answer for "{name}" has no versions')
    tags = {
        tag: version
        for tag, version in read_table(document, "dist-tags").items()
        if isinstance(version, str) and version in versions
    }
    return Document(name, versions, tags)


def read_table(document: Mapping[str, object], key: str) -> dict[str, Any]:
    """Return the object `key` of a document; empty if it is missing or has another type."""
    value = document.get(key)
    return value if isinstance(value, dict) else {}


def read_words(document: Mapping[str, object], key: str) -> list[str]:
    """Return the text or list of texts `key` of a document, without items of other types."""
    value = document.get(key)
    items = value if isinstance(value, list) else [value]
    return [item for item in items if isinstance(item, str)]


def read_programs(manifest: Mapping[str, object], name: str) -> dict[str, str]:
    """Return the `bin` field of package `name`: paths within the package, by command."""
    paths = manifest.get("bin")
    if isinstance(paths, str):
        return {name.rpartition("/")[2]: paths}
    return {command: path for command, path in read_table(manifest, "bin").items() if isinstance(path, str)}
