// What V8 and Node add to the language's own types, as far as the library uses it.

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
  /** Of a message that is no HTTP. */
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
