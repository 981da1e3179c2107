'use strict';
// Owns: recordings of the program: CPU profiles and heap snapshots.

const { ArrayPush, JSONStringify } = require('internal/primordials');

const kCustom = Symbol.for('nodejs.util.inspect.custom');

class Profile {
  #print;

  constructor(data, print) {
    this.data = data;
    this.#print = print;
  }

  [kCustom](depth, { stylize }) {
    return stylize(`[Profile ${this.data.endTime - this.data.startTime}\u03bcs]`, 'special');
  }

  save(filename = 'node.cpuprofile') {
    const path = require('node/path/path').resolve(filename);
    require('node/fs/fs').writeFileSync(path, JSONStringify(this.data));
    this.#print(`Saved profile to ${path}`);
  }
}

class Recordings {
  profiles = [];
  #view;
  #snapshot; // a promise, while a snapshot is being taken

  constructor(view) {
    this.#view = view;
    view.client.on('Profiler.consoleProfileFinished', ({ profile }) => {
      this.#keep(profile);
      view.print(`Captured new CPU profile.\nAccess it with profiles[${this.profiles.length - 1}]`);
    });
  }

  #keep(profile) {
    const recording = new Profile(profile, (text) => this.#view.print(text));
    ArrayPush(this.profiles, recording);
    return recording;
  }

  begin() {
    return this.#view.client.call('Profiler.start');
  }

  async end() {
    const { profile } = await this.#view.client.call('Profiler.stop');
    return this.#keep(profile);
  }

  takeHeapSnapshot(filename = 'node.heapsnapshot') {
    if (this.#snapshot !== undefined) this.#view.print('Cannot take heap snapshot because another snapshot is in progress.');
    return (this.#snapshot ??= this.#take(require('node/path/path').resolve(filename)));
  }

  async #take(path) {
    const { client } = this.#view;
    const writer = require('node/fs/fs').createWriteStream(path);
    const onProgress = ({ finished }) => {
      if (finished) this.#view.print('Heap snapshot prepared.');
    };
    const onChunk = ({ chunk }) => writer.write(chunk);
    client.on('HeapProfiler.reportHeapSnapshotProgress', onProgress);
    client.on('HeapProfiler.addHeapSnapshotChunk', onChunk);
    try {
      await client.call('HeapProfiler.takeHeapSnapshot', { reportProgress: true });
      await new Promise((resolve) => writer.end(resolve));
      this.#view.print(`Wrote snapshot: ${path}`);
    } finally {
      client.removeListener('HeapProfiler.reportHeapSnapshotProgress', onProgress);
      client.removeListener('HeapProfiler.addHeapSnapshotChunk', onChunk);
      this.#snapshot = undefined;
    }
  }
}

module.exports = { Recordings };
