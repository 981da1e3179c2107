'use strict';
// Owns: sockets, servers and UDP sockets in transit between processes, in Node's formats: the message that accompanies one,
// what becomes of the sender's handle, and the receiver's handle for the descriptor. node/child_process/handle_queue.js
// decides when.

const native = host.native;
const { codes } = require('internal/errors/errors');
const { PipeHandle, ListeningHandle } = require('internal/pipe_handle');
const { kDescriptor } = require('node/dgram/options');

/** Node's name for the type of `handle`. Throws if it cannot be sent. */
function typeOf(handle) {
  if (handle instanceof require('node/net/socket').Socket) return 'net.Socket';
  if (handle instanceof require('node/net/server').Server) return 'net.Server';
  if (handle instanceof PipeHandle || handle instanceof ListeningHandle) return 'net.Native';
  if (handle instanceof require('node/dgram/socket').Socket) return 'dgram.Socket';
  throw new codes.ERR_INVALID_HANDLE_TYPE();
}

/**
 * Prepares `handle` for sending: returns its `descriptor`, -1 if it has none any more, and `close`, which closes the
 * sender's.
 * Adds the fields that the receiver needs to `message`.
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
    // The server's `getConnections` includes connections in other processes.
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

/** Wraps `descriptor` in the handle that `message` describes, then calls `onHandle(handle)`. */
function attach(message, descriptor, lists, onHandle) {
  const { type, key, dgramType } = message;
  if (type === 'dgram.Socket') {
    const socket = new (require('node/dgram/socket').Socket)(dgramType);
    socket.bind({ fd: descriptor, exclusive: true }, () => onHandle(socket));
    return;
  }
  native.pipes_adopt(descriptor);
  if (type === 'net.Server') {
    const server = new (require('node/net/server').Server)();
    server.listen({ fd: descriptor }, () => onHandle(server));
    return;
  }
  const handle = new PipeHandle(descriptor);
  if (type !== 'net.Socket') {
    onHandle(handle);
    return;
  }
  const socket = new (require('node/net/socket').Socket)({ handle, readable: true, writable: true });
  if (key) lists.receiving(key).add(socket);
  socket.read(0); // so that its end is noticed even without a listener
  onHandle(socket);
}

module.exports = { attach, detach, typeOf };
