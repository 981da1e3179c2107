// @ts-check
'use strict';
// Owns: the exports of Node modules that rt does not implement: a row per module, in the order of Node's keys. `members` are
// separated by spaces: `name/length` is a function, `Name*/length` a class, `name{a/1,b/2}` an object of functions, a bare
// name a constant with its value in `data`. Implementing a module removes its row; `builtins` prefers implemented modules.

// Modules that are not Node's, each also under the neutral name.
const foreignFunctions = {
  members:
    'dlopen/2 linkSymbols/1 viewSource/2 CString*/3 JSCallback*/2 CFunction*/1 cc/1 ptr/2 toArrayBuffer/3 toBuffer/3 ' +
    'read{u8/2,u16/2,u32/2,u64/2,i8/2,i16/2,i32/2,i64/2,f32/2,f64/2,ptr/2,intptr/2} suffix FFIType',
  data: () => ({ suffix: 'so', FFIType: { __proto__: null } }),
};
const testRunner = {
  members:
    'test/2 it/2 describe/2 expect/1 beforeAll/1 beforeEach/1 afterAll/1 afterEach/1 onTestFinished/1 mock/1 spyOn/2 ' +
    'setDefaultTimeout/1 setSystemTime/1 expectTypeOf/1 xdescribe/2 xit/2 xtest/2 ' +
    'jest{fn/1,spyOn/2,mock/2,restoreAllMocks/0,clearAllMocks/0,resetAllMocks/0,useFakeTimers/0,useRealTimers/0,setSystemTime/1,setTimeout/1} ' +
    'vi{fn/1,spyOn/2,mock/2,restoreAllMocks/0,clearAllMocks/0,resetAllMocks/0}',
};

module.exports = {
  __proto__: null,
  _tls_common: { members: 'SecureContext*/4 createSecureContext/1 translatePeerCertificate/1' },
  _tls_wrap: { members: 'TLSSocket*/2 Server*/2 createServer/2 connect/0' },
  ffi: {
    members:
      'DynamicLibrary*/1 dlopen/2 dlclose/1 dlsym/2 exportArrayBuffer/3 exportArrayBufferView/3 exportString/3 ' +
      'exportBuffer/3 getInt8/0 getUint8/0 getInt16/0 getUint16/0 getInt32/0 getUint32/0 getInt64/0 getUint64/0 ' +
      'getFloat32/0 getFloat64/0 getCurrentEventLoop/0 getRawPointer/0 setInt8/0 setUint8/0 setInt16/0 ' +
      'setUint16/0 setInt32/0 setUint32/0 setInt64/0 setUint64/0 setFloat32/0 setFloat64/0 suffix toString/0 ' +
      'toArrayBuffer/0 toBuffer/0 types',
    data: () => ({
      suffix: 'so',
      types: {
        __proto__: null,
        VOID: 'void',
        POINTER: 'pointer',
        BUFFER: 'buffer',
        ARRAY_BUFFER: 'arraybuffer',
        FUNCTION: 'function',
        BOOL: 'bool',
        CHAR: 'char',
        STRING: 'string',
        FLOAT: 'float',
        DOUBLE: 'double',
        INT_8: 'int8',
        UINT_8: 'uint8',
        INT_16: 'int16',
        UINT_16: 'uint16',
        INT_32: 'int32',
        UINT_32: 'uint32',
        INT_64: 'int64',
        UINT_64: 'uint64',
        FLOAT_32: 'float32',
        FLOAT_64: 'float64',
      },
    }),
  },
  'bun:ffi': foreignFunctions,
  'bun:test': testRunner,
  'rt:ffi': foreignFunctions,
  'rt:test': testRunner,
};
