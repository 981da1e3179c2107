'use strict';
// Owns: process.report: a diagnostic report of the process, on demand, on an uncaught error, a fatal error or a signal. It
// contains neither native frames nor handles of the loop.

const { setOf } = require('internal/collections');
const runtimeParts = require('internal/parts');
const {
  ArrayFlatMap,
  ArrayMap,
  ArraySlice,
  DateGetDate,
  DateGetFullYear,
  DateGetHours,
  DateGetMinutes,
  DateGetMonth,
  DateGetSeconds,
  DateGetTime,
  DateToISOString,
  ErrorCaptureStackTrace,
  JSONStringify,
  ObjectDefineProperty,
  ObjectEntries,
  ObjectFromEntries,
  ObjectGetOwnPropertyNames,
  SetHas,
  StringPadStart,
  StringSlice,
  StringSplit,
  StringStartsWith,
  StringTrimEnd,
  intact,
} = require('internal/primordials');
const native = host.native;
const { codes } = require('internal/errors/errors');
const { validateBoolean, validateString } = require('internal/validators');

const REPORT_VERSION = 5;
const MICROSECONDS = 1e6;
const ERROR_FIELDS = setOf(intact(['stack', 'message']));

const settings = {
  directory: '',
  filename: '',
  compact: false,
  excludeNetwork: false,
  excludeEnv: false,
  signal: 'SIGUSR2',
  reportOnFatalError: false,
  reportOnSignal: false,
  reportOnUncaughtException: false,
};
let count = 0;

function stackOf(error) {
  const [message, ...frames] = intact(StringSplit(typeof error.stack === 'string' ? error.stack : String(error), '\n    at '));
  const errorProperties = {};
  for (const name of intact(ObjectGetOwnPropertyNames(error))) {
    if (!SetHas(ERROR_FIELDS, name)) errorProperties[name] = String(error[name]);
  }
  return { message: StringTrimEnd(message), stack: ArrayMap(frames, (frame) => `at ${StringTrimEnd(frame)}`), errorProperties };
}

/** [name, statistics] of a heap space. */
const spaceEntry = ({ 0: name, 1: size, 2: used, 3: available, 4: committed }) => [
  name,
  { memorySize: size, committedMemory: committed, capacity: used + available, used, available },
];

function heap() {
  const heapFigures = native.process_heapStatistics();
  return {
    totalMemory: heapFigures.total_heap_size,
    executableMemory: heapFigures.total_heap_size_executable,
    totalCommittedMemory: heapFigures.total_physical_size,
    availableMemory: heapFigures.total_available_size,
    totalGlobalHandlesMemory: heapFigures.total_global_handles_size,
    usedGlobalHandlesMemory: heapFigures.used_global_handles_size,
    usedMemory: heapFigures.used_heap_size,
    memoryLimit: heapFigures.heap_size_limit,
    mallocedMemory: heapFigures.malloced_memory,
    externalMemory: heapFigures.external_memory,
    peakMallocedMemory: heapFigures.peak_malloced_memory,
    nativeContextCount: heapFigures.number_of_native_contexts,
    detachedContextCount: heapFigures.number_of_detached_contexts,
    doesZapGarbage: heapFigures.does_zap_garbage,
    heapSpaces: ObjectFromEntries(intact(ArrayMap(native.process_heapSpaces(), spaceEntry))),
  };
}

function share(user, system, uptime) {
  const percent = (time) => (uptime > 0 ? (time / MICROSECONDS / uptime) * 100 : 0);
  return {
    userCpuSeconds: user / MICROSECONDS,
    kernelCpuSeconds: system / MICROSECONDS,
    cpuConsumptionPercent: percent(user + system),
    userCpuConsumptionPercent: percent(user),
    kernelCpuConsumptionPercent: percent(system),
  };
}

/** Resource usage; `ended` has placeholders in place of numbers, filled in when the process ends. */
function usage(process, ended) {
  const used = ended ?? process.resourceUsage();
  const thread = process.threadCpuUsage();
  const uptime = process.uptime();
  const os = require('node/os');
  const fsActivity = { reads: used.fsRead, writes: used.fsWrite };
  const shares = ended ? { ...share(0, 0, uptime), ...ended.shares } : share(used.userCPUTime, used.systemCPUTime, uptime);
  return {
    resourceUsage: {
      free_memory: os.freemem(),
      total_memory: os.totalmem(),
      rss: process.memoryUsage.rss(),
      constrained_memory: process.constrainedMemory(),
      available_memory: process.availableMemory(),
      ...shares,
      maxRss: ended ? used.maxRSS : used.maxRSS * 1024,
      pageFaults: { IORequired: used.majorPageFault, IONotRequired: used.minorPageFault },
      fsActivity,
    },
    uvthreadResourceUsage: { ...share(thread.user, thread.system, uptime), fsActivity },
  };
}

function networkInterfaces() {
  return ArrayFlatMap(ObjectEntries(require('node/os').networkInterfaces()), ({ 0: name, 1: addresses }) =>
    ArrayMap(addresses, ({ internal, mac, address, netmask, family, scopeid }) => ({
      name,
      internal,
      mac,
      address,
      netmask,
      family,
      ...(scopeid === undefined ? {} : { scopeid }),
    })),
  );
}

function header(process, event, trigger, filename, facts) {
  const os = require('node/os');
  const now = new Date();
  return {
    reportVersion: REPORT_VERSION,
    event,
    trigger,
    filename,
    dumpEventTime: `${StringSlice(DateToISOString(now), 0, 19)}Z`,
    dumpEventTimeStamp: `${DateGetTime(now)}`,
    processId: process.pid,
    threadId: 0,
    cwd: process.cwd(),
    commandLine: [process.argv0, ...intact(process.execArgv), ...intact(ArraySlice(process.argv, 1))],
    nodejsVersion: process.version,
    // Programs that load addons take their absence for musl.
    ...(facts.glibc && { glibcVersionRuntime: facts.glibc, glibcVersionCompiler: facts.builtForGlibc }),
    wordSize: 64,
    arch: process.arch,
    platform: process.platform,
    componentVersions: { ...process.versions },
    release: { ...process.release },
    osName: os.type(),
    osRelease: os.release(),
    osVersion: os.version(),
    osMachine: os.machine(),
    cpus: ArrayMap(os.cpus(), ({ model, speed, times }) => ({ model, speed, ...times })),
    ...(settings.excludeNetwork ? {} : { networkInterfaces: networkInterfaces() }),
    host: os.hostname(),
  };
}

function compose(error, event, trigger, filename = null) {
  const { process } = runtimeParts.process;
  const facts = native.report_facts();
  return {
    header: header(process, event, trigger, filename, facts),
    javascriptStack: stackOf(error),
    javascriptHeap: heap(),
    nativeStack: [],
    ...usage(process),
    ...rest(process, facts),
  };
}

function rest(process, facts) {
  return {
    libuv: [],
    workers: [],
    ...(settings.excludeEnv ? {} : { environmentVariables: { ...process.env } }),
    userLimits: facts.userLimits,
    sharedObjects: facts.sharedObjects,
  };
}

function checkError(error, caller) {
  if (error === undefined) {
    const synthetic = new Error('JavaScript Callstack');
    ErrorCaptureStackTrace(synthetic, caller);
    return synthetic;
  }
  if (error === null || typeof error !== 'object') throw new codes.ERR_INVALID_ARG_TYPE('err', 'object', error);
  return error;
}

function freshName(process) {
  const now = new Date();
  const digits = (value, size = 2) => StringPadStart(`${value}`, size, '0');
  const day = `${DateGetFullYear(now)}${digits(DateGetMonth(now) + 1)}${digits(DateGetDate(now))}`;
  const time = `${digits(DateGetHours(now))}${digits(DateGetMinutes(now))}${digits(DateGetSeconds(now))}`;
  return `report.${day}.${time}.${process.pid}.0.${digits(++count, 3)}.json`;
}

const gap = (name) => `@${name}@`;

/** Gives the host the report to write on a fatal error, when no JavaScript can run. */
function prepareForFatal() {
  if (!settings.reportOnFatalError) {
    native.fatalReport_keep();
    return;
  }
  const { process } = runtimeParts.process;
  const facts = native.report_facts();
  const ended = {
    maxRSS: gap('maxRss'),
    majorPageFault: gap('IORequired'),
    minorPageFault: gap('IONotRequired'),
    fsRead: gap('reads'),
    fsWrite: gap('writes'),
    shares: { userCpuSeconds: gap('userCpuSeconds'), kernelCpuSeconds: gap('kernelCpuSeconds') },
  };
  const { resourceUsage } = usage(process, ended);
  const template = {
    header: {
      ...header(process, gap('event'), 'FatalError', gap('filename'), facts),
      dumpEventTime: gap('dumpEventTime'),
      dumpEventTimeStamp: gap('dumpEventTimeStamp'),
    },
    javascriptStack: { message: 'No stack.', stack: ['Unavailable.'], errorProperties: {} },
    nativeStack: [],
    resourceUsage,
    ...rest(process, facts),
  };
  const text = `${JSONStringify(template, null, settings.compact ? undefined : 2)}\n`;
  native.fatalReport_keep(text, settings.directory, settings.filename, count + 1);
}

/** Writes a report to a file `name`, "stdout" or "stderr"; returns the file name, or '' if it could not be written. */
function writeOut(name, error, event, trigger) {
  const { process } = runtimeParts.process;
  const filename = name || settings.filename || freshName(process);
  const text = JSONStringify(compose(error, event, trigger, filename), null, settings.compact ? undefined : 2);
  if (filename === 'stdout' || filename === 'stderr') {
    native.core_write(filename === 'stdout' ? 1 : 2, `${text}\n`);
    return filename;
  }
  native.core_write(2, `\nWriting Node.js report to file: ${filename}`);
  const path = settings.directory === '' ? filename : require('node/path/path').join(settings.directory, filename);
  try {
    require('node/fs/sync').writeFileSync(path, `${text}\n`);
  } catch (problem) {
    native.core_write(2, `\nFailed to open Node.js report file: ${path} (${problem.message})\n`);
    return '';
  }
  native.core_write(2, '\nNode.js report completed\n');
  if (settings.reportOnFatalError) prepareForFatal();
  return filename;
}

const report = {
  writeReport(file, error) {
    if (file !== null && typeof file === 'object') [file, error] = intact([undefined, file]);
    else if (file !== undefined) validateString(file, 'file');
    runtimeParts.permission?.check(
      'fs.write',
      file ?? runtimeParts.process?.process.cwd(),
      'Access to this API has been restricted',
    );
    return writeOut(file, checkError(error, report.writeReport), 'JavaScript API', 'API');
  },
  getReport(error) {
    return compose(checkError(error, report.getReport), 'JavaScript API', 'GetReport');
  },
};

const onSignal = (name) => {
  writeOut(undefined, checkError(undefined, onSignal), name, 'Signal');
};
const onUncaught = (error) => {
  writeOut(
    undefined,
    error !== null && typeof error === 'object' ? error : new Error(String(error)),
    'Uncaught exception',
    'Exception',
  );
};

const checks = {
  directory: (value) => validateString(value, 'directory'),
  filename: (value) => validateString(value, 'filename'),
  compact: (value) => validateBoolean(value, 'compact'),
  excludeNetwork: (value) => validateBoolean(value, 'excludeNetwork'),
  signal(value) {
    validateString(value, 'signal');
    require('internal/signals').numberOf(value);
  },
  reportOnFatalError: (value) => validateBoolean(value, 'trigger'),
  reportOnSignal: (value) => validateBoolean(value, 'trigger'),
  reportOnUncaughtException: (value) => validateBoolean(value, 'trigger'),
  excludeEnv: (value) => validateBoolean(value, 'excludeEnv'),
};

/** Listens for the events that trigger a report; `before` has the settings applied so far. */
function listen(before) {
  const { process } = runtimeParts.process;
  if (before.reportOnSignal) process.off(before.signal, onSignal);
  if (settings.reportOnSignal) process.on(settings.signal, onSignal);
  process.off('uncaughtExceptionMonitor', onUncaught);
  if (settings.reportOnUncaughtException) process.on('uncaughtExceptionMonitor', onUncaught);
}

for (const name in checks) {
  ObjectDefineProperty(report, name, {
    __proto__: null,
    get: () => settings[name],
    set(value) {
      checks[name](value);
      const before = { ...settings };
      settings[name] = value;
      if (StringStartsWith(name, 'reportOn') || name === 'signal') listen(before);
      if (settings.reportOnFatalError || before.reportOnFatalError) prepareForFatal();
    },
    enumerable: true,
    configurable: true,
  });
}

module.exports = { report };
