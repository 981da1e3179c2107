'use strict';
// Owns: the wall clocks for cron's fields: the local one, which the engine knows, and those of named time zones. `fieldsOf`
// returns what a clock shows at a time; `at` returns when it shows given fields: the first time if it does so twice, and as
// much later if it skips them.

const {
  DateGetDate,
  DateGetDay,
  DateGetFullYear,
  DateGetHours,
  DateGetMinutes,
  DateGetMonth,
  DateGetTime,
  DateUTC,
  FunctionCall,
  MathFloor,
  RegExpTest,
  intact,
} = require('internal/primordials');

const DAY = 24 * 3600 * 1000;
const { DateTimeFormat } = Intl;
const { formatToParts } = DateTimeFormat.prototype;
const { wrongType } = require('internal/errors/errors');

const local = {
  fieldsOf(time) {
    const date = new Date(time);
    return {
      year: DateGetFullYear(date),
      month: DateGetMonth(date),
      date: DateGetDate(date),
      day: DateGetDay(date),
      hours: DateGetHours(date),
      minutes: DateGetMinutes(date),
    };
  },
  at: (year, month, date, hours, minutes) => DateGetTime(new Date(year, month, date, hours, minutes)),
};

class Zone {
  #format;

  constructor(name) {
    const options = { timeZone: name, hourCycle: 'h23', calendar: 'gregory', numberingSystem: 'latn' };
    for (const part of intact(['year', 'month', 'day', 'hour', 'minute'])) options[part] = 'numeric';
    this.#format = new DateTimeFormat('en-US', options);
  }

  fieldsOf(time) {
    const fields = { __proto__: null };
    for (const { type, value } of intact(FunctionCall(formatToParts, this.#format, time))) fields[type] = Number(value);
    const { year, month, day: date, hour: hours, minute: minutes } = fields;
    const day = (((MathFloor(DateUTC(year, month - 1, date) / DAY) + 4) % 7) + 7) % 7; // 1970 began on a Thursday
    return { year, month: month - 1, date, day, hours, minutes };
  }

  at(year, month, date, hours, minutes) {
    const time = DateUTC(year, month, date, hours, minutes);
    const before = time - this.#offset(time - DAY);
    if (before + this.#offset(before) === time) return before;
    const after = time - this.#offset(time + DAY);
    return after + this.#offset(after) === time ? after : before;
  }

  /** Returns the clock's offset from UTC, rounded to a minute. */
  #offset(time) {
    const { year, month, date, hours, minutes } = this.fieldsOf(time);
    return DateUTC(year, month, date, hours, minutes) - (time - (((time % 60_000) + 60_000) % 60_000));
  }
}

/** Returns the clock of `options.tz`, or the local one. */
function clockOf(options) {
  if (options === undefined || options === null) return local;
  if (typeof options !== 'object' && typeof options !== 'function') throw wrongType('RT.cron: options must be an object');
  const { tz } = options;
  if (tz === undefined || tz === null) return local;
  if (typeof tz !== 'string') throw wrongType('RT.cron: options.tz must be a string');
  try {
    if (!RegExpTest(/^[+-]/, tz)) return new Zone(tz);
  } catch {
    // an unknown time zone
  }
  throw wrongType(`RT.cron: unknown time zone '${tz}'`);
}

module.exports = { clockOf };
