import winston from 'winston';
import { readFileSync } from 'node:fs';
import { Writable } from 'node:stream';
import { format } from 'node:util';

const log = (...values) => process.stdout.write(`${format(...values)}
`);
const tried = async (name, work) => { try { log(name, await work()); } catch (error) { log(name, 'failed:', error.name, error.code ?? '', error.message); } };

const { format: f, transports } = winston;
const kept = []; const stream = new Writable({ write(chunk, encoding, done) { kept.push(String(chunk)); done(); } });
const fixed = f((info) => ({ ...info, timestamp: 'T' }));
const logger = winston.createLogger({ level: 'debug', format: f.combine(f.errors({ stack: false }), f.splat(), fixed()), defaultMeta: { service: 's' }, transports: [new transports.Console({ format: f.combine(f.metadata({ fillExcept: ['message', 'level', 'timestamp'] }), f.printf(({ level, message, metadata }) => `${level}: ${message} ${JSON.stringify(metadata)}`)) }), new transports.Stream({ stream, level: 'warn', format: f.json() }), new transports.File({ filename: 'out.log', format: f.logstash(), level: 'info' })] });
logger.info('hello'); logger.debug('n %d %s %j', 1, 'two', { three: 3 }); logger.warn('meta', { a: [1] }); logger.error(new Error('boom')); logger.silly('never'); logger.log({ level: 'info', message: 'object', x: 1n.toString() });
const child = logger.child({ request: 7 }); child.info('child'); log(logger.isLevelEnabled('silly'), logger.levels, Object.keys(winston.config).sort());
const timer = logger.startTimer(); log(typeof timer.done);
const cli = winston.createLogger({ levels: winston.config.syslog.levels, transports: [new transports.Console({ format: f.combine(f.colorize({ colors: { notice: 'bold green' } }), f.align(), f.simple()), level: 'notice' })] }); cli.notice('coloured'); cli.info('hidden');
const pretty = winston.createLogger({ format: f.combine(f.label({ label: 'L' }), f.prettyPrint({ colorize: false }), f.uncolorize()), transports: [new transports.Console()] }); pretty.info('pretty', { deep: { er: [1, { a: null }] } });
winston.loggers.add('named', { transports: [new transports.Console({ format: f.cli({ levels: { info: 0 } }) })] }); winston.loggers.get('named').info('by name');
logger.query({ fields: ['message'], limit: 2, order: 'asc' }, () => {});
await new Promise((done) => { logger.on('finish', () => setImmediate(done)); logger.end(); });
log(kept.join('')); log(readFileSync('out.log', 'utf8'));
const crash = winston.createLogger({ exitOnError: false, transports: [new transports.Console({ handleExceptions: true, format: f.printf(({ level, message, exception }) => `${level} ${message.split('\n')[0]} ${exception}`) })] }); setImmediate(() => { setImmediate(() => crash.exceptions.unhandle()); throw new TypeError('uncaught'); });
