'use strict';
// Owns: the wall clocks that cron's fields are about: the local one, which the engine knows, and those of named time zones. `fieldsOf`
// says what a clock shows; `at` when it shows that: where it does so twice the first time, where it skips it as much later.

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
    const shown = { __proto__: null };
    for (const { type, value } of intact(FunctionCall(formatToParts, this.#format, time))) shown[type] = Number(value);
    const { year, month, day: date, hour: hours, minute: minutes } = shown;
    const day = (((MathFloor(DateUTC(year, month - 1, date) / DAY) + 4) % 7) + 7) % 7; // 1970 began on a Thursday
    return { year, month: month - 1, date, day, hours, minutes };
  }

  at(year, month, date, hours, minutes) {
    const shown = DateUTC(year, month, date, hours, minutes);
    const before = shown - this.#offset(shown - DAY);
    if (before + this.#offset(before) === shown) return before;
    const after = shown - this.#offset(shown + DAY);
    return after + this.#offset(after) === shown ? after : before;
  }

  /** By how much the clock is ahead of UTC, to the minute. */
  #offset(time) {
    const { year, month, date, hours, minutes } = this.fieldsOf(time);
    return DateUTC(year, month, date, hours, minutes) - (time - (((time % 60_000) + 60_000) % 60_000));
  }
}

/** The clock that `options.tz` names, else the local one. */
function clockOf(options) {
  if (options === undefined || options === null) return local;
  if (typeof options !== 'object' && typeof options !== 'function') throw wrongType('RT.cron: options must be an object');
  const { tz } = options;
  if (tz === undefined || tz === null) return local;
  if (typeof tz !== 'string') throw wrongType('RT.cron: options.tz must be a string');
  try {
    if (!RegExpTest(/^[+-]/, tz)) return new Zone(tz);
  } catch {
    // no zone of that name
  }
  throw wrongType(`RT.cron: unknown time zone '${tz}'`);
}

module.exports = { clockOf };
