"""Child processes: they leave nothing behind, no order is lost, and many or verbose ones have no lasting cost."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
from pathlib import Path

import js_peers as peers
import pytest
from rig import Box, executable, wait_until
from screens import Session

STUBBORN = "trap '' TERM INT HUP; (setsid sh -c 'trap \"\" TERM; touch ready.a; sleep 1000; sleep 1000' &);"
CROWD = STUBBORN + "env -i PATH=$PATH nohup sh -c 'touch ready.b; sleep 1000' & sleep 1000 & touch ready.c; wait"
ENDINGS = {
    "runs out": "",
    "exit": "process.exit(0);",
    "throws": "throw new Error('x');",
    "exit in a listener": "process.on('beforeExit', () => process.exit(0));",
}


def program(command: str, then: str = "", options: str = "{ stdio: 'ignore' }") -> str:
    """Return a program that starts a shell, waits until three processes run, and then does `then`."""
    return f"""
        const {{ spawn }} = require('node:child_process');
        const fs = require('node:fs');
        const child = spawn('sh', ['-c', {command!r}], {options});
        child.unref();
        const timer = setInterval(() => {{
          if (fs.readdirSync('.').filter((name) => name.startsWith('ready.')).length < 3) return;
          clearInterval(timer);
          fs.writeFileSync('started', String(child.pid));
          {then}
        }}, 1);
    """


@pytest.mark.parametrize("ending", ENDINGS)
def test_nothing_is_left_when_the_program_ends(box: Box, ending: str) -> None:
    box.write({"a.cjs": program(CROWD, ENDINGS[ending])})
    assert box.run("a.cjs").returncode == (1 if ending == "throws" else 0)
    assert box.left() == []


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGSEGV], ids=lambda number: number.name)
def test_nothing_is_left_when_rt_is_killed(box: Box, number: signal.Signals) -> None:
    box.write({"a.cjs": program(CROWD, "setInterval(() => {}, 1000);")})
    process = box.start("a.cjs")
    box.await_file("started")
    process.send_signal(number)
    assert process.wait() == -number
    box.await_nothing_left()


@pytest.mark.parametrize("then", ["setInterval(() => {}, 1000);", "for (;;);"], ids=["idle", "busy"])
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP], ids=lambda number: number.name)
def test_when_rt_is_signalled_its_children_are_signalled_and_have_time(
    box: Box, number: signal.Signals, then: str
) -> None:
    slow = "trap 'sleep 0.3; touch cleaned; exit' TERM; touch ready.a; while :; do sleep 0.01; done"
    others = "env -i PATH=$PATH nohup sh -c 'touch ready.b; sleep 1000' & touch ready.c; wait"
    box.write({"a.cjs": program(f'(setsid sh -c "{slow}" &); {others}', then)})
    process = box.start("a.cjs")
    box.await_file("started")
    process.send_signal(number)
    assert process.wait() == -number
    box.await_nothing_left()
    assert (box.folder / "cleaned").exists()


def test_ctrl_c_reaches_a_child_once_and_it_has_time(box: Box) -> None:
    script = "trap '' HUP; trap 'echo term' TERM; trap 'echo int; sleep 0.3; echo cleaned; exit' INT;"
    command = f"{script} echo ready; while :; do sleep 0.01; done"
    box.write({"a.cjs": f"require('node:child_process').spawn('sh', ['-c', {command!r}], {{ stdio: 'inherit' }})"})
    session = Session(box, "a.cjs")
    session.read_until("ready")
    session.type("\x03")
    assert session.finish() == -signal.SIGINT
    shown = [line.replace("^C", "").strip() for line in session.lines]
    assert [line for line in shown if line] == ["ready", "int", "cleaned"]


def test_kill_9_of_the_process_group(box: Box) -> None:
    box.write({"a.cjs": program(CROWD, "setInterval(() => {}, 1000);")})
    process = box.start("a.cjs")
    box.await_file("started")
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    box.await_nothing_left()


@pytest.mark.parametrize("call", ["RT.spawnSync(['sh', '-c', C])", "require('node:child_process').execSync(C)"])
def test_kill_9_while_a_child_is_waited_for(box: Box, call: str) -> None:
    box.write({"a.cjs": f"const C = {CROWD!r}; {call};"})
    process = box.start("a.cjs")
    box.await_file("ready.*", 3)
    process.kill()
    process.wait()
    box.await_nothing_left()


def test_programs_started_by_programs(box: Box) -> None:
    """Each rt guards its own children, even if the rt above it is killed."""
    inner = program(CROWD, "setInterval(() => {}, 1000);")
    box.write({"a.cjs": "require('node:child_process').fork('./b.cjs')", "b.cjs": inner})
    process = box.start("a.cjs")
    box.await_file("started")
    process.kill()
    process.wait()
    box.await_nothing_left()


def test_a_detached_child_outlives_the_program(box: Box) -> None:
    box.write({"a.cjs": program(CROWD, options="{ stdio: 'ignore', detached: true }")})
    assert box.run("a.cjs").returncode == 0
    group = int((box.folder / "started").read_text())
    assert len(box.left()) >= 3
    os.killpg(group, signal.SIGKILL)


def test_a_child_has_time_to_clean_up(box: Box) -> None:
    command = "trap 'touch cleaned; exit' TERM; touch ready.1 ready.2 ready.3; while :; do sleep 0.01; done"
    box.write({"a.cjs": program(command)})
    assert box.run("a.cjs").returncode == 0
    assert (box.folder / "cleaned").exists()
    assert box.left() == []


def test_output_before_a_child_comes_first(box: Box) -> None:
    box.write(
        {
            "a.mjs": """
                import { spawn, spawnSync } from 'node:child_process';
                import { once } from 'node:events';
                process.stdout.write('1 ');
                spawnSync('printf', ['2 '], { stdio: 'inherit' });
                process.stdout.write('3 ');
                RT.spawnSync(['printf', '4 '], { stdout: 'inherit' });
                process.stdout.write('5 ');
                await once(spawn('printf', ['6 '], { stdio: 'inherit' }), 'close');
                process.stdout.write('7 ');
                await RT.spawn(['printf', '8 '], { stdout: 'inherit' }).exited;
                console.log(9);
            """
        }
    )
    assert box.run("a.mjs").stdout == b"1 2 3 4 5 6 7 8 9\n"


def test_many_short_children_leave_no_descriptors_and_no_zombies(box: Box) -> None:
    box.write(
        {
            "a.cjs": """
                const { spawn } = require('node:child_process');
                const fs = require('node:fs');
                const descriptors = () => fs.readdirSync('/proc/self/fd').length;
                const one = () => new Promise((resolve) => spawn('true').on('close', resolve));
                (async () => {
                  await one();
                  const before = descriptors();
                  let left = 1000;
                  await Promise.all(Array.from({ length: 10 }, async () => { while (left-- > 0) await one(); }));
                  const children = fs.readFileSync(`/proc/self/task/${process.pid}/children`, 'utf8').trim().split(' ');
                  console.log(descriptors() - before, children.length);
                })();
            """
        }
    )
    assert box.run("a.cjs").stdout == b"0 1\n"  # the guardian


def test_much_output_in_little_memory(box: Box) -> None:
    box.write(
        {
            "a.cjs": """
                const { spawn } = require('node:child_process');
                const child = spawn('head', ['-c', '300000000', '/dev/zero']);
                let size = 0;
                let pauses = 0;
                let blocks = 0;
                let most = 0; // resourceUsage().maxRSS would begin with that of the process that forked this one
                child.stdout.on('data', (block) => {
                  size += block.length;
                  if (blocks++ % 50 === 0) most = Math.max(most, process.memoryUsage().rss);
                  if (pauses < size / 1e8) {
                    pauses++;
                    child.stdout.pause();
                    setImmediate(() => child.stdout.resume());
                  }
                });
                child.on('close', () => console.log(size, most < 250e6));
            """
        }
    )
    assert box.run("a.cjs").stdout == b"300000000 true\n"


def test_a_child_whose_output_is_not_read_blocks(box: Box) -> None:
    """Back-pressure reaches the child: it cannot print more than the pipe and the stream's buffer hold."""
    box.write(
        {
            "a.cjs": """
                const { spawn } = require('node:child_process');
                const fs = require('node:fs');
                const child = spawn('sh', ['-c', 'head -c 1000000 /dev/zero; echo done > done']);
                child.stdout.on('readable', () => {});
                fs.writeFileSync('filled', '');
                const timer = setInterval(() => {
                  if (!fs.existsSync('go')) return;
                  clearInterval(timer);
                  let size = 0;
                  child.stdout.removeAllListeners('readable');
                  child.stdout.on('data', (block) => { size += block.length; });
                  child.stdout.resume();
                  child.on('close', () => console.log(size));
                }, 1);
            """
        }
    )
    process = box.start("a.cjs")
    box.await_file("filled")
    wait_until(lambda: writer_state(box) == "S", "the writer sleeps in its pipe")
    assert not (box.folder / "done").exists()
    (box.folder / "go").touch()
    out, _ = process.communicate(timeout=60)
    assert out == b"1000000\n"


def writer_state(box: Box) -> str:
    """Return "S" once the `head` of this box sleeps in a write, otherwise ""."""
    for entry in Path("/proc").iterdir():
        try:
            if (entry / "comm").read_text() == "head\n" and box.mark.encode() in (entry / "environ").read_bytes():
                return "S" if "pipe_write" in (entry / "wchan").read_text() else ""
        except OSError:
            continue
    return ""


def test_messages_sent_before_a_disconnect_arrive(box: Box) -> None:
    box.write(
        {
            "a.cjs": """
                const { fork } = require('node:child_process');
                if (process.argv[2]) {
                  for (let i = 0; i < 2000; i++) process.send({ i, filler: 'x'.repeat(500) });
                  process.disconnect();
                  return;
                }
                let sum = 0;
                fork(__filename, ['x']).on('message', ({ i }) => { sum += i; }).on('close', () => console.log(sum));
            """
        }
    )
    assert box.run("a.cjs").stdout == b"1999000\n"


TALK = """
    const { spawn } = require('node:child_process');
    const [, , program, serialization] = process.argv;
    const child = spawn(program, ['child.cjs'], { stdio: ['inherit', 'inherit', 'inherit', 'ipc'], serialization });
    child.on('message', (message) => { console.log('parent', JSON.stringify(message)); child.disconnect(); });
    child.send({ text: 'é', list: [1, null, true] });
    child.on('exit', (code) => console.log('exit', code));
"""
BYTES = """
    const { spawn } = require('node:child_process');
    const child = spawn(process.argv[2], ['child.cjs'], { stdio: ['inherit', 'inherit', 'inherit', 'ipc'], serialization: 'advanced' });
    child.on('message', ({ bytes, wide }) => { console.log(...bytes, wide instanceof Float64Array, ...wide); child.disconnect(); });
    child.send({ bytes: Buffer.from('hi'), wide: new Float64Array([1.5]) });
"""
LISTEN = """
    process.on('message', (message) => { console.log('child', JSON.stringify(message)); process.send(message); });
    process.on('disconnect', () => console.log('disconnect'));
"""


@pytest.mark.parametrize("serialization", ["json", "advanced"])
@pytest.mark.parametrize("parent", ["rt", "node"])
def test_rt_and_node_talk(box: Box, parent: str, serialization: str) -> None:
    box.write({"parent.cjs": TALK, "child.cjs": LISTEN})
    first, second = (executable(), peers.node()) if parent == "rt" else (peers.node(), executable())
    command = [first, "parent.cjs", second, serialization]
    done = subprocess.run(command, cwd=box.folder, env=box.environment(), capture_output=True, timeout=60)
    message = '{"text":"é","list":[1,null,true]}'
    assert sorted(done.stdout.decode().splitlines()) == sorted(
        [f"child {message}", f"parent {message}", "disconnect", "exit 0"]
    ), done.stderr


@pytest.mark.parametrize("parent", ["rt", "node"])
def test_rt_and_node_send_each_other_bytes(box: Box, parent: str) -> None:
    box.write({"parent.cjs": BYTES, "child.cjs": "process.on('message', (message) => process.send(message));"})
    first, second = (executable(), peers.node()) if parent == "rt" else (peers.node(), executable())
    command = [first, "parent.cjs", second]
    done = subprocess.run(command, cwd=box.folder, env=box.environment(), capture_output=True, timeout=60)
    assert (done.stdout, done.stderr) == (b"104 105 true 1.5\n", b"")


@pytest.mark.parametrize("serialization", ["json", "advanced"])
@pytest.mark.parametrize("sides", ["rt rt", "rt node", "node rt"])
def test_rt_and_node_send_each_other_sockets(box: Box, sides: str, serialization: str) -> None:
    shutil.copy(Path(__file__).parent / "like_node" / "child_process" / "handles.cjs", box.folder)
    programs = {"rt": executable(), "node": peers.node()}
    parent, child = (programs[side] for side in sides.split())

    def said(parent: str, child: str) -> tuple[bytes, bytes]:
        command = [parent, "handles.cjs", serialization]
        environment = {**box.environment(), "CHILD": child}
        done = subprocess.run(command, cwd=box.folder, env=environment, capture_output=True, timeout=60)
        return done.stdout, done.stderr

    assert said(parent, child) == said(peers.node(), peers.node())


def test_a_socket_that_does_not_arrive_is_resent_and_then_given_up(box: Box) -> None:
    """The child handles only the messages and never receives the descriptor."""
    box.write(
        {
            "child.py": """
                import json, os, socket
                channel = socket.socket(fileno=int(os.environ['NODE_CHANNEL_FD']))
                seen = 0
                for line in channel.makefile():
                    message = json.loads(line)
                    if message == 'end': break
                    seen += message['cmd'] == 'NODE_HANDLE' if isinstance(message, dict) else 0
                    answer = {'cmd': 'NODE_HANDLE_NACK'} if isinstance(message, dict) else {'seen': seen, 'message': message}
                    channel.sendall(json.dumps(answer).encode() + b'\\n')
            """.replace("\n                ", "\n").strip(),
            "a.cjs": """
                const { spawn } = require('node:child_process');
                const net = require('node:net');
                const stdio = ['inherit', 'inherit', 'inherit', 'ipc'];
                const child = spawn('python3', ['child.py'], { stdio });
                const server = net.createServer((socket) => {
                  child.send('a socket', socket);
                  child.send('behind it');
                  child.on('message', (message) => {
                    console.log(JSON.stringify(message));
                    child.send('end');
                    server.close();
                  });
                });
                server.listen(0, '127.0.0.1', () => {
                  net.connect(server.address().port, '127.0.0.1').on('close', () => console.log('closed')).resume();
                });
            """,
        }
    )
    done = box.run("a.cjs")
    assert sorted(done.stdout.decode().splitlines()) == ["closed", '{"seen":4,"message":"behind it"}']
    assert b"SentHandleNotReceivedWarning: Handle did not reach the receiving process correctly" in done.stderr


def test_few_descriptors(box: Box) -> None:
    """Too many children at once: an error for each one that cannot start, and normal operation afterwards."""
    box.write(
        {
            "a.cjs": """
                const { spawn } = require('node:child_process');
                let [failed, ended] = [0, 0];
                for (let i = 0; i < 60; i++) {
                  spawn('sleep', ['0.2']).on('error', (error) => { if (error.code === 'EMFILE') failed++; }).on('exit', () => ended++);
                }
                process.on('exit', () => console.log(failed > 0, failed + ended));
            """
        }
    )
    shell = shutil.which("bash")
    assert shell is not None
    command = [shell, "-c", f'ulimit -n 100; exec "{executable()}" a.cjs']
    done = subprocess.run(command, cwd=box.folder, env=box.environment(), capture_output=True, timeout=60)
    assert done.stdout == b"true 60\n", done.stderr
