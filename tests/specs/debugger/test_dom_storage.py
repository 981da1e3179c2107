"""The domain `DOMStorage`: the contents of localStorage and sessionStorage, and storages that a program offers."""

from __future__ import annotations

import json
from typing import Any

import pytest
from rig import Box

SESSION = """
const { DOMStorage, Session } = require('node:inspector');
const session = new Session();
session.connect();
session.on('inspectorNotification', ({ method, params }) => console.log(JSON.stringify([method, params])));
const post = (method, params) =>
  session.post(method, params, (error, result) => console.log(JSON.stringify(error ? error.message : result)));
const local = { isLocalStorage: true, securityOrigin: '' };
"""


def lines(box: Box, code: str, *flags: str) -> list[Any]:
    box.write({"a.cjs": SESSION + code})
    run = box.run(*flags, "a.cjs")
    assert run.returncode == 0, run.stderr
    return [json.loads(line) for line in run.stdout.splitlines()]


def test_changes_and_contents(box: Box) -> None:
    code = """
    localStorage.setItem('before', '1');
    post('DOMStorage.enable');
    post('Storage.getStorageKey');
    localStorage.setItem('a', '1');
    localStorage.a = '2';
    delete localStorage.before;
    sessionStorage.setItem('s', '3');
    post('DOMStorage.getDOMStorageItems', { storageId: local });
    post('DOMStorage.getDOMStorageItems', { storageId: { ...local, isLocalStorage: false } });
    localStorage.clear();
    post('DOMStorage.disable');
    localStorage.setItem('unseen', '1');
    """
    enabled, key, added, updated, removed, other, items, others, cleared, disabled = lines(
        box, code, "--localstorage-file=l.db"
    )
    url = (box.folder / "l.db").as_uri()
    here = {"securityOrigin": "", "storageKey": url, "isLocalStorage": True}
    assert enabled == disabled == {} and key == {"storageKey": url}
    assert added == ["DOMStorage.domStorageItemAdded", {"storageId": here, "key": "a", "newValue": "1"}]
    assert updated == [
        "DOMStorage.domStorageItemUpdated",
        {"storageId": here, "key": "a", "oldValue": "1", "newValue": "2"},
    ]
    assert removed == ["DOMStorage.domStorageItemRemoved", {"storageId": here, "key": "before"}]
    assert other[1]["storageId"] == {**here, "isLocalStorage": False}
    assert items == {"entries": [["a", "2"]]} and others == {"entries": [["s", "3"]]}
    assert cleared == ["DOMStorage.domStorageItemsCleared", {"storageId": here}]


def test_storages_of_the_program(box: Box) -> None:
    code = """
    post('DOMStorage.enable');
    DOMStorage.registerStorage({ isLocalStorage: true, storageMap: { key: 'value', 1: 2 } });
    post('DOMStorage.getDOMStorageItems', { storageId: local });
    DOMStorage.domStorageItemAdded({ storageId: { ...local, storageKey: 'own' }, key: 'k', newValue: 'v' });
    """
    _, items, (event, params) = lines(box, code)
    assert items == {"entries": [["1", "2"], ["key", "value"]]}
    assert event == "DOMStorage.domStorageItemAdded" and params["storageId"]["storageKey"] == "own"


@pytest.mark.parametrize(
    ("call", "message"),
    [
        ("DOMStorage.registerStorage({})", "Missing isLocalStorage in event"),
        ("DOMStorage.registerStorage({ isLocalStorage: true })", "Missing storageMap in event"),
        ("DOMStorage.domStorageItemAdded({})", "Missing storageId in event"),
        ("DOMStorage.domStorageItemsCleared({ storageId: local })", "Missing storageKey in storageId"),
    ],
)
def test_incomplete_events(box: Box, call: str, message: str) -> None:
    assert lines(box, f"try {{ {call} }} catch (error) {{ console.log(JSON.stringify(error.message)); }}") == [message]


def test_refused_commands(box: Box) -> None:
    code = """
    post('DOMStorage.getDOMStorageItems', { storageId: local });
    post('DOMStorage.getDOMStorageItems', {});
    post('Storage.getStorageKey');
    post('DOMStorage.clear', { storageId: local });
    post('DOMStorage.other');
    """
    assert [line.removeprefix("Inspector error ") for line in lines(box, code)] == [
        "-32000: DOMStorage domain is not enabled",
        "-32602: Invalid parameters",
        "-32000: Could not resolve the storage key path",
        "-32000: Not implemented",
        "-32601: 'DOMStorage.other' wasn't found",
    ]
