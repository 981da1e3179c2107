"""Unhandled rejections in the five modes and by default; errors in error handlers; exit statuses."""

from __future__ import annotations

import re

import pytest
from rig import Box

REJECT = "Promise.reject(new Error('r')); setTimeout(() => console.log('later'), 1);"
REJECT_TEXT = "Promise.reject('s'); setTimeout(() => console.log('later'), 1);"
REJECT_TWO = "Promise.reject(new Error('one')); Promise.reject({ two: 2 }); setTimeout(() => console.log('later'), 1);"
ON_REJECTION = (
    "process.on('unhandledRejection', (reason, p) => console.log('heard', String(reason), p instanceof Promise));"
)
ON_ERROR = "process.on('uncaughtException', (error, origin) => console.log('caught', String(error), origin));"
MONITOR = "process.on('uncaughtExceptionMonitor', (error, origin) => console.log('seen', String(error), origin));"
CAPTURE = "process.setUncaughtExceptionCaptureCallback((error) => console.log('captured', String(error)));"

TEXT_REASON = 'UnhandledPromiseRejection: <origin> The promise rejected with the reason "s".\n code: "ERR_UNHANDLED_REJECTION"\n\nerror: s\ns\n'
WARNING = "(rt:N) UnhandledPromiseRejectionWarning: Error: r\n    at <FILE>\n<how>\n(rt:N) UnhandledPromiseRejectionWarning: <advice>\n"

# mode, program, stdout, stderr, status
CASES = [
    (None, REJECT, "", "error: r\n      at <FILE>\n", 1),
    (None, REJECT_TEXT, "", "error: s\ns\n", 1),
    (None, REJECT_TWO, "", "error: one\n      at <FILE>\nerror\n{\n  two: 2,\n}\n", 1),
    ("throw", REJECT, "", "error: r\n      at <FILE>\n", 1),
    ("throw", REJECT_TEXT, "", TEXT_REASON, 1),
    ("strict", REJECT_TEXT, "", TEXT_REASON, 1),
    ("strict", ON_REJECTION + REJECT, "", "error: r\n      at <FILE>\n", 1),
    ("strict", ON_ERROR + REJECT, "caught Error: r unhandledRejection\nlater\n", WARNING, 0),
    ("strict", ON_ERROR + ON_REJECTION + REJECT, "caught Error: r unhandledRejection\nheard Error: r true\nlater\n", "", 0),
    ("throw", ON_ERROR + ON_REJECTION + REJECT, "heard Error: r true\nlater\n", "", 0),
    ("warn", REJECT, "later\n", WARNING, 0),
    ("warn", ON_REJECTION + REJECT, "heard Error: r true\nlater\n", WARNING, 0),
    ("none", REJECT, "later\n", "", 0),
    ("none", ON_REJECTION + REJECT, "heard Error: r true\nlater\n", "", 0),
    ("warn-with-error-code", REJECT, "later\n", WARNING, 1),
    ("warn-with-error-code", ON_REJECTION + REJECT, "heard Error: r true\nlater\n", "", 0),
    (None, ON_ERROR + REJECT, "caught Error: r unhandledRejection\nlater\n", "", 0),
    (None, MONITOR + REJECT, "seen Error: r unhandledRejection\n", "error: r\n      at <FILE>\n", 1),
    (None, CAPTURE + REJECT, "captured Error: r\nlater\n", "", 0),
    (None, MONITOR + "setTimeout(() => { throw new Error('t'); }, 1);", "seen Error: t uncaughtException\n", "error: t\n      at <FILE>\n", 1),
    (None, "process.on('uncaughtExceptionMonitor', () => { throw new Error('in it'); }); throw new Error('t');", "", "error: in it\n      at process.<anonymous> (<FILE>)\n", 7),
    (None, "process.setUncaughtExceptionCaptureCallback(() => { throw new Error('in it'); }); throw new Error('t');", "", "error: in it\n      at <FILE>\n", 7),
    (None, "process.on('unhandledRejection', () => { throw new Error('in it'); });" + REJECT, "", "error: in it\n      at process.<anonymous> (<FILE>)\n", 1),
    (None, "process.on('exit', () => { throw new Error('in it'); }); throw new Error('t');", "", "error: t\n      at <FILE>\nerror: in it\n      at process.<anonymous> (<FILE>)\n", 1),
    (None, "process.on('exit', (code) => console.log(code, process.exitCode)); " + REJECT, "1 1\n", "error: r\n      at <FILE>\n", 1),
    (
        None,
        "const seen = []; process.on('unhandledRejection', (e) => { seen.push(e); if (e === 1) throw 'first'; }); process.on('uncaughtException', (e) => seen.push(e));"
        "Promise.reject(1); Promise.reject(2); setTimeout(() => console.log(...seen), 1);",
        "1 first 2\n", "", 0,
    ),
]  # fmt: skip


def plain(text: bytes, box: Box) -> str:
    said = re.sub(rf"{re.escape(str(box.folder))}/a\.mjs:\d+:\d+", "<FILE>", text.decode())
    said = re.sub(r"^( *\d+ \|.*\n)+ *\^\n", "", said, flags=re.M)
    said = re.sub(r"\(rt:\d+\)", "(rt:N)", said)
    said = re.sub(r"This error originated .*?\.catch\(\)\.", "<origin>", said)
    said = re.sub(r"Unhandled promise rejection\. <origin> To terminate .*", "<advice>", said)
    return re.sub(r"\(Use `rt --trace-warnings .*", "<how>", said)


@pytest.mark.parametrize(("mode", "program", "out", "err", "status"), CASES)
def test_rejections(box: Box, mode: str | None, program: str, out: str, err: str, status: int) -> None:
    box.write({"a.mjs": program})
    result = box.run(*([f"--unhandled-rejections={mode}"] if mode else []), "a.mjs")
    assert (result.stdout.decode(), plain(result.stderr, box), result.returncode) == (out, err, status)


def test_errors_of_a_module_are_rejections_as_in_node(box: Box) -> None:
    box.write({"a.mjs": f"{ON_ERROR} await 1; throw new Error('top');"})
    assert box.run("a.mjs").stdout == b"caught Error: top unhandledRejection\n"
