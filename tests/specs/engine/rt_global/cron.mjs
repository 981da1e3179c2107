// Cron expressions and their times, in a zone with daylight saving time; CSRF tokens.
import { RT, outcome, show } from './table.mjs';

process.env.TZ = 'America/New_York';
const rows = [];
const row = (label, ...work) => rows.push([label, work.map((each) => outcome(each))]);
const FROM = new Date('2026-01-15T10:30:20.500Z');
const TEXTS = [
  '* * * * *',
  '0 0 * * *',
  '*/15 2 * * 1-5',
  '0 0 30 2 *',
  '0 0 1 JAN *',
  '0 0 * * SUN',
  '0 0 13 * 5',
  '5,10 * * * *',
  '0 0 * * 7',
  ' 0  0 * * * ',
  '0 0 1-5/2 * *',
  '1/5 * * * *',
  '0 0 29 2 *',
  '0 0 31 2,4 *',
  '30 10 15 1 *',
  '* * 1 1 1',
  '0 0 1,15 * 3',
  '59 23 31 12 *',
  '0 0 * FEB-APR MON-FRI',
  '0 0 * * 5-7',
  '0 0 * * 0-7',
  '*/61 * * * *',
  '0 0 */2 * 1',
  '0 0 * */3 *',
  '+1 * * * *',
  '01 * * * *',
  '0 0 * * sunday',
  '0 0 * january *',
  '0 0 * * */2',
  '0 0 1-31 * 1',
  '0 0 * * SUN-TUE',
  '0\t0 * * *',
];
const NAMES = ['@daily', '@hourly', '@yearly', '@weekly', '@midnight', '@annually', '@monthly', '@DAILY'];
const WRONG = [
  'bad',
  '',
  '60 * * * *',
  '* * * * * *',
  '0 12 L * *',
  '10-5 * * * *',
  '@reboot',
  '0 0 ? * *',
  '0 0 * * FRI-MON',
  '*/0 * * * *',
  '*/x * * * *',
  '1-2-3 * * * *',
  '-1 * * * *',
  '1, * * * *',
  '0 24 * * *',
  '0 0 0 * *',
  '0 0 32 * *',
  '0 0 * 13 *',
  '0 0 * 0 *',
  '0 0 * * 8',
  'a * * * *',
  '*/5/2 * * * *',
  '1.5 * * * *',
  '0 0 * * 1#2',
  'JAN * * * *',
  '0 0 * MON *',
  '*-5 * * * *',
  '5/ * * * *',
  '0 0 * * SAT-SUN',
];
for (const text of [...TEXTS, ...NAMES, ...WRONG])
  row(
    text,
    () => RT.cron.parse(text, FROM),
    () => RT.cron.parse(text, FROM.getTime() + 200 * 864e5),
  );
for (const [text, from] of [
  ['30 2 * * *', '2026-03-08T06:00:00Z'],
  ['*/15 2 * * *', '2026-03-08T06:59:00Z'],
  ['*/15 2 * * *', '2026-03-08T07:00:00Z'],
  ['0 * * * *', '2026-11-01T05:00:00Z'],
  ['30 1 * * *', '2026-11-01T05:30:00Z'],
  ['*/20 * * * *', '2026-11-01T05:50:00Z'],
  ['30 1 * * *', '2026-11-01T04:00:00Z'],
])
  row(`${text} after ${from}`, () => RT.cron.parse(text, new Date(from)));
row(
  'wrong',
  () => RT.cron.parse(),
  () => RT.cron.parse(5),
  () => RT.cron.parse('* * * * *', 'x'),
  () => RT.cron.parse('* * * * *', NaN),
  () => RT.cron.parse('* * * * *', new Date(NaN)),
  () => RT.cron(),
  () => RT.cron('* * * * *'),
  () => RT.cron('bad', () => {}),
);
const job = RT.cron('0 0 1 1 *', () => {});
row(
  'job',
  () => job.cron,
  () => job.unref() === job,
  () => job.ref() === job,
  () => job.stop() === job,
);

const { CSRF } = RT;
row(
  'sizes',
  ...['sha256', 'SHA-384', 'sha512', 'sha512-256', 'blake2b256', 'blake2b512', 'sha1'].map(
    (algorithm) => () => CSRF.generate('s', { algorithm, encoding: 'hex' }).length,
  ),
);
row(
  'encodings',
  ...['base64', 'base64url', 'hex', 'x'].map(
    (encoding) => () => CSRF.verify(CSRF.generate('s', { encoding }), { secret: 's', encoding }),
  ),
);
row(
  'wrong tokens',
  () => CSRF.generate(''),
  () => CSRF.generate(5),
  () => CSRF.generate('s', 5).length,
  () => CSRF.generate('s', { expiresIn: -1 }),
  () => CSRF.generate('s', { expiresIn: 'x' }),
  () => CSRF.generate('s', { sessionId: 5 }),
  () => CSRF.generate('s', { sessionId: '' }),
  () => CSRF.verify(''),
  () => CSRF.verify(5),
);
const token = CSRF.generate('s');
const VERIFIED = [
  { secret: 's' },
  { secret: 'other' },
  undefined,
  5,
  { secret: '' },
  { secret: 's', maxAge: -1 },
  { secret: 's', maxAge: 0 },
  { secret: 's', encoding: 'hex' },
  { secret: 's', algorithm: 'sha512' },
  { secret: 's', sessionId: 'a' },
];
row(
  'verified',
  ...VERIFIED.map((options) => () => CSRF.verify(token, options)),
  () => CSRF.verify('junk', { secret: 's' }),
  () => CSRF.verify(`${token.slice(0, -2)}AA`, { secret: 's' }),
);
row(
  'of a session',
  () => CSRF.verify(CSRF.generate('s', { sessionId: 'a' }), { secret: 's', sessionId: 'a' }),
  () => CSRF.verify(CSRF.generate('s', { sessionId: 'a' }), { secret: 's', sessionId: 'b' }),
);
// A token made by Bun that never expires: the format is the same.
const KEPT = '0000000000000000000102030405060708090a0b0c0d0e0f0000000000000000';
row(
  'form',
  () =>
    CSRF.verify(KEPT + new RT.CryptoHasher('sha256', 's').update(Buffer.from(KEPT, 'hex')).digest('hex'), {
      secret: 's',
      encoding: 'hex',
      maxAge: 0,
    }),
  () =>
    CSRF.verify(KEPT + new RT.CryptoHasher('sha256', 's').update(Buffer.from(KEPT, 'hex')).digest('hex'), {
      secret: 's',
      encoding: 'hex',
    }),
);
show(rows);
