import pino, { destination, multistream, stdSerializers, transport } from 'pino';
import pretty from 'pino-pretty';
import { readFileSync } from 'node:fs';
import { once } from 'node:events';
import { format } from 'node:util';

const log = (...values) => process.stdout.write(`${format(...values)}
`);
const tried = async (name, work) => { try { log(name, await work()); } catch (error) { log(name, 'failed:', error.name, error.code ?? '', error.message); } };

const base = { timestamp: false, base: null };
const logger = pino({ ...base, level: 'trace', redact: ['password', 'deep[*].key'], serializers: { user: ({ id }) => id, err: ({ message }) => message }, mixin: () => ({ mixed: 1 }), customLevels: { loud: 35 }, hooks: { logMethod(values, method) { method.apply(this, values[0] === 'hook' ? ['hooked'] : values); } } }, destination({ dest: 1, sync: true }));
logger.info('hello %s %d %j %o', 'a', 1, { b: 2 }, [3]); logger.warn({ password: 'x', deep: [{ key: 1 }], user: { id: 9, more: 1 } }, 'redacted'); logger.error(new Error('boom')); logger.error({ err: new Error('in') }, 'with'); logger.loud('loud'); logger.trace({ circular: logger.bindings() }); logger.info('hook'); logger.info({ n: 1n, u: undefined, f() {}, d: new Date(0), nan: NaN }); logger.silent('no');
const child = logger.child({ request: 1 }, { level: 'warn', msgPrefix: '[c] ' }); child.info('no'); child.fatal('yes'); log(child.level, child.isLevelEnabled('info'), child.bindings(), logger.levels.values);
pino({ ...base, formatters: { level: (label) => ({ severity: label }), bindings: () => ({ b: 1 }), log: (entry) => ({ wrapped: entry }) }, messageKey: 'message', nestedKey: 'payload' }, destination({ sync: true })).info({ a: 1 }, 'formatted');
const many = multistream([{ level: 'error', stream: { write: (line) => log('errors', line.trim()) } }, { stream: { write: (line) => log('all', line.trim()) } }]); const both = pino(base, many); both.info('one'); both.error('two');
pino(base, pretty({ colorize: false, sync: true, ignore: 'pid', singleLine: true, messageFormat: '{x} > {msg}' })).info({ x: 5, y: { z: 1 } }, 'pretty');
const worker = transport({ targets: [{ target: 'pino/file', options: { destination: 'a.log' }, level: 'info' }, { target: 'pino-pretty', options: { destination: 'b.log', colorize: false }, level: 'warn' }] });
await new Promise((done) => worker.once('ready', done)); const far = pino({ timestamp: false, base: null }, worker); far.info({ a: 1 }, 'in a thread'); far.warn('twice'); worker.end(); await new Promise((done) => process.once('beforeExit', done)); log(readFileSync('a.log', 'utf8'), readFileSync('b.log', 'utf8'));
for (const [name, work] of Object.entries({ level: () => pino({ level: 'nope' }), custom: () => pino({ customLevels: { info: 1 } }), target: () => transport({ target: 1 }), redact: () => pino({ redact: 'x' }) })) await tried(name, () => { work(); });
log(Object.keys(stdSerializers).sort(), stdSerializers.err(new TypeError('t', { cause: new Error('c') })).message);
