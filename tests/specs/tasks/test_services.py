"""Services: tasks that wait until a service is ready, and services that end as soon as nothing needs them."""

from __future__ import annotations

import shutil
import signal
from typing import Any

import pytest
from rig import Box, wait_until

SERVER = """
require('node:http').createServer((request, response) => {
  response.statusCode = request.url === '/health' ? 200 : 500;
  response.end();
}).listen(0, '127.0.0.1', function () { require("node:fs").writeFileSync("port", `${this.address().port}`); });
"""
TOML = """[tasks.serve]
persistent = true
ready = {ready}

[tasks.test]
dependsOn = ["serve", "seed"]
cache = false

[tasks.seed]
dependsOn = ["serve"]
cache = false
"""


def files(ready: str, serve: str, test: str = "echo tested") -> dict[str, Any]:
    return {
        "package.json": {"name": "app", "scripts": {"serve": serve, "test": test, "seed": "echo seeded"}},
        "rtfig.toml": TOML.replace("{ready}", ready),
    }


@pytest.mark.parametrize(
    ("ready", "serve"),
    [
        ('{ line = "listening on \\\\d+" }', "echo starting; touch up; echo listening on 80; sleep 600"),
        ('{ file = "up" }', "touch up; sleep 600"),
        ('{ command = "test -e up" }', "touch up; sleep 600"),
    ],
)
def test_a_task_starts_when_its_service_is_ready_and_the_service_ends_with_it(box: Box, ready: str, serve: str) -> None:
    """The test fails without the file that the service makes before it is ready."""
    box.write(files(ready, serve, test="test -e up && echo tested"))
    result = box.run("run", "--tasks", "test")
    lines = result.stdout.decode().splitlines()
    assert result.returncode == 0, result
    assert lines.index("app seed: seeded") < lines.index("app test: tested")
    assert lines[-1] == "app serve: Signaled with code SIGTERM"
    wait_until(lambda: not box.left(), "nothing left")


@pytest.mark.parametrize("kind", ["port", "http", "path"])
def test_servers(box: Box, kind: str) -> None:
    """A server outside of the run has a port of its own choice, which is free."""
    box.write({"server.js": SERVER})
    first = box.start("server.js")
    wait_until(lambda: (box.folder / "port").exists() and (box.folder / "port").read_text() != "", "the server listens")
    port = (box.folder / "port").read_text()
    ready = {
        "port": f"{{ port = {port} }}",
        "http": f'{{ http = "http://127.0.0.1:{port}/health" }}',
        "path": f'{{ http = "/health", port = {port} }}',
    }[kind]
    box.write(files(ready, "sleep 600"))
    result = box.run("run", "--tasks", "test")
    assert (result.returncode, result.stdout.count(b"app test: tested")) == (0, 1)
    first.send_signal(signal.SIGTERM)
    first.communicate()


@pytest.mark.parametrize("host", ["127.0.0.1", "::1", "::", "0.0.0.0"])
def test_a_path_on_a_port_that_the_service_listens_on(box: Box, host: str) -> None:
    """The server is a child of the script's shell; before it has answered with a good status, the test does not start."""
    server = SERVER.replace("127.0.0.1", host).replace(
        "request.url === '/health'", "++asked > 2 && request.url === '/health?a'"
    )
    box.write({"server.cjs": f"let asked = 0;{server}"})
    box.write(files('{ http = "/health?a" }', "node server.cjs; true", test="cat port; echo; echo tested"))
    result = box.run("run", "--tasks", "test")
    assert result.returncode == 0, result
    assert result.stdout.count(b"app test: tested\n") == 1
    wait_until(lambda: not box.left(), "nothing left")


def test_a_server_with_a_certificate_of_its_own(box: Box) -> None:
    if shutil.which("openssl") is None:
        pytest.skip("certificates are made with the openssl command, which is not there")
    made = "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout key.pem -out cert.pem -subj /CN=test"
    box.in_bash(made)
    tls = "createServer({ key: fs.readFileSync('key.pem'), cert: fs.readFileSync('cert.pem') },"
    server = SERVER.replace("node:http", "node:https").replace("createServer(", tls)
    box.write({"server.cjs": f"const fs = require('node:fs');{server}"})
    first = box.start("server.cjs")
    wait_until(lambda: (box.folder / "port").exists() and (box.folder / "port").read_text() != "", "the server listens")
    port = (box.folder / "port").read_text()
    box.write(files(f'{{ http = "https://localhost:{port}/health" }}', "sleep 600"))
    result = box.run("run", "--tasks", "test")
    assert (result.returncode, result.stdout.count(b"app test: tested")) == (0, 1)
    first.send_signal(signal.SIGTERM)
    first.communicate()


@pytest.mark.parametrize(
    "ready",
    [
        "{}",
        "3000",
        '{ timeout = "1s" }',
        "{ port = 0 }",
        "{ port = true }",
        '{ port = "3000" }',
        '{ http = "health" }',
        '{ http = "ftp://localhost/" }',
        '{ http = "http://localhost/", port = 3000 }',
        '{ line = "up", port = 3000 }',
        '{ line = "up", file = "up" }',
        "{ line = 1 }",
        '{ lines = "up" }',
    ],
)
def test_an_invalid_setting(box: Box, ready: str) -> None:
    box.write(files(ready, "sleep 600"))
    result = box.run("run", "--tasks", "test")
    assert result.returncode == 1
    assert b'rtfig.toml:3: "ready" of task "serve" must be a table with one of port, http' in result.stderr


def test_a_service_that_ends_first_fails_its_dependents(box: Box) -> None:
    for code in (0, 3):
        box.write(files('{ line = "never" }', f"echo giving up; exit {code}"))
        result = box.run("run", "--tasks", "test")
        assert result.returncode == (code or 1)
        assert b"error: the service app serve ended before it was ready\n" in result.stderr
        assert b"app serve: giving up\n" in result.stdout
        assert b"app test: Skipped\n" in result.stdout
        assert b"tested" not in result.stdout


def test_a_service_that_is_never_ready_is_given_up(box: Box) -> None:
    box.write(files('{ line = "never", timeout = "200ms" }', "echo waiting; sleep 600"))
    result = box.run("run", "--tasks", "test")
    assert result.returncode == 1
    assert b"error: the service app serve was not ready after 0.2 s (line never)\n" in result.stderr
    assert b"app seed: Skipped\n" in result.stdout
    wait_until(lambda: not box.left(), "nothing left")


def test_a_service_that_was_named_goes_on_until_it_is_interrupted(box: Box) -> None:
    box.write(files('{ file = "up" }', "touch up; while [ -e up ]; do sleep 0.01; done", test="touch tested"))
    process = box.start("run", "--tasks", "serve", "test")
    box.await_file("tested")
    assert process.poll() is None
    process.send_signal(signal.SIGINT)
    process.communicate()
    wait_until(lambda: not box.left(), "nothing left")


def test_services_end_in_reverse_order(box: Box) -> None:
    on_end = "trap 'echo {name} >> order; exit' TERM; touch {name}; while true; do sleep 0.01; done"
    scripts = {name: on_end.replace("{name}", name) for name in ("db", "api")} | {"test": "true"}
    box.write(
        {
            "package.json": {"name": "app", "scripts": scripts},
            "rtfig.toml": '[tasks.db]\npersistent = true\nready = { file = "db" }\n'
            '[tasks.api]\npersistent = true\nready = { file = "api" }\ndependsOn = ["db"]\n'
            '[tasks.test]\ndependsOn = ["api"]\n',
        }
    )
    assert box.run("run", "--tasks", "test").returncode == 0
    assert (box.folder / "order").read_text().split() == ["api", "db"]
