'use strict';
// Owns: cron's five fields: parsing them into sets, and finding the next matching time on a clock (`zone`).

const {
  ArrayFrom,
  ArrayJoin,
  ArraySort,
  MathFloor,
  ObjectAssign,
  RegExpTest,
  SetAdd,
  SetHas,
  SetValues,
  StringSlice,
  StringSplit,
  StringToLowerCase,
  StringTrim,
  intact,
} = require('internal/primordials');

const FIELDS = [
  { name: 'minutes', low: 0, high: 59 },
  { name: 'hours', low: 0, high: 23 },
  { name: 'days', low: 1, high: 31 },
  {
    name: 'months',
    low: 1,
    high: 12,
    words: 'january february march april may june july august september october november december',
  },
  { name: 'weekdays', low: 0, high: 7, words: 'sunday monday tuesday wednesday thursday friday saturday' },
];
const NICKNAMES = {
  __proto__: null,
  '@yearly': '0 0 1 1 *',
  '@annually': '0 0 1 1 *',
  '@monthly': '0 0 1 * *',
  '@weekly': '0 0 * * 0',
  '@daily': '0 0 * * *',
  '@midnight': '0 0 * * *',
  '@hourly': '0 * * * *',
};
const MINUTE = 60_000;
const LATEST_DAYS = 8 * 366;
const LONGEST_OVERLAP = 3 * 60; // the maximum number of minutes by which a clock is put back

const wrong = (what) => ObjectAssign(new TypeError(`Invalid cron expression: ${what}`), { code: 'ERR_INVALID_ARG_TYPE' });

function numberOf(text, { low, high, words }) {
  const names = words === undefined ? [] : StringSplit(words, ' ');
  const lower = StringToLowerCase(text);
  for (let index = 0; index < names.length; index++) {
    if (lower === names[index] || lower === StringSlice(names[index], 0, 3)) return index + low;
  }
  const number = RegExpTest(/^\+?\d+$/, text) ? Number(text) : -1;
  if (number < low || number > high) throw wrong('value out of range for field');
  return number;
}

function addPart(values, part, field) {
  if (part === '') throw wrong('unrecognized field syntax');
  const [range, ...steps] = intact(StringSplit(part, '/'));
  const step = steps.length === 0 ? undefined : ArrayJoin(steps, '/');
  if (step !== undefined && (!RegExpTest(/^\d+$/, step) || Number(step) === 0))
    throw wrong('step value must be a positive integer');
  const [first, last, more] = intact(StringSplit(range, '-'));
  let from = field.low;
  let to = field.high;
  if (range !== '*') {
    if (more !== undefined) throw wrong('value out of range for field');
    from = numberOf(first, field);
    if (last !== undefined) to = numberOf(last, field);
    else if (step === undefined) to = from;
    if (from > to) throw wrong("range must be ascending (use 'a,b' or 'a-max,0-b' for wrap-around)");
  } else if (field.name === 'weekdays') to = 6;
  for (let value = from; value <= to; value += Number(step ?? 1)) {
    SetAdd(values, field.name === 'weekdays' ? value % 7 : value);
  }
}

/** Returns { minutes, hours, days, months, weekdays }, each a set; `any` names the fields that are a star. */
function readCron(text) {
  const plain = NICKNAMES[StringToLowerCase(StringTrim(text))] ?? StringTrim(text);
  if (plain[0] === '@') throw wrong('unrecognized field syntax');
  const texts = StringSplit(plain, /\s+/);
  if (texts.length > FIELDS.length) {
    throw wrong('too many fields. RT.cron uses 5 fields (minute hour day month weekday) — seconds are not supported');
  }
  if (texts.length < FIELDS.length) throw wrong('expected 5 space-separated fields (minute hour day month weekday)');
  const read = { any: { __proto__: null } };
  for (let index = 0; index < FIELDS.length; index++) {
    const field = FIELDS[index];
    const values = new Set();
    for (const part of intact(StringSplit(texts[index], ','))) addPart(values, part, field);
    read[field.name] = values;
    read.any[field.name] = texts[index] === '*';
  }
  return read;
}

/** If both day fields are restricted, a match of either suffices. */
function isDay(cron, { month, date, day }) {
  if (!SetHas(cron.months, month + 1)) return false;
  const byDate = SetHas(cron.days, date);
  const byWeekday = SetHas(cron.weekdays, day);
  if (cron.any.days || cron.any.weekdays) return byDate && byWeekday;
  return byDate || byWeekday;
}

const isMinute = (cron, fields) =>
  SetHas(cron.hours, fields.hours) && SetHas(cron.minutes, fields.minutes) && isDay(cron, fields);

const inOrder = (values) => ArraySort(ArrayFrom(intact(SetValues(values))), (a, b) => a - b);

/** Returns the first time on that day later than `after`. A time that the clock skips comes later, and only once for its hour. */
function timeOfDay(cron, clock, { year, month, date: day }, after) {
  const minutes = inOrder(cron.minutes);
  for (const hour of intact(inOrder(cron.hours))) {
    for (let place = 0; place < minutes.length; place++) {
      const minute = minutes[place];
      const time = clock.at(year, month, day, hour, minute);
      if (clock.fieldsOf(time).hours !== hour && place > 0) break;
      if (time > after) return new Date(time);
    }
  }
  return undefined;
}

/** Returns the next time after `after` (milliseconds) on a clock as a Date, or null if there is none within eight years. */
function nextTime(cron, after, clock) {
  if (cron.any.minutes || cron.any.hours) {
    // Every minute counts, including those that the clock shows twice because it was put back.
    const start = MathFloor(after / MINUTE) * MINUTE;
    for (let count = 1; count <= LONGEST_OVERLAP; count++) {
      const time = start + count * MINUTE;
      if (isMinute(cron, clock.fieldsOf(time))) return new Date(time);
    }
  }
  const { year, month, date } = clock.fieldsOf(after);
  for (let count = 0; count < LATEST_DAYS; count++) {
    const noon = clock.fieldsOf(clock.at(year, month, date + count, 12, 0));
    if (!isDay(cron, noon)) continue;
    const time = timeOfDay(cron, clock, noon, after);
    if (time !== undefined) return time;
  }
  return null;
}

module.exports = { readCron, nextTime };
