"""Node's resolution of a specifier that the native resolver cannot resolve, for programs that see Node only.

`explain` returns the first error of the algorithm with Node's code and message; `locate` returns the file if Node finds one, such
as a target of `exports` that is percent-encoded. The disk is read again, which only failures cost.
"""

from __future__ import annotations

import json
import os
import re
from urllib.parse import quote, unquote

from ..program.problems import ModuleNotFound

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection
    from typing import Any, NoReturn

ENCODED_SEPARATOR = re.compile(r"%(?:2f|5c)", re.IGNORECASE)
# `.`, `..` and `node_modules` as a segment, also percent-encoded.
_FORBIDDEN_SEGMENT = re.compile(
    r"(^|\\|/)((\.|%2e)(\.|%2e)?|(n|%6e|%4e)(o|%6f|%4f)(d|%64|%44)(e|%65|%45)(_|%5f)(m|%6d|%4d)(o|%6f|%4f)(d|%64|%44)"
    r"(u|%75|%55)(l|%6c|%4c)(e|%65|%45)(s|%73|%53))(\\|/|$)",
    re.IGNORECASE,
)
_URL = re.compile(r"^[a-zA-Z][a-zA-Z\d+.-]*:")
_MIXED = (
    "\"exports\" cannot contain some keys starting with '.' and some not. The exports object must either be an object of package "
    "subpath keys or an object of main entry condition name keys only."
)


def explain(
    specifier: str, importer: str, conditions: Collection[str], *, require: bool = False
) -> ModuleNotFound | None:
    """Return Node's error for `specifier` in the file `importer` (a folder if it ends in a slash); None if Node finds it."""
    try:
        _Search(specifier, importer, conditions, require).run()
    except ModuleNotFound as problem:
        return problem
    return None


def locate(specifier: str, importer: str, conditions: Collection[str], *, require: bool = False) -> str | None:
    """Return the file URL that Node finds for a specifier that `exports` or `imports` of a package resolve; otherwise None."""
    search = _Search(specifier, importer, conditions, require)
    try:
        search.run()
    except ModuleNotFound:
        return None
    return search.found


def cycle(kind: str, what: str, importer: str) -> ModuleNotFound:
    """Return the error of require() for an ES module that leads back to running code (`ModuleProvider.fail_cycle`)."""
    actions = {"required": "require() ES Module", "module": "import Module", "commonjs": "import CommonJS Module"}
    after = f" (from {importer})" if importer else ""
    message = f"Cannot {actions[kind]} {what} in a cycle.{after}"
    if kind == "required":
        message += (
            " A cycle involving require(esm) is not allowed to maintain invariants mandated by the ECMAScript specification."
            " Try making at least part of the dependency in the graph lazily loaded."
        )
    return ModuleNotFound("ERR_REQUIRE_CYCLE_MODULE", message, message)


def file_url(path: str) -> str:
    """Return the URL of an absolute path, as `url.pathToFileURL` writes it."""
    return "file://" + _encoded(path)


class _Search:
    """One run of the algorithm. Its methods raise ModuleNotFound."""

    def __init__(
        self, specifier: str, importer: str, conditions: Collection[str], require: bool, folder: str | None = None
    ) -> None:
        """`folder` is where the search starts, unless that is the folder of `importer`."""
        self._specifier = specifier
        self._folder = folder or (importer[:-1] or "/" if importer.endswith("/") else os.path.dirname(importer))
        self._importer = importer
        self._conditions = {*conditions, "node", "module-sync", "require" if require else "import"}
        self._require = require
        self.found: str | None = None  # the URL of the file, if it is known
        self._is_target = False  # of `imports`: a package is found by the rules of ES modules, whatever requests it
        self._literal = ""  # the path that the specifier is if nothing in it is encoded, in a package

    def run(self) -> None:
        specifier = self._specifier
        if specifier.startswith("#"):
            self._imported(specifier)
        elif specifier.startswith(("./", "../", "/")) or specifier in (".", ".."):
            if not self._require:
                path, mark, query = _split(specifier)
                self._finish(os.path.join(self._folder, path), mark + query)
        elif specifier.startswith("file:///") and not self._require:
            path, mark, query = _split(specifier.removeprefix("file://"))
            self._finish(path, mark + query)
        elif not _URL.match(specifier):
            self._package(specifier)

    # --- files

    def _finish(self, path: str, query: str = "") -> None:
        """Check the file that a URL with this (encoded) path names."""
        if ENCODED_SEPARATOR.search(path):
            self._fail_specifier(
                os.path.normpath(path), 'must not include encoded "/" or "\\" characters', self._importer
            )
        is_folder_written = path.endswith(("/", "/.", "/.."))
        file = os.path.normpath(unquote(path))
        url = file_url(file) + ("/" if is_folder_written and os.path.basename(file) else "") + query
        if self._require and not os.path.isfile(file):
            raise _problem("MODULE_NOT_FOUND", f"Cannot find module '{file}'")
        if os.path.isdir(file) and not self._require:
            message = (
                f"Directory import '{file}{'/' if is_folder_written else ''}' is not supported resolving ES modules"
            )
            raise _problem("ERR_UNSUPPORTED_DIR_IMPORT", message + self._from + self._hint(file), url=url)
        if not os.path.isfile(file):
            raise _problem(
                "ERR_MODULE_NOT_FOUND", f"Cannot find module '{file}'" + self._from + self._hint(file), url=url
            )
        self.found = url

    def _hint(self, file: str) -> str:
        """Return Node's question about the file that `require` would find, or ""."""
        is_path = self._specifier.startswith((".", "/"))
        literal = os.path.join(self._folder, self._specifier) if is_path else self._literal
        for base in (file, os.path.normpath(literal or file)):
            found = _find_required(base)
            if found is None:
                continue
            if is_path:
                shown = os.path.relpath(found, self._folder)
                shown = shown if shown.startswith("../") else f"./{shown}"
            else:
                name = self._parsed(self._specifier)[0]
                shown = name + found.rpartition(f"/node_modules/{name}")[2]
            return f'\nDid you mean to import "{_encoded(shown)}"?'
        return ""

    # --- packages

    def _package(self, specifier: str) -> None:
        name, subpath = self._parsed(specifier)
        own = _nearest_manifest(self._folder)
        if own is not None:
            manifest = self._manifest(own)
            if manifest.get("name") == name and manifest.get("exports") is not None:
                return self._exported(os.path.dirname(own), subpath, manifest)
        folder = self._folder
        while True:
            if os.path.basename(folder) != "node_modules":
                package = os.path.join(folder, "node_modules", name)
                if os.path.isdir(package):
                    return self._inside(package, subpath)
            if folder in ("/", ""):
                break
            folder = os.path.dirname(folder)
        if not self._require:
            raise _problem("ERR_MODULE_NOT_FOUND", f"Cannot find package '{name}'" + self._from + self._hint_of_file())
        return None

    def _hint_of_file(self) -> str:
        """Return Node's question about a file in a node_modules folder, which `require` would find, or ""."""
        folder = self._folder
        while True:
            found = _find_required(os.path.join(folder, "node_modules", self._specifier))
            if found is not None:
                return f'\nDid you mean to import "{file_url(found)}"?'
            if folder in ("/", ""):
                return ""
            folder = os.path.dirname(folder)

    def _parsed(self, specifier: str) -> tuple[str, str]:
        """Return (name, subpath) of a bare specifier; the subpath begins with a dot."""
        end = specifier.find("/")
        is_valid = specifier != ""
        if specifier.startswith("@"):
            is_valid = end >= 0
            end = specifier.find("/", end + 1) if is_valid else -1
        name = specifier if end < 0 else specifier[:end]
        is_valid = is_valid and not name.startswith(".") and "\\" not in name and "%" not in name
        if not is_valid and not self._require:
            self._fail_specifier(specifier, "is not a valid package name", self._importer)
        return name, "." + ("" if end < 0 else specifier[end:])

    def _inside(self, package: str, subpath: str) -> None:
        manifest = self._manifest(os.path.join(package, "package.json"))
        if manifest.get("exports") is not None:
            return self._exported(package, subpath, manifest)
        if self._require and not self._is_target:
            return None
        if subpath != ".":
            self._literal = package + subpath[1:]
            path, mark, query = _split(self._literal)
            return self._finish(path, mark + query)
        main = manifest.get("main")
        stems = (
            [main, f"{main}.js", f"{main}.json", f"{main}.node", f"{main}/index.js"] if isinstance(main, str) else []
        )
        for stem in [
            *stems,
            *(f"{main}/index{end}" for end in (".json", ".node")),
            "index.js",
            "index.json",
            "index.node",
        ]:
            if os.path.isfile(os.path.join(package, str(stem))):
                self.found = file_url(os.path.normpath(os.path.join(package, str(stem))))
                return None
        first = os.path.normpath(os.path.join(package, main if isinstance(main, str) else "index.js"))
        raise _problem("ERR_MODULE_NOT_FOUND", f"Cannot find package '{first}'" + self._from)

    def _manifest(self, path: str) -> dict[str, Any]:
        try:
            with open(path, encoding="utf-8-sig") as file:
                manifest = json.load(file)
        except OSError:
            return {}
        except ValueError as error:
            by = f'"{self._specifier}" from {self._importer}'
            message = f"Invalid package config {path}" + ("" if self._require else f" while importing {by}")
            raise _problem("ERR_INVALID_PACKAGE_CONFIG", f"{message}. {error}") from error
        return manifest if isinstance(manifest, dict) else {}

    # --- exports and imports

    def _exported(self, package: str, subpath: str, manifest: dict[str, Any]) -> None:
        exports = manifest["exports"]
        path = f"{package}/package.json"
        if isinstance(exports, dict):
            dotted = [key for key in exports if key == "" or key.startswith(".")]
            if dotted and len(dotted) != len(exports):
                self._fail_config(package, _MIXED)
        else:
            dotted = []
        mapping: dict[str, Any] = (
            exports if dotted else {".": exports} if isinstance(exports, (str, list, dict)) else {}
        )
        match = self._matching(mapping, subpath)
        if match is not None:
            key, rest = match
            found = self._target(package, mapping[key], key, rest, is_internal=False)
            if found:
                return
        from_ = "" if self._require else self._from
        if subpath == ".":
            raise _problem("ERR_PACKAGE_PATH_NOT_EXPORTED", f'No "exports" main defined in {path}{from_}')
        text = f"Package subpath '{subpath}' is not defined by \"exports\" in {path}{from_}"
        raise _problem("ERR_PACKAGE_PATH_NOT_EXPORTED", text)

    def _imported(self, specifier: str) -> None:
        if specifier == "#":
            self._fail_specifier(specifier, "is not a valid internal imports specifier name", self._importer)
        path = _nearest_manifest(self._folder)
        if path is not None:
            imports = self._manifest(path).get("imports")
            if imports is None and self._require:
                return  # a package may have such a name
            match = self._matching(imports, specifier) if isinstance(imports, dict) else None
            if match is not None and isinstance(imports, dict):
                key, rest = match
                found = self._target(os.path.dirname(path), imports[key], key, rest, is_internal=True)
                if found:
                    return
        within = f" in package {path}" if path is not None else ""
        text = f'Package import specifier "{specifier}" is not defined{within} imported from {self._importer}'
        raise _problem("ERR_PACKAGE_IMPORT_NOT_DEFINED", text, kind="TypeError")

    def _matching(self, mapping: dict[str, Any], wanted: str) -> tuple[str, str | None] | None:
        """Return the key for a subpath or an import, and what its `*` stands for."""
        if wanted in mapping and "*" not in wanted and not wanted.endswith("/"):
            return wanted, None
        best: tuple[str, str] | None = None
        for key in mapping:
            before, star, after = key.partition("*")
            if not star or not wanted.startswith(before) or "*" in after:
                continue
            if len(wanted) < len(key) or not wanted.endswith(after):
                continue
            if best is None or (len(before), len(key)) > (best[0].index("*"), len(best[0])):
                best = key, wanted[len(before) : len(wanted) - len(after)]
        return best

    def _target(self, package: str, target: Any, key: str, rest: str | None, *, is_internal: bool) -> str | None:
        """Return "found" for a target that leads to a file, "" for null, None without a match."""
        if isinstance(target, str):
            return self._target_text(package, target, key, rest, is_internal=is_internal)
        if isinstance(target, list):
            return self._first_target(package, target, key, rest, is_internal=is_internal)
        if isinstance(target, dict):
            return self._conditional_target(package, target, key, rest, is_internal=is_internal)
        if target is None:
            return ""
        return self._fail_target(package, target, key, is_internal=is_internal)

    def _first_target(
        self, package: str, targets: list[Any], key: str, rest: str | None, *, is_internal: bool
    ) -> str | None:
        last: ModuleNotFound | None = None
        found: str | None = None if targets else ""
        for each in targets:
            try:
                found = self._target(package, each, key, rest, is_internal=is_internal)
            except ModuleNotFound as problem:
                if problem.code != "ERR_INVALID_PACKAGE_TARGET":
                    raise
                last = problem
                continue
            if found:
                return found
            if found == "":
                last = None
        if last is not None:
            raise last
        return found

    def _conditional_target(
        self, package: str, target: dict[str, Any], key: str, rest: str | None, *, is_internal: bool
    ) -> str | None:
        if any(re.fullmatch(r"0|[1-9]\d*", each) for each in target):
            self._fail_config(package, '"exports" cannot contain numeric property keys.')
        for condition, each in target.items():
            if condition == "default" or condition in self._conditions:
                found = self._target(package, each, key, rest, is_internal=is_internal)
                if found is not None:
                    return found
        return None

    def _target_text(self, package: str, target: str, key: str, rest: str | None, *, is_internal: bool) -> str:
        path = f"{package}/package.json"
        if not target.startswith("./"):
            if is_internal and not target.startswith(("../", "/")) and not _URL.match(target):
                named = target if rest is None else target.replace("*", rest)
                inner = _Search(named, self._importer, self._conditions, self._require, package)
                inner._is_target = True
                inner.run()
                self.found = inner.found
                return "found"
            if is_internal and target.startswith("node:"):
                return "found"
            self._fail_target(package, target, key, is_internal=is_internal)
        if _FORBIDDEN_SEGMENT.search(target[2:]):
            self._fail_target(package, target, key, is_internal=is_internal)
        if rest is not None and _FORBIDDEN_SEGMENT.search(rest):
            request = key.replace("*", rest)
            field = "imports" if is_internal else "exports"
            why = f'request is not a valid match in pattern "{key}" for the "{field}" resolution of {path}'
            self._fail_specifier(request, why, "" if self._require and not is_internal else self._importer)
        self._finish(package + "/" + (target if rest is None else target.replace("*", rest))[2:])
        return "found"

    # --- errors

    @property
    def _from(self) -> str:
        return f" imported from {self._importer}"

    def _fail_specifier(self, specifier: str, why: str, base: str) -> NoReturn:
        message = f'Invalid module "{specifier}" {why}' + (f" imported from {base}" if base else "")
        raise _problem("ERR_INVALID_MODULE_SPECIFIER", message, kind="TypeError")

    def _fail_config(self, package: str, why: str) -> NoReturn:
        importing = "" if self._require else f" while importing {self._importer}"
        raise _problem("ERR_INVALID_PACKAGE_CONFIG", f"Invalid package config {package}/package.json{importing}. {why}")

    def _fail_target(self, package: str, target: Any, key: str, *, is_internal: bool) -> NoReturn:
        shown = json.dumps(target, ensure_ascii=False, separators=(",", ":"))
        is_bare = isinstance(target, str) and not is_internal and target != "" and not target.startswith("./")
        path = f"{package}/package.json"
        after = ("" if self._require and not is_internal else self._from) + (
            '; targets must start with "./"' if is_bare else ""
        )
        field = "imports" if is_internal else "exports"
        if key == ".":
            message = f'Invalid "exports" main target {shown} defined in the package config {path}{after}'
        else:
            message = f"Invalid \"{field}\" target {shown} defined for '{key}' in the package config {path}{after}"
        raise _problem("ERR_INVALID_PACKAGE_TARGET", message)


def _encoded(path: str) -> str:
    return quote(path, safe="/:@!$&'()*+,;=~-._")


def _find_required(base: str) -> str | None:
    """Return the file that `require` finds for an absolute path; None if there is none."""
    endings = ("", ".js", ".json", ".node")
    stems = [base, os.path.join(base, "index")]
    try:
        with open(os.path.join(base, "package.json"), encoding="utf-8-sig") as file:
            main = json.load(file).get("main")
        if isinstance(main, str):
            stems[1:1] = [os.path.join(base, main), os.path.join(base, main, "index")]
    except (OSError, ValueError, AttributeError):
        pass  # not a package, or a broken one
    return next((stem + ending for stem in stems for ending in endings if os.path.isfile(stem + ending)), None)


def _problem(code: str, message: str, *, kind: str = "Error", url: str | None = None) -> ModuleNotFound:
    return ModuleNotFound(code, message, message, kind, {} if url is None else {"url": url})


def _split(specifier: str) -> tuple[str, str, str]:
    """Return path, mark and rest of a specifier with a query or a fragment."""
    end = min((at for at in (specifier.find("?"), specifier.find("#")) if at >= 0), default=len(specifier))
    return specifier[:end], specifier[end : end + 1], specifier[end + 1 :]


def _nearest_manifest(folder: str) -> str | None:
    """Return the path of the package.json that applies to files in `folder`."""
    while True:
        path = os.path.join(folder, "package.json")
        if os.path.basename(folder) == "node_modules":
            return None
        if os.path.isfile(path):
            return path
        if folder in ("/", ""):
            return None
        folder = os.path.dirname(folder)
