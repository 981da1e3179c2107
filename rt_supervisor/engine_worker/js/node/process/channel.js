// @ts-check
'use strict';
// Owns: `process` as a child with an IPC channel to its parent (NODE_CHANNEL_FD), which keeps the program alive while there
// is a 'message' or 'disconnect' listener.

const { setOf } = require('internal/collections');
const { NumberIsInteger, SetHas, intact } = require('internal/primordials');
const native = host.native;
const LISTENED = setOf(intact(['message', 'disconnect']));

function start(process) {
  const fd = Number(process.env.NODE_CHANNEL_FD);
  const serialization = process.env.NODE_CHANNEL_SERIALIZATION_MODE;
  delete process.env.NODE_CHANNEL_FD;
  delete process.env.NODE_CHANNEL_SERIALIZATION_MODE;
  if (!NumberIsInteger(fd) || !native.pipes_adopt(fd)) return;
  const control = require('node/child_process/ipc_target').openChannel(process, fd, serialization, {
    isKeeping: false,
    onClosed() {},
  });
  process.on('newListener', (name) => {
    if (SetHas(LISTENED, name)) control.refCounted();
  });
  process.on('removeListener', (name) => {
    if (SetHas(LISTENED, name)) control.unrefCounted();
  });
  if (process.env.NODE_UNIQUE_ID !== undefined) require('node/cluster/child').start(process);
}

module.exports = { start };
