'use strict';
// Owns: decisions of a server's program during the handshake: which session to resume (`resumeSession`), the certificate
// (SNI), the OCSP response (`OCSPRequest`), the protocol (ALPN), and when a new session is stored (`newSession`). Without
// listeners the handshake does not pause.

const { ArrayIncludes, FunctionCall, intact } = require('internal/primordials');
const { asBuffer, encodeText } = require('internal/crypto/input');
const { codes } = require('internal/errors/errors');
const { NativeSecureContext, SecureContext } = require('node/tls/context');
const { protocolNames } = require('node/tls/identity');

/** A callback for the program. Its first call invokes `go(value)`, if the connection still exists. */
function callbackOnce(socket, go) {
  let isCalled = false;
  return (error, value) => {
    if (isCalled) socket.destroy(new codes.ERR_MULTIPLE_CALLBACK());
    else {
      isCalled = true;
      if (error) socket.destroy(error);
      else if (socket._handle === null) socket.destroy(new codes.ERR_SOCKET_CLOSED());
      else go(value);
    }
  };
}

function findSession(socket, handle) {
  const { 1: id, 2: hasTicket } = intact(handle.call('tls_hello'));
  const go = (session) => handle.continueHandshake(session ?? undefined);
  if (id.length === 0 || hasTicket || !socket.server.emit('resumeSession', asBuffer(id), callbackOnce(socket, go))) go();
}

function keepSession(socket, handle, id, session) {
  socket._newSessionPending = true;
  let isKept = false;
  const finish = () => {
    if (isKept) return;
    isKept = true;
    if (socket._handle === null) return;
    socket._newSessionPending = false;
    if (socket._securePending) socket._finishInit();
    socket._securePending = false;
    handle.confirmSession();
  };
  if (!socket.server.emit('newSession', id, session, finish)) finish();
}

function chooseContext(socket, handle) {
  const { 0: name, 3: asksStatus } = intact(handle.call('tls_hello'));
  if (name) socket.servername = name; // also if the handshake fails
  const go = (context) => {
    let native;
    if (context !== undefined && context !== null) {
      native = context instanceof SecureContext ? context.context : context;
      if (!(native instanceof NativeSecureContext)) {
        handle.onerror(new TypeError('Invalid SNI context'));
        return;
      }
    }
    if (asksStatus) askStatus(socket, handle, native);
    else handle.continueHandshake(undefined, native);
  };
  if (name && socket._SNICallback) {
    try {
      socket._SNICallback(name, callbackOnce(socket, go));
    } catch (error) {
      socket.destroy(error);
    }
  } else go();
}

function askStatus(socket, handle, chosen) {
  const { server } = socket;
  const context = chosen ?? server?._sharedCreds?.context;
  if (context === undefined || server.listenerCount('OCSPRequest') === 0) {
    handle.continueHandshake(undefined, chosen);
    return;
  }
  const go = (response) => handle.continueHandshake(undefined, chosen, response || undefined);
  server.emit('OCSPRequest', context.getCertificate(), context.getIssuer(), callbackOnce(socket, go));
}

/** The encoded choice of ALPNCallback; undefined for a refusal. */
function chooseProtocol(socket, servername, offered) {
  try {
    const protocols = protocolNames(offered);
    const protocol = FunctionCall(socket._tlsOptions.ALPNCallback, socket, { servername: servername ?? false, protocols });
    if (protocol === undefined) return undefined;
    if (!ArrayIncludes(protocols, protocol)) throw new codes.ERR_TLS_ALPN_CALLBACK_INVALID_RESULT(protocol, protocols);
    return encodeText(protocol, 'latin1');
  } catch (error) {
    socket.destroy(error);
    return undefined;
  }
}

/** Makes a server's handshake wait for the listeners that decide. */
function prepare(socket, handle) {
  const { SNICallback, ALPNCallback, server } = socket._tlsOptions;
  const listens = (name) => server !== undefined && server !== null && server.listenerCount?.(name) > 0;
  const choosesContext = Boolean(SNICallback) && (!SNICallback.isDefault || server?._contexts.length > 0);
  const keepsSessions = listens('resumeSession') || listens('newSession');
  const stopsAtCertificate = choosesContext || listens('OCSPRequest');
  if (keepsSessions || stopsAtCertificate) handle.call('tls_stop_at', keepsSessions, stopsAtCertificate);
  handle.onhello = () => findSession(socket, handle);
  handle.oncertificate = () => chooseContext(socket, handle);
  if (keepsSessions) handle.onsessiontokeep = (id, session) => keepSession(socket, handle, id, session);
  if (ALPNCallback) handle.call('tls_ask_protocol', (offered) => chooseProtocol(socket, handle.call('tls_hello')?.[0], offered));
}

module.exports = { prepare };
