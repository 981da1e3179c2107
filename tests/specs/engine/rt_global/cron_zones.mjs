// RT.cron in time zones with daylight saving time, with shifts of half an hour, and without; invalid names.
import { RT, outcome, show } from './table.mjs';

const rows = [];
const next = (expression, from, options) => outcome(() => RT.cron.parse(expression, Date.parse(from), options));
const TIMES = ['2026-03-08T05:00:00Z', '2026-03-08T06:59:00Z', '2026-04-04T14:40:00Z', '2026-10-03T12:00:00Z', '2026-11-01T05:45:00Z', '2026-11-01T06:10:00Z'];
for (const tz of ['UTC', 'America/New_York', 'Asia/Kolkata', 'Australia/Lord_Howe', 'Pacific/Apia', 'utc', 'EST', 'Nowhere/X', '', '+02:00', 5, null])
  for (const expression of ['30 2 * * *', '30 1 * * *', '0 * * * *', '*/20 * * * *', '15,45 2 * * *', '0 0 * * 1', '0 12 29 2 *', '59 23 31 12 *'])
    rows.push([`${tz} ${expression}`, TIMES.map((from) => next(expression, from, { tz }))]);
for (const options of [5, 'x', null, {}]) rows.push([JSON.stringify(options), next('0 3 * * *', TIMES[0], options)]);
const job = (options) => outcome(() => RT.cron('0 3 * * *', () => {}, options).stop().cron);
rows.push(['jobs', [{ tz: 'Asia/Tokyo' }, { tz: 'No/Where' }, { tz: 5 }, 'x', undefined].map(job)]);
show(rows);
