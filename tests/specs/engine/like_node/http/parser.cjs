// `_http_common` as used by packages that parse HTTP themselves: the arguments of each parser callback, and return
// values.
const common = require('_http_common');
const { HTTPParser } = common;
const { REQUEST, RESPONSE, kOnMessageBegin, kOnHeaders, kOnHeadersComplete, kOnBody, kOnMessageComplete } = HTTPParser;

function read(type, pieces, answer) {
  const parser = new HTTPParser();
  parser.initialize(type, {});
  parser[kOnMessageBegin] = (...heard) => console.log('begin', heard.length);
  parser[kOnHeadersComplete] = function (...heard) {
    console.log('head', this === parser, JSON.stringify(heard));
    return answer;
  };
  parser[kOnHeaders] = (...heard) => console.log('trailers', JSON.stringify(heard));
  parser[kOnBody] = (bytes) => console.log('body', Buffer.isBuffer(bytes), `${bytes}`);
  parser[kOnMessageComplete] = (...heard) => console.log('end', heard.length);
  for (const piece of pieces) {
    const result = parser.execute(Buffer.from(piece));
    console.log(result instanceof Error ? JSON.stringify([result.message, result.code, result.reason]) : result);
  }
  console.log('finish', parser.finish()?.code);
  parser.close();
}

console.log(JSON.stringify(Object.getOwnPropertyNames(HTTPParser).sort()));
read(REQUEST, ['POST /x HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\nT: 1\r\n\r\n']);
read(REQUEST, ['GE', 'T / HTTP/1.1\r\nHo', 'st: x\r\n', '\r\nGET /2 HTTP/1.1\r\nhost: y\r\n\r\n']);
read(RESPONSE, ['HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhelloHTTP/1.1 204 No\r\n\r\n']);
read(RESPONSE, ['HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n', 'HTTP/1.1 204 No\r\n\r\n'], 1);
read(RESPONSE, ['HTTP/1.1 101 Sw\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\nrest']);
read(RESPONSE, ['HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nrest'], 2);
read(REQUEST, ['GET /u HTTP/1.1\r\nHost: h\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\nrest']);
read(REQUEST, ['CONNECT h:1 HTTP/1.1\r\nHost: h\r\n\r\nrest']);
read(REQUEST, ['BAD\0 / HTTP/1.1\r\n\r\n']);
read(RESPONSE, ['HTTP/1.1 200 OK\r\n\r\nuntil the end']);
read(REQUEST, ['POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 10\r\n\r\nshort']);
read(REQUEST, ['POST / HTTP/1.1\r\nHost: h\r\nContent-Length: x\r\n\r\nshort']);
const thrower = new HTTPParser();
thrower.initialize(REQUEST, {});
thrower[kOnHeadersComplete] = () => {
  throw new RangeError('of the callback');
};
try {
  thrower.execute(Buffer.from('GET / HTTP/1.1\r\n\r\n'));
} catch (error) {
  console.log(`${error}`);
}
console.log(common.calculateLenientFlags('strict'), common.calculateLenientFlags('relaxed'), common.isLenient());
console.log(common.methods.length, common.methods[3], common.parsers.alloc() instanceof HTTPParser, Object.keys(common).sort().join());
