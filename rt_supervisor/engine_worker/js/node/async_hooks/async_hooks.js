// @ts-check
'use strict';
// Owns: the module node:async_hooks.

const { ArrayForEach, ObjectFreeze } = require('internal/primordials');
const { executionAsyncId, triggerAsyncId, executionAsyncResource } = require('internal/async/tracking');
const { AsyncLocalStorage } = require('node/async_hooks/storage');
const { AsyncResource } = require('node/async_hooks/resource');
const { createHook } = require('node/async_hooks/hook');

// The numbers are Node's.
const PROVIDERS = [
  'NONE',
  'DIRHANDLE',
  'DNSCHANNEL',
  'ELDHISTOGRAM',
  'FILEHANDLE',
  'FILEHANDLECLOSEREQ',
  'BLOBREADER',
  'FSEVENTWRAP',
  'FSREQCALLBACK',
  'FSREQPROMISE',
  'GETADDRINFOREQWRAP',
  'GETNAMEINFOREQWRAP',
  'HEAPSNAPSHOT',
  'HTTP2SESSION',
  'HTTP2STREAM',
  'HTTP2PING',
  'HTTP2SETTINGS',
  'HTTPINCOMINGMESSAGE',
  'HTTPCLIENTREQUEST',
  'LOCKS',
  'DTLS_ENDPOINT',
  'DTLS_SESSION',
  'JSSTREAM',
  'JSUDPWRAP',
  'MESSAGEPORT',
  'PIPECONNECTWRAP',
  'PIPESERVERWRAP',
  'PIPEWRAP',
  'PROCESSWRAP',
  'PROMISE',
  'QUERYWRAP',
  'QUIC_ENDPOINT',
  'QUIC_LOGSTREAM',
  'QUIC_SESSION',
  'QUIC_STREAM',
  'QUIC_UDP',
  'SHUTDOWNWRAP',
  'SIGNALWRAP',
  'STATWATCHER',
  'STREAMPIPE',
  'TCPCONNECTWRAP',
  'TCPSERVERWRAP',
  'TCPWRAP',
  'TTYWRAP',
  'UDPSENDWRAP',
  'UDPWRAP',
  'SIGINTWATCHDOG',
  'WORKER',
  'WORKERCPUPROFILE',
  'WORKERCPUUSAGE',
  'WORKERHEAPPROFILE',
  'WORKERHEAPSNAPSHOT',
  'WORKERHEAPSTATISTICS',
  'WRITEWRAP',
  'ZLIB',
  'CHECKPRIMEREQUEST',
  'PBKDF2REQUEST',
  'KEYPAIRGENREQUEST',
  'KEYGENREQUEST',
  'KEYEXPORTREQUEST',
  'ARGON2REQUEST',
  'CIPHERREQUEST',
  'DERIVEBITSREQUEST',
  'HASHREQUEST',
  'RANDOMBYTESREQUEST',
  'RANDOMPRIMEREQUEST',
  'SCRYPTREQUEST',
  'SIGNREQUEST',
  'TLSWRAP',
  'VERIFYREQUEST',
];
const asyncWrapProviders = { __proto__: null };
ArrayForEach(PROVIDERS, (name, number) => {
  asyncWrapProviders[name] = number;
});

module.exports = {
  AsyncLocalStorage,
  createHook,
  executionAsyncId,
  triggerAsyncId,
  executionAsyncResource,
  asyncWrapProviders: ObjectFreeze(asyncWrapProviders),
  AsyncResource,
};
