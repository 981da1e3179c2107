// @ts-check
// The WebSocket to the program, and its lifecycle:
//
//     connecting --open--> open --close--> lost --a second later--> connecting
//
// A program that `--watch` restarts, or that is started again on the same port, is found again: the server reports its
// current path before each further attempt. Each connection has a new session.
import { Signal } from '../base/signal.js';
import { askServer, socketUrl } from './address.js';
import { Session } from './session.js';

const RETRY_MS = 500;

/** @typedef {'connecting' | 'open' | 'lost'} LinkState */

export class Link {
  /** @type {LinkState} */
  state = 'connecting';
  title = '';
  /** @type {Signal<LinkState>} */
  changed = new Signal();
  /** @type {WebSocket | null} */
  #socket = null;
  #isFirst = true;

  /** @param {(session: Session) => void} begin sets up the session of a new connection */
  constructor(begin) {
    this.begin = begin;
  }

  /** Connects, and again whenever the connection is lost. */
  async connect() {
    this.#enter('connecting');
    const named = socketUrl(location.hash, location.host);
    const program = await askServer();
    this.title = program?.title ?? this.title;
    // The fragment counts at first: it may name another program than this server's.
    const url = this.#isFirst ? (named ?? program?.url) : (program?.url ?? named);
    if (url) this.#open(url);
    else this.#retry();
  }

  /** Disconnects from a program that waits for that in order to end. */
  leave() {
    this.#socket?.close();
  }

  /** @param {string} url */
  #open(url) {
    let socket;
    try {
      socket = new WebSocket(url);
    } catch {
      return this.#retry(); // a fragment that is not an address
    }
    this.#socket = socket;
    const session = new Session((text) => socket.send(text));
    socket.onopen = () => {
      this.#isFirst = false;
      history.replaceState(null, '', `#${url.slice('ws://'.length)}`);
      this.#enter('open');
      this.begin(session);
    };
    socket.onmessage = ({ data }) => session.receive(data);
    socket.onclose = () => {
      session.close();
      this.#retry();
    };
  }

  #retry() {
    this.#enter('lost');
    setTimeout(() => this.connect(), RETRY_MS);
  }

  /** @param {LinkState} state */
  #enter(state) {
    if (this.state === 'lost' && state === 'connecting') return; // an attempt after a loss is not worth a display
    if (this.state === state && state === 'lost') return;
    this.state = state;
    this.changed.emit(state);
  }
}
