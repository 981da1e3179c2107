// @ts-check
'use strict';
// Owns: the request methods that node:http accepts.

const { StringSplit } = require('internal/primordials');

const METHODS = StringSplit(
  'ACL BIND CHECKOUT CONNECT COPY DELETE GET HEAD LINK LOCK M-SEARCH MERGE MKACTIVITY MKCALENDAR MKCOL MOVE NOTIFY OPTIONS ' +
    'PATCH POST PROPFIND PROPPATCH PURGE PUT QUERY REBIND REPORT SEARCH SOURCE SUBSCRIBE TRACE UNBIND UNLINK UNLOCK UNSUBSCRIBE',
  ' ',
);

module.exports = { METHODS };
