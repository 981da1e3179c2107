'use strict';
// Random sequences of operations on streams, each printed as one line of events in order. Two runtimes must print the same
// lines. Usage: stream_sequences.cjs FIRST COUNT

const { Readable, Writable, Duplex, Transform, PassThrough, pipeline, finished } = require('node:stream');

const [first, count] = process.argv.slice(2).map(Number);
const EVENTS = ['end', 'finish', 'close', 'error', 'drain', 'pause', 'resume', 'prefinish', 'pipe', 'unpipe'];

/** A generator of integers from 0 to n - 1 (xorshift). */
function generator(seed) {
  let state = (Math.imul(seed, 2654435761) + 1) >>> 0;
  return (n) => {
    for (const [shift, isLeft] of [[13, true], [17, false], [5, true]]) state = (state ^ (isLeft ? state << shift : state >>> shift)) >>> 0;
    return state % n;
  };
}

function show(value) {
  if (value instanceof Error) return `${value.name}:${value.code ?? ''}:${value.message}`;
  if (Buffer.isBuffer(value)) return `b(${value.toString('latin1')})`;
  return value === undefined ? '-' : typeof value === 'string' ? value : JSON.stringify(value);
}

class Sequence {
  constructor(seed) {
    this.random = generator(seed);
    for (let i = 0; i < 8; i++) this.random(2);
    this.log = [];
    this.objectMode = this.chance(4);
    this.operations = [];
  }
  say(...parts) { this.log.push(parts.map(show).join(' ')); }
  pick(...list) { return list[this.random(list.length)]; }
  chance(n) { return this.random(n) === 0; }
  /** Runs it now, in a tick, a microtask or an immediate. */
  later(work) { return this.pick((f) => f(), process.nextTick, setImmediate, queueMicrotask)(work); }
  chunk(n) {
    if (this.objectMode) return this.pick({ n }, n, `t${n}`);
    return this.pick('abcdefgh'.slice(0, 1 + this.random(8)), Buffer.from('xyz'.slice(0, this.random(4))));
  }

  common() {
    const options = { objectMode: this.objectMode, highWaterMark: this.pick(0, 1, 2, 3, 5, 10, 16) };
    if (this.chance(6)) options.autoDestroy = false;
    if (this.chance(8)) options.emitClose = false;
    if (this.chance(6)) {
      options.construct = (callback) => {
        this.say('_construct');
        this.later(() => callback(this.chance(5) ? new Error('construct failed') : undefined));
      };
    }
    if (this.chance(3)) {
      options.destroy = (error, callback) => {
        this.say('_destroy', error);
        const another = this.chance(6) ? new Error('in destroy') : error;
        if (this.chance(2)) callback(another);
        else setImmediate(() => callback(another));
      };
    }
    return options;
  }
  reading(options) {
    const sequence = this;
    let left = this.random(8);
    if (this.chance(5) && !this.objectMode) options.encoding = this.pick('utf8', 'hex');
    options.read = function read(size) {
      sequence.say('_read', size);
      if (sequence.chance(30)) throw new Error('thrown in read');
      sequence.later(() => {
        if (left-- <= 0) {
          sequence.say('push null');
          this.push(null);
        } else if (sequence.chance(25)) {
          this.destroy(new Error('read failed'));
        } else {
          for (let n = sequence.chance(5) ? 2 : 1; n > 0; n--) sequence.say('push', this.push(sequence.chunk(left)));
        }
      });
    };
    return options;
  }
  writing(options) {
    if (this.chance(3)) options.decodeStrings = this.chance(2);
    options.write = (chunk, encoding, callback) => {
      this.say('_write', chunk, encoding);
      if (this.isStepping && this.chance(40)) throw new Error('thrown in write');
      const error = this.chance(20) ? new Error('write failed') : null;
      this.later(() => {
        this.say('written');
        callback(error);
      });
    };
    if (this.chance(3)) {
      options.writev = (chunks, callback) => {
        this.say('_writev', chunks.map(({ chunk }) => show(chunk)).join());
        this.later(() => callback());
      };
    }
    if (this.chance(3)) {
      options.final = (callback) => {
        this.say('_final');
        const error = this.chance(8) ? new Error('final failed') : null;
        this.later(() => callback(error));
      };
    }
    return options;
  }
  transforming(options) {
    const sequence = this;
    options.transform = function transform(chunk, encoding, callback) {
      sequence.say('_transform', chunk);
      if (sequence.chance(3)) this.push(chunk);
      const error = sequence.chance(25) ? new Error('transform failed') : null;
      sequence.later(() => callback(error, sequence.chance(4) ? undefined : chunk));
    };
    if (this.chance(2)) {
      options.flush = (callback) => {
        this.say('_flush');
        this.later(() => callback(null, this.chance(2) ? undefined : this.chunk(9)));
      };
    }
    return options;
  }
  watch(name, stream) {
    for (const event of EVENTS) stream.on(event, (value) => this.say(name, event, value instanceof Error ? value : ''));
    return stream;
  }

  make() {
    const kind = this.random(5);
    let readable;
    let writable;
    if (kind === 0) readable = this.watch('R', new Readable(this.reading(this.common())));
    else if (kind === 1) writable = this.watch('W', new Writable(this.writing(this.common())));
    else if (kind === 2) {
      const options = this.writing(this.reading(this.common()));
      if (this.chance(4)) options.allowHalfOpen = false;
      if (this.chance(8)) options.readable = false;
      if (this.chance(8)) options.writable = false;
      readable = writable = this.watch('D', new Duplex(options));
    } else if (kind === 3) {
      readable = writable = this.watch('T', this.chance(4) ? new PassThrough(this.common()) : new Transform(this.transforming(this.common())));
    } else {
      readable = this.watch('R', new Readable(this.reading(this.common())));
      writable = this.watch('W', new Writable(this.writing(this.common())));
    }
    if (readable) this.readingOperations(readable);
    if (writable) this.writingOperations(writable);
    if (kind === 4) this.pipingOperations(readable, writable);
  }
  add(weight, work) { for (; weight > 0; weight--) this.operations.push(work); }

  readingOperations(r) {
    const onData = (chunk) => this.say('data', chunk);
    const onReadable = () => {
      this.say('readable');
      if (this.chance(2)) for (let chunk = r.read(); chunk !== null; chunk = r.read()) this.say('got', chunk);
    };
    this.add(2, () => { this.say('on data'); r.on('data', onData); });
    this.add(1, () => { this.say('off data'); r.off('data', onData); });
    this.add(1, () => { this.say('on readable'); r.on('readable', onReadable); });
    this.add(1, () => { this.say('off readable'); r.off('readable', onReadable); });
    this.add(2, () => { const n = this.pick(undefined, 0, 1, 2, 5, 20); this.say('read', n, r.read(n)); });
    this.add(1, () => { this.say('pause'); r.pause(); });
    this.add(1, () => { this.say('resume'); r.resume(); });
    this.add(1, () => this.say('state', r.readableFlowing, r.isPaused(), r.readableLength, r.readableEnded, r.readable, r.destroyed, r.readableAborted, r.readableDidRead, r.closed));
    this.add(1, () => { this.say('unshift', r.unshift(this.chunk(7))); });
    this.add(1, () => { this.say('destroy'); r.destroy(this.chance(2) ? new Error('destroyed') : undefined); });
    this.add(1, () => { this.say('finished r'); finished(r, (error) => this.say('finished r:', error)); });
    if (this.chance(3)) this.add(1, () => this.iterate(r));
    if (this.chance(4) && !this.objectMode) this.add(1, () => { this.say('setEncoding'); r.setEncoding(this.pick('utf8', 'hex', 'base64')); });
  }
  async iterate(r) {
    this.say('iterate');
    try {
      for await (const chunk of r) {
        this.say('item', chunk);
        if (this.chance(6)) break;
        if (this.chance(12)) throw new Error('in loop');
      }
      this.say('iterated');
    } catch (error) {
      this.say('loop failed', error);
    }
  }
  writingOperations(w) {
    this.add(4, () => { const chunk = this.chunk(3); this.say('write', chunk, w.write(chunk, (error) => this.say('callback', error))); });
    this.add(2, () => { const chunk = this.chunk(4); this.say('write quietly', w.write(chunk)); });
    this.add(1, () => { this.say('cork'); w.cork(); });
    this.add(2, () => { this.say('uncork'); w.uncork(); });
    this.add(1, () => {
      this.say('end');
      if (this.chance(2)) w.end((error) => this.say('end callback', error));
      else if (this.chance(2)) w.end(this.chunk(5));
      else w.end();
    });
    this.add(1, () => this.say('state', w.writableLength, w.writableNeedDrain, w.writableEnded, w.writableFinished, w.writable, w.writableAborted, w.writableCorked, w.errored, w.closed));
    if (this.chance(3)) {
      this.add(1, () => { this.say('destroy'); w.destroy(this.chance(2) ? new Error('destroyed') : undefined, this.chance(2) ? (error) => this.say('destroyed', error) : undefined); });
    }
    this.add(1, () => { this.say('finished w'); finished(w, (error) => this.say('finished w:', error)); });
  }
  pipingOperations(r, w) {
    this.add(2, () => { this.say('pipe'); r.pipe(w, this.chance(3) ? { end: false } : undefined); });
    this.add(1, () => { this.say('unpipe'); r.unpipe(this.chance(2) ? w : undefined); });
    this.add(1, () => {
      this.say('pipeline');
      const middle = this.chance(2) ? [this.watch('P', new PassThrough({ objectMode: this.objectMode }))] : [];
      pipeline(r, ...middle, w, (error) => this.say('pipeline:', error));
    });
  }

  run(done) {
    this.make();
    const onUncaught = (error) => this.say('uncaught', error);
    process.on('uncaughtException', onUncaught);
    let steps = 3 + this.random(8);
    const advance = () => {
      if (steps-- === 0) {
        this.settle(() => {
          process.off('uncaughtException', onUncaught);
          done(this.log);
        });
        return;
      }
      // Errors thrown elsewhere are uncaught, and when ticks run after that is not a matter of streams.
      this.isStepping = true;
      for (let n = 1 + this.random(3); n > 0; n--) {
        try {
          this.operations[this.random(this.operations.length)]();
        } catch (error) {
          this.say('thrown', error);
        }
      }
      this.isStepping = false;
      this.pick(setImmediate, process.nextTick, queueMicrotask)(advance);
    };
    advance();
  }
  /** Waits until nothing more happens. */
  settle(done) {
    let before = this.log.length;
    let quietTurns = 0;
    let turns = 0;
    const look = () => {
      quietTurns = this.log.length === before ? quietTurns + 1 : 0;
      before = this.log.length;
      if (quietTurns > 6 || turns++ > 200) done();
      else setImmediate(look);
    };
    look();
  }
}

function run(seed) {
  if (seed >= first + count) return;
  const sequence = new Sequence(seed);
  sequence.run((log) => {
    console.log(`${seed}\t${log.join(' | ')}`);
    setImmediate(run, seed + 1);
  });
}
process.on('warning', () => {});
process.setMaxListeners(0);
run(first);
