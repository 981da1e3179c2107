'use strict';
// Owns: a socket's `_handle`, and its entry in the list of active handles.

const native = host.native;
const { removeHandle, addHandle } = require('internal/active_handles');
const { PipeHandle } = require('internal/pipe_handle');

/**
 * The active-handle name of a socket that keeps the program alive. An encrypted socket has no entry; the one below it does.
 */
function activity({ _handle: handle, connecting, isReferenced }) {
  if (!isReferenced || !(handle instanceof PipeHandle) || !handle.hasRef()) return undefined;
  if (handle.isClosed) return connecting ? 'TCPSocketWrap' : undefined;
  const name = native.net_localName(handle.fd);
  return typeof name === 'number' || name[1] === 'pipe' ? 'PipeWrap' : 'TCPSocketWrap';
}
/** As `activity`, for a socket that connects to a path. */
const pipeActivity = (socket) => (activity(socket) === undefined ? undefined : 'PipeWrap');

/** Sets the socket's handle, which may have no descriptor yet; `isPipe` if it will connect to a path. */
function attachHandle(socket, handle, isPipe = false) {
  socket._handle = handle;
  addHandle(socket, isPipe ? pipeActivity : activity);
}

/** Removes the socket's handle and returns it. */
function detachHandle(socket) {
  const handle = socket._handle;
  socket._handle = null;
  removeHandle(socket);
  return handle;
}

module.exports = { attachHandle, detachHandle };
