'use strict';
// Owns: the module `ws` if that package is not installed, as in Bun: the exports that programs use.

const { ObjectAssign } = require('internal/primordials');
const { WebSocket } = require('rt/ws/socket');
const { WebSocketServer } = require('rt/ws/server');

/** Returns a Duplex over a WebSocket. */
function createWebSocketStream(socket, options = undefined) {
  const { Duplex } = require('node/stream/stream');
  const whenOpen = (act) => {
    if (socket.readyState === WebSocket.CONNECTING) socket.once('open', act);
    else act();
  };
  let isOver = false;
  const duplex = new Duplex({
    ...options,
    autoDestroy: false,
    emitClose: false,
    writableObjectMode: false,
    read() {
      if (socket.isPaused) socket.resume();
    },
    write(chunk, encoding, done) {
      whenOpen(() => socket.send(chunk, done));
    },
    final(done) {
      whenOpen(() => {
        if (isOver) return void done();
        socket.once('close', () => done());
        socket.close();
      });
    },
    destroy(error, done) {
      const end = () => {
        done(error);
        duplex.emit('close');
      };
      if (isOver) return void end();
      socket.once('close', end);
      socket.terminate();
      return undefined;
    },
  });
  socket.on('message', (data, isBinary) => {
    if (!duplex.push(!isBinary && duplex.readableObjectMode ? `${data}` : data)) socket.pause();
  });
  socket.on('error', (error) => duplex.destroy(error));
  socket.on('close', () => {
    isOver = true;
    if (!duplex.destroyed) duplex.push(null);
  });
  const destroyAtBothEnds = () => {
    if (duplex.readableEnded && duplex.writableFinished) duplex.destroy();
  };
  duplex.on('end', destroyAtBothEnds);
  duplex.on('finish', destroyAtBothEnds);
  return duplex;
}

module.exports = ObjectAssign(WebSocket, { createWebSocketStream, Server: WebSocketServer, WebSocket, WebSocketServer });
