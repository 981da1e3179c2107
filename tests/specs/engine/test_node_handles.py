"""What programs replace or look into below Node's modules: handles, loads, frames of the library, forms of a URL."""

from __future__ import annotations

import json
import re
import subprocess

import pytest
from rig import Box

IDENTITY = "--identity=node"


def run(
    box: Box, program: str, *flags: str, environment: dict[str, str] | None = None, name: str = "a.cjs"
) -> list[str]:
    box.write({name: program})
    result = box.run(IDENTITY, *flags, name, environment=environment or {})
    assert result.returncode == 0, result.stderr.decode()
    return result.stdout.decode().splitlines() + result.stderr.decode().splitlines()


def test_handles_of_servers_and_resolvers(box: Box) -> None:
    program = """
    const server = require('net').createServer().listen(0, '127.0.0.1', () => {
      console.log(server.address().family);
      server._handle.getsockname = () => -1;
      try { server.address(); } catch (error) { console.log(error.message, error.code); }
      const { _handle: handle } = server;
      handle.close(() => console.log('closed', server.listening));
      handle.close();
      server.close((error) => console.log(error));
    });
    const resolver = new (require('dns').Resolver)();
    resolver.setServers(['[::1]:54', '127.0.0.1']);
    console.log(resolver.getServers().join(' '), JSON.stringify(resolver._handle.getServers()));
    resolver._handle.getServers = () => {};
    console.log(resolver.getServers().length);
    """
    assert run(box, program) == [
        '[::1]:54 127.0.0.1 [["::1",54],["127.0.0.1",53]]',
        "0",
        "IPv4",
        "address EPERM EPERM",
        "undefined",
        "closed false",
    ]


def test_methods_of_a_file_handle_refuse_other_receivers(box: Box) -> None:
    program = """
    const fs = require('fs/promises');
    fs.open(__filename).then(async (handle) => {
      for (const receiver of [{}, null, 1]) {
        for (const name of ['stat', 'read', 'sync', 'readFile']) {
          await handle[name].call(receiver).then(
            () => console.log('resolved'),
            (error) => { if (error.code !== 'ERR_INTERNAL_ASSERTION') console.log(error); });
        }
      }
      await handle.close();
    });
    """
    assert run(box, program) == []


def test_stacks_show_where_the_library_awaits(box: Box) -> None:
    program = """
    const fs = require('fs/promises');
    const assert = require('assert');
    class Reader { async read() { await fs.access('none'); } }
    (async () => {
      const frames = (error) => console.log(error.stack.split('\\n').slice(1).map((line) => line.replace(/[(\\/].*/, '').trim()).join('|'));
      await new Reader().read().catch(frames);
      await assert.rejects(fs.access('none'), (error) => { frames(error); return true; });
      await assert.rejects(async () => {}).catch(frames);
    })();
    """
    first, second, third = run(box, program)
    assert first.startswith("at async Object.access|at async Reader.read|at async")
    assert second.startswith("at async Object.access|at async") and "at async assert.rejects" in second
    assert third == "at async"


def test_durations_of_loads(box: Box) -> None:
    box.write({"other.cjs": "require('os')"})
    lines = run(box, "require('./other.cjs')", environment={"NODE_DEBUG": "module_timer"})
    found = [re.fullmatch(r"MODULE_TIMER \d+ \[(.*)\] \[(.*)\]: [\d.]+m?s", line) for line in lines]
    loads = [match and (match[1].rpartition("/")[2], match[2].rpartition("/")[2]) for match in found]
    assert loads == [("other.cjs", "os"), (".", "other.cjs"), ("", "a.cjs")]


@pytest.mark.parametrize("flags", [("--trace-event-categories=node.module_timer",), ()])
def test_loads_are_traced(box: Box, flags: tuple[str, ...]) -> None:
    program = """
    const tracing = require('trace_events').createTracing({ categories: ['node.module_timer'] });
    tracing.enable(); require('url'); tracing.disable(); require('vm');
    """
    run(box, program, *flags, "--trace-event-file-pattern=own.log")
    events = json.loads((box.folder / "own.log").read_text())["traceEvents"]
    names = [(event["ph"], event["name"]) for event in events if event["ph"] != "M" and "/" not in event["name"]]
    spans = [("b", "require('url')"), ("e", "require('url')")]
    before, after = ([(phase, f"require('{name}')") for phase in "be"] for name in ("trace_events", "vm"))
    assert names == ([*before, *spans, *after] if flags else spans)


def test_a_pattern_alone_traces_nothing(box: Box) -> None:
    run(box, "1", "--trace-event-file-pattern=own.log")
    assert not (box.folder / "own.log").exists()


def test_urls_refuse_other_receivers_as_in_node(box: Box) -> None:
    program = """
    const words = (call) => { try { call(); } catch ({ message }) { return message.split(' ').slice(0, 3).join(' '); } };
    for (const name of ['href', 'search', 'hash', 'origin'])
      console.log(name, words(() => Reflect.get(URL.prototype, name, {})));
    for (const name of ['href', 'username', 'port', 'search'])
      console.log(name, words(() => Reflect.set(URL.prototype, name, null, {})));
    console.log(words(() => URL.prototype.toString.call({})));
    """
    assert run(box, program) == [
        "href Receiver must be",
        "search Receiver must be",
        "hash Cannot read private",
        "origin Cannot read private",
        "href Cannot read private",
        "username Cannot read private",
        "port Cannot read private",
        "search Cannot read private",
        "Receiver must be",
    ]


def test_hidden_parts_of_a_url(box: Box) -> None:
    program = """
    const { inspect } = require('util');
    for (const text of ['https://u:p@h:81/a?b#c', 'http://h', 'data:x', 'x:/.//y', 'file:///z?'])
      console.log(inspect(new URL(text), { showHidden: true }).split('URLContext ')[1].replace(/\\s+/g, ' '));
    console.log(inspect(new URL('http://h')).includes('context'));
    """
    hidden = "[hasPort]: [Getter], [hasSearch]: [Getter], [hasHash]: [Getter] } }"
    absent = 2**32 - 1

    def shown(href: str, *numbers: int) -> str:
        names = "protocol_end username_end host_start host_end pathname_start search_start hash_start port scheme_type"
        members = [f"{name}: {number}" for name, number in zip(names.split(), numbers, strict=True)]
        return f"{{ href: '{href}', {', '.join(members)}, {hidden}"

    assert run(box, program) == [
        shown("https://u:p@h:81/a?b#c", 6, 9, 11, 13, 16, 18, 20, 81, 2),
        shown("http://h/", 5, 7, 7, 8, 8, absent, absent, absent, 0),
        shown("data:x", 5, 5, 5, 5, 5, absent, absent, absent, 1),
        shown("x:/.//y", 2, 2, 2, 2, 4, absent, absent, absent, 1),
        shown("file:///z?", 5, 7, 7, 7, 7, 9, absent, absent, 6),
        "false",
    ]


def test_the_completion_script_of_bash(box: Box) -> None:
    script = box.run(
        IDENTITY, "-e", "process.stdout.write(child_process.execFileSync(process.execPath, ['--completion-bash']))"
    )
    box.write({"script.sh": script.stdout.decode()})
    command = "source script.sh; COMP_WORDS=(node --inspect-b); COMP_CWORD=1; _node_complete; echo ${COMPREPLY[@]}"
    shown = subprocess.run(["bash", "-c", command], cwd=box.folder, capture_output=True, text=True, check=True).stdout
    assert "--inspect-brk" in shown.split()
    operand = box.run(IDENTITY, "-p", "process.argv[1]", "x", "--completion-bash")
    assert operand.stdout == b"x\n"


def test_the_tag_of_cached_code_depends_on_flags(box: Box) -> None:
    program = """
    const v8 = require('v8');
    const tag = v8.cachedDataVersionTag();
    console.log(tag === v8.cachedDataVersionTag());
    v8.setFlagsFromString('--allow_natives_syntax');
    console.log(tag === v8.cachedDataVersionTag());
    """
    assert run(box, program) == ["true", "false"]


def test_searches_of_other_objects_are_refused(box: Box) -> None:
    program = """
    const words = (call) => { try { return call(); } catch ({ code, message }) { return `${code} ${message}`; } };
    for (const name of ['indexOf', 'lastIndexOf', 'includes'])
      console.log(words(() => new Buffer.prototype[name](1)), words(() => Buffer.prototype[name].call([1], 1)));
    console.log(Buffer.prototype.includes.call(new Uint8Array([1]), 1));
    """
    refused = 'ERR_INVALID_ARG_TYPE The "buffer" argument must be an instance of Buffer, TypedArray, or DataView. Received an instance of'
    names = ("indexOf", "lastIndexOf", "includes")
    assert run(box, program) == [*(f"{refused} {name} {refused} Array" for name in names), "true"]


def test_datagrams_can_be_queued_first(box: Box) -> None:
    program = """
    const dgram = require('dgram');
    const [server, client] = [dgram.createSocket('udp4'), dgram.createSocket('udp4')];
    server.bind(0, '127.0.0.1', () => client.connect(server.address().port, '127.0.0.1', () => {
      client.send('hello');
      client.send('hello', () => { client.close(); server.close(); });
      console.log(client.getSendQueueSize(), client.getSendQueueCount());
    }));
    """
    assert run(box, program) == ["0 0"]
    child = "console.log(`${child_process.execFileSync(process.execPath, ['--test-udp-no-try-send', 'a.cjs'])}`.trim())"
    assert box.run(IDENTITY, "-e", child).stdout == b"10 2\n"


def test_the_handle_of_standard_input(box: Box) -> None:
    program = """
    const { stdin } = process;
    stdin.on('error', ({ code, syscall }) => console.log(code, syscall));
    stdin.resume();
    const { _handle: handle } = stdin;
    if (process.argv[2] === 'close') handle.close();
    handle.unref();
    console.log(handle.fd, handle.hasRef());
    if (process.argv[2] === 'destroy') console.log(stdin.destroy()._handle);
    """
    box.write({"a.cjs": program})
    for how, lines in (
        ("unref", ["0 false"]),
        ("close", ["-1 false", "EINVAL read"]),
        ("destroy", ["0 false", "null"]),
    ):
        child = box.start(IDENTITY, "a.cjs", how, stdin=subprocess.PIPE)
        assert child.stdout is not None and child.stderr is not None
        shown = child.stdout.read().decode().splitlines()  # the pipe is still open
        assert (shown, child.stderr.read(), child.wait()) == (lines, b"", 0)
        child.communicate()
