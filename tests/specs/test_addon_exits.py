"""Addons that end the process, deliberately or as in Node, and the report that is written then."""

from __future__ import annotations

import json
import os
from datetime import datetime

from addon_builds import PLAIN, build, compiled, headers
from rig import Box

__all__ = ["build", "headers"]


def test_fatal_error_ends_the_process(build: Box) -> None:
    compiled(
        build,
        "fatal",
        PLAIN.replace("return number(env, 3);", 'napi_fatal_error("here", 4, "because", NAPI_AUTO_LENGTH);'),
    )
    build.write({"a.cjs": "console.log('before'); require('./fatal.node').three()"})
    done = build.run("a.cjs")
    assert (done.returncode, done.stdout) == (-6, b"before\n")
    assert done.stderr.startswith(b"FATAL ERROR: here because\n")


def test_finalizer_in_the_collector_that_touches_the_heap(build: Box) -> None:
    """An addon that has opted into such finalizers gets an error message, and the process ends, as in Node."""
    compiled(build, "collected")
    build.write({"a.cjs": "(() => require('./collected.node').fail({}))(); for (;;) gc();"})
    done = build.run("--expose-gc", "a.cjs")
    assert done.returncode == -6
    assert b"Finalizer is calling a function that may affect GC state" in done.stderr


def test_report_of_a_fatal_error(build: Box) -> None:
    """It is written on the failing thread, while JavaScript runs on another."""
    source = PLAIN.replace(
        "FUNCTION(three)",
        """
        #include <pthread.h>
        static void* elsewhere(void* data) { napi_fatal_error("here", 4, "because of \\"this\\"", NAPI_AUTO_LENGTH); }
        FUNCTION(three)
    """,
    ).replace(
        "return number(env, 3);",
        "pthread_t thread; pthread_create(&thread, NULL, elsewhere, NULL); pause(); return NULL;",
    )
    compiled(build, "fatal", "#include <unistd.h>\n" + source)
    build.write(
        {
            "a.cjs": "require('./fatal.node').three()",
            "b.cjs": "process.report.reportOnFatalError = true; require('./a.cjs')",
        }
    )
    ways = [
        ({}, ("--report-on-fatalerror", "--report-filename=one.json", "a.cjs")),
        ({"NODE_OPTIONS": "--report-on-fatalerror --report-compact --report-filename one.json"}, ("a.cjs",)),
        ({}, ("--report-dir=reports", "--report-filename", "one.json", "--report-exclude-env", "b.cjs")),
    ]
    (build.folder / "reports").mkdir()
    for index, (environment, words) in enumerate(ways):
        done = build.run(*words, "@maxRss@", environment={**os.environ, **environment})
        assert done.returncode == -6
        assert done.stderr.startswith(b'FATAL ERROR: here because of "this"\n'), done.stderr
        assert b"Writing Node.js report to file: one.json\nNode.js report completed\n" in done.stderr
        path = build.folder / ("reports/one.json" if index == 2 else "one.json")
        text = path.read_text()
        path.unlink()
        assert (text.count("\n") == 1) == (index == 1)
        report = json.loads(text)
        header = report["header"]
        assert [header[name] for name in ("event", "trigger", "filename")] == [
            'because of "this"',
            "FatalError",
            "one.json",
        ]
        assert datetime.fromisoformat(header["dumpEventTime"]).timestamp() == int(header["dumpEventTimeStamp"]) // 1000
        assert report["javascriptStack"]["message"] == "No stack."
        assert report["resourceUsage"]["userCpuSeconds"] > 0
        assert report["resourceUsage"]["maxRss"] > 1 << 20
        assert header["commandLine"][-1] == "@maxRss@"
        assert ("environmentVariables" in report) == (index != 2)
        assert report["sharedObjects"]
