// A server of PostgreSQL's protocol (version 3), as far as the case needs it: the text of a query determines its result.
import net from 'node:net';
import { createHash } from 'node:crypto';

const int32 = (value) => { const bytes = Buffer.alloc(4); bytes.writeInt32BE(value); return bytes; };
const int16 = (value) => { const bytes = Buffer.alloc(2); bytes.writeInt16BE(value); return bytes; };
const text = (value) => Buffer.from(`${value}\0`);
const message = (type, ...parts) => { const body = Buffer.concat(parts); return Buffer.concat([Buffer.from(type), int32(body.length + 4), body]); };
const columns = (...list) => message('T', int16(list.length), ...list.map(([name, type]) => Buffer.concat([text(name), int32(0), int16(0), int32(type), int16(-1), int32(-1), int16(0)])));
const row = (...values) => message('D', int16(values.length), ...values.map((value) => (value === null ? int32(-1) : Buffer.concat([int32(Buffer.byteLength(value)), Buffer.from(value)]))));
const done = (tag) => message('C', text(tag));
const failed = (code, words) => message('E', Buffer.from('S'), text('ERROR'), Buffer.from('C'), text(code), Buffer.from('M'), text(words), Buffer.from('\0'));

function answer(sql, values = [], describes = true) {
  const head = (...list) => (describes ? [columns(...list)] : []);
  if (/^(?:begin|commit|rollback|listen)/i.test(sql)) return [done(sql.split(' ')[0].toUpperCase())];
  if (sql.includes('types')) {
    const list = [['i', 23], ['b', 20], ['f', 701], ['t', 16], ['j', 114], ['d', 1184], ['y', 17], ['a', 1007], ['n', 25]];
    return [...head(...list), row('1', '9007199254740993', '1.5', 't', '{"a":[1]}', '2020-01-02 03:04:05+00', '\\x00ff', '{1,2}', null), done('SELECT 1')];
  }
  if (sql.includes('nope')) return [failed('42703', 'column "nope" does not exist')];
  if (sql.startsWith('insert')) return [done('INSERT 0 2')];
  if (sql.includes('many')) return [...head(['n', 23]), ...Array.from({ length: 1000 }, (_, n) => row(`${n}`)), done('SELECT 1000')];
  return [...head(['said', 25], ['values', 25]), row(sql, JSON.stringify(values)), done('SELECT 1')];
}

export function serve() {
  const server = net.createServer((socket) => {
    let bytes = Buffer.alloc(0);
    let isStarted = false;
    let prepared = {};
    let bound = {};
    let status = 'I';
    const ready = () => message('Z', Buffer.from(status));
    const salt = Buffer.from([1, 2, 3, 4]);
    socket.on('error', () => {});
    const take = (type, body) => {
      const words = () => { const end = body.indexOf(0); const word = body.subarray(0, end).toString(); body = body.subarray(end + 1); return word; };
      const note = (sql) => { if (/^begin/i.test(sql)) status = 'T'; else if (/^(?:commit|rollback)/i.test(sql)) status = 'I'; };
      switch (type) {
        case 'p': {
          const md5 = (...parts) => { const hash = createHash('md5'); for (const part of parts) hash.update(part); return hash.digest('hex'); };
          if (words() !== `md5${md5(md5('secret', 'rt'), salt)}`) return [failed('28P01', 'password authentication failed for user "rt"')];
          return [message('R', int32(0)), message('S', text('server_version'), text('16.0')), message('K', int32(1), int32(2)), ready()];
        }
        case 'Q': {
          const sql = words();
          note(sql);
          const notice = /^listen/i.test(sql) ? [message('A', int32(9), text('news'), text('hello'))] : [];
          return [...sql.split(';').filter((each) => each.trim() !== '').flatMap((each) => answer(each.trim())), ...notice, ready()];
        }
        case 'P': { const name = words(); prepared[name] = words(); return [message('1')]; }
        case 'B': {
          words();
          bound = { sql: prepared[words()], values: [] };
          body = body.subarray(2 + 2 * body.readInt16BE(0));
          const count = body.readInt16BE(0);
          body = body.subarray(2);
          for (let i = 0; i < count; i++) {
            const size = body.readInt32BE(0);
            bound.values.push(size < 0 ? null : body.subarray(4, 4 + size).toString());
            body = body.subarray(4 + Math.max(size, 0));
          }
          return [message('2')];
        }
        case 'D': return answer(bound.sql, bound.values).filter((each) => each[0] === 84).concat(answer(bound.sql, bound.values).some((each) => each[0] === 84) ? [] : [message('n')]);
        case 'E': return answer(bound.sql, bound.values, false);
        case 'S': return [ready()];
        case 'X': socket.end(); return [];
        default: return [];
      }
    };
    socket.on('data', (data) => {
      bytes = Buffer.concat([bytes, data]);
      const out = [];
      for (;;) {
        const at = isStarted ? 1 : 0;
        if (bytes.length < at + 4 || bytes.length < at + bytes.readInt32BE(at)) break;
        const end = at + bytes.readInt32BE(at);
        const type = isStarted ? String.fromCharCode(bytes[0]) : '';
        const body = bytes.subarray(at + 4, end);
        bytes = bytes.subarray(end);
        if (isStarted) out.push(...take(type, body));
        else { isStarted = true; out.push(message('R', int32(5), salt)); }
      }
      if (out.length > 0) socket.write(Buffer.concat(out));
    });
  });
  return new Promise((resolve) => { server.listen(0, '127.0.0.1', () => resolve({ port: server.address().port, close: () => server.close() })); });
}
