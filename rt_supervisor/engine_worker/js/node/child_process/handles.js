'use strict';
// Owns: sockets, servers and UDP sockets as they travel between processes, in Node's forms: what of one is sent beside a message,
// what becomes of the sender's, and what the receiver makes of the descriptor. node/child_process/handle_queue.js decides when.

const native = host.native;
const { codes } = require('internal/errors/errors');
const { PipeHandle, ListeningHandle } = require('internal/pipe_handle');
const { kDescriptor } = require('node/dgram/options');

/** Node's name for the type of `handle`. Throws for what cannot be sent. */
function typeOf(handle) {
  if (handle instanceof require('node/net/socket').Socket) return 'net.Socket';
  if (handle instanceof require('node/net/server').Server) return 'net.Server';
  if (handle instanceof PipeHandle || handle instanceof ListeningHandle) return 'net.Native';
  if (handle instanceof require('node/dgram/socket').Socket) return 'dgram.Socket';
  throw new codes.ERR_INVALID_HANDLE_TYPE();
}

/**
 * What is sent of `handle`: its `descriptor`, -1 where it has none any more, and `close`, which closes the sender's own. Fields that
 * the receiver needs are added to `message`.
 */
function detach(type, handle, { message, options, lists }) {
  if (type === 'net.Native') return { descriptor: handle.fd, close: options.keepOpen ? undefined : () => handle.close?.() };
  if (type === 'net.Server') return { descriptor: handle._handle?.fd ?? -1 };
  if (type === 'dgram.Socket') {
    message.dgramType = handle.type;
    return { descriptor: handle[kDescriptor]() };
  }
  return detachSocket(handle, { message, options, lists });
}

function detachSocket(socket, { message, options, lists }) {
  const handle = socket._handle;
  if (!(handle instanceof PipeHandle) || handle.isClosed) return { descriptor: -1 };
  if (socket.server) {
    // `getConnections` of the server counts its connections in other processes, too.
    message.key = socket.server._connectionKey;
    const { list, isNew } = lists.sending(message.key);
    if (isNew) socket.server._setupWorker(list);
    if (!options.keepOpen) socket.server.handOver(socket);
  }
  if (options.keepOpen) return { descriptor: handle.fd };
  handle.stop();
  socket._handle = null;
  socket.setTimeout(0);
  return { descriptor: handle.fd, close: () => handle.close() };
}

/** Make of `descriptor` what `message` says that it is; `taken(handle)` follows. */
function attach(message, descriptor, lists, taken) {
  const { type, key, dgramType } = message;
  if (type === 'dgram.Socket') {
    const socket = new (require('node/dgram/socket').Socket)(dgramType);
    socket.bind({ fd: descriptor, exclusive: true }, () => taken(socket));
    return;
  }
  native.pipes_adopt(descriptor);
  if (type === 'net.Server') {
    const server = new (require('node/net/server').Server)();
    server.listen({ fd: descriptor }, () => taken(server));
    return;
  }
  const handle = new PipeHandle(descriptor);
  if (type !== 'net.Socket') {
    taken(handle);
    return;
  }
  const socket = new (require('node/net/socket').Socket)({ handle, readable: true, writable: true });
  if (key) lists.receiving(key).add(socket);
  socket.read(0); // so that its end is noticed also where nobody listens
  taken(socket);
}

module.exports = { attach, detach, typeOf };
