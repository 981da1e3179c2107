'use strict';
// Owns: the debugger's connection to a program: commands with their responses, and events, as JSON over a WebSocket.

const {
  JSONParse,
  JSONStringify,
  MapClear,
  MapDelete,
  MapGet,
  MapSet,
  MapValues,
  ObjectKeys,
  RegExpExec,
  intact,
} = require('internal/primordials');
const { EventEmitter } = require('node/events/events');
const { codes } = require('internal/errors/errors');
const { OPCODE, FrameReader, encode } = require('internal/web_socket/frames');

const GUID = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11'; // RFC 6455, 4.2.2
const MOST_BYTES = 2 ** 30;

/** Emits `event` with the name and parameters of each event, the event by its name, and `close`. */
class Client extends EventEmitter {
  #socket;
  #lastId = 0;
  #waiting = new Map(); // id -> { resolve, reject }

  /** Connects to the first program that a server lists. */
  async connect(port, hostname) {
    const { 0: target } = await listPrograms(port, hostname);
    const { 1: path } = RegExpExec(/^ws:\/\/[^/]*(\/.*)$/, target.webSocketDebuggerUrl);
    const socket = await openWebSocket(port, hostname, path);
    const reader = new FrameReader({ isMasked: false, limit: MOST_BYTES });
    const receiver = {
      isOver: false,
      message: (opcode, text) => this.#handleData(`${text}`),
      control: (opcode, payload) => {
        if (opcode === OPCODE.PING) socket.write(encode(OPCODE.PONG, payload, { mask: EMPTY_MASK }));
        if (opcode === OPCODE.CLOSE) socket.destroy();
      },
    };
    this.#socket = socket;
    socket.on('data', (bytes) => reader.push(new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length), receiver));
    socket.on('error', () => {}); // `close` follows
    socket.on('close', () => {
      if (this.#socket === socket) this.close();
      this.emit('close');
    });
  }

  #handleData(text) {
    const { id, method, params, result, error } = JSONParse(text);
    if (id === undefined) {
      this.emit('event', method, params);
      this.emit(method, params);
      return;
    }
    const request = MapGet(this.#waiting, id);
    if (request === undefined) return;
    MapDelete(this.#waiting, id);
    if (error === undefined) request.resolve(ObjectKeys(result).length === 0 ? undefined : result);
    else request.reject(failure(error));
    if (this.#waiting.size === 0) this.emit('settled');
  }

  /** Resolves when all commands are answered or the connection is closed. */
  async whenIdle() {
    if (this.#socket === undefined || this.#waiting.size === 0) return;
    await new Promise((resolve) => {
      this.once('settled', resolve);
      this.once('close', resolve);
    });
  }

  /** Sends a command; returns its response. Rejects if not connected, or if the program returns an error. */
  call(method, params) {
    return new Promise((resolve, reject) => {
      if (this.#socket === undefined) {
        reject(new codes.ERR_DEBUGGER_ERROR('Use `run` to start the app again.'));
        return;
      }
      const id = ++this.#lastId;
      MapSet(this.#waiting, id, { resolve, reject });
      const bytes = host.native.encodeUtf8(JSONStringify({ id, method, params }));
      this.#socket.write(encode(OPCODE.TEXT, bytes, { mask: EMPTY_MASK }));
    });
  }

  close() {
    const socket = this.#socket;
    this.#socket = undefined;
    const waiting = [...intact(MapValues(this.#waiting))];
    MapClear(this.#waiting);
    for (const { reject } of intact(waiting)) reject(new codes.ERR_DEBUGGER_ERROR('Debugger session ended'));
    socket?.destroy();
  }
}

const EMPTY_MASK = new Uint8Array(4); // the data stays on this machine, or the user chose the host

function failure({ code, message }) {
  const error = new codes.ERR_DEBUGGER_ERROR(`${message}`);
  error.code = code;
  return error;
}

/** The programs that a server lists. */
function listPrograms(port, hostname) {
  const http = require('node/module/builtins').load('http');
  return new Promise((resolve, reject) => {
    const request = http.get({ host: hostname, port, path: '/json' }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('error', reject);
      response.on('data', (part) => {
        text += part;
      });
      response.on('end', () => {
        if (response.statusCode !== 200) {
          reject(new codes.ERR_DEBUGGER_ERROR(`Unexpected ${response.statusCode}: ${text}`));
          return;
        }
        try {
          resolve(JSONParse(text));
        } catch {
          reject(new codes.ERR_DEBUGGER_ERROR(`Response didn't contain JSON: ${text}`));
        }
      });
    });
    request.on('error', reject);
  });
}

/** Opens a WebSocket and returns its socket. Any other response of the server is shown to the user. */
function openWebSocket(port, hostname, path) {
  const { process } = require('internal/parts').process;
  const { load } = require('node/module/builtins');
  const crypto = load('crypto');
  const key = crypto.randomBytes(16).toString('base64');
  return new Promise((resolve, reject) => {
    const headers = { Connection: 'Upgrade', Upgrade: 'websocket', 'Sec-WebSocket-Key': key, 'Sec-WebSocket-Version': '13' };
    const request = load('http').request({ host: hostname, port, path, headers });
    request.on('error', reject);
    request.on('response', (response) => {
      if (response.statusCode >= 400) process.stderr.write(`Unexpected HTTP code: ${response.statusCode}\n`);
      response.pipe(process.stderr);
    });
    request.on('upgrade', (response, socket, head) => {
      const expected = crypto.createHash('sha1').update(`${key}${GUID}`).digest('base64');
      if (response.headers['sec-websocket-accept'] !== expected) {
        socket.destroy();
        const error = new codes.ERR_DEBUGGER_ERROR(`WebSocket secret mismatch: ${key} did not match ${response.headers['sec-websocket-accept']}`); // prettier-ignore
        host.nextTick(() => {
          throw error;
        });
        return;
      }
      resolve(socket);
      if (head.length > 0) socket.unshift(head);
    });
    request.end();
  });
}

module.exports = { Client };
