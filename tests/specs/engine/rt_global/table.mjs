// Shared by the programs beside this file: `show` prints the results of cases as lossless JSON.
export const RT = globalThis.RT ?? globalThis.Bun;

const bytes = (value) => Buffer.from(value.buffer ?? value, value.byteOffset ?? 0, value.byteLength).toString('hex');

function plain(value) {
  if (value === undefined) return '#undefined';
  if (typeof value === 'bigint') return `#${value}n`;
  if (typeof value === 'symbol' || typeof value === 'function') return `#${typeof value}`;
  if (typeof value === 'number') return Number.isFinite(value) && !Object.is(value, -0) ? value : `#${Object.is(value, -0) ? '-0' : value}`;
  if (value === null || typeof value !== 'object') return value;
  if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) return `#${value.constructor.name} ${bytes(value)}`;
  if (value instanceof Date) return `#Date ${value.toISOString()}`;
  if (value instanceof URL) return `#URL ${value.href}`;
  if (value instanceof Promise) return '#Promise';
  if (Array.isArray(value)) return Array.from(value, plain);
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, plain(item)]));
}

const problem = (error) => `#${error.name}`;

/** Returns the result of `work`, or the name of the error it throws. */
export function outcome(work) {
  try {
    return plain(work());
  } catch (error) {
    return problem(error);
  }
}

export async function later(work) {
  try {
    return plain(await work());
  } catch (error) {
    return error.code === undefined ? problem(error) : `#${error.code}`;
  }
}

/** Prints [label, result] for each row. */
export const show = (rows) => console.log(`[\n${rows.map((row) => JSON.stringify(row)).join(',\n')}\n]`);

/** Returns a deterministic generator of numbers below `limit`. */
export function sequence(seed) {
  let state = seed;
  return (limit) => {
    state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff;
    return (state >> 8) % limit;
  };
}
