// Shared by the clients of this family: a server that imitates many services, and `say`, which prints the results.
import http from 'node:http';
import { once } from 'node:events';
export async function server() {
  let fails = 0;
  const s = http.createServer(async (q, r) => {
    const u = new URL(q.url, 'http://h');
    const chunks = [];
    for await (const c of q) chunks.push(c);
    const body = Buffer.concat(chunks);
    const json = (x, c = 200, h = {}) => {
      r.writeHead(c, { 'content-type': 'application/json', ...h });
      r.end(JSON.stringify(x));
    };
    const p = u.pathname;
    if (p === '/echo')
      return json({
        m: q.method,
        u: q.url,
        ct: (q.headers['content-type'] ?? '').replace(/boundary=.*/, 'B'),
        auth: q.headers.authorization,
        x: q.headers['x-a'],
        te: q.headers['transfer-encoding'],
        cookie: q.headers.cookie,
        b: body.length > 500 ? body.length : `${body}`.replace(/-{4,}[\w-]*\d+[\w-]*/g, 'B'),
      });
    if (p === '/hop') {
      r.writeHead(302, { location: '/echo', 'set-cookie': 'sid=1; Path=/' });
      return r.end();
    }
    if (p === '/flaky') return ++fails % 3 ? json({ e: 1 }, 503, { 'retry-after': '0' }) : json({ ok: fails });
    if (p === '/404') return json({ error: 'nope' }, 404);
    if (p === '/500') return json({ error: 'boom' }, 500);
    if (p === '/slow') return setTimeout(() => json({ slow: 1 }), 1500);
    if (p === '/bad') {
      r.writeHead(200, { 'content-type': 'application/json' });
      return r.end('{bad');
    }
    if (p === '/cut') {
      r.writeHead(200, { 'content-length': 100 });
      r.write('abc');
      return setTimeout(() => r.destroy(), 20);
    }
    if (p === '/text') {
      r.writeHead(200, { 'content-type': 'text/plain' });
      return r.end('hello');
    }
    if (p === '/big') {
      r.writeHead(200);
      return r.end(Buffer.alloc(300000, 'x'));
    }
    if (p === '/sse') {
      r.writeHead(200, { 'content-type': 'text/event-stream' });
      r.write('id: 1\ndata: one\n\nevent: foo\ndata: two\n\n');
      return setTimeout(() => r.end(), 50);
    }
    if (p === '/graphql') {
      const { query, variables } = JSON.parse(body);
      return query.includes('fail')
        ? json({ errors: [{ message: 'gq', path: ['a'] }], data: null })
        : json({ data: { hello: variables?.n ?? 'w' } }, 200, { 'x-h': '1' });
    }
    // openai
    if (p === '/v1/chat/completions') {
      const b = JSON.parse(body);
      if (b.stream) {
        r.writeHead(200, { 'content-type': 'text/event-stream' });
        for (const w of ['Hel', 'lo', '!'])
          r.write(
            `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', choices: [{ index: 0, delta: { content: w } }] })}\n\n`,
          );
        r.end('data: [DONE]\n\n');
        return;
      }
      return json(
        {
          id: 'c',
          object: 'chat.completion',
          choices: [{ index: 0, message: { role: 'assistant', content: `re ${b.messages[0].content}` }, finish_reason: 'stop' }],
          usage: { total_tokens: 3 },
        },
        200,
        { 'x-request-id': 'req1' },
      );
    }
    if (p === '/v1/files')
      return json({ id: 'f', object: 'file', bytes: body.length > 100, filename: /filename="([^"]+)"/.exec(body)?.[1] });
    if (p === '/v1/models') return json({ error: { message: 'no key', type: 'invalid', code: 'invalid_api_key' } }, 401);
    if (p === '/v1/embeddings')
      return ++fails % 2
        ? json({ error: { message: 'rate' } }, 429, { 'retry-after-ms': '10' })
        : json({ object: 'list', data: [{ index: 0, embedding: [1, 2] }] });
    if (p === '/v1/messages') {
      const b = JSON.parse(body);
      if (b.stream) {
        r.writeHead(200, { 'content-type': 'text/event-stream' });
        const e = (x) => r.write(`event: ${x.type}\ndata: ${JSON.stringify(x)}\n\n`);
        e({
          type: 'message_start',
          message: {
            id: 'm',
            type: 'message',
            role: 'assistant',
            content: [],
            model: 'x',
            usage: { input_tokens: 1, output_tokens: 1 },
          },
        });
        e({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } });
        for (const t of ['a', 'b']) e({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: t } });
        e({ type: 'content_block_stop', index: 0 });
        e({ type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 2 } });
        e({ type: 'message_stop' });
        return r.end();
      }
      return json({
        id: 'm',
        type: 'message',
        role: 'assistant',
        content: [{ type: 'text', text: 'hey' }],
        model: 'x',
        usage: {},
      });
    }
    // github
    if (p === '/repos/a/b') return json({ full_name: 'a/b' }, 200, { etag: '"x"' });
    if (p === '/repos/a/b/issues') {
      const n = +(u.searchParams.get('page') ?? 1);
      return json(
        [{ number: n }],
        200,
        n < 3 ? { link: `<http://${q.headers.host}/repos/a/b/issues?page=${n + 1}>; rel="next"` } : {},
      );
    }
    if (p === '/repos/a/none') return json({ message: 'Not Found' }, 404);
    // stripe
    if (p === '/v1/customers')
      return q.method === 'POST'
        ? json({ id: 'cus_1', object: 'customer', got: `${body}` })
        : json({
            object: 'list',
            url: '/v1/customers',
            has_more: u.searchParams.get('starting_after') !== 'cus_3',
            data: [{ id: u.searchParams.has('starting_after') ? 'cus_3' : 'cus_2', object: 'customer' }],
          });
    if (p === '/v1/charges') return json({ error: { type: 'card_error', code: 'card_declined', message: 'declined' } }, 402);
    // s3
    if (p.startsWith('/bucket')) {
      if (p === '/bucket/none') {
        r.writeHead(404, { 'content-type': 'application/xml' });
        return r.end('<?xml version="1.0"?><Error><Code>NoSuchKey</Code><Message>nope</Message></Error>');
      }
      if (q.method === 'PUT') {
        r.writeHead(200, { etag: '"e"' });
        server.put = {
          n: body.length,
          ce: q.headers['content-encoding'],
          len: q.headers['x-amz-decoded-content-length'],
          body: body.length < 100 ? `${body}` : '',
        };
        return r.end();
      }
      if (u.searchParams.has('list-type')) {
        r.writeHead(200, { 'content-type': 'application/xml' });
        return r.end(
          '<?xml version="1.0"?><ListBucketResult><Name>bucket</Name><KeyCount>2</KeyCount><Contents><Key>a</Key><Size>1</Size></Contents><Contents><Key>b</Key><Size>2</Size></Contents></ListBucketResult>',
        );
      }
      r.writeHead(200, {
        'content-type': 'text/plain',
        'content-length': 5,
        etag: '"e"',
        'last-modified': 'Mon, 23 Nov 2026 10:00:00 GMT',
      });
      return r.end('hello');
    }
    json({ p, m: q.method, b: `${body}` });
  });
  s.listen(0, '127.0.0.1');
  await once(s, 'listening');
  return {
    s,
    base: `http://127.0.0.1:${s.address().port}`,
    port: s.address().port,
    stop: () => {
      s.closeAllConnections();
      s.close();
    },
  };
}
/** Prints the result of `work`, or its error, without addresses and the wording of aborts. */
export const say = (base) => {
  const { port } = new URL(base);
  const plain = (text) => String(text).replaceAll(base, 'BASE').replaceAll(port, 'PORT').slice(0, 700);
  return async (name, work) => {
    try {
      const value = await work();
      console.log(name, plain(JSON.stringify(value, (_, each) => (typeof each === 'bigint' ? `${each}n` : each)) ?? value));
    } catch (error) {
      const isAbort = /abort|cancel|timeout|timed out/i.test(`${error?.name} ${error?.message}`);
      const told = [
        error?.name,
        error?.name === 'TypeError' ? '' : (error?.code ?? ''),
        error?.status ?? error?.statusCode ?? error?.response?.status ?? '',
        isAbort ? '' : plain(error?.message),
      ];
      console.log(name, 'failed:', ...told, error?.cause && !isAbort ? `<- ${error.cause.name}` : '');
    }
  };
};
