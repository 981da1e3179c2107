// @ts-check
'use strict';
// Owns: the options of a SQL client: from a URL, an object, and the environment.

const runtimeParts = require('internal/parts');
const {
  ArrayIncludes,
  ArrayJoin,
  RegExpReplace,
  RegExpTest,
  StringSlice,
  StringStartsWith,
  intact,
} = require('internal/primordials');
const { codes } = require('internal/errors/errors');
const { failure } = require('rt/sql/errors');

const SSL_MODES = ['disable', 'prefer', 'require', 'verify-ca', 'verify-full'];
const USUAL_PORT = 5432;
const MOST = 2 ** 31;

function urlOf(text) {
  const { URL } = require('web/url/class');
  const url = new URL(RegExpTest(/^[a-z]+:\/\//i, text) ? text : `postgres://${text}`);
  if (!RegExpTest(/^postgres(?:ql)?:$/, url.protocol))
    throw failure('CONNECTION_FAILED', `Unsupported adapter: ${StringSlice(url.protocol, 0, -1)}; RT.SQL connects to PostgreSQL`);
  return url;
}

/** Returns the options for (url or options, options). */
function optionsOf(first, second) {
  const settings = { ...(typeof first === 'object' && first !== null && first.href === undefined ? first : second) };
  const { env } = runtimeParts.process.process;
  const address = typeof first === 'string' || first?.href !== undefined ? `${first}` : settings.url;
  const text = address ?? (settings.hostname === undefined && settings.host === undefined ? fromEnvironment(env) : undefined);
  const url = text === undefined ? undefined : urlOf(`${text}`);
  if (settings.adapter !== undefined && !RegExpTest(/^postgres(?:ql)?$/, settings.adapter))
    throw failure('CONNECTION_FAILED', `Unsupported adapter: ${settings.adapter}; RT.SQL connects to PostgreSQL`);
  const query = url?.searchParams;
  const hostname = RegExpReplace(
    /^\[|\]$/g,
    settings.hostname ??
      settings.host ??
      (decodeURIComponent(url?.hostname ?? '') || query?.get('host') || env.PGHOST || 'localhost'),
    '',
  );
  const port = Number(settings.port ?? (url?.port || env.PGPORT || USUAL_PORT));
  const user = (value) => (value ? decodeURIComponent(value) : undefined);
  const username =
    settings.username ?? settings.user ?? user(url?.username) ?? env.PGUSER ?? env.PGUSERNAME ?? env.USER ?? 'postgres';
  const password = settings.password ?? settings.pass ?? user(url?.password) ?? env.PGPASSWORD ?? '';
  const database = settings.database ?? settings.db ?? (user(url?.pathname.slice(1)) || env.PGDATABASE || username);
  const path = settings.path ?? (StringStartsWith(hostname, '/') ? `${hostname}/.s.PGSQL.${port}` : undefined);
  const tls = settings.tls ?? settings.ssl;
  let sslMode =
    query?.get('sslmode') ?? env.PGSSLMODE ?? (tls ? (typeof tls === 'object' ? 'verify-full' : 'require') : 'disable');
  if (sslMode === 'allow') sslMode = 'prefer';
  if (!ArrayIncludes(SSL_MODES, sslMode))
    throw new codes.ERR_INVALID_ARG_VALUE('sslmode', sslMode, `must be one of: allow, ${ArrayJoin(SSL_MODES, ', ')}`);
  const connection = { ...settings.connection };
  for (const { 0: name, 1: value } of intact(query ?? [])) if (name !== 'sslmode' && name !== 'host') connection[name] = value;
  const number = (name, usual, least = 0) => {
    const value = Number(settings[name] ?? usual);
    if (!(value >= least && value <= MOST))
      throw new codes.ERR_INVALID_ARG_VALUE(`options.${name}`, value, `must be a number between ${least} and 2^31`);
    return value;
  };
  for (const name of intact(['onconnect', 'onclose']))
    if (settings[name] !== undefined && settings[name] !== null && typeof settings[name] !== 'function')
      throw new codes.ERR_INVALID_ARG_TYPE(name, 'Function', settings[name]);
  return {
    adapter: 'postgres',
    hostname,
    port,
    username: `${username}`,
    // Not shown when options are printed.
    password: () => `${typeof password === 'function' ? password() : password}`,
    database: `${database}`,
    address: path === undefined ? { host: hostname, port } : { path },
    tls: typeof tls === 'object' ? tls : undefined,
    sslMode: path === undefined ? sslMode : 'disable',
    connection,
    max: number('max', 10, 1),
    idleTimeout: number('idleTimeout', settings.idle_timeout ?? 0),
    maxLifetime: number('maxLifetime', settings.max_lifetime ?? 0),
    connectionTimeout: number('connectionTimeout', settings.connection_timeout ?? settings.connect_timeout ?? 30),
    prepare: settings.prepare !== false,
    bigint: Boolean(settings.bigint),
    onconnect: settings.onconnect,
    onclose: settings.onclose,
  };
}

const fromEnvironment = (env) => env.POSTGRES_URL || env.DATABASE_URL || env.PGURL || env.PG_URL || undefined;

module.exports = { optionsOf };
