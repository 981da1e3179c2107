"""node:trace_events: the events of each category, in the file that Chrome's trace viewer reads."""

from __future__ import annotations

import json
from typing import Any

from rig import Box

PROGRAM = """
const { performance } = require('perf_hooks');
const { createTracing, getEnabledCategories } = require('trace_events');
const tracing = createTracing({ categories: ['node.console', 'node.perf'] });
const before = getEnabledCategories();
tracing.enable();
console.log(JSON.stringify([before, getEnabledCategories(), tracing.enabled, tracing.categories]));
performance.mark('first');
performance.timerify(function timed() {})();
console.time('timer'); console.timeLog('timer'); console.timeEnd('timer'); console.count('label'); console.countReset('label');
require('vm').runInNewContext('1 + 1');
require('fs').statSync('.');
require('fs').stat('.', () => {});
require('net').connect('./none').on('error', () => {});
process.on('unhandledRejection', () => {});
Promise.reject(1);
const http = require('http');
const server = http.createServer((request, response) => response.end('x'));
server.listen(0, () => http.get({ port: server.address().port }, (answer) => answer.resume().on('end', () => server.close())));
new (require('worker_threads').Worker)(
  `try { require('trace_events') } catch (error) { console.log(error.code) }`, { eval: true, name: 'own' });
setTimeout(() => tracing.disable(), 1);
"""
# As Node writes them, less the names of single operations.
EXPECTED = {
    ("node,node.async_hooks", "b", "Timeout"),
    ("node,node.async_hooks", "e", "Timeout_CALLBACK"),
    ("node,node.bootstrap", "I", "loopStart"),
    ("node,node.console", "b", "time::timer"),
    ("node,node.console", "n", "time::timer"),
    ("node,node.console", "e", "time::timer"),
    ("node,node.console", "C", "count::label"),
    ("node,node.environment", "X", "RunTimers"),
    ("node,node.environment", "X", "BeforeExit"),
    ("node,node.environment", "e", "Environment"),
    ("node,node.fs,node.fs.async", "b", "stat"),
    ("node,node.fs,node.fs.async", "e", "stat"),
    ("node,node.fs,node.fs.sync", "B", "fs.sync.stat"),
    ("node,node.fs,node.fs.sync", "E", "fs.sync.stat"),
    ("node,node.http", "b", "http.client.request"),
    ("node,node.http", "e", "http.server.request"),
    ("node,node.net,node.net.native", "b", "connect"),
    ("node,node.net,node.net.native", "e", "connect"),
    ("node,node.perf,node.perf.timerify", "b", "timed"),
    ("node,node.perf,node.perf.usertiming", "R", "first"),
    ("node,node.promises,node.promises.rejections", "C", "rejections"),
    ("node,node.vm,node.vm.script", "B", "ContextifyScript::New"),
    ("node,node.vm,node.vm.script", "X", "RunInContext"),
}


def events_of(box: Box, name: str) -> list[dict[str, Any]]:
    events: list[dict[str, Any]] = json.loads((box.folder / name).read_text())["traceEvents"]
    return events


def test_records_the_events_of_the_enabled_categories(box: Box) -> None:
    box.write({"main.cjs": PROGRAM})
    flags = ("--trace-event-categories", "node.bootstrap,node", "--trace-event-file-pattern", "${rotation}.log")
    done = box.run("--no-warnings", *flags, "main.cjs")
    assert done.returncode == 0, done.stderr.decode()
    lines = done.stdout.decode().splitlines()
    enabled = "node,node.bootstrap,node.console,node.perf"
    assert json.loads(lines[0]) == ["node,node.bootstrap", enabled, True, "node.console,node.perf"]
    assert lines[-1] == "ERR_TRACE_EVENTS_UNAVAILABLE"
    events = events_of(box, "1.log")
    assert EXPECTED - {(each["cat"], each["ph"], each["name"]) for each in events} == set()
    threads = [each["args"]["name"] for each in events if each["name"] == "thread_name"]
    assert {"JavaScriptMainThread", "[worker 1] own"} <= set(threads)
    assert [each["args"]["data"] for each in events if each["name"] == "count::label"] == [1, 0]


def test_a_program_enables_categories_by_itself(box: Box) -> None:
    box.write(
        {
            "main.cjs": """
const tracing = require('trace_events').createTracing({ categories: ['node.console'] });
console.count('before');
tracing.enable();
console.count('during');
tracing.disable();
console.count('after');
process.exit();
"""
        }
    )
    assert box.run("main.cjs").returncode == 0
    names = {each["name"] for each in events_of(box, "node_trace.1.log") if each["cat"] != "__metadata"}
    assert names == {"count::during"}
