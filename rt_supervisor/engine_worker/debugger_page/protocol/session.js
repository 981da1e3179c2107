// @ts-check
// One session of the Chrome DevTools Protocol: commands with their replies, and events. What carries its messages (a WebSocket, or
// the session of a main program for those of its workers) is the creator's affair.

/** @typedef {import('devtools-protocol/types/protocol-mapping').ProtocolMapping.Events} Events */

/** A command that the program has refused. */
export class Refusal extends Error {
  /** @param {string} method @param {string} message */
  constructor(method, message) {
    super(message);
    this.method = method;
  }
}

export class Session {
  #last = 0;
  #isClosed = false;
  /** @type {Map<number, { method: string, resolve: (result: any) => void, reject: (error: Error) => void }>} */
  #waiting = new Map();
  /** @type {Map<string, ((params: any) => void)[]>} */
  #listeners = new Map();

  /** @param {(text: string) => void} post sends one message */
  constructor(post) {
    this.post = post;
  }

  /**
   * Sends a command. The promise rejects with a Refusal if the program refuses it or the session ends.
   * @param {string} method
   * @param {object} [params]
   * @returns {Promise<any>}
   */
  call(method, params = {}) {
    return new Promise((resolve, reject) => {
      if (this.#isClosed) return reject(new Refusal(method, 'The program is not connected'));
      const id = ++this.#last;
      this.#waiting.set(id, { method, resolve, reject });
      this.post(JSON.stringify({ id, method, params }));
    });
  }

  /**
   * As `call`, for commands that a program need not know: the promise resolves to null if it is refused.
   * @param {string} method
   * @param {object} [params]
   * @returns {Promise<any>}
   */
  attempt(method, params) {
    return this.call(method, params).catch(() => null);
  }

  /**
   * @template {keyof Events & string} Name
   * @param {Name} method
   * @param {(params: Events[Name][0]) => void} listener
   */
  on(method, listener) {
    this.onAny(method, listener);
  }

  /**
   * As `on`, for events that are Node's.
   * @param {string} method
   * @param {(params: any) => void} listener
   */
  onAny(method, listener) {
    const listeners = this.#listeners.get(method);
    if (listeners) listeners.push(listener);
    else this.#listeners.set(method, [listener]);
  }

  /** @param {string} text one message of the program */
  receive(text) {
    const message = JSON.parse(text);
    if (message.id === undefined) {
      for (const listener of this.#listeners.get(message.method) ?? []) listener(message.params ?? {});
      return;
    }
    const call = this.#waiting.get(message.id);
    this.#waiting.delete(message.id);
    if (message.error) call?.reject(new Refusal(call.method, message.error.message));
    else call?.resolve(message.result);
  }

  /** Rejects what is still waiting for a reply. */
  close() {
    this.#isClosed = true;
    for (const { method, reject } of this.#waiting.values()) reject(new Refusal(method, 'The program has disconnected'));
    this.#waiting.clear();
  }
}
