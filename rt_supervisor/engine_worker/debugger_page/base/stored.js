// @ts-check
// Values that outlive the page: breakpoints, watches, the console's history, the layout. A browser that stores nothing (a private
// window, a full disk) still debugs; the values then end with the page.

const PREFIX = 'rt-debugger.';

/**
 * Returns the value stored under `name`, or `fallback` if there is none that can be read.
 * @template T
 * @param {string} name
 * @param {T} fallback
 * @returns {T}
 */
export function readStored(name, fallback) {
  try {
    const text = localStorage.getItem(PREFIX + name);
    return text === null ? fallback : JSON.parse(text);
  } catch {
    return fallback;
  }
}

/**
 * @param {string} name
 * @param {unknown} value anything that JSON can express
 */
export function writeStored(name, value) {
  try {
    localStorage.setItem(PREFIX + name, JSON.stringify(value));
  } catch {
    // see above
  }
}
