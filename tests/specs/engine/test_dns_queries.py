"""dns.resolve* with a name server of the test, over UDP and TCP: records, failures, retries, corrupted answers."""

from __future__ import annotations

import socket
import socketserver
import struct
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from rig import Box

TYPES = {"A": 1, "NS": 2, "CNAME": 5, "SOA": 6, "PTR": 12, "MX": 15, "TXT": 16, "AAAA": 28, "SRV": 33, "NAPTR": 35}
TYPES |= {"TLSA": 52, "ANY": 255, "CAA": 257}
QUESTION = 0xC00C  # a pointer to the queried name


def name(text: str) -> bytes:
    return b"".join(bytes([len(part)]) + part.encode() for part in text.split(".")) + b"\0"


def with_length(text: bytes) -> bytes:
    return bytes([len(text)]) + text


RECORDS: dict[tuple[str, str], list[bytes]] = {
    ("host.test", "A"): [bytes([1, 2, 3, 4]), bytes([5, 6, 7, 8])],
    ("host.test", "AAAA"): [bytes.fromhex("20010db8000000000000000000000001")],
    ("host.test", "MX"): [struct.pack(">H", 10) + name("mail.test"), struct.pack(">HH", 20, QUESTION)],
    ("host.test", "TXT"): [with_length(b"one") + with_length("zw\u00f6".encode()), with_length(b"three")],
    ("host.test", "NS"): [name("ns.test")],
    ("alias.test", "CNAME"): [name("host.test")],
    ("host.test", "SOA"): [name("ns.test") + name("root.test") + struct.pack(">5I", 1, 2, 3, 4, 5)],
    ("_s._tcp.test", "SRV"): [struct.pack(">3H", 1, 2, 80) + name("host.test")],
    ("host.test", "NAPTR"): [
        struct.pack(">2H", 1, 2) + with_length(b"S") + with_length(b"SIP") + with_length(b"!x!") + name("to.test")
    ],
    ("host.test", "CAA"): [b"\0" + with_length(b"issue") + b"ca.test"],
    ("host.test", "TLSA"): [bytes([3, 1, 1]) + b"abc"],
    ("4.3.2.1.in-addr.arpa", "PTR"): [name("host.test")],
    ("odd.test", "NAPTR"): [struct.pack(">2H", 1, 2) + with_length(b"s!?") + with_length(b"x") + b"\0" + name("x")],
    ("odd.test", "CAA"): [b"\x81" + with_length(b"contactemail") + b"a@b.c\xff"],
    ("odd.test", "PTR"): [with_length(b"a\xff;.b c") + name("d")],
    ("odd.test", "A"): [b"\1\2\3\4\5"],
    ("bad.test", "NAPTR"): [struct.pack(">2H", 1, 2) + with_length(b"s") + with_length(b"\xc3") + b"\0" + name("x")],
    ("bad.test", "CAA"): [b"\0" + with_length(b"issue")],
    ("bad.test", "TLSA"): [bytes([3, 1, 1])],
    ("bad.test", "TXT"): [b""],
    ("bad.test", "A"): [b"\1\2\3"],
    ("big.test", "A"): [bytes([10, 0, i // 256, i % 256]) for i in range(300)],
}


def answer(query: bytes, *, over_tcp: bool = False) -> bytes | None:
    (identity,) = struct.unpack(">H", query[:2])
    end = query.index(b"\0", 12)
    labels, at = [], 12
    while at < end:
        labels.append(query[at + 1 : at + 1 + query[at]].decode())
        at += 1 + query[at]
    asked = ".".join(labels)
    kind = {number: word for word, number in TYPES.items()}[struct.unpack(">H", query[end + 1 : end + 3])[0]]
    question = query[12 : end + 5]

    def message(flags: int, records: list[tuple[int, bytes]]) -> bytes:
        body = b"".join(struct.pack(">HHHIH", QUESTION, number, 1, 60, len(data)) + data for number, data in records)
        return struct.pack(">6H", identity, 0x8180 | flags, 1, len(records), 0, 0) + question + body

    if asked == "silent.test":
        return None
    if asked == "broken.test":
        return message(0, [(1, b"\1")])[:-1]
    if asked == "chaos.test":
        return message(0, [(1, b"\1\2\3\4")]).replace(
            struct.pack(">HHH", QUESTION, 1, 1), struct.pack(">HHH", QUESTION, 1, 3)
        )
    if asked in ("more.test", "bad-more.test"):
        body = message(
            0, [(1, b"\1\2\3\4"), (TYPES["NS"], name("ns.test")), (1, b"\1\2\3\4" if asked == "more.test" else b"\1")]
        )
        return body[:6] + struct.pack(">3H", 1, 1, 1) + body[12:]
    if asked == "circle.test":
        looped = struct.pack(">H", 0xC000 + len(question) + 12 + 12)
        return message(0, [(5, looped)])
    if asked == "refused.test":
        return message(5, [])
    if asked == "failing.test":
        return message(2, [])
    if kind == "ANY":
        return message(0, [(TYPES["A"], b"\1\2\3\4"), (TYPES["NS"], name("ns.test"))])
    found = RECORDS.get((asked, kind))
    if found is None:
        return message(0 if asked == "host.test" else 3, [])
    if len(found) > 100 and not over_tcp:
        return message(0x0200, [])
    return message(0, [(TYPES[kind], data) for data in found])


class Udp(socketserver.BaseRequestHandler):
    def handle(self) -> None:
        data, channel = self.request
        reply = answer(data)
        if reply is not None:
            # an answer to another query, which must be ignored
            channel.sendto(b"\0\0" + reply[2:], self.client_address)
            channel.sendto(reply, self.client_address)


class Tcp(socketserver.BaseRequestHandler):
    def handle(self) -> None:
        data = self.request.recv(1024)
        reply = answer(data[2:], over_tcp=True)
        assert reply is not None
        framed = struct.pack(">H", len(reply)) + reply
        for start in range(0, len(framed), 1000):
            self.request.sendall(framed[start : start + 1000])


@pytest.fixture
def server() -> Iterator[int]:
    with socketserver.TCPServer(("127.0.0.1", 0), Tcp) as tcp:
        port = tcp.server_address[1]
        with socketserver.UDPServer(("127.0.0.1", port), Udp) as udp:
            threads = [threading.Thread(target=one.serve_forever, args=(0.01,)) for one in (tcp, udp)]
            for thread in threads:
                thread.start()
            yield port
            for one in (tcp, udp):
                one.shutdown()
            for thread in threads:
                thread.join()


def run(box: Box, source: str, *arguments: str) -> list[str]:
    Path(box.folder, "a.mjs").write_text("import dns from 'node:dns';\n" + source)
    result = box.run("a.mjs", *arguments)
    assert result.stderr == b"", result.stderr
    return result.stdout.decode().splitlines()


def test_records_of_every_kind(box: Box, server: int) -> None:
    assert run(
        box,
        """
        dns.setServers([`127.0.0.1:${process.argv[2]}`]);
        const reported = (value) => JSON.stringify(value, (_, v) => (v instanceof ArrayBuffer ? Buffer.from(v).toString() : v));
        for (const [type, name] of [['4', 'host.test'], ['6', 'host.test'], ['Mx', 'host.test'], ['Txt', 'host.test'],
          ['Ns', 'host.test'], ['Cname', 'alias.test'], ['Soa', 'host.test'], ['Srv', '_s._tcp.test'], ['Naptr', 'host.test'],
          ['Caa', 'host.test'], ['Tlsa', 'host.test'], ['Any', 'host.test']]) {
          console.log(type, reported(await dns.promises[`resolve${type}`](name)));
        }
        console.log(reported(await dns.promises.resolve4('host.test', { ttl: true })));
        console.log(reported(await dns.promises.resolve('host.test', 'MX')), reported(await dns.promises.reverse('1.2.3.4')));
        console.log((await dns.promises.resolve4('big.test')).length);
        dns.resolve('host.test', (error, list) => console.log(error, reported(list)));
        """,
        str(server),
    ) == [
        '4 ["1.2.3.4","5.6.7.8"]',
        '6 ["2001:db8::1"]',
        'Mx [{"exchange":"mail.test","priority":10,"type":"MX"},{"exchange":"host.test","priority":20,"type":"MX"}]',
        'Txt [["one","zw\u00c3\u00b6"],["three"]]',
        'Ns ["ns.test"]',
        'Cname ["host.test"]',
        'Soa {"nsname":"ns.test","hostmaster":"root.test","serial":1,"refresh":2,"retry":3,"expire":4,"minttl":5}',
        'Srv [{"name":"host.test","port":80,"priority":1,"weight":2,"type":"SRV"}]',
        'Naptr [{"flags":"S","service":"SIP","regexp":"!x!","replacement":"to.test","order":1,"preference":2}]',
        'Caa [{"critical":0,"type":"CAA","issue":"ca.test"}]',
        'Tlsa [{"certUsage":3,"selector":1,"match":1,"data":"abc"}]',
        'Any [{"address":"1.2.3.4","ttl":60,"type":"A"},{"value":"ns.test","type":"NS"}]',
        '[{"address":"1.2.3.4","ttl":60},{"address":"5.6.7.8","ttl":60}]',
        '[{"exchange":"mail.test","priority":10,"type":"MX"},{"exchange":"host.test","priority":20,"type":"MX"}] ["host.test"]',
        "300",
        'null ["1.2.3.4","5.6.7.8"]',
    ]


def test_errors_have_their_code(box: Box, server: int) -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as closed:
        closed.bind(("127.0.0.1", 0))
        nobody = closed.getsockname()[1]
    assert run(
        box,
        """
        const [, , port, nobody] = process.argv;
        const resolver = new dns.promises.Resolver({ timeout: 20, tries: 2 });
        resolver.setServers([`127.0.0.1:${nobody}`, `127.0.0.1:${port}`]);
        console.log((await resolver.resolve4('host.test')).length);
        for (const [name, type] of [['none.test', 'A'], ['host.test', 'PTR'], ['refused.test', 'A'], ['failing.test', 'A'],
          ['silent.test', 'A'], ['broken.test', 'A'], ['circle.test', 'CNAME'], ['x'.repeat(64) + '.test', 'A'], ['a..b', 'A']]) {
          await resolver.resolve(name, type).catch((e) => console.log(e.code, e.syscall, e.hostname.slice(0, 12), e.message.slice(0, 40)));
        }
        resolver.setServers([`127.0.0.1:${nobody}`]);
        await resolver.resolve4('host.test').catch((e) => console.log(e.code));
        const slow = new dns.Resolver({ timeout: 60000 });
        slow.setServers([`127.0.0.1:${port}`]);
        slow.resolve4('silent.test', (e) => console.log(e.code));
        slow.cancel();
        const capped = new dns.Resolver({ timeout: 100_000_000, maxTimeout: 10, tries: 3 });
        capped.setServers([`127.0.0.1:${port}`]);
        capped.resolve4('silent.test', (e) => console.log(e.code));
        """,
        str(server),
        str(nobody),
    ) == [
        "2",
        "ENOTFOUND queryA none.test queryA ENOTFOUND none.test",
        "ENODATA queryPtr host.test queryPtr ENODATA host.test",
        "EREFUSED queryA refused.test queryA EREFUSED refused.test",
        "ESERVFAIL queryA failing.test queryA ESERVFAIL failing.test",
        "ETIMEOUT queryA silent.test queryA ETIMEOUT silent.test",
        "EBADRESP queryA broken.test queryA EBADRESP broken.test",
        "EBADRESP queryCname circle.test queryCname EBADRESP circle.test",
        "EBADNAME queryA xxxxxxxxxxxx queryA EBADNAME xxxxxxxxxxxxxxxxxxxxxxxx",
        "EBADNAME queryA a..b queryA EBADNAME a..b",
        "ECONNREFUSED",
        "ECANCELLED",
        "ETIMEOUT",
    ]


def test_unusual_records_are_read_or_rejected(box: Box, server: int) -> None:
    """The expectations are those of c-ares, Node's resolver."""
    assert run(
        box,
        """
        const resolver = new dns.promises.Resolver({ timeout: 5000, tries: 1 });
        resolver.setServers([`127.0.0.1:${process.argv[2]}`]);
        for (const [name, types] of [['odd.test', 'NAPTR CAA PTR A'], ['bad.test', 'NAPTR CAA TLSA TXT A'], ['chaos.test', 'A'],
          ['more.test', 'A'], ['bad-more.test', 'A']]) {
          for (const type of types.split(' ')) {
            await resolver.resolve(name, type).then((list) => console.log(JSON.stringify(list)), (e) => console.log(e.code));
          }
        }
        """,
        str(server),
    ) == [
        '[{"flags":"s!?","service":"x","regexp":"","replacement":"x","order":1,"preference":2}]',
        '[{"critical":129,"type":"CAA","contactemail":"a@b.c\u00ff"}]',
        '["a\\\\255\\\\;\\\\.b c.d"]',
        '["1.2.3.4"]',
        *["EBADRESP"] * 5,
        "ENODATA",
        '["1.2.3.4"]',
        "EBADRESP",
    ]


def test_connections_need_no_threads(box: Box) -> None:
    (line,) = run(
        box,
        """
        import net from 'node:net';
        import fs from 'node:fs';
        const threads = () => fs.readdirSync('/proc/self/task').length;
        const server = net.createServer((s) => s.pipe(s)).listen(0, '127.0.0.1', async () => {
          const before = threads();
          const { port } = server.address();
          const open = await Promise.all(Array.from({ length: 100 }, () => new Promise((resolve) => {
            const c = net.connect(port, '127.0.0.1', () => c.write('x')).once('data', () => resolve(c));
          })));
          console.log(open.length, threads() - before);
          for (const c of open) c.end();
          server.close();
        });
        void dns;
        """,
    )
    assert line == "100 0"
