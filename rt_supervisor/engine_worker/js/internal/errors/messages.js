// @ts-check
'use strict';
// Owns: Node's error codes: base class and message of each. A message is a string or a function of the constructor's arguments.

const { setOf } = require('internal/collections');
const {
  ArrayAt,
  ArrayConcat,
  ArrayFind,
  ArrayIndexOf,
  ArrayIsArray,
  ArrayJoin,
  ArrayMap,
  ArrayPush,
  ArraySlice,
  ArraySplice,
  JSONStringify,
  MathAbs,
  NumberIsInteger,
  NumberToString,
  RegExpTest,
  SetHas,
  StringIncludes,
  StringSlice,
  StringStartsWith,
  StringToLowerCase,
  intact,
} = require('internal/primordials');
const { describeReceived, joinAlternatives, argumentOrProperty, groupDigits } = require('internal/errors/text');

const inspect = (value, options) => require('internal/inspect/inspect').inspect(value, options);

const KNOWN_TYPES = setOf(
  intact(['string', 'function', 'number', 'object', 'Function', 'Object', 'boolean', 'bigint', 'symbol']),
);
const CLASS_NAME = /^([A-Z][a-z0-9]*)+$/;
const LONGEST_VALUE = 128;

function invalidArgType(name, expected, actual) {
  if (!ArrayIsArray(expected)) expected = [expected];
  const types = [];
  const classes = [];
  const others = [];
  for (let index = 0; index < expected.length; index++) {
    const value = expected[index];
    if (SetHas(KNOWN_TYPES, value)) ArrayPush(types, StringToLowerCase(value));
    else if (RegExpTest(CLASS_NAME, value)) ArrayPush(classes, value);
    else ArrayPush(others, value);
  }
  if (classes.length > 0) {
    const at = ArrayIndexOf(types, 'object');
    if (at !== -1) {
      ArraySplice(types, at, 1);
      ArrayPush(classes, 'Object');
    }
  }
  const parts = [];
  if (types.length > 0) ArrayPush(parts, `${types.length > 1 ? 'one of type' : 'of type'} ${joinAlternatives(types, 'or')}`);
  if (classes.length > 0) ArrayPush(parts, `an instance of ${joinAlternatives(classes, 'or')}`);
  if (others.length > 1) ArrayPush(parts, `one of ${joinAlternatives(others, 'or')}`);
  else if (others.length === 1) ArrayPush(parts, StringToLowerCase(others[0]) === others[0] ? others[0] : `an ${others[0]}`);
  return `The ${argumentOrProperty(name)} must be ${ArrayJoin(parts, ' or ')}. Received ${describeReceived(actual)}`;
}

function invalidArgValue(name, value, reason = 'is invalid') {
  let inspected = inspect(value);
  if (inspected.length > LONGEST_VALUE) inspected = `${StringSlice(inspected, 0, LONGEST_VALUE)}...`;
  return `The ${StringIncludes(name, '.') ? 'property' : 'argument'} '${name}' ${reason}. Received ${inspected}`;
}

function outOfRange(name, range, input, isWholeMessage = false) {
  let received;
  if (NumberIsInteger(input) && MathAbs(input) > 2 ** 32) received = groupDigits(String(input));
  else if (typeof input === 'bigint')
    received = `${input > 2n ** 32n || input < -(2n ** 32n) ? groupDigits(String(input)) : input}n`;
  else received = inspect(input);
  return `${isWholeMessage ? name : `The value of "${name}" is out of range.`} It must be ${range}. Received ${received}`;
}

function missingArgs(...names) {
  const quoted = ArrayMap(names, (name) =>
    ArrayIsArray(name)
      ? ArrayJoin(
          ArrayMap(name, (one) => `"${one}"`),
          ' or ',
        )
      : `"${name}"`,
  );
  if (quoted.length === 1) return `The ${quoted[0]} argument must be specified`;
  if (quoted.length === 2) return `The ${quoted[0]} and ${quoted[1]} arguments must be specified`;
  return `The ${ArrayJoin(ArraySlice(quoted, 0, -1), ', ')}, and ${ArrayAt(quoted, -1)} arguments must be specified`;
}

const messages = {
  ...require('internal/errors/crypto_messages').messages,
  __proto__: null,
  ERR_AMBIGUOUS_ARGUMENT: ['TypeError', (name, reason) => `The "${name}" argument is ambiguous. ${reason}`],
  ERR_ARG_NOT_ITERABLE: ['TypeError', (name) => `${name} must be iterable`],
  ERR_ASYNC_CALLBACK: ['TypeError', (name) => `${name} must be a function`],
  ERR_ASYNC_TYPE: ['TypeError', (name) => `Invalid name for async "type": ${name}`],
  ERR_BROTLI_INVALID_PARAM: ['RangeError', (name) => `${name} is not a valid Brotli parameter`],
  ERR_BUFFER_OUT_OF_BOUNDS: [
    'RangeError',
    (name) => (name ? `"${name}" is outside of buffer bounds` : 'Attempt to access memory outside buffer bounds'),
  ],
  ERR_BUFFER_TOO_LARGE: ['RangeError', (size) => `Cannot create a Buffer larger than ${size} bytes`],
  ERR_CHILD_CLOSED_BEFORE_REPLY: ['Error', 'Child closed before reply received'],
  ERR_CHILD_PROCESS_IPC_REQUIRED: [
    'Error',
    (name) => `Forked processes must have an IPC channel, missing value 'ipc' in ${name}`,
  ],
  ERR_CHILD_PROCESS_STDIO_MAXBUFFER: ['RangeError', (name) => `${name} maxBuffer length exceeded`],
  ERR_CLOSED_MESSAGE_PORT: ['Error', 'Cannot send data on closed MessagePort'],
  ERR_CONSTRUCT_CALL_REQUIRED: ['TypeError', (name) => `Class constructor ${name} cannot be invoked without \`new\``],
  ERR_CONSOLE_WRITABLE_STREAM: ['TypeError', (name) => `Console expects a writable stream instance for ${name}`],
  ERR_DNS_SET_SERVERS_FAILED: ['Error', (reason, servers) => `c-ares failed to set servers: "${reason}" [${inspect(servers)}]`],
  ERR_DEBUGGER_ERROR: ['Error', (message) => message],
  ERR_DEBUGGER_STARTUP_ERROR: ['Error', (message) => message],
  ERR_DIR_CLOSED: ['Error', 'Directory handle was closed'],
  ERR_DIR_CONCURRENT_OPERATION: [
    'Error',
    'Cannot do synchronous work on directory handle with concurrent asynchronous operations',
  ],
  ERR_DLOPEN_DISABLED: ['Error', (reason) => reason],
  ERR_DLOPEN_FAILED: ['Error', (reason) => reason],
  ERR_ENCODING_INVALID_ENCODED_DATA: [
    'TypeError',
    function (encoding, errno) {
      if (errno !== undefined) this.errno = errno;
      return `The encoded data was not valid for encoding ${encoding}`;
    },
  ],
  ERR_ENCODING_NOT_SUPPORTED: ['RangeError', (encoding) => `The "${encoding}" encoding is not supported`],
  ERR_EVENT_RECURSION: ['Error', (type) => `The event "${type}" is already being dispatched`],
  ERR_FALSY_VALUE_REJECTION: [
    'Error',
    function (reason) {
      this.reason = reason;
      return 'Promise was rejected with falsy value';
    },
  ],
  ERR_FEATURE_UNAVAILABLE_ON_PLATFORM: [
    'TypeError',
    (feature) => `The feature ${feature} is unavailable on the current platform, which is being used to run Node.js`,
  ],
  ERR_FS_WATCH_QUEUE_OVERFLOW: ['Error', (most) => `fs.watch() queued more than ${most} events`],
  ERR_FS_FILE_TOO_LARGE: ['RangeError', (size) => `File size (${size}) is greater than 2 GiB`],
  ERR_HEAP_PROFILE_HAVE_BEEN_STARTED: ['Error', (text = 'Heap profile has been started') => text],
  ERR_HTTP_BODY_NOT_ALLOWED: ['Error', 'Adding content for this request method or response status is not allowed.'],
  ERR_HTTP_CONTENT_LENGTH_MISMATCH: [
    'Error',
    (body, header) =>
      `Response body's content-length of ${body} byte(s) does not match the content-length of ${header} byte(s) set in header`,
  ],
  ERR_HTTP_HEADERS_SENT: ['Error', (action) => `Cannot ${action} headers after they are sent to the client`],
  ERR_HTTP_INVALID_HEADER_VALUE: ['TypeError', (value, name) => `Invalid value "${value}" for header "${name}"`],
  ERR_HTTP_INVALID_STATUS_CODE: [
    'RangeError',
    (status) => `Invalid status code: ${typeof status === 'object' ? inspect(status, { depth: 0 }) : String(status)}`,
  ],
  ERR_HTTP_REQUEST_TIMEOUT: ['Error', 'Request timeout'],
  ERR_HTTP_SOCKET_ASSIGNED: ['Error', 'ServerResponse has an already assigned socket'],
  ERR_HTTP_SOCKET_ENCODING: ['Error', 'Changing the socket encoding is not allowed per RFC7230 Section 3.'],
  ERR_HTTP_TRAILER_INVALID: ['Error', 'Trailers are invalid with this transfer encoding'],
  ERR_ILLEGAL_CONSTRUCTOR: ['TypeError', 'Illegal constructor'],
  ERR_INCOMPATIBLE_OPTION_PAIR: [
    'TypeError',
    (one, other) => `Option "${one}" cannot be used in combination with option "${other}"`,
  ],
  ERR_INTERNAL_ASSERTION: [
    'Error',
    (message) =>
      `${message === undefined ? '' : `${message}\n`}This is caused by either a bug in rt or incorrect usage of its internals.\n`,
  ],
  ERR_INVALID_ADDRESS: ['Error', 'Invalid socket address'],
  ERR_INVALID_ADDRESS_FAMILY: [
    'RangeError',
    function (family, host, port) {
      this.host = host;
      this.port = port;
      return `Invalid address family: ${family} ${host}:${port}`;
    },
  ],
  ERR_INSPECTOR_ALREADY_ACTIVATED: [
    'Error',
    'Inspector is already activated. Close it with inspector.close() before activating it again.',
  ],
  ERR_INSPECTOR_ALREADY_CONNECTED: ['Error', (name) => `${name} is already connected`],
  ERR_INSPECTOR_CLOSED: ['Error', 'Session was closed'],
  ERR_INSPECTOR_COMMAND: ['Error', (code, message) => `Inspector error ${code}: ${message}`],
  ERR_INSPECTOR_NOT_ACTIVE: ['Error', 'Inspector is not active'],
  ERR_INSPECTOR_NOT_AVAILABLE: ['Error', 'Inspector is not available'],
  ERR_INSPECTOR_NOT_CONNECTED: ['Error', 'Session is not connected'],
  ERR_INSPECTOR_NOT_WORKER: ['Error', 'Current thread is not a worker'],
  ERR_INVALID_ARG_TYPE: ['TypeError', invalidArgType],
  ERR_INVALID_ARG_VALUE: ['TypeError', invalidArgValue],
  ERR_INVALID_ARG_VALUE_RANGE: ['RangeError', invalidArgValue],
  ERR_INVALID_ASYNC_ID: ['RangeError', (name, value) => `Invalid ${name} value: ${value}`],
  ERR_INVALID_BUFFER_SIZE: ['RangeError', (size) => `Buffer size must be a multiple of ${size}`],
  ERR_INVALID_CHAR: ['TypeError', (name, field) => `Invalid character in ${name}${field === undefined ? '' : ` ["${field}"]`}`],
  ERR_INVALID_CURSOR_POS: ['TypeError', 'Cannot set cursor row without setting its column'],
  ERR_INVALID_FD: ['RangeError', (fd) => `"fd" must be a positive integer: ${fd}`],
  ERR_INVALID_FD_TYPE: ['TypeError', (type) => `Unsupported fd type: ${type}`],
  ERR_INVALID_FILE_URL_HOST: ['TypeError', (platform) => `File URL host must be "localhost" or empty on ${platform}`],
  ERR_INVALID_FILE_URL_PATH: [
    'TypeError',
    function (reason, input) {
      if (input !== undefined) this.input = input;
      return `File URL path ${reason}`;
    },
  ],
  ERR_INVALID_HANDLE_TYPE: ['TypeError', 'This handle type cannot be sent'],
  ERR_INVALID_HTTP_TOKEN: ['TypeError', (name, field) => `${name} must be a valid HTTP token ["${field}"]`],
  ERR_INVALID_IP_ADDRESS: ['TypeError', (address) => `Invalid IP address: ${address}`],
  ERR_INVALID_MIME_SYNTAX: [
    'TypeError',
    (production, text, position) =>
      `The MIME syntax for a ${production} in "${text}" is invalid${position === -1 ? '' : ` at ${position}`}`,
  ],
  ERR_INVALID_MODULE: ['Error', (name) => `No such module: ${name}`],
  ERR_IMPORT_ATTRIBUTE_MISSING: [
    'TypeError',
    (url, key, value) => `Module "${url}" needs an import attribute of "${key}: ${value}"`,
  ],
  ERR_INVALID_MODULE_SPECIFIER: [
    'TypeError',
    (request, reason, base) => `Invalid module "${request}" ${reason}${base ? ` imported from ${base}` : ''}`,
  ],
  ERR_INVALID_PROTOCOL: ['TypeError', (protocol, expected) => `Protocol "${protocol}" not supported. Expected "${expected}"`],
  ERR_INVALID_RETURN_PROPERTY_VALUE: [
    'TypeError',
    (input, name, prop, value) =>
      `Expected ${input} to be returned for the "${prop}" from the "${name}" function but got ${describeReceived(value)}.`,
  ],
  ERR_INVALID_RETURN_VALUE: [
    'TypeError',
    (input, name, value) => `Expected ${input} to be returned from the "${name}" function but got ${describeReceived(value)}.`,
  ],
  ERR_INVALID_STATE: ['Error', (reason) => `Invalid state: ${reason}`],
  ERR_INVALID_SYNC_FORK_INPUT: [
    'TypeError',
    (input) => `Asynchronous forks do not support Buffer, TypedArray, DataView or string input: ${inspect(input)}`,
  ],
  ERR_INVALID_THIS: ['TypeError', (type) => `Value of "this" must be of type ${type}`],
  ERR_INVALID_TUPLE: ['TypeError', (name, expected) => `${name} must be an iterable ${expected} tuple`],
  ERR_INVALID_URI: ['URIError', 'URI malformed'],
  ERR_INVALID_URL: [
    'TypeError',
    function (input, base) {
      this.input = input;
      if (base != null) this.base = base;
      return 'Invalid URL';
    },
  ],
  ERR_INVALID_URL_SCHEME: [
    'TypeError',
    (expected) => `The URL must be of scheme ${joinAlternatives(ArrayConcat([], expected), 'or')}`,
  ],
  ERR_IPC_CHANNEL_CLOSED: ['Error', 'Channel closed'],
  ERR_IPC_DISCONNECTED: ['Error', 'IPC channel is already disconnected'],
  ERR_INVALID_REPL_INPUT: ['TypeError', (message) => message],
  ERR_IPC_SYNC_FORK: ['Error', 'IPC cannot be used with synchronous forks'],
  ERR_IPC_ONE_PIPE: ['Error', 'Child process can have only one IPC pipe'],
  ERR_METHOD_NOT_IMPLEMENTED: ['Error', (name) => `The ${name} method is not implemented`],
  ERR_MISSING_ARGS: ['TypeError', missingArgs],
  ERR_MISSING_OPTION: ['TypeError', (name) => `${name} is required`],
  ERR_MULTIPLE_CALLBACK: ['Error', 'Callback called multiple times'],
  ERR_NO_CRYPTO: ['Error', 'Node.js is not compiled with OpenSSL crypto support'],
  ERR_NOT_IMPLEMENTED: [
    'Error',
    (module, member) => `${member} of ${RegExpTest(/^RT\b|:/, module) ? '' : 'node:'}${module} is not implemented by rt`,
  ],
  ERR_NOT_IN_SINGLE_EXECUTABLE_APPLICATION: ['Error', 'Operation cannot be invoked when not in a single-executable application'],
  ERR_OPERATION_FAILED: ['Error', (reason) => `Operation failed: ${reason}`],
  ERR_DUPLICATE_STARTUP_SNAPSHOT_MAIN_FUNCTION: ['Error', 'Deserialize main function is already configured.'],
  ERR_NOT_SUPPORTED_IN_SNAPSHOT: ['Error', (what) => `${what} is not supported in startup snapshot`],
  ERR_NOT_BUILDING_SNAPSHOT: ['Error', 'Operation cannot be invoked when not building startup snapshot'],
  ERR_OUT_OF_RANGE: ['RangeError', outOfRange],
  ERR_PROXY_INVALID_CONFIG: ['Error', (reason) => reason],
  ERR_PROXY_TUNNEL: ['Error', (reason) => reason],
  ERR_PERFORMANCE_INVALID_TIMESTAMP: ['TypeError', (time) => `${time} is not a valid timestamp`],
  ERR_PERFORMANCE_MEASURE_INVALID_OPTIONS: ['TypeError', (reason) => reason],
  ERR_PARSE_ARGS_INVALID_OPTION_VALUE: ['TypeError', (reason) => reason],
  ERR_PARSE_ARGS_UNEXPECTED_POSITIONAL: [
    'TypeError',
    (value) => `Unexpected argument '${value}'. This command does not take positional arguments`,
  ],
  ERR_PARSE_ARGS_UNKNOWN_OPTION: [
    'TypeError',
    (option, allowsPositionals) => {
      const dashes =
        allowsPositionals && StringStartsWith(option, '-')
          ? `. To specify a positional argument starting with a '-', place it at the end of the command after '--', as in '-- ${JSONStringify(option)}`
          : '';
      return `Unknown option '${option}'${dashes}`;
    },
  ],
  ERR_SCRIPT_EXECUTION_INTERRUPTED: ['Error', 'Script execution was interrupted by `SIGINT`'],
  ERR_SERVER_ALREADY_LISTEN: ['Error', 'Listen method has been called more than once without closing.'],
  ERR_SERVER_NOT_RUNNING: ['Error', 'Server is not running.'],
  ERR_SOCKET_ALREADY_BOUND: ['Error', 'Socket is already bound'],
  ERR_SOCKET_BAD_BUFFER_SIZE: ['TypeError', 'Buffer size must be a positive integer'],
  ERR_SOCKET_BAD_PORT: [
    'RangeError',
    (name, port, allowZero = true) =>
      `${name} should be ${allowZero ? '>=' : '>'} 0 and < 65536. Received ${describeReceived(port)}.`,
  ],
  ERR_SOCKET_BAD_TYPE: ['TypeError', 'Bad socket type specified. Valid types are: udp4, udp6'],
  ERR_SOCKET_CLOSED: ['Error', 'Socket is closed'],
  ERR_SOCKET_CLOSED_BEFORE_CONNECTION: ['Error', 'Socket closed before the connection was established'],
  ERR_SOCKET_CONNECTION_TIMEOUT: ['Error', 'Socket connection timeout'],
  ERR_SOCKET_DGRAM_IS_CONNECTED: ['Error', 'Already connected'],
  ERR_SOCKET_DGRAM_NOT_CONNECTED: ['Error', 'Not connected'],
  ERR_SOCKET_DGRAM_NOT_RUNNING: ['Error', 'Not running'],
  ERR_STREAM_ALREADY_FINISHED: ['Error', (name) => `Cannot call ${name} after a stream was finished`],
  ERR_STREAM_CANNOT_PIPE: ['Error', 'Cannot pipe, not readable'],
  ERR_STREAM_DESTROYED: ['Error', (name) => `Cannot call ${name} after a stream was destroyed`],
  ERR_STREAM_ITER_MISSING_FLAG: ['TypeError', 'The stream iterator flag is missing'],
  ERR_STREAM_NULL_VALUES: ['TypeError', 'May not write null values to stream'],
  ERR_STREAM_PREMATURE_CLOSE: ['Error', 'Premature close'],
  ERR_STREAM_PUSH_AFTER_EOF: ['Error', 'stream.push() after EOF'],
  ERR_STREAM_UNABLE_TO_PIPE: ['Error', 'Cannot pipe to a closed or destroyed stream'],
  ERR_STREAM_UNSHIFT_AFTER_END_EVENT: ['Error', 'stream.unshift() after end event'],
  ERR_STREAM_WRAP: ['Error', 'Stream has StringDecoder set or is in objectMode'],
  ERR_STREAM_WRITE_AFTER_END: ['Error', 'write after end'],
  ERR_STRING_TOO_LONG: ['Error', (limit) => `Cannot create a string longer than 0x${NumberToString(limit, 16)} characters`],
  ERR_SYSTEM_ERROR: ['Error', (reason) => reason],
  ERR_TEST_FAILURE: [
    'Error',
    function (cause, failureType) {
      this.failureType = failureType;
      this.cause = cause;
      if (typeof cause?.message === 'string' || typeof cause === 'string') return cause.message ?? cause;
      try {
        return inspect(cause);
      } catch {
        return inspect(cause, { customInspect: false }); // its custom inspection function threw
      }
    },
  ],
  ERR_TRAILING_JUNK_AFTER_STREAM_END: ['TypeError', 'Trailing junk found after the end of the compressed stream'],
  ERR_UNAVAILABLE_DURING_EXIT: ['Error', 'Cannot call function in process exit handler'],
  ERR_UNCAUGHT_EXCEPTION_CAPTURE_ALREADY_SET: [
    'Error',
    '`process.setupUncaughtExceptionCapture()` was called while a capture callback was already active',
  ],
  ERR_UNESCAPED_CHARACTERS: ['TypeError', (name) => `${name} contains unescaped characters`],
  ERR_UNHANDLED_ERROR: ['Error', (error) => (error === undefined ? 'Unhandled error.' : `Unhandled error. (${error})`)],
  ERR_UNKNOWN_BUILTIN_MODULE: ['Error', (name) => `No such built-in module: ${name}`],
  ERR_UNKNOWN_ENCODING: ['TypeError', (encoding) => `Unknown encoding: ${encoding}`],
  ERR_UNKNOWN_SIGNAL: ['TypeError', (signal) => `Unknown signal: ${signal}`],
  ERR_UNSUPPORTED_DIR_IMPORT: [
    'Error',
    (path, base) => `Directory import '${path}' is not supported resolving ES modules imported from ${base}`,
  ],
  ERR_TRACE_EVENTS_CATEGORY_REQUIRED: ['TypeError', 'At least one category is required'],
  ERR_TRACE_EVENTS_UNAVAILABLE: ['Error', 'Trace events are unavailable'],
  ERR_USE_AFTER_CLOSE: ['Error', (name) => `${name} was closed`],
  ERR_CONTEXT_NOT_INITIALIZED: ['Error', 'context used is not initialized'],
  ERR_MODULE_LINK_MISMATCH: ['TypeError', (message) => message],
  ERR_PROTO_ACCESS: ['Error', 'Accessing Object.prototype.__proto__ has been disallowed with --disable-proto=throw'],
  ERR_VM_DYNAMIC_IMPORT_CALLBACK_MISSING_FLAG: [
    'TypeError',
    'A dynamic import callback was invoked without --experimental-vm-modules',
  ],
  ERR_VM_DYNAMIC_IMPORT_CALLBACK_MISSING: ['TypeError', 'A dynamic import callback was not specified.'],
  ERR_VM_MODULE_ALREADY_LINKED: ['Error', 'Module has already been linked'],
  ERR_VM_MODULE_CANNOT_CREATE_CACHED_DATA: ['Error', 'Cached data cannot be created for a module which has been evaluated'],
  ERR_VM_MODULE_DIFFERENT_CONTEXT: ['Error', 'Linked modules must use the same context'],
  ERR_VM_MODULE_LINK_FAILURE: [
    'Error',
    function (message, cause) {
      if (cause !== undefined) this.cause = cause;
      return message;
    },
  ],
  ERR_VM_MODULE_NOT_MODULE: ['Error', 'Provided module is not an instance of Module'],
  ERR_VM_MODULE_STATUS: ['Error', (reason) => `Module status ${reason}`],
  ERR_WORKER_INVALID_EXEC_ARGV: [
    'Error',
    (errors, what = 'invalid execArgv flags') => `Initiated Worker with ${what}: ${ArrayJoin(errors, ', ')}`,
  ],
  ERR_WASI_ALREADY_STARTED: ['Error', 'WASI instance has already started'],
  ERR_WASI_NOT_STARTED: ['Error', 'wasi.start() has not been called'],
  ERR_WORKER_NOT_RUNNING: ['Error', 'Worker instance not running'],
  ERR_WORKER_PATH: [
    'TypeError',
    (filename) => {
      const protocol = ArrayFind(['file:', 'data:'], (each) => StringStartsWith(`${filename}`, each));
      const hint = protocol === undefined ? '' : ` Wrap ${protocol === 'file:' ? 'file://' : 'data:'} URLs with \`new URL\`.`;
      return `The worker script or module filename must be an absolute path or a relative path starting with './' or '../'.${hint} Received "${filename}"`;
    },
  ],
  ERR_WORKER_INIT_FAILED: ['Error', (reason) => `Worker initialization failure: ${reason}`],
  ERR_WORKER_MESSAGING_ERRORED: ['Error', 'The destination thread threw an error while processing the message'],
  ERR_WORKER_MESSAGING_FAILED: ['Error', 'Cannot find the destination thread or listener'],
  ERR_WORKER_MESSAGING_SAME_THREAD: ['Error', 'Cannot sent a message to the same thread'],
  ERR_WORKER_MESSAGING_TIMEOUT: ['Error', 'Sending a message to another thread timed out'],
  ERR_WORKER_OUT_OF_MEMORY: ['Error', (reason) => `Worker terminated due to reaching memory limit: ${reason}`],
  ERR_WORKER_UNSERIALIZABLE_ERROR: ['Error', 'Serializing an uncaught exception failed'],
  ERR_WORKER_UNSUPPORTED_OPERATION: ['TypeError', (name) => `${name} is not supported in workers`],
  ERR_ZLIB_INITIALIZATION_FAILED: ['Error', (reason) => reason ?? 'Initialization failed'],
  ERR_ZSTD_INVALID_PARAM: ['RangeError', (name) => `${name} is not a valid zstd parameter`],
};

module.exports = { messages };
