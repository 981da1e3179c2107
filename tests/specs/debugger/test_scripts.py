"""The debugger's flags with scripts, binaries and several scripts, RT_INSPECT, and the peer's forms of the address."""

from __future__ import annotations

import json
import re
import socket
import struct
import subprocess
from pathlib import Path

import pytest
from front_end import FrontEnd, url_of
from rig import Box, executable

TYPED = "const value: number = 1;\nconsole.log('ran', value, process.env.RT_INSPECT);\n"


def finish(box: Box, program: subprocess.Popen[bytes]) -> bytes:
    """Resume a program that is paused before its first statement; return its output."""
    front = FrontEnd(url_of(program))
    for domain in ("Inspector", "Debugger"):
        front.do(f"{domain}.enable")
    front.do("Inspector.initialized")
    event = front.await_event("Debugger.paused")
    assert event["callFrames"][0]["location"]["lineNumber"] == 0
    front.do("Debugger.resume")
    front.await_event("Debugger.resumed")
    front.close()
    return program.communicate(timeout=60)[0]


@pytest.mark.parametrize("command", ["rt a.ts", "rt a.ts && true", "bun a.ts", "sh -c 'rt a.ts'", "rt run inner"])
def test_a_script_passes_the_flag_on(box: Box, command: str) -> None:
    scripts = {"dev": command, "inner": "rt a.ts"}
    box.write({"package.json": {"scripts": scripts}, "a.ts": TYPED})
    (box.folder / "bin").mkdir()
    (box.folder / "bin/bun").symlink_to(executable())
    path = f"{box.folder}/bin:{box.environment()['PATH']}"
    assert finish(box, box.start("--inspect-brk=0", "run", "dev", environment={"PATH": path})) == b"ran 1 undefined\n"


def test_children_of_a_debugged_program_do_not_listen(box: Box) -> None:
    child = "require('node:child_process').execFileSync(process.execPath, ['-p', '6 * 7'], { stdio: 'inherit' });"
    box.write({"package.json": {"scripts": {"dev": "rt a.cjs"}}, "a.cjs": child})
    ran = box.run("--inspect=0", "run", "dev")
    assert (ran.returncode, ran.stdout) == (0, b"42\n")
    assert ran.stderr.count(b"Listening:\n") == 1


def test_a_binary(box: Box) -> None:
    cli = Path(box.folder, "node_modules/.bin/cli")
    box.write({"package.json": {"name": "p"}, "node_modules/.bin/cli": "#!/usr/bin/env node\nconsole.log('cli');\n"})
    cli.chmod(0o755)
    program = box.start("--rt", "--inspect-brk=0", "run", "cli")
    front = FrontEnd(url_of(program))
    front.begin()
    assert front.await_event("Debugger.paused")["reason"].startswith("Break on start")
    front.do("Debugger.resume")
    front.await_event("Runtime.executionContextDestroyed")
    front.close()
    assert program.communicate(timeout=60)[0] == b"cli\n"


@pytest.mark.parametrize("flags", [["--parallel"], ["--filter", "*"], ["--workspaces", "--sequential"]])
def test_each_of_several_scripts_has_an_address(box: Box, flags: list[str]) -> None:
    """The banner is in the prefix of its script; a port that is given goes to the first."""
    box.write(
        {"package.json": {"workspaces": ["a", "b"], "scripts": {"one": "rt x.cjs", "two": "rt x.cjs"}}, "x.cjs": "0"}
    )
    for name in "ab":
        box.write({f"{name}/package.json": {"name": name, "scripts": {"dev": "rt x.cjs"}}, f"{name}/x.cjs": "0"})
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]  # in use
        names = ["one", "two"] if flags == ["--parallel"] else ["dev"]
        ran = box.run(f"--inspect=127.0.0.1:{port}", "run", *flags, *names)
    assert ran.returncode == 0
    text = (ran.stdout + ran.stderr).decode()
    urls = re.findall(r"^(.*?)  +(ws://127\.0\.0\.1:(\d+)/\S+)$", text, re.MULTILINE)
    assert len(urls) == 2 and len({number for _, _, number in urls}) == 2
    assert len({prefix.strip() for prefix, _, _ in urls}) == 2


def test_the_variable(box: Box) -> None:
    box.write({"a.ts": TYPED})
    for value in ("ws://127.0.0.1:0/mine?break=1", "127.0.0.1:0/mine?break=1", "1ws://127.0.0.1:0/mine?break=1"):
        program = box.start("a.ts", environment={"RT_INSPECT": value})
        assert finish(box, program) == b"ran 1 undefined\n"
    ran = box.run("a.ts", environment={"RT_INSPECT": "wss://example.org"})
    assert ran.returncode == 9
    words = 'Invalid value for RT_INSPECT: "wss://example.org". The URL must start with ws://, ws+unix:// or unix://.'
    assert words in ran.stderr.decode()
    ran = box.run("--inspect=0", "a.ts", environment={"RT_INSPECT": "wss://example.org"})  # the flag overrides it
    assert (ran.returncode, ran.stdout) == (0, b"ran 1 undefined\n")
    assert box.run("a.ts").stderr == b""


@pytest.mark.parametrize("value", ["0/a b", "0/a?b", "0/ü", "http://x", "unix:", "ws+unix://", "ws://localhost:80"])
def test_addresses_that_are_refused(box: Box, value: str) -> None:
    ran = box.run(f"--inspect={value}", "-e", "0")
    assert ran.returncode == 9
    assert ran.stderr.decode().startswith(f'error: Invalid value for --inspect: "{value}". The ')


def ask_over(stream: socket.socket, method: str, number: int) -> None:
    text = json.dumps({"id": number, "method": method, "params": {}}).encode()
    stream.sendall(struct.pack(">I", len(text)) + text)


def hear_over(stream: socket.socket) -> dict[str, object]:
    def take(size: int) -> bytes:
        data = b""
        while len(data) < size:
            block = stream.recv(size - len(data))
            assert block, "the program has hung up"
            data += block
        return data

    (size,) = struct.unpack(">I", take(4))
    message: dict[str, object] = json.loads(take(size))
    return message


@pytest.mark.parametrize("by", ["flag", "variable", "peer"])
def test_a_front_end_that_listens_on_a_socket(box: Box, by: str) -> None:
    """rt connects to it; messages come after their length."""
    box.write({"a.ts": TYPED})
    path = str(box.folder / "s")
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(path)
        server.listen()
        server.settimeout(60)
        if by == "flag":
            program = box.start(f"--inspect-brk=unix:{path}", "a.ts")
        else:
            name = "RT_INSPECT" if by == "variable" else "BUN_INSPECT"
            program = box.start("a.ts", environment={name: f"unix://{path}?break=1"})
        stream, _ = server.accept()
    with stream:
        stream.settimeout(60)
        for number, method in enumerate(("Inspector.enable", "Debugger.enable", "Inspector.initialized")):
            ask_over(stream, method, number)
        message: dict[str, object] = {}
        while message.get("method") != "Debugger.paused":
            message = hear_over(stream)
        ask_over(stream, "Debugger.resume", 9)
        while message.get("id") != 9:
            message = hear_over(stream)
    out, err = program.communicate(timeout=60)
    assert out == b"ran 1 undefined\n" and b"Listening" not in err


def test_a_web_socket_on_a_unix_socket_and_the_sign_that_it_listens(box: Box) -> None:
    box.write({"a.ts": TYPED})
    path = str(box.folder / "ws.sock")
    with socket.socket(socket.AF_UNIX) as waiting:
        waiting.bind(str(box.folder / "notify.sock"))
        waiting.listen()
        waiting.settimeout(60)
        environment = {
            "BUN_INSPECT": f"ws+unix://{path}?wait=1",
            "BUN_INSPECT_NOTIFY": f"unix://{box.folder}/notify.sock",
        }
        program = box.start("a.ts", environment=environment)
        sign, _ = waiting.accept()
        with sign:
            assert sign.recv(1) == b"1"
    assert Path(path).stat().st_mode & 0o777 == 0o600
    front = FrontEnd(f"ws+unix://{path}")
    assert front.do("Inspector.enable") == {}
    front.do("Inspector.initialized")
    front.close()
    assert program.communicate(timeout=60)[0] == b"ran 1 undefined\n"
    assert not Path(path).exists()
    ran = box.run(f"--inspect=ws+unix://{box.folder}/no/such", "-e", "1")
    assert (ran.returncode, b"failed: no such file or directory" in ran.stderr) == (0, True)


def test_a_front_end_finds_a_restarted_program_again(box: Box) -> None:
    """Under --watch, the next process listens at the same address, and a client sets its breakpoints again."""
    box.write({"a.ts": "type A = 1;\nsetInterval(function turn(): void {\n  void 0;\n}, 5);\n"})
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
    program = box.start("--watch", f"--inspect=127.0.0.1:{port}/x", "a.ts")
    for change in ("type A = 2;", ""):
        front = FrontEnd(url_of(program))
        front.begin()
        front.do("Debugger.setBreakpointByUrl", urlRegex="a.ts$", lineNumber=2)
        frame = front.await_event("Debugger.paused")["callFrames"][0]
        assert (frame["functionName"], frame["location"]["lineNumber"]) == ("turn", 2)
        if change:
            text = (box.folder / "a.ts").read_text()
            box.write({"a.ts": text.replace("type A = 1;", change)})
            with pytest.raises(ConnectionError):
                while True:
                    front.hear()


@pytest.mark.parametrize("flags", [["--parallel", "web", "api"], ["--filter", "*", "dev"]], ids=["parallel", "filter"])
@pytest.mark.parametrize("port", ["any", "in use"])
def test_each_of_several_watched_scripts_keeps_its_port(box: Box, flags: list[str], port: str) -> None:
    scripts = {"web": "rt x.ts web", "api": "rt x.ts api"}
    box.write({"package.json": {"name": "root", "workspaces": ["a", "b"], "scripts": scripts}})
    names = ["web", "api"] if "web" in flags else ["a", "b"]
    source = "console.log(process.argv[2], 'first' as string); setInterval(() => {}, 1e6);"
    for name in "ab":
        box.write(
            {f"{name}/package.json": {"name": name, "scripts": {"dev": f"rt x.ts {name}"}}, f"{name}/x.ts": source}
        )
    box.write({"x.ts": source})
    with socket.create_server(("127.0.0.1", 0)) as other:
        given = other.getsockname()[1] if port == "in use" else 0
        program = box.start("--watch", f"--inspect={given}", "run", *flags, stderr=subprocess.STDOUT)
        assert program.stdout is not None
        found: dict[str, dict[str, str]] = {}
        for word in ("first", "second"):
            ports: dict[str, str] = {}
            running: set[str] = set()
            while running != set(names) or ports.keys() != set(names):  # two streams, in any order
                line = program.stdout.readline().decode()
                if listens := re.search(r"^(\w+)\b.* ws://127\.0\.0\.1:(\d+)/", line):
                    ports[listens[1]] = listens[2]
                if ran := re.search(rf"(\w+) {word}$", line):
                    running.add(ran[1])
            found[word] = ports
            for file in ("x.ts", "a/x.ts", "b/x.ts"):
                box.write({file: source.replace("first", "second")})
    assert found["first"] == found["second"]


def test_breakpoints_hold_when_hot_reloads(box: Box) -> None:
    box.write(
        {
            "a.ts": "import './b.ts';\nsetInterval(() => {}, 1000);\n",
            "b.ts": "function run(): void {\n  void 1;\n}\nrun();\n",
        }
    )
    program = box.start("--hot", "--inspect-wait=127.0.0.1:0/x", "a.ts")
    front = FrontEnd(url_of(program))
    front.do("Debugger.enable")
    front.do("Debugger.setBreakpointByUrl", urlRegex=r"b\.ts.*", lineNumber=1)
    front.do("Runtime.runIfWaitingForDebugger")
    for text in ("function run(): void {\n  void 2;\n}\nrun();\n", ""):
        event = front.await_event("Debugger.paused")
        assert event["callFrames"][0]["functionName"] == "run" and event["hitBreakpoints"]
        front.do("Debugger.resume")
        if text:
            box.write({"b.ts": text})


def test_the_repl(box: Box) -> None:
    program = box.start("--inspect=0", "repl", stdin=subprocess.PIPE)
    front = FrontEnd(url_of(program))
    front.do("Runtime.enable")
    assert front.do("Runtime.evaluate", expression="typeof process.exit")["result"]["value"] == "function"
    front.socket.close()
    program.communicate(b".exit\n", timeout=60)
    assert program.returncode == 0
