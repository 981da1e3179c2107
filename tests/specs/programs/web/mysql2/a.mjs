import { inspect } from 'node:util';
import mysql from 'mysql2/promise';
import { createServer } from 'mysql2';

const print = (...values) => { process.stdout.write(`${values.map((value) => (typeof value === 'string' ? value : inspect(value))).join(' ')}\n`); };
// mysql2 implements the server's side of its protocol as well.
const server = createServer();
server.on('connection', (connection) => {
  connection.on('error', () => {});
  connection.serverHandshake({ protocolVersion: 10, serverVersion: '8.0.0 of the case', connectionId: 7, statusFlags: 2, characterSet: 45, capabilityFlags: 0xffffff & ~0x800 & ~0x20, authCallback: ({ user }, callback) => { callback(null, user === 'rt' ? undefined : { message: 'Access denied', code: 1045 }); connection.sequenceId = 0; } });
  const column = (name, columnType = 253) => ({ catalog: 'def', schema: 'app', table: 't', orgTable: 't', name, orgName: name, characterSet: 45, columnLength: 255, columnType, flags: 0, decimals: 0 });
  connection.on('query', (sql) => {
    connection.sequenceId = 1;
    if (/^(?:start|begin|commit|rollback|set)/i.test(sql)) connection.writeOk('ok');
    else if (sql.startsWith('insert')) connection.writeOk({ affectedRows: 2, insertId: 41 });
    else if (sql.includes('nope')) connection.writeError({ message: `Unknown column in '${sql}'`, code: 1054 });
    else if (sql.includes('many')) connection.writeTextResult(Array.from({ length: 1000 }, (_, n) => ({ n: `${n}` })), [column('n', 3)]);
    else connection.writeTextResult([{ said: sql, nothing: null }], [column('said'), column('nothing')]);
    connection.sequenceId = 0; // the next query starts a new sequence
  });
  connection.on('ping', () => { connection.sequenceId = 1; connection.writeOk('ok'); connection.sequenceId = 0; });
  connection.on('quit', () => connection.end());
});
server.listen(0);
await new Promise((resolve) => { server._server.once('listening', resolve); });
const { port } = server._server.address();
const settings = { host: '127.0.0.1', port, user: 'rt', password: 'secret', database: 'app' };

const connection = await mysql.createConnection(settings);
await connection.ping();
const [rows, fields] = await connection.query('select ? as a, ?? from t where b in (?)', ["it's", 'name', [1, 2]]);
print(rows, fields.map(({ name }) => name));
const [inserted] = await connection.query('insert into t set ?', { a: 1, b: 'zwei', c: null, d: new Date(0) });
print(inserted.affectedRows, inserted.insertId);
print((await connection.query({ sql: 'select many', rowsAsArray: true }))[0].length);
await connection.query('select nope').catch((error) => print(error.code, error.errno, error.sqlMessage));
await connection.beginTransaction();
await connection.commit();
await connection.end();
const pool = mysql.createPool({ ...settings, connectionLimit: 2 });
const answers = await Promise.all(Array.from({ length: 10 }, (_, i) => pool.query('select ?', [i])));
print(answers.map(([[row]]) => row.said).join());
await pool.end();
await mysql.createConnection({ ...settings, user: 'stranger' }).catch((error) => print(error.errno, error.message));
print(mysql.escape("'; drop table t; --"), mysql.format('?? = ?', ['a.b', [1, 'x']]));
server.close();
await mysql.createConnection({ ...settings, port: 1 }).catch((error) => print(error.code));
process.exit();
