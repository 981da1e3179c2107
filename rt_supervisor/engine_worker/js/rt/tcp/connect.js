'use strict';
// Owns: RT.connect: returns a promise of a connection, fulfilled after its `open` handler has been called.

const { checkOptions, nodeOptions } = require('rt/tcp/options');
const { rejecter } = require('internal/errors/places');
const { makeSocket, open } = require('rt/tcp/socket');

/** Returns Bun's error message for a failed connection. */
function failure(error) {
  const { code, errno, syscall } = error;
  if (syscall === 'getaddrinfo') return error;
  return Object.assign(new Error('Failed to connect'), { code, syscall: 'connect', errno });
}

/** Returns the connected socket of node:net. */
function establish({ handlers, data, place, allowHalfOpen }) {
  const net = require('node/net/net');
  return new Promise((resolve) => {
    const reject = rejecter(resolve);
    const fail = (error) => {
      const reported = failure(error);
      handlers.call('connectError', { data }, reported);
      reject(reported);
    };
    if (place.fd !== undefined) {
      try {
        resolve(new net.Socket({ ...place, allowHalfOpen }));
      } catch (error) {
        fail(error);
      }
      return;
    }
    const raw = net.connect({ ...place, allowHalfOpen, noDelay: true });
    raw.once('error', fail);
    raw.once('connect', () => {
      raw.off('error', fail);
      resolve(raw);
    });
  });
}

async function connect(options) {
  const settings = checkOptions(options, 'Expected options object');
  const { handlers, data, place, tls } = settings;
  const raw = await establish(settings);
  let connection = raw;
  if (tls !== undefined) {
    const words = nodeOptions(tls);
    if (words.servername === undefined && place.host !== undefined && !require('node/net/address').isIP(place.host))
      words.servername = place.host;
    connection = require('node/tls/tls').connect({ ...words, socket: raw });
  }
  const socket = makeSocket(connection, { handlers, data, isSecure: tls !== undefined });
  open(socket);
  return socket;
}

module.exports = { connect };
