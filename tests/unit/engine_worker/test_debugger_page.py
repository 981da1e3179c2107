"""The files of the debugger's page: they load nothing from elsewhere, and the bundle is what its script makes."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest
from rig import executable

import rt_supervisor

ROOT = Path(__file__).resolve().parents[3]
PAGE = Path(rt_supervisor.__file__).parent / "engine_worker/debugger_page"
OWN = [
    path for path in PAGE.rglob("*") if path.suffix in (".js", ".css", ".html", ".svg") and path.parent.name != "vendor"
]


def test_the_bundle_is_what_its_script_makes(tmp_path: Path) -> None:
    """The versions are those of package-lock.json, so that the bytes are the same everywhere."""
    if not (ROOT / "node_modules/esbuild").is_dir():
        pytest.skip("npm's packages are not installed (scripts/javascript-tools)")
    subprocess.run([executable(), "scripts/debugger-page/build.mjs", str(tmp_path)], cwd=ROOT, check=True, timeout=300)
    for name in ("codemirror.js", "LICENSES.txt"):
        assert (PAGE / "vendor" / name).read_bytes() == (tmp_path / name).read_bytes(), (
            f"run scripts/debugger-page/build.mjs: {name}"
        )


def test_the_parts_that_need_no_browser() -> None:
    cases = Path(__file__).parent / "debugger_page/models.test.mjs"
    done = subprocess.run([executable(), "--test", str(cases)], cwd=ROOT, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "pass 8" in done.stdout + done.stderr


@pytest.mark.parametrize("path", OWN, ids=lambda path: str(path.relative_to(PAGE)))
def test_files_load_only_files_beside_them(path: Path) -> None:
    text = path.read_text()
    addresses = re.findall(r"\b(?:https?|wss?)://[a-z][^`'\"\s]*", text)
    assert set(addresses) <= {"http://www.w3.org/2000/svg"}, addresses  # the name of a namespace
    for found in re.findall(r"""(?:from|import)\s*\(?\s*['"](\.[^'"]+)['"]""", text) if path.suffix == ".js" else ():
        # imports inside JSDoc types count too
        assert (path.parent / found).is_file(), found
    for found in re.findall(r"""(?:href|src)="([^"]+)\"""", text) if path.suffix == ".html" else ():
        assert (path.parent / found).is_file(), found


def test_the_page_has_no_inline_code() -> None:
    """The content security policy allows neither scripts nor styles in the page itself."""
    text = (PAGE / "index.html").read_text()
    assert not re.search(r"<style|\sstyle=|\son[a-z]+=|javascript:", text)
    assert re.findall(r"<script[^>]*>([^<]*)", text) == [""]
