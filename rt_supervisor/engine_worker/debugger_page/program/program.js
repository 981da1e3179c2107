// @ts-check
// The program that is debugged: its link, its threads, its sources, and what it reports. Threads and sources are those of one
// connection; breakpoints, the console and the requests outlive it.
import { Signal } from '../base/signal.js';
import { readStored, writeStored } from '../base/stored.js';
import { Link } from '../protocol/link.js';
import { Session } from '../protocol/session.js';
import { Breakpoints } from './breakpoints.js';
import { ConsoleLog } from './console_log.js';
import { NetworkLog } from './network_log.js';
import { Profiling } from './profiling.js';
import { Sources } from './sources.js';
import { Thread } from './thread.js';

/** @typedef {import('./thread.js').ExceptionPauses} ExceptionPauses */

const STORED_PAUSES = 'exceptions';

export class Program {
  breakpoints = new Breakpoints();
  sources = new Sources();
  console = new ConsoleLog();
  network = new NetworkLog();
  profiling = new Profiling();
  /** @type {Thread[]} the main one first */
  threads = [];
  /** The thread whose frames, variables and console are shown.
   * @type {Thread | null} */
  selected = null;
  /** @type {ExceptionPauses} */
  exceptions = readStored(STORED_PAUSES, 'none');
  /** A thread has begun, paused, resumed or ended, or another is selected.
   * @type {Signal<void>} */
  changed = new Signal();
  /** A thread has paused.
   * @type {Signal<Thread>} */
  paused = new Signal();
  #isFirst = true;

  constructor() {
    this.link = new Link((session) => this.#begin(session));
    this.link.changed.listen((state) => state === 'lost' && this.#lost());
  }

  /** @param {Thread} thread */
  select(thread) {
    this.selected = thread;
    this.changed.emit();
  }

  /**
   * Returns the columns of a line of a source at which the program can pause; none while it has not loaded the file.
   * @param {string} url
   * @param {number} line
   * @returns {Promise<number[]>}
   */
  async breakableColumns(url, line) {
    const script = this.threads.flatMap((thread) => thread.scriptsOf(url)).at(-1);
    return (await script?.breakableColumns(url, line)) ?? [];
  }

  /** @param {ExceptionPauses} exceptions */
  pauseOnExceptions(exceptions) {
    this.exceptions = exceptions;
    writeStored(STORED_PAUSES, exceptions);
    for (const thread of this.threads) thread.pauseOnExceptions(exceptions);
  }

  /** @param {Session} session of the main thread, just connected */
  #begin(session) {
    if (!this.#isFirst) this.console.mark('The program was started again');
    this.#isFirst = false;
    session.attempt('NodeRuntime.enable'); // first: it tells the server which dialect this client speaks
    session.attempt('NodeRuntime.notifyWhenWaitingForDisconnect', { enabled: true });
    session.onAny('NodeRuntime.waitingForDisconnect', () => this.#finish());
    session.onAny('NodeWorker.attachedToWorker', (event) => this.#beginWorker(session, event));
    session.attempt('NodeWorker.enable', { waitForDebuggerOnStart: true });
    this.network.observe(session);
    this.#add(session, 'Main', { isWorker: false });
  }

  /**
   * @param {Session} main
   * @param {{ sessionId: string, workerInfo: { title: string } }} event
   */
  #beginWorker(main, { sessionId, workerInfo }) {
    const worker = new Session((message) => void main.attempt('NodeWorker.sendMessageToWorker', { sessionId, message }));
    const thread = this.#add(worker, workerInfo.title, { isWorker: true });
    main.onAny('NodeWorker.receivedMessageFromWorker', (event) => event.sessionId === sessionId && worker.receive(event.message));
    main.onAny('NodeWorker.detachedFromWorker', (event) => event.sessionId === sessionId && this.#remove(thread));
  }

  /** @param {Session} session @param {string} name @param {{ isWorker: boolean }} options */
  #add(session, name, options) {
    const thread = new Thread(session, name, this.breakpoints, options);
    this.threads.push(thread);
    thread.parsed.listen((script) => !script.isInternal && !script.isAnonymous && this.sources.add(script));
    thread.changed.listen(() => this.#threadChanged(thread));
    this.console.observe(thread);
    this.selected ??= thread;
    this.changed.emit();
    thread.begin(this.exceptions).then(() => thread.run());
    return thread;
  }

  /** @param {Thread} thread */
  #threadChanged(thread) {
    if (thread.pause && thread !== this.selected && !this.selected?.pause) this.selected = thread;
    if (thread.pause) this.paused.emit(thread);
    this.changed.emit();
  }

  /** @param {Thread} thread */
  #remove(thread) {
    this.threads = this.threads.filter((each) => each !== thread);
    if (this.selected === thread) this.selected = this.threads[0] ?? null;
    thread.end();
    thread.session.close();
    this.changed.emit();
  }

  /** The program has run to its end and waits for its debuggers to leave. */
  async #finish() {
    await this.profiling.stop();
    this.console.mark('The program has ended');
    this.link.leave();
  }

  #lost() {
    for (const thread of this.threads.splice(0)) thread.end();
    this.selected = null;
    this.sources.clear();
    this.changed.emit();
  }
}
