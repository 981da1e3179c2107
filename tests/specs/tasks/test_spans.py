"""Spans of OpenTelemetry: a real collector receives what a run sends."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.common.v1.common_pb2 import KeyValue
from opentelemetry.proto.trace.v1.trace_pb2 import Span
from rig import Box

TRACE, PARENT = "0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"
SCRIPTS = {"prebuild": "true", "build": "echo built", "test": "exit 3", "after": "true"}
TOML = """
[tasks.build]
outputs = []
[tasks.test]
dependsOn = ["build"]
retries = 1
[tasks.after]
dependsOn = ["test"]
"""


class Collector:
    """A collector on a free port. `answer` is the status of its answers."""

    def __init__(self) -> None:
        self.answer = 200
        self.bodies: list[bytes] = []
        collector = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                assert self.path == "/v1/traces"
                collector.bodies.append(self.rfile.read(int(self.headers["Content-Length"])))
                self.send_response(collector.answer)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *_: object) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.environment = {"OTEL_EXPORTER_OTLP_ENDPOINT": f"http://127.0.0.1:{self.server.server_port}"}

    def spans(self) -> list[Span]:
        """Return the spans that have arrived, and forget them."""
        found = []
        for body in self.bodies:
            for resource in ExportTraceServiceRequest.FromString(body).resource_spans:
                assert values(resource.resource.attributes)["service.name"] == "rt"
                found += [span for scope in resource.scope_spans for span in scope.spans]
        self.bodies.clear()
        return found


def values(attributes: Iterator[KeyValue]) -> dict[str, object]:
    return {each.key: getattr(each.value, each.value.WhichOneof("value") or "") for each in attributes}


@pytest.fixture
def collector() -> Iterator[Collector]:
    made = Collector()
    yield made
    made.server.shutdown()
    made.server.server_close()


def test_a_run_of_tasks_is_a_tree_of_spans(box: Box, collector: Collector) -> None:
    box.write({"package.json": {"name": "app", "scripts": SCRIPTS}, "rtfig.toml": TOML})
    environment = {**collector.environment, "TRACEPARENT": f"00-{TRACE}-{PARENT}-01"}
    words = ("run", "--tasks", "--continue=always", "after")
    assert box.run(*words, environment=environment).returncode == 3
    spans = collector.spans()
    by_name = {span.name: span for span in spans}
    assert {span.trace_id.hex() for span in spans} == {TRACE}
    run = by_name["rt run"]
    assert run.parent_span_id.hex() == PARENT
    assert values(run.attributes) == {
        "rt.tasks.done": 2,
        "rt.tasks.failed": 1,
        "rt.tasks.interrupted": 0,
        "rt.tasks.skipped": 0,
    }
    tasks = {name: by_name[f"app {name}"] for name in ("build", "test", "after")}
    assert {span.parent_span_id for span in tasks.values()} == {run.span_id}
    assert [values(tasks[name].attributes)["cicd.pipeline.task.run.result"] for name in tasks] == [
        "success",
        "failure",
        "success",
    ]
    assert values(tasks["test"].attributes)["rt.attempts"] == 2
    assert (tasks["test"].status.code, tasks["test"].status.message) == (2, "exited with code 3")
    steps = [span for span in spans if span.parent_span_id == tasks["build"].span_id]
    assert [span.name for span in steps] == ["prebuild", "build"]
    about = values(steps[1].attributes)
    assert (about["process.command_line"], about["process.exit.code"]) == ("echo built", 0)
    for child, parent in (*((span, tasks["build"]) for span in steps), *((span, run) for span in tasks.values())):
        assert parent.start_time_unix_nano <= child.start_time_unix_nano
        assert child.start_time_unix_nano <= child.end_time_unix_nano <= parent.end_time_unix_nano

    box.run(*words, environment=environment)
    again = {span.name: values(span.attributes) for span in collector.spans()}
    assert again["app build"]["rt.cached"] is True
    assert "prebuild" not in again


@pytest.mark.parametrize("outer", ["", f"00-{TRACE}-{PARENT}-01", "00-invalid"])
def test_scripts_get_the_span_of_their_task(box: Box, collector: Collector, outer: str) -> None:
    """Also with the strict environment of tasks, and without being part of the key of a result."""
    box.write(
        {"package.json": {"name": "app", "scripts": {"a": "echo $TRACEPARENT > a", "b": "echo $TRACEPARENT > b"}}}
    )
    environment = {**collector.environment, "TRACEPARENT": outer}
    box.write(
        {
            "rtfig.toml": '[tasks.a]\ninputs = []\noutputs = ["a"]\n[tasks.b]\ninputs = []\noutputs = ["b"]\ndependsOn = ["a"]\n'
        }
    )
    assert box.run("run", "--tasks", "b", environment=environment).returncode == 0
    spans = {span.name: span for span in collector.spans()}
    for name in ("a", "b"):
        span = spans[f"app {name}"]
        assert (box.folder / name).read_text() == f"00-{span.trace_id.hex()}-{span.span_id.hex()}-01\n"
        assert span.parent_span_id == spans["rt run"].span_id
    assert (spans["rt run"].trace_id.hex() == TRACE) == (TRACE in outer)
    assert box.run("run", "--tasks", "b", environment=environment).stdout.count(b": cached, saved ") == 2


def test_plain_runs_send_spans_only_when_a_collector_is_named(box: Box, collector: Collector) -> None:
    """A cached start does not outlive the naming of a collector."""
    box.write({"package.json": {"name": "app", "scripts": {"a": "true", "b": "true"}}})
    for _ in range(3):
        assert box.run("run", "--parallel", "a", "b").returncode == 0
    assert collector.spans() == []
    assert box.run("run", "--parallel", "a", "b", environment=collector.environment).returncode == 0
    assert sorted(span.name for span in collector.spans()) == ["a", "a", "b", "b", "rt run"]
    for off in ({"OTEL_SDK_DISABLED": "true"}, {"OTEL_TRACES_EXPORTER": "none"}):
        box.run("run", "--parallel", "a", "b", environment={**collector.environment, **off})
    assert collector.spans() == []


def test_a_collector_that_refuses_does_not_fail_the_run(box: Box, collector: Collector) -> None:
    collector.answer = 400
    box.write({"package.json": {"name": "app", "scripts": {"a": "true"}}})
    result = box.run("run", "--parallel", "a", environment=collector.environment)
    assert result.returncode == 0
    assert b"warn: 3 spans were not sent to the OpenTelemetry collector: " in result.stderr
    assert b"400" in result.stderr and b"Traceback" not in result.stderr
    grpc = {**collector.environment, "OTEL_EXPORTER_OTLP_PROTOCOL": "grpc"}
    result = box.run("run", "--parallel", "a", environment=grpc)
    assert (
        b"3 spans were not sent to the OpenTelemetry collector: rt sends http/protobuf only, not grpc\n"
        in result.stderr
    )
    assert b"collector" in box.run("doctor", environment=collector.environment).stdout
