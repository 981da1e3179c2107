"""EventSource: parsing a stream into events, and the request with which a broken stream is resumed."""

from __future__ import annotations

from rig import Box

SERVER = """
const http = require('http');
const { once } = require('events');
const asked = [];
async function serve(answer) {
  const server = http.createServer((request, response) => {
    asked.push(request.headers['last-event-id']);
    answer(response, asked.length, request);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { url: `http://127.0.0.1:${server.address().port}/`, stop: () => { server.closeAllConnections(); server.close(); } };
}
const STREAM = { 'Content-Type': 'text/event-stream' };
"""


def run(box: Box, body: str) -> list[str]:
    box.write({"a.cjs": SERVER + "(async () => {" + body + "})();"})
    return box.run("a.cjs").stdout.decode().splitlines()


def test_lines_and_fields(box: Box) -> None:
    lines = run(
        box,
        r"""
        const mark = '\ufeff';
        const texts = [['data: a\n\n', 1], ['data:  a\r\ndata\r\n\r\n', 1], ['data: a\rdata: b\r\r', 1], [mark + 'data: x\n\n', 1],
          [': no\n\n\ndata: c\nfoo: d\n\n', 1], ['event: e\ndata: f\n\nevent: g\n\ndata: h\n\n', 2],
          ['id: 1\ndata: i\n\nid: x\0y\ndata: j\n\nid\ndata: k\n\n', 3], ['data: unfinished', 1]];
        for (const [text, expected] of texts)
          for (const size of [1, 3, 99]) {
            const bytes = Buffer.from(text);
            const there = await serve(async (response) => {
              response.writeHead(200, STREAM);
              for (let place = 0; place < bytes.length; place += size) {
                response.write(bytes.subarray(place, place + size));
                await new Promise(setImmediate);
              }
              if (/unfinished/.test(text)) response.end(); // else the events come while the stream goes on
            });
            const source = new EventSource(there.url);
            const events = [];
            await new Promise((resolve) => {
              const take = (event) => { events.push([event.type, event.data, event.lastEventId]); if (events.length === expected) resolve(); };
              for (const type of ['message', 'e', 'g']) source.addEventListener(type, take);
              source.onerror = resolve;
            });
            source.close();
            there.stop();
            console.log(JSON.stringify(events));
          }
        """,
    )
    each = [
        '[["message","a",""]]',
        '[["message"," a\\n",""]]',
        '[["message","a\\nb",""]]',
        '[["message","x",""]]',
        '[["message","c",""]]',
        '[["e","f",""],["message","h",""]]',
        '[["message","i","1"],["message","j","1"],["message","k",""]]',
        "[]",
    ]
    assert lines == [line for line in each for _ in range(3)]


def test_only_the_id_of_a_complete_event_is_sent_in_utf_8(box: Box) -> None:
    assert run(
        box,
        """
        const there = await serve((response, count) => {
          response.writeHead(200, STREAM);
          if (count === 1) response.end('retry: 10\\nid: é€\\ndata: a\\n\\nid: 2\\ndata: b');
          else response.write('data: c\\n\\n');
        });
        const source = new EventSource(there.url);
        source.onerror = () => console.log('error', source.readyState);
        source.onmessage = (event) => {
          console.log(event.data, event.lastEventId);
          if (event.data !== 'c') return;
          source.close();
          there.stop();
          console.log(Buffer.from(asked[1], 'latin1').toString());
        };
        """,
    ) == ["a é€", "error 0", "c é€", "é€"]


def test_nothing_comes_once_a_listener_has_closed_it(box: Box) -> None:
    assert run(
        box,
        """
        const there = await serve((response) => response.writeHead(200, STREAM).write('data: 1\\n\\ndata: 2\\n\\n'));
        const source = new EventSource(there.url);
        source.onmessage = (event) => { console.log(event.data); source.close(); there.stop(); };
        """,
    ) == ["1"]


def test_responses_that_are_not_a_stream_end_it(box: Box) -> None:
    assert run(
        box,
        """
        for (const [status, type] of [[204, 'text/event-stream'], [500, 'text/event-stream'], [200, 'text/plain'], [200, 'text/event-streams']]) {
          const there = await serve((response) => response.writeHead(status, { 'Content-Type': type }).end());
          const source = new EventSource(there.url);
          await new Promise((resolve) => (source.onerror = () => { console.log(status, source.readyState); resolve(); }));
          there.stop();
        }
        try { new EventSource(); } catch (error) { console.log(error.name, error.message); }
        """,
    ) == ["204 2", "500 2", "200 2", "200 2", "TypeError EventSource constructor: 1 argument required, but 0 found."]


def test_a_long_line_is_read_once(box: Box) -> None:
    assert run(
        box,
        """
        const there = await serve(async (response) => {
          response.writeHead(200, STREAM).write('data: ');
          for (let count = 0; count < 2000; count++) if (!response.write('x'.repeat(16384))) await once(response, 'drain');
          response.write('\\n\\n');
        });
        const source = new EventSource(there.url);
        source.onmessage = (event) => { console.log(event.data.length); source.close(); there.stop(); };
        """,
    ) == ["32768000"]
