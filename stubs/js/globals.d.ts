// The globals of every library file besides `exports`, `require` and `module`. js/README.md documents the members;
// tests/unit/engine_worker/js/test_host_interface.py keeps these names equal to those in boot/host.js.

type Bytes = Uint8Array<ArrayBuffer>;

/** The engine queries that printing needs (boot/host_inspect.js). */
interface HostInspect {
  kindOf(value: unknown): number;
  proxyDetails(proxy: object): [target: object | null, handler: object | null];
  promiseState(promise: Promise<unknown>): [state: 0 | 1 | 2, result: unknown];
  previewEntries(collection: object): [entries: unknown[], isKeyValue: boolean];
  ownNonIndexProperties(object: object, onlyEnumerable?: boolean): (string | symbol)[];
  constructorName(object: object): string;
  externalAddress(value: unknown): string;
  isBuiltin(specifier: string): boolean;
  errorText(error: unknown, colors: boolean, indent?: number): string;
  creationOrder?(object: object): (string | symbol)[];
}

/** The host interface, frozen once boot/host.js has built it. */
interface Host {
  readonly native: Native;
  isLoaded(id: string): boolean;
  hasModule(id: string): boolean;
  /** The number of library modules being loaded. */
  loadingDepth(): number;
  /** Abandons the loads beyond the first `depth`, after execution was terminated. */
  forgetLoads(depth: number): void;
  readonly inspect: HostInspect;
  cwd(): string;
  /** Milliseconds since the start, monotonic, with fractions. */
  now(): number;
  nextTick<A extends unknown[]>(callback: (...args: A) => void, ...args: A): void;
  emitWarning(warning: string | Error, type?: string | object, code?: string, ctor?: Function): void;
  reportException(error: unknown): void;
  setUnrefTimeout(callback: () => void, ms: number): unknown;
  readonly utf8: {
    encode(text: string): Bytes;
    decode(bytes: Uint8Array, start: number, end: number): string;
    byteLength(text: string): number;
    /** Returns the number of bytes written; `read` receives the number of UTF-16 units. */
    write(text: string, bytes: Uint8Array, offset: number, end: number, read: Uint32Array): number;
  };
  textOf?(bytes: Uint8Array, encoding: number): string;
  writeText?(text: string, bytes: Uint8Array, offset: number, end: number, encoding: number): number;
  writeAscii?(text: string, bytes: Uint8Array): 0 | 1;
  compareBytes?(one: Uint8Array, other: Uint8Array): number;
  findBytes?(bytes: Uint8Array, part: Uint8Array, start: number, isForward: boolean): number;
  readonly platform: 'linux';
  readonly signals: Readonly<Record<string, number>>;
  programArguments(): string[];
  env(name: string): string | undefined;
  pid(): number;
  writeErr(text: string): void;
  stderrHasColors(): boolean;
  stdoutHasColors(): boolean;
  assertedExpression(caller: unknown): string | undefined;
  readonly types: {
    isKeyObject(value: unknown): boolean;
    isCryptoKey(value: unknown): boolean;
  };
}

/** `process`, and operations on it reserved to the runtime (node/process/process). */
interface ProcessParts {
  readonly process: any; // all of Node's members
  start(config: object): void;
  runExit(): void;
  /** Returns whether the callback of setUncaughtExceptionCaptureCallback handled the error. */
  capture(error: unknown): boolean;
  setStatus(status: number | undefined): void;
  status(): number | undefined;
  isExiting(): boolean;
  isDebugPortSet(): boolean;
}

declare const host: Host;
declare const WebAssembly: any;
