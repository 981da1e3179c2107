// Members that V8 and Node add to the language's types, as far as the library uses them.

interface Error {
  code?: string;
  errno?: number;
  syscall?: string;
  path?: string;
  dest?: string;
  address?: string;
  port?: number;
  /** Of the warning about too many listeners. */
  emitter?: object;
  type?: string | symbol;
  count?: number;
  /** Of a message that is not valid HTTP. */
  bytesParsed?: number;
  reason?: string;
  rawPacket?: Uint8Array;
}
interface ErrorConstructor {
  stackTraceLimit?: number;
  prepareStackTrace?: (error: Error, frames: object[]) => unknown;
  captureStackTrace(target: object, below?: Function): void;
}
interface PropertyDescriptor {
  __proto__?: null;
}
interface PropertyDescriptorMap {
  __proto__?: any;
}
declare namespace Intl {
  var v8BreakIterator: unknown;
}

/** Methods of T as functions that take their receiver first (internal/primordials). */
type Uncurry<T> = <A extends any[], R>(method: (...args: A) => R) => (receiver: T, ...args: A) => R;
type TypedArray =
  | Int8Array | Uint8Array | Uint8ClampedArray | Int16Array | Uint16Array | Int32Array | Uint32Array
  | Float32Array | Float64Array | BigInt64Array | BigUint64Array;
/** Receivers of Array.prototype's methods. */
type Listed = readonly any[] | TypedArray | IArguments;
