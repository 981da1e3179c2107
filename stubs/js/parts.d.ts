// The types of parts that library files share, and of the values fixed at the program's start.

/** internal/parts.js documents the members. */
interface Parts {
  __proto__: null;
  process: ProcessParts;
  console: any;
  entry: { uncaught(error: unknown): void } | undefined;
  uncaught: ((error: unknown, origin?: string) => void) | undefined;
  isTurning: (() => boolean) | undefined;
  deferredNamespace: ((proxy: object) => object | undefined) | undefined;
  abortOnUncaught: ((aborts: boolean) => void) | undefined;
  noteThrow: ((value: unknown, file: string, line: number, column: number) => void) | undefined;
  offerUncaught: ((error: unknown, origin: string) => boolean) | undefined;
  trace:
    | {
        __proto__: null;
        record(group: string, phase: string, name: string, details?: object): void;
        measure(group: string, name: string, run: () => unknown): unknown;
        nameThread(thread: number, name: string): void;
        end(): void;
      }
    | undefined;
  hasRepl: boolean | undefined;
  startRepl: ((config: { code?: string; prints?: boolean }) => void) | undefined;
  publicFs: { module: object, readFileSync: Function } | undefined;
  worker: { self: { threadId: number }, fatal(value: unknown): void } | undefined;
  moduleHooks: Record<string, Function> | undefined;
  cluster: { share: Function } | undefined;
  coverage: { take(): void, stop(): void, end(): void } | undefined;
  domainCall: ((callback: Function, receiver: any, ...args: unknown[]) => unknown) | undefined;
  publish: ((name: string, message: object) => void) | undefined;
  timing: { begin(type: string, name: string, detail: object): ((more?: object) => void) | undefined } | undefined;
  whenStarted: (() => void) | undefined;
  whenPreloaded: (() => void) | undefined;
  folderChanges: Int32Array<SharedArrayBuffer> | undefined;
  timeLoad: ((request: string, parent: string | undefined, load: () => unknown) => unknown) | undefined;
  traceRequire: ((message: object, load: () => unknown) => unknown) | undefined;
  traceImport: ((url: string, parent: string) => ((isRejected: boolean, value: unknown) => void) | undefined) | undefined;
  permission:
    | { refusedAltogether(text: string): Error, check(scope: string, resource: unknown, text?: string): void, isAudit(): boolean, netDenial(address: unknown): Error }
    | undefined;
  observeServed: ((exchange: any) => object) | undefined;
  observeTest: ((event: string, test: object) => void) | undefined;
  reportThrown: ((error: unknown) => void) | undefined;
  takeSignal: ((name: string) => boolean) | undefined;
  attempt: (callback: Function, receiver: unknown, args: unknown[], uncaught: Function) => boolean;
  callFirst: ((run: Function, receiver: object, args: unknown[]) => void) | undefined;
}

/** internal/start_values.js documents the members. */
interface StartValues {
  __proto__: null;
  mainArgument: string;
  mainFile: string;
  startedAt: number;
  engineReadyAt: number;
  environmentAt: number;
  readyAt: number;
  timeOrigin: number;
  programName: string;
  isHot: boolean;
  follows: string;
  watchChannel: string;
  dnsResultOrder: string | undefined;
  features: undefined | string[];
  userAgent: string;
  maxHeaderSize: number | undefined;
  servePort: number | undefined;
  caStore: { bundled: boolean; system: boolean } | undefined;
  usesEnvProxy: boolean | undefined;
  autoSelectFamily: boolean | undefined;
  attemptTimeoutMs: number | undefined;
  tls: { tlsMin?: string, tlsMax?: string, tlsCiphers?: string, tlsKeylog?: string } | undefined;
  disableProto: string;
  tests: Record<string, any> | undefined;
  storesHeap: boolean;
}
