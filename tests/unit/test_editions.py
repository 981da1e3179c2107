"""The edition that a wheel brings: one file that stands for rt's JavaScript, whose files are not looked at then."""

from __future__ import annotations

import hashlib
import sys
from base64 import urlsafe_b64encode
from importlib import import_module
from pathlib import Path
from zipfile import ZipFile

import pytest

from rt_supervisor import _native

ROOT = Path(__file__).parents[2]
FILES = {
    "rt_supervisor/engine_worker/js/boot/runtime.js": "first",
    "rt_supervisor/engine_worker/js/web/url.js": "second",
    "rt_supervisor/engine_worker/ops/names.py": "names",
    "rt_supervisor/__init__.py": "elsewhere",
    "rt-1.dist-info/RECORD": "rt_supervisor/__init__.py,,\n",
}


@pytest.fixture(autouse=True)
def _packaging(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "packaging"))
    monkeypatch.delitem(sys.modules, "edition", raising=False)


def installed(folder: Path, **changes: str) -> Path:
    """Return the folder of rt's JavaScript as a wheel with those files, and an edition, leaves it."""
    wheel = folder / "rt-1.whl"
    folder.mkdir()
    files = FILES | {next(name for name in FILES if change in name): text for change, text in changes.items()}
    with ZipFile(wheel, "w") as made:
        for name, text in files.items():
            made.writestr(name, text)
    import_module("edition").add_edition(wheel)
    with ZipFile(wheel) as made:
        assert set(made.namelist()) == {*FILES, "rt_supervisor/engine_worker/js/EDITION"}
        made.extractall(folder)
    return folder / "rt_supervisor/engine_worker/js"


def stamp(js: Path) -> int:
    return _native.stamp(str(js), str(js.parent / "ops/names.py"))


def test_it_stands_for_the_files(tmp_path: Path) -> None:
    js = installed(tmp_path / "one")
    before = stamp(js)
    (js / "web/url.js").write_text("changed, which nobody does")
    assert stamp(js) == before == stamp(installed(tmp_path / "same")) == stamp(installed(tmp_path / "else", init="x"))
    others = [stamp(installed(tmp_path / name, **{name: "x"})) for name in ("runtime", "url", "names")]
    assert len({before, *others}) == 4
    (js / "EDITION").unlink()
    without = stamp(js)
    (js / "web/url.js").write_text("changed once more")
    assert len({before, without, stamp(js)}) == 3


def test_the_record_of_the_wheel_holds_it(tmp_path: Path) -> None:
    js = installed(tmp_path / "one")
    text = (js / "EDITION").read_bytes()
    digest = urlsafe_b64encode(hashlib.sha256(text).digest()).rstrip(b"=").decode()
    record = (tmp_path / "one/rt-1.dist-info/RECORD").read_text().splitlines()
    assert record == [
        "rt_supervisor/__init__.py,,",
        f"rt_supervisor/engine_worker/js/EDITION,sha256={digest},{len(text)}",
    ]


def test_a_checkout_has_none() -> None:
    assert not (ROOT / "rt_supervisor/engine_worker/js/EDITION").exists()
