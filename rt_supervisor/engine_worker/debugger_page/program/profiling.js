// @ts-check
// CPU profiles of one thread:
//
//     idle --start--> recording --stop, or the program's end--> idle, with a profile
import { Signal } from '../base/signal.js';
import { Profile } from './profile.js';

/** @typedef {import('./thread.js').Thread} Thread */

const INTERVAL_US = 200;

export class Profiling {
  /** The thread that is recorded. @type {Thread | null} */
  thread = null;
  /** The newest. @type {Profile | null} */
  profile = null;
  /** @type {Signal<void>} */
  changed = new Signal();

  get isRecording() {
    return this.thread !== null;
  }

  /** @param {Thread} thread */
  async start(thread) {
    if (this.isRecording) return;
    this.thread = thread;
    this.changed.emit();
    await thread.session.attempt('Profiler.setSamplingInterval', { interval: INTERVAL_US });
    if ((await thread.session.attempt('Profiler.start')) === null) this.#finish(null);
  }

  async stop() {
    const { thread } = this;
    if (!thread) return;
    const reply = await thread.session.attempt('Profiler.stop');
    this.#finish(reply && new Profile(reply.profile, thread));
  }

  /** @param {Profile | null} profile */
  #finish(profile) {
    this.thread = null;
    this.profile = profile ?? this.profile;
    this.changed.emit();
  }
}
