// @ts-check
// What the program prints to the console, its uncaught errors, and what the user evaluates. The list is bounded: the oldest entries
// are dropped, and their objects released.
import { Signal } from '../base/signal.js';

/** @typedef {import('devtools-protocol').Protocol.Runtime.RemoteObject} RemoteObject */
/** @typedef {import('devtools-protocol').Protocol.Runtime.ConsoleAPICalledEvent} ConsoleCall */
/** @typedef {import('devtools-protocol').Protocol.Runtime.ExceptionDetails} ExceptionDetails */
/** @typedef {import('devtools-protocol').Protocol.Runtime.StackTrace} StackTrace */
/** @typedef {import('./source_map.js').SourcePosition} SourcePosition */
/** @typedef {import('./thread.js').Thread} Thread */
/** @typedef {'log' | 'info' | 'debug' | 'warning' | 'error' | 'command' | 'result' | 'mark'} Level */

/**
 * @typedef {object} Entry
 * @property {Level} level
 * @property {string | null} text instead of values
 * @property {RemoteObject[]} values
 * @property {Thread | null} thread the one that owns the values
 * @property {SourcePosition | null} place where it was printed
 * @property {StackTrace | undefined} stack
 * @property {number} depth of the groups around it
 * @property {number} count of equal entries in succession
 */

export const MOST_ENTRIES = 10_000;

/** @type {Record<string, Level>} */
const LEVELS = { warning: 'warning', error: 'error', assert: 'error', debug: 'debug', info: 'info' };

export class ConsoleLog {
  /** @type {Entry[]} */
  entries = [];
  /** The number of entries that were dropped. */
  dropped = 0;
  /** An entry is new; null: all were removed.
   * @type {Signal<Entry | null>} */
  added = new Signal();
  /** An entry was repeated.
   * @type {Signal<Entry>} */
  repeated = new Signal();
  #depth = 0;
  /** @type {Promise<void> | null} until the newest message is added, while maps are loaded */
  #waiting = null;

  /** @param {Thread} thread */
  observe(thread) {
    const { session } = thread;
    session.on('Runtime.consoleAPICalled', (event) =>
      this.#inOrder(thread, event.stackTrace, () => this.#addCall(thread, event)),
    );
    session.on('Runtime.exceptionThrown', ({ exceptionDetails }) => {
      this.#inOrder(thread, exceptionDetails.stackTrace, () => this.addException(thread, exceptionDetails));
    });
  }

  /** @param {Thread} thread @param {ConsoleCall} call */
  #addCall(thread, { type, args, stackTrace }) {
    if (type === 'clear') return this.clear();
    if (type === 'endGroup') return void (this.#depth = Math.max(0, this.#depth - 1));
    this.add({ level: LEVELS[type] ?? 'log', values: args, thread, stack: stackTrace, place: placeOf(thread, stackTrace) });
    if (type === 'startGroup' || type === 'startGroupCollapsed') this.#depth++;
  }

  /**
   * Adds a message, after those before it, when the maps of its scripts are loaded, so that its places are in the sources.
   * @param {Thread} thread
   * @param {StackTrace | undefined} stack
   * @param {() => void} add
   */
  #inOrder(thread, stack, add) {
    const loading = stack?.callFrames.flatMap(({ scriptId }) => thread.scripts.get(scriptId)?.loading ?? []) ?? [];
    if (loading.length === 0 && !this.#waiting) return add();
    const turn = Promise.all([this.#waiting, ...loading]).then(() => {
      add();
      if (this.#waiting === turn) this.#waiting = null;
    });
    this.#waiting = turn;
  }

  /** @param {Thread} thread @param {ExceptionDetails} details */
  addException(thread, details) {
    const { exception, stackTrace, scriptId, lineNumber, columnNumber } = details;
    const place = (scriptId && thread.toSource({ scriptId, lineNumber, columnNumber })) || placeOf(thread, stackTrace);
    const values = exception ? [exception] : [];
    this.add({ level: 'error', text: exception ? null : details.text, values, thread, stack: stackTrace, place });
  }

  /** @param {string} text about the program itself */
  mark(text) {
    this.#depth = 0;
    this.add({ level: 'mark', text });
  }

  /** @param {Partial<Entry> & { level: Level }} parts */
  add(parts) {
    /** @type {Entry} */
    const entry = { text: null, values: [], thread: null, place: null, stack: undefined, depth: this.#depth, count: 1, ...parts };
    const last = this.entries.at(-1);
    if (last && isRepetition(entry, last)) {
      last.count++;
      this.repeated.emit(last);
      return;
    }
    this.entries.push(entry);
    if (this.entries.length > MOST_ENTRIES) {
      this.dropped++;
      release(this.entries.shift());
    }
    this.added.emit(entry);
  }

  clear() {
    this.entries.forEach(release);
    this.entries = [];
    this.dropped = 0;
    this.#depth = 0;
    this.added.emit(null);
  }
}

/** @param {Entry | undefined} entry */
function release(entry) {
  for (const { objectId } of entry?.values ?? [])
    if (objectId) entry?.thread?.session.attempt('Runtime.releaseObject', { objectId });
}

/** Only primitive values can be equal: an object may have changed. @param {Entry} entry @param {Entry} last */
function isRepetition(entry, last) {
  return (
    entry.level === last.level &&
    !['command', 'result', 'mark'].includes(entry.level) &&
    entry.thread === last.thread &&
    entry.depth === last.depth &&
    entry.text === last.text &&
    entry.place?.url === last.place?.url &&
    entry.place?.line === last.place?.line &&
    entry.values.length === last.values.length &&
    entry.values.every(
      (value, index) =>
        !value.objectId && Object.is(value.value, last.values[index].value) && value.type === last.values[index].type,
    )
  );
}

/**
 * Returns the place of the innermost frame that is not the runtime's.
 * @param {Thread} thread
 * @param {StackTrace | undefined} stack
 */
function placeOf(thread, stack) {
  const frame = stack?.callFrames.find(({ url }) => url && !url.startsWith('node:'));
  return frame ? thread.toSource(frame) : null;
}
