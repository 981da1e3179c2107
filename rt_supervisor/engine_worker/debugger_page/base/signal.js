// @ts-check
// A list of listeners for one kind of event. Models emit, views listen; listeners run in the order in which they were added.

/** @template T */
export class Signal {
  /** @type {Set<(value: T) => void>} */
  #listeners = new Set();

  /**
   * Calls `listener` for each event from now on.
   * @param {(value: T) => void} listener
   * @returns {() => void} stops it
   */
  listen(listener) {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** @param {T} value */
  emit(value) {
    for (const listener of [...this.#listeners]) listener(value);
  }
}
