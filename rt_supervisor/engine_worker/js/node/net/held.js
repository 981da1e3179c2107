'use strict';
// Owns: that a socket has a handle, and what that is called where a program asks what keeps it alive.

const native = host.native;
const { closed, opened } = require('internal/active_handles');
const { PipeHandle } = require('internal/pipe_handle');

/** What a socket's handle is called, if it keeps the program alive. One that is encrypted has none of its own. */
function activity({ _handle: handle, connecting, isReferenced }) {
  if (!isReferenced || !(handle instanceof PipeHandle) || !handle.hasRef()) return undefined;
  if (handle.isClosed) return connecting ? 'TCPSocketWrap' : undefined;
  const name = native.net_localName(handle.fd);
  return typeof name === 'number' || name[1] === 'pipe' ? 'PipeWrap' : 'TCPSocketWrap';
}
/** The same for a socket that is being connected to a path. */
const pipeActivity = (socket) => (activity(socket) === undefined ? undefined : 'PipeWrap');

/** `socket` has `handle` from now on, which may have no descriptor yet; `isPipe` where it will be connected to a path. */
function hold(socket, handle, isPipe = false) {
  socket._handle = handle;
  opened(socket, isPipe ? pipeActivity : activity);
}

/** `socket` has no handle any more. Returns the one it had. */
function release(socket) {
  const handle = socket._handle;
  socket._handle = null;
  closed(socket);
  return handle;
}

module.exports = { hold, release };
