//! What V8's headers inline instead of exporting: sizes and offsets of the build in `mini-racer==0.14.1`, x86-64 Linux.
//!
//! The build uses pointer compression, 31-bit small integers and the sandbox. `start::library` checks each layout at
//! start where it can; the others rely on the exact comparison of the version string.
use std::ffi::{c_char, c_int, c_void};

use super::Handle;

pub const VERSION: &str = "14.4.258.23";
pub const WHEEL: &str = "mini-racer==0.14.1";
/// `V8::Initialize` compares this with its own build and ends the process when it differs.
pub const BUILD_CONFIGURATION: c_int = 0b111;

/// Offset of the heap in the isolate.
pub const HEAP: usize = 0xf150;
/// `AllocationSpace::NEW_SPACE` and `GarbageCollectionReason::kExternalMemoryPressure`.
pub const NEW_SPACE: c_int = 1;
pub const EXTERNAL_MEMORY_PRESSURE: c_int = 7;
/// Offset of `HandleScopeData` in the isolate.
pub const HANDLE_SCOPE_DATA: usize = 0x230;

/// `Isolate::CreateParams`, with some spare words.
pub const PARAMS_WORDS: usize = 32;
/// `ResourceConstraints`.
pub const PARAMS_CONSTRAINTS: usize = 8;
pub const PARAMS_MAX_OLD_GENERATION: usize = 16;
pub const PARAMS_BLOB: usize = 64;
pub const PARAMS_ALLOCATOR: usize = 96;
pub const PARAMS_REFERENCES: usize = 120;
/// A byte that the constructor sets to true between zeros; the layout check reads it.
pub const PARAMS_ATOMICS_WAIT: usize = 128;

/// `v8::platform::DefaultPlatform`: 18 words.
pub const PLATFORM_WORDS: usize = 32;
/// Offset of the thread count, an int: the constructor starts that many threads,
/// `EnsureBackgroundTaskRunnerInitialized` the number found later.
pub const PLATFORM_THREADS: usize = 16;
/// `TryCatch`: six words.
pub const TRY_CATCH_WORDS: usize = 8;
/// `SnapshotCreator`: one pointer.
pub const SNAPSHOT_CREATOR_WORDS: usize = 2;
/// `ValueSerializer`, `ValueDeserializer`: one pointer.
pub const SERIALIZER_WORDS: usize = 2;

/// `HandleScope::Data` inside the isolate.
#[repr(C)]
pub struct HandleScopeData {
    pub next: Handle,
    pub limit: Handle,
    pub level: c_int,
    pub sealed_level: c_int,
}

/// `FunctionCallbackInfo<Value>`.
#[repr(C)]
pub struct CallbackInfo {
    pub implicit: Handle,
    /// The first argument's slot; the slot before it is `this`.
    pub values: Handle,
    pub length: usize,
    /// A private field: only V8 creates these objects, so safe functions may rely on what one refers to.
    _made_by_v8: (),
}

pub const IMPLICIT_ISOLATE: usize = 1;
pub const IMPLICIT_RETURN_VALUE: usize = 3;
pub const IMPLICIT_TARGET: usize = 4;
pub const IMPLICIT_NEW_TARGET: usize = 5;

/// Offset of a heap number's value from its tagged word; `addons/functions.rs` tests it.
pub const HEAP_NUMBER_VALUE: usize = 3;

/// Offset of a module request's flags from its tagged word: its phase, then its position in the text. Readers of the
/// phase compare the position first.
pub const MODULE_REQUEST_FLAGS: usize = 11;

/// `StartupData`.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Blob {
    pub data: *const u8,
    pub size: c_int,
}

/// `Maybe<bool>`: the low byte is whether there is a value, the next byte holds it.
pub type MaybeBool = u16;

pub fn maybe_bool(value: MaybeBool) -> Option<bool> {
    (value & 0xff != 0).then_some(value >> 8 != 0)
}

/// `Maybe<int>`: the low byte is whether there is a value, the upper half holds it.
pub fn maybe_int(value: u64) -> Option<i32> {
    (value & 0xff != 0).then_some((value >> 32) as i32)
}

/// `v8::Location`: line and column, zero-based.
pub fn location(value: u64) -> (i32, i32) {
    (value as i32, (value >> 32) as i32)
}

/// `MemorySpan<const Local<T>>`.
#[repr(C)]
pub struct Span {
    pub data: *const Handle,
    pub size: usize,
}

/// `std::pair<uint8_t*, size_t>`.
#[repr(C)]
pub struct ByteSpan {
    pub data: *mut u8,
    pub size: usize,
}

/// `std::shared_ptr<T>` of V8's own C++ library: the object and its control block. That library gives it the trivial
/// ABI: it travels in two registers, and receiving one by value transfers a share.
#[repr(C)]
pub struct SharedPointer {
    pub object: *mut c_void,
    pub control: *mut SharedControl,
}

/// `std::__shared_weak_count`: a vtable and two counters that start at zero for one owner.
#[repr(C)]
pub struct SharedControl {
    pub table: *const unsafe extern "C" fn(*mut SharedControl),
    pub owners: std::sync::atomic::AtomicI64,
    pub weak_owners: std::sync::atomic::AtomicI64,
}

/// Slots of `SharedControl::table`.
pub const CONTROL_ON_ZERO_SHARED: usize = 2;
pub const CONTROL_ON_ZERO_WEAK: usize = 4;

/// Words of the virtual table of `DefaultForegroundTaskRunner`, including its head.
pub const TASK_RUNNER_TABLE: usize = 12;
/// Words of a virtual table before the address that objects refer to (offset to top, type information).
pub const TABLE_HEAD: usize = 2;

/// `LocalVector<T>`, a `std::vector` whose memory comes from the library's `operator new`.
#[repr(C)]
pub struct LocalVector {
    pub begin: *mut Handle,
    pub end: *mut Handle,
    pub capacity: *mut Handle,
}

/// `PromiseRejectMessage`, passed by value.
#[repr(C)]
pub struct PromiseRejectMessage {
    pub promise: Handle,
    pub event: c_int,
    pub value: Handle,
}

pub const REJECTED_WITHOUT_HANDLER: c_int = 0;
pub const HANDLER_ADDED_AFTER_REJECTION: c_int = 1;

/// `ScriptCompiler::Source`.
#[repr(C)]
pub struct Source {
    pub source: Handle,
    pub resource_name: Handle,
    pub line_offset: c_int,
    pub column_offset: c_int,
    pub flags: c_int,
    pub source_map_url: Handle,
    pub host_defined_options: Handle,
    /// A `CachedData` made with `operator new`; the source owns it.
    pub cached_data: *mut CachedData,
    pub rest: [usize; 8],
}

/// `ScriptOrigin`, returned through a hidden pointer.
#[repr(C)]
#[derive(Default)]
pub struct ScriptOrigin {
    pub resource_name: usize,
    pub line_offset: c_int,
    pub column_offset: c_int,
    pub flags: c_int,
    pub script_id: c_int,
    pub source_map_url: usize,
    pub host_defined_options: usize,
}

/// Without this flag the inspector does not report what a script threw.
pub const ORIGIN_IS_SHARED: c_int = 1;
pub const ORIGIN_IS_MODULE: c_int = 8;
pub const COMPILE_DEFAULT: c_int = 0;
pub const COMPILE_CONSUME_CACHE: c_int = 1;
pub const COMPILE_EAGER: c_int = 2;

/// `ScriptCompiler::CachedData`.
#[repr(C)]
pub struct CachedData {
    pub data: *const u8,
    pub length: c_int,
    pub rejected: bool,
    pub buffer_policy: c_int,
}

/// `String::ValueView`: no garbage is collected while one exists.
#[repr(C)]
pub struct ValueView {
    pub string: Handle,
    pub data: *const c_void,
    pub length: u32,
    pub is_one_byte: bool,
    pub scope: u32,
    pub spare: [usize; 2],
}

/// `HeapStatistics`.
#[repr(C)]
#[derive(Default)]
pub struct HeapStatistics {
    pub total_heap_size: usize,
    pub total_heap_size_executable: usize,
    pub total_physical_size: usize,
    pub total_available_size: usize,
    pub used_heap_size: usize,
    pub heap_size_limit: usize,
    pub malloced_memory: usize,
    pub external_memory: usize,
    pub peak_malloced_memory: usize,
    pub does_zap_garbage: bool,
    pub number_of_native_contexts: usize,
    pub number_of_detached_contexts: usize,
    pub total_global_handles_size: usize,
    pub used_global_handles_size: usize,
    pub total_allocated_bytes: usize,
    pub rest: [usize; 3],
}

/// `HeapSpaceStatistics`.
#[repr(C)]
pub struct HeapSpaceStatistics {
    pub name: *const c_char,
    pub size: usize,
    pub used: usize,
    pub available: usize,
    pub physical: usize,
    pub rest: [usize; 3],
}

/// `WeakCallbackInfo<void>`.
#[repr(C)]
pub struct WeakCallbackInfo {
    pub isolate: *mut c_void,
    pub parameter: *mut c_void,
}

/// What `ExternalStringResourceBase::EstimateMemoryUsage` returns to make V8 use the length.
pub const STRING_RESOURCE_OF_SIZE_UNKNOWN: usize = usize::MAX;

/// `OOMDetails`.
#[repr(C)]
pub struct OomDetails {
    pub is_heap_oom: bool,
    pub detail: *const c_char,
}

/// `v8_inspector::StringView`, passed by value in memory.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct StringView {
    pub is_8_bit: bool,
    pub length: usize,
    pub data: *const c_void,
}

/// `v8_inspector::V8ContextInfo`.
#[repr(C)]
pub struct ContextInfo {
    pub context: Handle,
    pub group: c_int,
    pub name: StringView,
    pub origin: StringView,
    pub data: StringView,
    pub has_memory_on_console: bool,
}

/// Embedder data fields of `node:vm` contexts; V8's debugger uses the first field.
pub const EMBEDDER_SANDBOX: c_int = 2;
pub const EMBEDDER_WASM: c_int = 3;
pub const EMBEDDER_QUEUE: c_int = 4;
pub const EMBEDDER_IMPORTS: c_int = 5;

/// `NamedPropertyHandlerConfiguration`, `IndexedPropertyHandlerConfiguration`.
#[repr(C)]
pub struct PropertyHandler {
    pub getter: *mut c_void,
    pub setter: *mut c_void,
    pub query: *mut c_void,
    pub deleter: *mut c_void,
    pub enumerator: *mut c_void,
    pub definer: *mut c_void,
    pub descriptor: *mut c_void,
    pub data: Handle,
    pub flags: c_int,
}

/// Slots of `PropertyCallbackInfo`.
pub const INFO_SHOULD_THROW: usize = 1;
pub const INFO_HOLDER: usize = 2;
pub const INFO_RETURN_VALUE: usize = 5;
/// An `AccessorInfo` and the offset of its data, a compressed tagged word, from its own tagged word.
pub const INFO_CALLBACK_INFO: usize = 6;
pub const CALLBACK_INFO_DATA: usize = 3;
pub const INFO_THIS: usize = 7;

/// `PropertyDescriptor`: one pointer.
pub const WORDS_OF_DESCRIPTOR: usize = 2;

/// Reads a small integer from the tagged word of a slot.
#[inline]
pub fn small_integer(word: usize) -> Option<i32> {
    (word & 1 == 0).then_some((word as i32) >> 1)
}

/// `v8::CompiledWasmModule`: the compiled code, and a `std::string` with the URL of its source. All zeros is an empty
/// string in V8's C++ library.
#[repr(C)]
pub struct CompiledWasm {
    pub compiled: SharedPointer,
    pub source_url: [usize; 3],
}
