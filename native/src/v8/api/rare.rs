//! V8 functions that few programs need (native addons, databases, clones as bytes, garbage collection events, the REPL),
//! in a separate table that is looked up on first use.
use std::ffi::{CStr, c_int};
use std::sync::OnceLock;

use super::layout::{CompiledWasm, MaybeBool};
use super::{Handle, Isolate, Raw, functions, library};

static API: OnceLock<Result<AddonApi, &'static str>> = OnceLock::new();

/// Look up the table. Fails with the first missing symbol.
pub fn load() -> Result<&'static AddonApi, &'static str> {
    // SAFETY: an engine exists, so the library was loaded and its version checked.
    API.get_or_init(|| unsafe { AddonApi::find(library()) }).as_ref().map_err(|symbol| *symbol)
}

/// The table. Panics before a successful `load`.
#[inline]
pub fn more() -> &'static AddonApi {
    match API.get() {
        Some(Ok(api)) => api,
        _ => panic!("the table was not loaded"),
    }
}

functions! { AddonApi:
    // Transferring compiled WebAssembly.
    wasm_compiled = "_ZN2v816WasmModuleObject17GetCompiledModuleEv": fn(Handle) -> CompiledWasm;
    wasm_from_compiled = "_ZN2v816WasmModuleObject18FromCompiledModuleEPNS_7IsolateERKNS_18CompiledWasmModuleE": fn(Isolate, *const CompiledWasm) -> Handle;

    // Garbage collections, code statistics.
    add_gc_prologue = "_ZN2v87Isolate21AddGCPrologueCallbackEPFvPS0_NS_6GCTypeENS_15GCCallbackFlagsEPvES4_S2_": fn(Isolate, Raw, Raw, c_int);
    add_gc_epilogue = "_ZN2v87Isolate21AddGCEpilogueCallbackEPFvPS0_NS_6GCTypeENS_15GCCallbackFlagsEPvES4_S2_": fn(Isolate, Raw, Raw, c_int);
    remove_gc_prologue = "_ZN2v87Isolate24RemoveGCPrologueCallbackEPFvPS0_NS_6GCTypeENS_15GCCallbackFlagsEPvES4_": fn(Isolate, Raw, Raw);
    remove_gc_epilogue = "_ZN2v87Isolate24RemoveGCEpilogueCallbackEPFvPS0_NS_6GCTypeENS_15GCCallbackFlagsEPvES4_": fn(Isolate, Raw, Raw);
    gc_extension = "_ZN2v88internal11GCExtension2GCERKNS_20FunctionCallbackInfoINS_5ValueEEE": fn(Raw);
    code_statistics = "_ZN2v87Isolate32GetHeapCodeAndMetadataStatisticsEPNS_18HeapCodeStatisticsE": fn(Isolate, Raw) -> bool;

    // Evaluation for debuggers and the REPL.
    evaluate_global = "_ZN2v85debug14EvaluateGlobalEPNS_7IsolateENS_5LocalINS_6StringEEENS0_18EvaluateGlobalModeEb": fn(Isolate, Handle, c_int, bool) -> Handle;
    lexical_names = "_ZN2v85debug23GlobalLexicalScopeNamesENS_5LocalINS_7ContextEEEPNSt4__Cr6vectorINS_6GlobalINS_6StringEEENS4_9allocatorIS8_EEEE": fn(Handle, Raw);

    // Heap snapshots.
    heap_snapshot = "_ZN2v812HeapProfiler16TakeHeapSnapshotEPNS_15ActivityControlEPNS0_18ObjectNameResolverEbb": fn(Raw, Raw, Raw, bool, bool) -> Raw;
    heap_snapshot_serialize = "_ZNK2v812HeapSnapshot9SerializeEPNS_12OutputStreamENS0_19SerializationFormatE": fn(Raw, Raw, c_int);
    heap_snapshot_delete = "_ZN2v812HeapSnapshot6DeleteEv": fn(Raw);

    // Handles.
    global_clear_weak = "_ZN2v812api_internal9ClearWeakEPm": fn(Handle) -> Raw;
    external_new = "_ZN2v88External3NewEPNS_7IsolateEPvt": fn(Isolate, Raw, u16) -> Handle;
    external_value = "_ZNK2v88External5ValueEt": fn(Handle, u16) -> Raw;
    has_caught = "_ZNK2v88TryCatch9HasCaughtEv": fn(Raw) -> bool;
    set_async_context = "_ZN2v87Isolate38SetContinuationPreservedEmbedderDataV2ENS_5LocalINS_4DataEEE": fn(Isolate, Handle);
    adjust_memory = "_ZN2v87Isolate37AdjustAmountOfExternalAllocatedMemoryEl": fn(Isolate, i64) -> i64;

    // Templates.
    function_template = "_ZN2v816FunctionTemplate3NewEPNS_7IsolateEPFvRKNS_20FunctionCallbackInfoINS_5ValueEEEENS_5LocalIS4_EENSA_INS_9SignatureEEEiNS_19ConstructorBehaviorENS_14SideEffectTypeEPKNS_9CFunctionEttt": fn(Isolate, Raw, Handle, Handle, c_int, c_int, c_int, Raw, u16, u16, u16) -> Handle;
    template_class_name = "_ZN2v816FunctionTemplate12SetClassNameENS_5LocalINS_6StringEEE": fn(Handle, Handle);
    template_prototype = "_ZN2v816FunctionTemplate17PrototypeTemplateEv": fn(Handle) -> Handle;
    template_function = "_ZN2v816FunctionTemplate11GetFunctionENS_5LocalINS_7ContextEEE": fn(Handle, Handle) -> Handle;
    template_set = "_ZN2v88Template3SetENS_5LocalINS_4NameEEENS1_INS_4DataEEENS_17PropertyAttributeE": fn(Handle, Handle, Handle, c_int);
    template_accessor = "_ZN2v88Template19SetAccessorPropertyENS_5LocalINS_4NameEEENS1_INS_16FunctionTemplateEEES5_NS_17PropertyAttributeE": fn(Handle, Handle, Handle, Handle, c_int);
    signature_new = "_ZN2v89Signature3NewEPNS_7IsolateENS_5LocalINS_16FunctionTemplateEEE": fn(Isolate, Handle) -> Handle;

    // Values.
    is_name = "_ZNK2v85Value6IsNameEv": fn(Handle) -> bool;
    is_boolean = "_ZNK2v85Value9IsBooleanEv": fn(Handle) -> bool;
    is_int8_array = "_ZNK2v85Value11IsInt8ArrayEv": fn(Handle) -> bool;
    is_uint8_array = "_ZNK2v85Value12IsUint8ArrayEv": fn(Handle) -> bool;
    is_uint8_clamped_array = "_ZNK2v85Value19IsUint8ClampedArrayEv": fn(Handle) -> bool;
    is_int16_array = "_ZNK2v85Value12IsInt16ArrayEv": fn(Handle) -> bool;
    is_uint16_array = "_ZNK2v85Value13IsUint16ArrayEv": fn(Handle) -> bool;
    is_int32_array = "_ZNK2v85Value12IsInt32ArrayEv": fn(Handle) -> bool;
    is_uint32_array = "_ZNK2v85Value13IsUint32ArrayEv": fn(Handle) -> bool;
    is_float32_array = "_ZNK2v85Value14IsFloat32ArrayEv": fn(Handle) -> bool;
    is_float64_array = "_ZNK2v85Value14IsFloat64ArrayEv": fn(Handle) -> bool;
    is_big_int64_array = "_ZNK2v85Value15IsBigInt64ArrayEv": fn(Handle) -> bool;
    is_big_uint64_array = "_ZNK2v85Value16IsBigUint64ArrayEv": fn(Handle) -> bool;
    is_float16_array = "_ZNK2v85Value14IsFloat16ArrayEv": fn(Handle) -> bool;
    to_object = "_ZNK2v85Value8ToObjectENS_5LocalINS_7ContextEEE": fn(Handle, Handle) -> Handle;
    to_number = "_ZNK2v85Value8ToNumberENS_5LocalINS_7ContextEEE": fn(Handle, Handle) -> Handle;
    strict_equals = "_ZNK2v85Value12StrictEqualsENS_5LocalIS0_EE": fn(Handle, Handle) -> bool;
    instance_of = "_ZN2v85Value10InstanceOfENS_5LocalINS_7ContextEEENS1_INS_6ObjectEEE": fn(Handle, Handle, Handle) -> MaybeBool;
    bigint_new = "_ZN2v86BigInt3NewEPNS_7IsolateEl": fn(Isolate, i64) -> Handle;
    bigint_new_unsigned = "_ZN2v86BigInt15NewFromUnsignedEPNS_7IsolateEm": fn(Isolate, u64) -> Handle;
    bigint_int64 = "_ZNK2v86BigInt10Int64ValueEPb": fn(Handle, *mut bool) -> i64;
    bigint_uint64 = "_ZNK2v86BigInt11Uint64ValueEPb": fn(Handle, *mut bool) -> u64;
    string_length = "_ZNK2v86String6LengthEv": fn(Handle) -> c_int;
    string_write_latin1 = "_ZNK2v86String14WriteOneByteV2EPNS_7IsolateEjjPhi": fn(Handle, Isolate, u32, u32, *mut u8, c_int);
    string_write_utf16 = "_ZNK2v86String7WriteV2EPNS_7IsolateEjjPti": fn(Handle, Isolate, u32, u32, *mut u16, c_int);
    string_external_one_byte = "_ZN2v86String18NewExternalOneByteEPNS_7IsolateEPNS0_29ExternalOneByteStringResourceE": fn(Isolate, Raw) -> Handle;
    string_external_two_byte = "_ZN2v86String18NewExternalTwoByteEPNS_7IsolateEPNS0_22ExternalStringResourceE": fn(Isolate, Raw) -> Handle;
    error_syntax = "_ZN2v89Exception11SyntaxErrorENS_5LocalINS_6StringEEENS1_INS_5ValueEEE": fn(Handle, Handle) -> Handle;
    date_value = "_ZNK2v84Date7ValueOfEv": fn(Handle) -> f64;
    script_compile_text = "_ZN2v86Script7CompileENS_5LocalINS_7ContextEEENS1_INS_6StringEEEPNS_12ScriptOriginE": fn(Handle, Handle, Raw) -> Handle;

    // Objects.
    array_sized = "_ZN2v85Array3NewEPNS_7IsolateEi": fn(Isolate, c_int) -> Handle;
    object_of = "_ZN2v86Object3NewEPNS_7IsolateENS_5LocalINS_5ValueEEEPNS3_INS_4NameEEEPS5_m": fn(Isolate, Handle, *const Handle, *const Handle, usize) -> Handle;
    object_set_index = "_ZN2v86Object3SetENS_5LocalINS_7ContextEEEjNS1_INS_5ValueEEE": fn(Handle, Handle, u32, Handle) -> MaybeBool;
    object_has_index = "_ZN2v86Object3HasENS_5LocalINS_7ContextEEEj": fn(Handle, Handle, u32) -> MaybeBool;
    object_delete_index = "_ZN2v86Object6DeleteENS_5LocalINS_7ContextEEEj": fn(Handle, Handle, u32) -> MaybeBool;
    object_delete_private = "_ZN2v86Object13DeletePrivateENS_5LocalINS_7ContextEEENS1_INS_7PrivateEEE": fn(Handle, Handle, Handle) -> MaybeBool;
    object_integrity = "_ZN2v86Object17SetIntegrityLevelENS_5LocalINS_7ContextEEENS_14IntegrityLevelE": fn(Handle, Handle, c_int) -> MaybeBool;

    // Clones.
    serializer_views_as_host = "_ZN2v815ValueSerializer37SetTreatArrayBufferViewsAsHostObjectsEb": fn(Raw, bool);
    serializer_u32 = "_ZN2v815ValueSerializer11WriteUint32Ej": fn(Raw, u32);
    serializer_raw = "_ZN2v815ValueSerializer13WriteRawBytesEPKvm": fn(Raw, Raw, usize);

    // Buffers.
    typed_array_length = "_ZN2v810TypedArray6LengthEv": fn(Handle) -> usize;
    shared_buffer_maybe_new = "_ZN2v817SharedArrayBuffer8MaybeNewEPNS_7IsolateEmNS_30BackingStoreInitializationModeE": fn(Isolate, usize, c_int) -> Handle;
}
