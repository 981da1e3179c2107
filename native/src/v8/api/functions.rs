//! The V8 functions that rt calls, by mangled name, looked up once at start. `rare` has those that few programs need.
//!
//! The library exports the C++ API. The functions here have arguments and results that the Itanium ABI passes as in C:
//! pointers, integers, `Local<T>` (one pointer), `Maybe<bool>` (two bytes), trivially copied structs. Calling one is
//! unsafe: an isolate must be current on this thread, and handles must be live. `Scope` proves both.
use std::ffi::{CStr, c_char, c_int, c_void};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::layout::{
    Blob, ByteSpan, ContextInfo, LocalVector, MaybeBool, PropertyHandler, ScriptOrigin, SharedPointer, Span, StringView,
};

/// A `v8::Isolate*`.
pub type Isolate = *mut c_void;
/// The one word of a `Local<T>` or `Global<T>`: the address of the slot that holds the object; null when empty.
pub type Handle = *mut usize;
/// Any other pointer.
pub type Raw = *mut c_void;

macro_rules! functions {
    ($table:ident: $($(#[$doc:meta])* $name:ident = $symbol:literal: fn($($arg:ty),*) $(-> $result:ty)?;)*) => {
        pub struct $table { $(pub $name: unsafe extern "C" fn($($arg),*) $(-> $result)?,)* }

        impl $table {
            /// Looks up all functions in the library opened as `library`; fails with the first missing symbol.
            ///
            /// # Safety
            /// `library` is a live handle of dlopen, and the library is the V8 build that this table was written for.
            unsafe fn find(library: Raw) -> Result<$table, &'static str> {
                Ok($table { $($name: {
                    const NAME: &CStr = match CStr::from_bytes_with_nul(concat!($symbol, "\0").as_bytes()) {
                        Ok(name) => name,
                        Err(_) => panic!("a symbol holds NUL"),
                    };
                    // SAFETY: the handle is live, as the caller guarantees, and the name ends in NUL.
                    let address = unsafe { libc::dlsym(library, NAME.as_ptr()) };
                    if address.is_null() {
                        return Err($symbol);
                    }
                    // SAFETY: the table declares the signature of the C++ function, as the caller guarantees.
                    unsafe { std::mem::transmute::<Raw, unsafe extern "C" fn($($arg),*) $(-> $result)?>(address) }
                },)* })
            }
        }
    };
}

pub(super) use functions;

static API: OnceLock<Api> = OnceLock::new();
/// The handle of the library, for the table in `rare`.
static LIBRARY: AtomicUsize = AtomicUsize::new(0);

/// The function table. Panics before `load`; isolates exist only after that.
#[inline]
pub fn v8() -> &'static Api {
    API.get().expect("V8 is started")
}

/// Looks up the functions.
///
/// # Safety
/// `library` is a live handle of dlopen that is never closed, and the library is the V8 of `layout::VERSION`.
pub unsafe fn load(library: Raw) -> Result<(), &'static str> {
    // SAFETY: the caller guarantees the same for `library`.
    let api = unsafe { Api::find(library)? };
    let _ = API.set(api);
    LIBRARY.store(library as usize, Ordering::Relaxed);
    Ok(())
}

/// The library that `load` received; null before that.
pub fn library() -> Raw {
    LIBRARY.load(Ordering::Relaxed) as Raw
}

functions! { Api:
    // Process: flags, platform.
    operator_delete = "_ZdlPv": fn(Raw);
    set_flags = "_ZN2v82V818SetFlagsFromStringEPKc": fn(*const c_char);
    platform_new = "_ZN2v88platform32NewSingleThreadedDefaultPlatformENS0_15IdleTaskSupportENS0_21InProcessStackDumpingENSt4__Cr10unique_ptrINS_17TracingControllerENS3_14default_deleteIS5_EEEE": fn(c_int, c_int, Raw) -> Raw;
    platform_new_threaded = "_ZN2v88platform18NewDefaultPlatformEiNS0_15IdleTaskSupportENS0_21InProcessStackDumpingENSt4__Cr10unique_ptrINS_17TracingControllerENS3_14default_deleteIS5_EEEENS0_12PriorityModeE": fn(c_int, c_int, c_int, Raw, bool) -> Raw;
    platform_make = "_ZN2v88platform15DefaultPlatformC1EiNS0_15IdleTaskSupportENSt4__Cr10unique_ptrINS_17TracingControllerENS3_14default_deleteIS5_EEEENS0_12PriorityModeE": fn(Raw, c_int, c_int, Raw, c_int);
    platform_threads = "_ZN2v88platform15DefaultPlatform21NumberOfWorkerThreadsEv": fn(Raw) -> c_int;
    platform_start_threads = "_ZN2v88platform15DefaultPlatform37EnsureBackgroundTaskRunnerInitializedEv": fn(Raw);
    platform_initialize = "_ZN2v82V818InitializePlatformEPNS_8PlatformE": fn(Raw);
    platform_pump = "_ZN2v88platform15PumpMessageLoopEPNS_8PlatformEPNS_7IsolateENS0_19MessageLoopBehaviorE": fn(Raw, Isolate, bool) -> bool;
    task_runner = "_ZN2v88platform15DefaultPlatform23GetForegroundTaskRunnerEPNS_7IsolateENS_12TaskPriorityE": fn(Raw, Isolate, c_int) -> SharedPointer;
    isolate_gone = "_ZN2v88platform21NotifyIsolateShutdownEPNS_8PlatformEPNS_7IsolateE": fn(Raw, Isolate);
    post_task = "_ZN2v88platform27DefaultForegroundTaskRunner12PostTaskImplENSt4__Cr10unique_ptrINS_4TaskENS2_14default_deleteIS4_EEEERKNS_14SourceLocationE": fn(Raw, Raw, Raw);
    post_non_nestable = "_ZN2v88platform27DefaultForegroundTaskRunner23PostNonNestableTaskImplENSt4__Cr10unique_ptrINS_4TaskENS2_14default_deleteIS4_EEEERKNS_14SourceLocationE": fn(Raw, Raw, Raw);
    post_delayed = "_ZN2v88platform27DefaultForegroundTaskRunner19PostDelayedTaskImplENSt4__Cr10unique_ptrINS_4TaskENS2_14default_deleteIS4_EEEEdRKNS_14SourceLocationE": fn(Raw, Raw, f64, Raw);
    post_non_nestable_delayed = "_ZN2v88platform27DefaultForegroundTaskRunner30PostNonNestableDelayedTaskImplENSt4__Cr10unique_ptrINS_4TaskENS2_14default_deleteIS4_EEEEdRKNS_14SourceLocationE": fn(Raw, Raw, f64, Raw);
    initialize = "_ZN2v82V810InitializeEi": fn(c_int) -> bool;
    allocator_new = "_ZN2v811ArrayBuffer9Allocator19NewDefaultAllocatorEv": fn() -> Raw;
    sandbox_space = "_ZN2v82V822GetSandboxAddressSpaceEv": fn() -> Raw;
    set_fatal_function = "_ZN2v84base16SetFatalFunctionEPFvPKciS2_E": fn(Raw);
    initialize_icu = "_ZN2v82V813InitializeICUEPKc": fn(*const c_char) -> bool;

    // Isolate.
    create_params = "_ZN2v87Isolate12CreateParamsC1Ev": fn(Raw);
    constraints_defaults = "_ZN2v819ResourceConstraints17ConfigureDefaultsEmm": fn(Raw, u64, u64);
    isolate_new = "_ZN2v87Isolate3NewERKNS0_12CreateParamsE": fn(Raw) -> Isolate;
    isolate_dispose = "_ZN2v87Isolate7DisposeEv": fn(Isolate);
    isolate_enter = "_ZN2v87Isolate5EnterEv": fn(Isolate);
    isolate_exit = "_ZN2v87Isolate4ExitEv": fn(Isolate);
    isolate_current = "_ZN2v87Isolate13TryGetCurrentEv": fn() -> Isolate;
    set_stack_limit = "_ZN2v87Isolate13SetStackLimitEm": fn(Isolate, usize);
    throw = "_ZN2v87Isolate14ThrowExceptionENS_5LocalINS_5ValueEEE": fn(Isolate, Handle) -> Handle;
    terminate = "_ZN2v87Isolate18TerminateExecutionEv": fn(Isolate);
    cancel_terminate = "_ZN2v87Isolate24CancelTerminateExecutionEv": fn(Isolate);
    is_terminating = "_ZN2v87Isolate22IsExecutionTerminatingEv": fn(Isolate) -> bool;
    request_interrupt = "_ZN2v87Isolate16RequestInterruptEPFvPS0_PvES2_": fn(Isolate, Raw, Raw);
    add_near_heap_limit = "_ZN2v87Isolate24AddNearHeapLimitCallbackEPFmPvmmES1_": fn(Isolate, Raw, Raw);
    set_oom_handler = "_ZN2v87Isolate18SetOOMErrorHandlerEPFvPKcRKNS_10OOMDetailsEE": fn(Isolate, Raw);
    heap_profiler = "_ZN2v87Isolate15GetHeapProfilerEv": fn(Isolate) -> Raw;
    heap_query = "_ZN2v812HeapProfiler12QueryObjectsENS_5LocalINS_7ContextEEEPNS_20QueryObjectPredicateEPNSt4__Cr6vectorINS_6GlobalINS_6ObjectEEENS6_9allocatorISA_EEEE": fn(Raw, Handle, Raw, Raw);
    heap_statistics = "_ZN2v87Isolate17GetHeapStatisticsEPNS_14HeapStatisticsE": fn(Isolate, Raw);
    heap_space_count = "_ZN2v87Isolate18NumberOfHeapSpacesEv": fn(Isolate) -> usize;
    heap_space_statistics = "_ZN2v87Isolate22GetHeapSpaceStatisticsEPNS_19HeapSpaceStatisticsEm": fn(Isolate, Raw, usize) -> bool;
    low_memory = "_ZN2v87Isolate21LowMemoryNotificationEv": fn(Isolate);
    collect_garbage = "_ZN2v88internal4Heap14CollectGarbageENS0_15AllocationSpaceENS0_23GarbageCollectionReasonENS_15GCCallbackFlagsENS0_21PerformHeapLimitCheckENS0_34PerformIneffectiveMarkCompactCheckE": fn(Raw, c_int, c_int, c_int, c_int, c_int);
    clear_kept_objects = "_ZN2v87Isolate16ClearKeptObjectsEv": fn(Isolate);
    time_zone_changed = "_ZN2v87Isolate39DateTimeConfigurationChangeNotificationENS0_17TimeZoneDetectionE": fn(Isolate, c_int);
    random_generator = "_ZN2v88internal7Isolate23random_number_generatorEv": fn(Isolate) -> Raw;
    random_seed = "_ZN2v84base21RandomNumberGenerator7SetSeedEl": fn(Raw, i64);
    set_microtasks_policy = "_ZN2v87Isolate19SetMicrotasksPolicyENS_16MicrotasksPolicyE": fn(Isolate, c_int);
    run_microtasks = "_ZN2v87Isolate26PerformMicrotaskCheckpointEv": fn(Isolate);
    enqueue_microtask = "_ZN2v87Isolate16EnqueueMicrotaskENS_5LocalINS_8FunctionEEE": fn(Isolate, Handle);
    set_promise_hook = "_ZN2v87Isolate14SetPromiseHookEPFvNS_15PromiseHookTypeENS_5LocalINS_7PromiseEEENS2_INS_5ValueEEEE": fn(Isolate, Raw);
    async_context = "_ZN2v87Isolate38GetContinuationPreservedEmbedderDataV2Ev": fn(Isolate) -> Handle;
    set_promise_reject = "_ZN2v87Isolate24SetPromiseRejectCallbackEPFvNS_20PromiseRejectMessageEE": fn(Isolate, Raw);
    set_allow_wasm = "_ZN2v87Isolate34SetAllowWasmCodeGenerationCallbackEPFbNS_5LocalINS_7ContextEEENS1_INS_6StringEEEE": fn(Isolate, Raw);
    set_prepare_stack_trace = "_ZN2v87Isolate28SetPrepareStackTraceCallbackEPFNS_10MaybeLocalINS_5ValueEEENS_5LocalINS_7ContextEEENS4_IS2_EENS4_INS_5ArrayEEEE": fn(Isolate, Raw);
    set_import_meta = "_ZN2v87Isolate41SetHostInitializeImportMetaObjectCallbackEPFvNS_5LocalINS_7ContextEEENS1_INS_6ModuleEEENS1_INS_6ObjectEEEE": fn(Isolate, Raw);
    set_dynamic_import_phase = "_ZN2v87Isolate47SetHostImportModuleWithPhaseDynamicallyCallbackEPFNS_10MaybeLocalINS_7PromiseEEENS_5LocalINS_7ContextEEENS4_INS_4DataEEENS4_INS_5ValueEEENS4_INS_6StringEEENS_17ModuleImportPhaseENS4_INS_10FixedArrayEEEE": fn(Isolate, Raw);
    set_shadow_realm = "_ZN2v87Isolate39SetHostCreateShadowRealmContextCallbackEPFNS_10MaybeLocalINS_7ContextEEENS_5LocalIS2_EEE": fn(Isolate, Raw);
    set_dynamic_import = "_ZN2v87Isolate38SetHostImportModuleDynamicallyCallbackEPFNS_10MaybeLocalINS_7PromiseEEENS_5LocalINS_7ContextEEENS4_INS_4DataEEENS4_INS_5ValueEEENS4_INS_6StringEEENS4_INS_10FixedArrayEEEE": fn(Isolate, Raw);
    add_message_listener = "_ZN2v87Isolate18AddMessageListenerEPFvNS_5LocalINS_7MessageEEENS1_INS_5ValueEEEES5_": fn(Isolate, Raw, Handle) -> bool;
    remove_message_listeners = "_ZN2v87Isolate22RemoveMessageListenersEPFvNS_5LocalINS_7MessageEEENS1_INS_5ValueEEEE": fn(Isolate, Raw);
    has_pending_background_tasks = "_ZN2v87Isolate25HasPendingBackgroundTasksEv": fn(Isolate) -> bool;

    // Handles and scopes.
    scope_extend = "_ZN2v811HandleScope6ExtendEPNS_7IsolateE": fn(Isolate) -> Handle;
    scope_delete_extensions = "_ZN2v811HandleScope16DeleteExtensionsEPNS_7IsolateE": fn(Raw, Isolate);
    scope_count = "_ZN2v811HandleScope15NumberOfHandlesEPNS_7IsolateE": fn(Isolate) -> c_int;
    global_new = "_ZN2v812api_internal18GlobalizeReferenceEPNS_8internal7IsolateEm": fn(Isolate, usize) -> Handle;
    global_dispose = "_ZN2v812api_internal13DisposeGlobalEPm": fn(Handle);
    global_make_weak = "_ZN2v812api_internal8MakeWeakEPmPvPFvRKNS_16WeakCallbackInfoIvEEENS_16WeakCallbackTypeE": fn(Handle, Raw, Raw, c_int);
    function_data = "_ZN2v812api_internal23GetFunctionTemplateDataEPNS_7IsolateENS_5LocalINS_4DataEEE": fn(Isolate, Handle) -> Handle;

    // Context.
    context_new = "_ZN2v87Context3NewEPNS_7IsolateEPNS_22ExtensionConfigurationENS_10MaybeLocalINS_14ObjectTemplateEEENS5_INS_5ValueEEENS_33DeserializeInternalFieldsCallbackEPNS_14MicrotaskQueueENS_30DeserializeContextDataCallbackENS_29DeserializeAPIWrapperCallbackE": fn(Isolate, Raw, Handle, Handle, Raw, Raw, Raw, Raw, Raw, Raw, Raw) -> Handle;
    context_from_snapshot = "_ZN2v87Context12FromSnapshotEPNS_7IsolateEmNS_33DeserializeInternalFieldsCallbackEPNS_22ExtensionConfigurationENS_10MaybeLocalINS_5ValueEEEPNS_14MicrotaskQueueENS_30DeserializeContextDataCallbackENS_29DeserializeAPIWrapperCallbackE": fn(Isolate, usize, Raw, Raw, Raw, Handle, Raw, Raw, Raw, Raw, Raw) -> Handle;
    context_set_embedder_data = "_ZN2v87Context15SetEmbedderDataEiNS_5LocalINS_5ValueEEE": fn(Handle, c_int, Handle);
    context_embedder_data = "_ZN2v87Context19SlowGetEmbedderDataEi": fn(Handle, c_int) -> Handle;
    context_security_token = "_ZN2v87Context16GetSecurityTokenEv": fn(Handle) -> Handle;
    context_set_security_token = "_ZN2v87Context16SetSecurityTokenENS_5LocalINS_5ValueEEE": fn(Handle, Handle);
    context_allow_code = "_ZN2v87Context30AllowCodeGenerationFromStringsEb": fn(Handle, bool);
    context_code_message = "_ZN2v87Context43SetErrorMessageForCodeGenerationFromStringsENS_5LocalINS_6StringEEE": fn(Handle, Handle);
    isolate_context = "_ZN2v87Isolate17GetCurrentContextEv": fn(Isolate) -> Handle;
    microtask_queue_new = "_ZN2v814MicrotaskQueue3NewEPNS_7IsolateENS_16MicrotasksPolicyE": fn(Isolate, c_int) -> Raw;
    microtask_queue_run = "_ZN2v88internal14MicrotaskQueue17PerformCheckpointEPNS_7IsolateE": fn(Raw, Isolate);
    microtask_queue_delete = "_ZN2v88internal14MicrotaskQueueD0Ev": fn(Raw);
    context_enter = "_ZN2v87Context5EnterEv": fn(Handle);
    context_exit = "_ZN2v87Context4ExitEv": fn(Handle);
    context_global = "_ZN2v87Context6GlobalEv": fn(Handle) -> Handle;
    context_extras = "_ZN2v87Context22GetExtrasBindingObjectEv": fn(Handle) -> Handle;

    // Exceptions and messages.
    try_catch = "_ZN2v88TryCatchC1EPNS_7IsolateE": fn(Raw, Isolate);
    try_catch_end = "_ZN2v88TryCatchD1Ev": fn(Raw);
    try_catch_set_verbose = "_ZN2v88TryCatch10SetVerboseEb": fn(Raw, bool);
    try_catch_has_terminated = "_ZNK2v88TryCatch13HasTerminatedEv": fn(Raw) -> bool;
    try_catch_exception = "_ZNK2v88TryCatch9ExceptionEv": fn(Raw) -> Handle;
    try_catch_rethrow = "_ZN2v88TryCatch7ReThrowEv": fn(Raw) -> Handle;
    try_catch_message = "_ZNK2v88TryCatch7MessageEv": fn(Raw) -> Handle;
    message_create = "_ZN2v89Exception13CreateMessageEPNS_7IsolateENS_5LocalINS_5ValueEEE": fn(Isolate, Handle) -> Handle;
    message_stack_trace = "_ZNK2v87Message13GetStackTraceEv": fn(Handle) -> Handle;
    message_origin = "_ZNK2v87Message15GetScriptOriginEv": fn(*mut ScriptOrigin, Handle);
    message_text = "_ZNK2v87Message3GetEv": fn(Handle) -> Handle;
    message_source_line = "_ZNK2v87Message13GetSourceLineENS_5LocalINS_7ContextEEE": fn(Handle, Handle) -> Handle;
    message_resource = "_ZNK2v87Message21GetScriptResourceNameEv": fn(Handle) -> Handle;
    message_line = "_ZNK2v87Message13GetLineNumberENS_5LocalINS_7ContextEEE": fn(Handle, Handle) -> u64;
    message_start_column = "_ZNK2v87Message14GetStartColumnEv": fn(Handle) -> c_int;
    message_end_column = "_ZNK2v87Message12GetEndColumnEv": fn(Handle) -> c_int;
    error_new = "_ZN2v89Exception5ErrorENS_5LocalINS_6StringEEENS1_INS_5ValueEEE": fn(Handle, Handle) -> Handle;
    error_range = "_ZN2v89Exception10RangeErrorENS_5LocalINS_6StringEEENS1_INS_5ValueEEE": fn(Handle, Handle) -> Handle;
    error_type = "_ZN2v89Exception9TypeErrorENS_5LocalINS_6StringEEENS1_INS_5ValueEEE": fn(Handle, Handle) -> Handle;
    stack_count = "_ZNK2v810StackTrace13GetFrameCountEv": fn(Handle) -> c_int;
    stack_frame = "_ZNK2v810StackTrace8GetFrameEPNS_7IsolateEj": fn(Handle, Isolate, u32) -> Handle;
    frame_location = "_ZNK2v810StackFrame11GetLocationEv": fn(Handle) -> u64;
    frame_script = "_ZNK2v810StackFrame24GetScriptNameOrSourceURLEv": fn(Handle) -> Handle;

    // Type tests.
    is_string = "_ZNK2v85Value12FullIsStringEv": fn(Handle) -> bool;
    is_symbol = "_ZNK2v85Value8IsSymbolEv": fn(Handle) -> bool;
    is_number = "_ZNK2v85Value8IsNumberEv": fn(Handle) -> bool;
    is_bigint = "_ZNK2v85Value8IsBigIntEv": fn(Handle) -> bool;
    is_object = "_ZNK2v85Value8IsObjectEv": fn(Handle) -> bool;
    is_function = "_ZNK2v85Value10IsFunctionEv": fn(Handle) -> bool;
    is_array = "_ZNK2v85Value7IsArrayEv": fn(Handle) -> bool;
    is_promise = "_ZNK2v85Value9IsPromiseEv": fn(Handle) -> bool;
    is_native_error = "_ZNK2v85Value13IsNativeErrorEv": fn(Handle) -> bool;
    is_array_buffer = "_ZNK2v85Value13IsArrayBufferEv": fn(Handle) -> bool;
    is_array_buffer_view = "_ZNK2v85Value17IsArrayBufferViewEv": fn(Handle) -> bool;
    is_shared_array_buffer = "_ZNK2v85Value19IsSharedArrayBufferEv": fn(Handle) -> bool;
    is_typed_array = "_ZNK2v85Value12IsTypedArrayEv": fn(Handle) -> bool;
    is_data_view = "_ZNK2v85Value10IsDataViewEv": fn(Handle) -> bool;
    is_date = "_ZNK2v85Value6IsDateEv": fn(Handle) -> bool;
    is_reg_exp = "_ZNK2v85Value8IsRegExpEv": fn(Handle) -> bool;
    is_map = "_ZNK2v85Value5IsMapEv": fn(Handle) -> bool;
    is_set = "_ZNK2v85Value5IsSetEv": fn(Handle) -> bool;
    is_map_iterator = "_ZNK2v85Value13IsMapIteratorEv": fn(Handle) -> bool;
    is_set_iterator = "_ZNK2v85Value13IsSetIteratorEv": fn(Handle) -> bool;
    is_weak_map = "_ZNK2v85Value9IsWeakMapEv": fn(Handle) -> bool;
    is_weak_set = "_ZNK2v85Value9IsWeakSetEv": fn(Handle) -> bool;
    is_weak_ref = "_ZNK2v85Value9IsWeakRefEv": fn(Handle) -> bool;
    is_proxy = "_ZNK2v85Value7IsProxyEv": fn(Handle) -> bool;
    is_module_namespace = "_ZNK2v85Value23IsModuleNamespaceObjectEv": fn(Handle) -> bool;
    is_async_function = "_ZNK2v85Value15IsAsyncFunctionEv": fn(Handle) -> bool;
    is_generator_function = "_ZNK2v85Value19IsGeneratorFunctionEv": fn(Handle) -> bool;
    is_generator = "_ZNK2v85Value17IsGeneratorObjectEv": fn(Handle) -> bool;
    is_arguments = "_ZNK2v85Value17IsArgumentsObjectEv": fn(Handle) -> bool;
    is_boolean_object = "_ZNK2v85Value15IsBooleanObjectEv": fn(Handle) -> bool;
    is_number_object = "_ZNK2v85Value14IsNumberObjectEv": fn(Handle) -> bool;
    is_string_object = "_ZNK2v85Value14IsStringObjectEv": fn(Handle) -> bool;
    is_symbol_object = "_ZNK2v85Value14IsSymbolObjectEv": fn(Handle) -> bool;
    is_bigint_object = "_ZNK2v85Value14IsBigIntObjectEv": fn(Handle) -> bool;
    is_wasm_module = "_ZNK2v85Value18IsWasmModuleObjectEv": fn(Handle) -> bool;
    is_wasm_memory = "_ZNK2v85Value18IsWasmMemoryObjectEv": fn(Handle) -> bool;
    is_external = "_ZNK2v85Value10IsExternalEv": fn(Handle) -> bool;

    // Primitive values.
    integer_new = "_ZN2v87Integer3NewEPNS_7IsolateEi": fn(Isolate, i32) -> Handle;
    number_new = "_ZN2v86Number3NewEPNS_7IsolateEd": fn(Isolate, f64) -> Handle;
    number_value = "_ZNK2v86Number5ValueEv": fn(Handle) -> f64;
    to_boolean = "_ZNK2v85Value9ToBooleanEPNS_7IsolateE": fn(Handle, Isolate) -> Handle;
    to_string = "_ZNK2v85Value8ToStringENS_5LocalINS_7ContextEEE": fn(Handle, Handle) -> Handle;
    bigint_from_words = "_ZN2v86BigInt12NewFromWordsENS_5LocalINS_7ContextEEEiiPKm": fn(Handle, c_int, c_int, *const u64) -> Handle;
    bigint_word_count = "_ZNK2v86BigInt9WordCountEv": fn(Handle) -> c_int;
    bigint_to_words = "_ZNK2v86BigInt12ToWordsArrayEPiS1_Pm": fn(Handle, *mut c_int, *mut c_int, *mut u64);
    string_utf8 = "_ZN2v86String11NewFromUtf8EPNS_7IsolateEPKcNS_13NewStringTypeEi": fn(Isolate, *const u8, c_int, c_int) -> Handle;
    string_one_byte = "_ZN2v86String14NewFromOneByteEPNS_7IsolateEPKhNS_13NewStringTypeEi": fn(Isolate, *const u8, c_int, c_int) -> Handle;
    string_two_byte = "_ZN2v86String14NewFromTwoByteEPNS_7IsolateEPKtNS_13NewStringTypeEi": fn(Isolate, *const u16, c_int, c_int) -> Handle;
    string_view = "_ZN2v86String9ValueViewC1EPNS_7IsolateENS_5LocalIS0_EE": fn(Raw, Isolate, Handle);
    string_view_end = "_ZN2v86String9ValueViewD1Ev": fn(Raw);
    string_utf8_length = "_ZNK2v86String12Utf8LengthV2EPNS_7IsolateE": fn(Handle, Isolate) -> usize;
    string_write_utf8 = "_ZNK2v86String11WriteUtf8V2EPNS_7IsolateEPcmiPm": fn(Handle, Isolate, *mut u8, usize, c_int, *mut usize) -> usize;
    symbol_new = "_ZN2v86Symbol3NewEPNS_7IsolateENS_5LocalINS_6StringEEE": fn(Isolate, Handle) -> Handle;
    symbol_for = "_ZN2v86Symbol3ForEPNS_7IsolateENS_5LocalINS_6StringEEE": fn(Isolate, Handle) -> Handle;
    symbol_description = "_ZNK2v86Symbol11DescriptionEPNS_7IsolateE": fn(Handle, Isolate) -> Handle;
    string_concat = "_ZN2v86String6ConcatEPNS_7IsolateENS_5LocalIS0_EES4_": fn(Isolate, Handle, Handle) -> Handle;
    private_for_api = "_ZN2v87Private6ForApiEPNS_7IsolateENS_5LocalINS_6StringEEE": fn(Isolate, Handle) -> Handle;
    integer_from_unsigned = "_ZN2v87Integer15NewFromUnsignedEPNS_7IsolateEj": fn(Isolate, u32) -> Handle;
    primitive_array_new = "_ZN2v814PrimitiveArray3NewEPNS_7IsolateEi": fn(Isolate, c_int) -> Handle;
    primitive_array_set = "_ZN2v814PrimitiveArray3SetEPNS_7IsolateEiNS_5LocalINS_9PrimitiveEEE": fn(Handle, Isolate, c_int, Handle);
    primitive_array_get = "_ZN2v814PrimitiveArray3GetEPNS_7IsolateEi": fn(Handle, Isolate, c_int) -> Handle;
    primitive_array_length = "_ZNK2v814PrimitiveArray6LengthEv": fn(Handle) -> c_int;
    private_new = "_ZN2v87Private3NewEPNS_7IsolateENS_5LocalINS_6StringEEE": fn(Isolate, Handle) -> Handle;

    // Objects.
    object_new = "_ZN2v86Object3NewEPNS_7IsolateE": fn(Isolate) -> Handle;
    object_get = "_ZN2v86Object3GetENS_5LocalINS_7ContextEEENS1_INS_5ValueEEE": fn(Handle, Handle, Handle) -> Handle;
    object_get_index = "_ZN2v86Object3GetENS_5LocalINS_7ContextEEEj": fn(Handle, Handle, u32) -> Handle;
    object_set = "_ZN2v86Object3SetENS_5LocalINS_7ContextEEENS1_INS_5ValueEEES5_": fn(Handle, Handle, Handle, Handle) -> MaybeBool;
    object_create_property = "_ZN2v86Object18CreateDataPropertyENS_5LocalINS_7ContextEEENS1_INS_4NameEEENS1_INS_5ValueEEE": fn(Handle, Handle, Handle, Handle) -> MaybeBool;
    object_define = "_ZN2v86Object17DefineOwnPropertyENS_5LocalINS_7ContextEEENS1_INS_4NameEEENS1_INS_5ValueEEENS_17PropertyAttributeE": fn(Handle, Handle, Handle, Handle, c_int) -> MaybeBool;
    object_has = "_ZN2v86Object3HasENS_5LocalINS_7ContextEEENS1_INS_5ValueEEE": fn(Handle, Handle, Handle) -> MaybeBool;
    object_has_own = "_ZN2v86Object14HasOwnPropertyENS_5LocalINS_7ContextEEENS1_INS_4NameEEE": fn(Handle, Handle, Handle) -> MaybeBool;
    object_delete = "_ZN2v86Object6DeleteENS_5LocalINS_7ContextEEENS1_INS_5ValueEEE": fn(Handle, Handle, Handle) -> MaybeBool;
    object_property_names = "_ZN2v86Object16GetPropertyNamesENS_5LocalINS_7ContextEEENS_17KeyCollectionModeENS_14PropertyFilterENS_11IndexFilterENS_17KeyConversionModeE": fn(Handle, Handle, c_int, c_int, c_int, c_int) -> Handle;
    object_prototype = "_ZN2v86Object14GetPrototypeV2Ev": fn(Handle) -> Handle;
    object_set_prototype = "_ZN2v86Object14SetPrototypeV2ENS_5LocalINS_7ContextEEENS1_INS_5ValueEEE": fn(Handle, Handle, Handle) -> MaybeBool;
    object_constructor_name = "_ZN2v86Object18GetConstructorNameEv": fn(Handle) -> Handle;
    object_hash = "_ZN2v86Object15GetIdentityHashEv": fn(Handle) -> c_int;
    object_get_private = "_ZN2v86Object10GetPrivateENS_5LocalINS_7ContextEEENS1_INS_7PrivateEEE": fn(Handle, Handle, Handle) -> Handle;
    object_set_private = "_ZN2v86Object10SetPrivateENS_5LocalINS_7ContextEEENS1_INS_7PrivateEEENS1_INS_5ValueEEE": fn(Handle, Handle, Handle, Handle) -> MaybeBool;
    object_has_private = "_ZN2v86Object10HasPrivateENS_5LocalINS_7ContextEEENS1_INS_7PrivateEEE": fn(Handle, Handle, Handle) -> MaybeBool;
    object_creation_context = "_ZN2v86Object18GetCreationContextEPNS_7IsolateE": fn(Handle, Isolate) -> Handle;
    object_get_real = "_ZN2v86Object20GetRealNamedPropertyENS_5LocalINS_7ContextEEENS1_INS_4NameEEE": fn(Handle, Handle, Handle) -> Handle;
    object_has_real = "_ZN2v86Object20HasRealNamedPropertyENS_5LocalINS_7ContextEEENS1_INS_4NameEEE": fn(Handle, Handle, Handle) -> MaybeBool;
    object_real_attributes = "_ZN2v86Object30GetRealNamedPropertyAttributesENS_5LocalINS_7ContextEEENS1_INS_4NameEEE": fn(Handle, Handle, Handle) -> u64;
    object_set_lazy_data = "_ZN2v86Object19SetLazyDataPropertyENS_5LocalINS_7ContextEEENS1_INS_4NameEEEPFvS5_RKNS_20PropertyCallbackInfoINS_5ValueEEEENS1_IS7_EENS_17PropertyAttributeENS_14SideEffectTypeESF_": fn(Handle, Handle, Handle, Raw, Handle, c_int, c_int, c_int) -> MaybeBool;
    object_own_descriptor = "_ZN2v86Object24GetOwnPropertyDescriptorENS_5LocalINS_7ContextEEENS1_INS_4NameEEE": fn(Handle, Handle, Handle) -> Handle;
    object_define_property = "_ZN2v86Object14DefinePropertyENS_5LocalINS_7ContextEEENS1_INS_4NameEEERNS_18PropertyDescriptorE": fn(Handle, Handle, Handle, Raw) -> MaybeBool;
    template_new = "_ZN2v814ObjectTemplate3NewEPNS_7IsolateENS_5LocalINS_16FunctionTemplateEEE": fn(Isolate, Handle) -> Handle;
    template_set_named = "_ZN2v814ObjectTemplate10SetHandlerERKNS_33NamedPropertyHandlerConfigurationE": fn(Handle, *const PropertyHandler);
    template_set_indexed = "_ZN2v814ObjectTemplate10SetHandlerERKNS_35IndexedPropertyHandlerConfigurationE": fn(Handle, *const PropertyHandler);
    should_throw = "_ZN2v88internal18ShouldThrowOnErrorEPNS0_7IsolateE": fn(Isolate) -> bool;
    descriptor_of_value = "_ZN2v818PropertyDescriptorC1ENS_5LocalINS_5ValueEEE": fn(Raw, Handle);
    descriptor_of_writable = "_ZN2v818PropertyDescriptorC1ENS_5LocalINS_5ValueEEEb": fn(Raw, Handle, bool);
    descriptor_of_accessors = "_ZN2v818PropertyDescriptorC1ENS_5LocalINS_5ValueEEES3_": fn(Raw, Handle, Handle);
    descriptor_end = "_ZN2v818PropertyDescriptorD1Ev": fn(Raw);
    descriptor_has_get = "_ZNK2v818PropertyDescriptor7has_getEv": fn(Raw) -> bool;
    descriptor_has_set = "_ZNK2v818PropertyDescriptor7has_setEv": fn(Raw) -> bool;
    descriptor_has_value = "_ZNK2v818PropertyDescriptor9has_valueEv": fn(Raw) -> bool;
    descriptor_has_writable = "_ZNK2v818PropertyDescriptor12has_writableEv": fn(Raw) -> bool;
    descriptor_has_enumerable = "_ZNK2v818PropertyDescriptor14has_enumerableEv": fn(Raw) -> bool;
    descriptor_has_configurable = "_ZNK2v818PropertyDescriptor16has_configurableEv": fn(Raw) -> bool;
    descriptor_get = "_ZNK2v818PropertyDescriptor3getEv": fn(Raw) -> Handle;
    descriptor_set = "_ZNK2v818PropertyDescriptor3setEv": fn(Raw) -> Handle;
    descriptor_value = "_ZNK2v818PropertyDescriptor5valueEv": fn(Raw) -> Handle;
    descriptor_writable = "_ZNK2v818PropertyDescriptor8writableEv": fn(Raw) -> bool;
    descriptor_enumerable = "_ZNK2v818PropertyDescriptor10enumerableEv": fn(Raw) -> bool;
    descriptor_configurable = "_ZNK2v818PropertyDescriptor12configurableEv": fn(Raw) -> bool;
    descriptor_set_enumerable = "_ZN2v818PropertyDescriptor14set_enumerableEb": fn(Raw, bool);
    descriptor_set_configurable = "_ZN2v818PropertyDescriptor16set_configurableEb": fn(Raw, bool);
    object_preview_entries = "_ZN2v86Object14PreviewEntriesEPb": fn(Handle, *mut bool) -> Handle;
    array_new = "_ZN2v85Array3NewEPNS_7IsolateEPNS_5LocalINS_5ValueEEEm": fn(Isolate, *const Handle, usize) -> Handle;
    array_length = "_ZNK2v85Array6LengthEv": fn(Handle) -> u32;
    proxy_target = "_ZN2v85Proxy9GetTargetEv": fn(Handle) -> Handle;
    proxy_handler = "_ZN2v85Proxy10GetHandlerEv": fn(Handle) -> Handle;
    date_new = "_ZN2v84Date3NewENS_5LocalINS_7ContextEEEd": fn(Handle, f64) -> Handle;

    // Buffers.
    array_buffer_from_store = "_ZN2v811ArrayBuffer3NewEPNS_7IsolateENSt4__Cr10shared_ptrINS_12BackingStoreEEE": fn(Isolate, SharedPointer) -> Handle;
    array_buffer_maybe_new = "_ZN2v811ArrayBuffer8MaybeNewEPNS_7IsolateEmNS_30BackingStoreInitializationModeE": fn(Isolate, usize, c_int) -> Handle;
    array_buffer_data = "_ZNK2v811ArrayBuffer4DataEv": fn(Handle) -> *mut u8;
    array_buffer_length = "_ZNK2v811ArrayBuffer10ByteLengthEv": fn(Handle) -> usize;
    array_buffer_was_detached = "_ZNK2v811ArrayBuffer11WasDetachedEv": fn(Handle) -> bool;
    array_buffer_is_detachable = "_ZNK2v811ArrayBuffer12IsDetachableEv": fn(Handle) -> bool;
    array_buffer_is_resizable = "_ZNK2v811ArrayBuffer27IsResizableByUserJavaScriptEv": fn(Handle) -> bool;
    array_buffer_detach = "_ZN2v811ArrayBuffer6DetachENS_5LocalINS_5ValueEEE": fn(Handle, Handle) -> MaybeBool;
    array_buffer_store = "_ZN2v811ArrayBuffer15GetBackingStoreEv": fn(Handle) -> SharedPointer;
    shared_array_buffer_from_store = "_ZN2v817SharedArrayBuffer3NewEPNS_7IsolateENSt4__Cr10shared_ptrINS_12BackingStoreEEE": fn(Isolate, SharedPointer) -> Handle;
    shared_array_buffer_data = "_ZNK2v817SharedArrayBuffer4DataEv": fn(Handle) -> *mut u8;
    shared_array_buffer_length = "_ZNK2v817SharedArrayBuffer10ByteLengthEv": fn(Handle) -> usize;
    shared_array_buffer_store = "_ZN2v817SharedArrayBuffer15GetBackingStoreEv": fn(Handle) -> SharedPointer;
    view_buffer = "_ZN2v815ArrayBufferView6BufferEv": fn(Handle) -> Handle;
    view_offset = "_ZN2v815ArrayBufferView10ByteOffsetEv": fn(Handle) -> usize;
    view_length = "_ZN2v815ArrayBufferView10ByteLengthEv": fn(Handle) -> usize;
    uint8_array_new = "_ZN2v810Uint8Array3NewENS_5LocalINS_11ArrayBufferEEEmm": fn(Handle, usize, usize) -> Handle;
    int8_array_new = "_ZN2v89Int8Array3NewENS_5LocalINS_11ArrayBufferEEEmm": fn(Handle, usize, usize) -> Handle;
    uint8_clamped_array_new = "_ZN2v817Uint8ClampedArray3NewENS_5LocalINS_11ArrayBufferEEEmm": fn(Handle, usize, usize) -> Handle;
    int16_array_new = "_ZN2v810Int16Array3NewENS_5LocalINS_11ArrayBufferEEEmm": fn(Handle, usize, usize) -> Handle;
    uint16_array_new = "_ZN2v811Uint16Array3NewENS_5LocalINS_11ArrayBufferEEEmm": fn(Handle, usize, usize) -> Handle;
    int32_array_new = "_ZN2v810Int32Array3NewENS_5LocalINS_11ArrayBufferEEEmm": fn(Handle, usize, usize) -> Handle;
    uint32_array_new = "_ZN2v811Uint32Array3NewENS_5LocalINS_11ArrayBufferEEEmm": fn(Handle, usize, usize) -> Handle;
    float32_array_new = "_ZN2v812Float32Array3NewENS_5LocalINS_11ArrayBufferEEEmm": fn(Handle, usize, usize) -> Handle;
    float64_array_new = "_ZN2v812Float64Array3NewENS_5LocalINS_11ArrayBufferEEEmm": fn(Handle, usize, usize) -> Handle;
    data_view_new = "_ZN2v88DataView3NewENS_5LocalINS_11ArrayBufferEEEmm": fn(Handle, usize, usize) -> Handle;
    big_int64_array_new = "_ZN2v813BigInt64Array3NewENS_5LocalINS_11ArrayBufferEEEmm": fn(Handle, usize, usize) -> Handle;
    big_uint64_array_new = "_ZN2v814BigUint64Array3NewENS_5LocalINS_11ArrayBufferEEEmm": fn(Handle, usize, usize) -> Handle;
    float16_array_new = "_ZN2v812Float16Array3NewENS_5LocalINS_11ArrayBufferEEEmm": fn(Handle, usize, usize) -> Handle;

    // Functions.
    function_new = "_ZN2v88Function3NewENS_5LocalINS_7ContextEEEPFvRKNS_20FunctionCallbackInfoINS_5ValueEEEENS1_INS_4DataEEEiNS_19ConstructorBehaviorENS_14SideEffectTypeE": fn(Handle, Raw, Handle, c_int, c_int, c_int) -> Handle;
    function_set_name = "_ZN2v88Function7SetNameENS_5LocalINS_6StringEEE": fn(Handle, Handle);
    function_call = "_ZN2v88Function4CallEPNS_7IsolateENS_5LocalINS_7ContextEEENS3_INS_5ValueEEEiPS7_": fn(Handle, Isolate, Handle, Handle, c_int, *const Handle) -> Handle;
    function_construct = "_ZNK2v88Function11NewInstanceENS_5LocalINS_7ContextEEEiPNS1_INS_5ValueEEE": fn(Handle, Handle, c_int, *const Handle) -> Handle;

    // Promises.
    resolver_new = "_ZN2v87Promise8Resolver3NewENS_5LocalINS_7ContextEEE": fn(Handle) -> Handle;
    resolver_promise = "_ZN2v87Promise8Resolver10GetPromiseEv": fn(Handle) -> Handle;
    resolver_resolve = "_ZN2v87Promise8Resolver7ResolveENS_5LocalINS_7ContextEEENS2_INS_5ValueEEE": fn(Handle, Handle, Handle) -> MaybeBool;
    resolver_reject = "_ZN2v87Promise8Resolver6RejectENS_5LocalINS_7ContextEEENS2_INS_5ValueEEE": fn(Handle, Handle, Handle) -> MaybeBool;
    promise_then = "_ZN2v87Promise4ThenENS_5LocalINS_7ContextEEENS1_INS_8FunctionEEES5_": fn(Handle, Handle, Handle, Handle) -> Handle;
    promise_then_fulfilled = "_ZN2v87Promise4ThenENS_5LocalINS_7ContextEEENS1_INS_8FunctionEEE": fn(Handle, Handle, Handle) -> Handle;
    promise_state = "_ZN2v87Promise5StateEv": fn(Handle) -> c_int;
    promise_result = "_ZN2v87Promise6ResultEv": fn(Handle) -> Handle;
    promise_has_handler = "_ZNK2v87Promise10HasHandlerEv": fn(Handle) -> bool;
    promise_mark_handled = "_ZN2v87Promise13MarkAsHandledEv": fn(Handle);

    // Scripts and modules.
    script_compile_unbound = "_ZN2v814ScriptCompiler20CompileUnboundScriptEPNS_7IsolateEPNS0_6SourceENS0_14CompileOptionsENS0_13NoCacheReasonE": fn(Isolate, Raw, c_int, c_int) -> Handle;
    unbound_bind = "_ZN2v813UnboundScript20BindToCurrentContextEv": fn(Handle) -> Handle;
    unbound_source_url = "_ZN2v813UnboundScript12GetSourceURLEv": fn(Handle) -> Handle;
    unbound_source_map = "_ZN2v813UnboundScript19GetSourceMappingURLEv": fn(Handle) -> Handle;
    module_source_map = "_ZN2v819UnboundModuleScript19GetSourceMappingURLEv": fn(Handle) -> Handle;
    function_origin = "_ZNK2v88Function15GetScriptOriginEv": fn(*mut ScriptOrigin, Handle);
    script_compile = "_ZN2v814ScriptCompiler7CompileENS_5LocalINS_7ContextEEEPNS0_6SourceENS0_14CompileOptionsENS0_13NoCacheReasonE": fn(Handle, Raw, c_int, c_int) -> Handle;
    script_run = "_ZN2v86Script3RunENS_5LocalINS_7ContextEEE": fn(Handle, Handle) -> Handle;
    script_unbound = "_ZN2v86Script16GetUnboundScriptEv": fn(Handle) -> Handle;
    script_cache = "_ZN2v814ScriptCompiler15CreateCodeCacheENS_5LocalINS_13UnboundScriptEEE": fn(Handle) -> Raw;
    function_compile = "_ZN2v814ScriptCompiler15CompileFunctionENS_5LocalINS_7ContextEEEPNS0_6SourceEmPNS1_INS_6StringEEEmPNS1_INS_6ObjectEEENS0_14CompileOptionsENS0_13NoCacheReasonE": fn(Handle, Raw, usize, *const Handle, usize, *const Handle, c_int, c_int) -> Handle;
    function_cache = "_ZN2v814ScriptCompiler26CreateCodeCacheForFunctionENS_5LocalINS_8FunctionEEE": fn(Handle) -> Raw;
    module_compile = "_ZN2v814ScriptCompiler13CompileModuleEPNS_7IsolateEPNS0_6SourceENS0_14CompileOptionsENS0_13NoCacheReasonE": fn(Isolate, Raw, c_int, c_int) -> Handle;
    module_cache = "_ZN2v814ScriptCompiler15CreateCodeCacheENS_5LocalINS_19UnboundModuleScriptEEE": fn(Handle) -> Raw;
    module_unbound = "_ZN2v86Module22GetUnboundModuleScriptEv": fn(Handle) -> Handle;
    cache_version_tag = "_ZN2v814ScriptCompiler20CachedDataVersionTagEv": fn() -> u32;
    cached_data_end = "_ZN2v814ScriptCompiler10CachedDataD1Ev": fn(Raw);
    module_requests = "_ZNK2v86Module17GetModuleRequestsEv": fn(Handle) -> Handle;
    module_location = "_ZNK2v86Module22SourceOffsetToLocationEi": fn(Handle, c_int) -> u64;
    module_hash = "_ZNK2v86Module15GetIdentityHashEv": fn(Handle) -> c_int;
    module_name = "_ZNK2v86Module15GetResourceNameEv": fn(Handle) -> Handle;
    module_status = "_ZNK2v86Module9GetStatusEv": fn(Handle) -> c_int;
    module_exception = "_ZNK2v86Module12GetExceptionEv": fn(Handle) -> Handle;
    module_instantiate = "_ZN2v86Module17InstantiateModuleENS_5LocalINS_7ContextEEEPFNS_10MaybeLocalIS0_EES3_mNS1_IS0_EEEPFNS4_INS_6ObjectEEES3_mS6_E": fn(Handle, Handle, Raw, Raw) -> MaybeBool;
    module_evaluate = "_ZN2v86Module8EvaluateENS_5LocalINS_7ContextEEE": fn(Handle, Handle) -> Handle;
    module_namespace = "_ZN2v86Module18GetModuleNamespaceEv": fn(Handle) -> Handle;
    module_is_async = "_ZNK2v86Module12IsGraphAsyncEv": fn(Handle) -> bool;
    module_has_await = "_ZNK2v86Module16HasTopLevelAwaitEv": fn(Handle) -> bool;
    module_is_source = "_ZNK2v86Module18IsSourceTextModuleEv": fn(Handle) -> bool;
    module_synthetic = "_ZN2v86Module21CreateSyntheticModuleEPNS_7IsolateENS_5LocalINS_6StringEEERKNS_10MemorySpanIKS5_EEPFNS_10MaybeLocalINS_5ValueEEENS3_INS_7ContextEEENS3_IS0_EEE": fn(Isolate, Handle, *const Span, Raw) -> Handle;
    module_set_export = "_ZN2v86Module24SetSyntheticModuleExportEPNS_7IsolateENS_5LocalINS_6StringEEENS3_INS_5ValueEEE": fn(Handle, Isolate, Handle, Handle) -> MaybeBool;
    module_stalled = "_ZN2v86Module31GetStalledTopLevelAwaitMessagesEPNS_7IsolateE": fn(*mut [LocalVector; 2], Handle, Isolate);
    request_specifier = "_ZNK2v813ModuleRequest12GetSpecifierEv": fn(Handle) -> Handle;
    request_attributes = "_ZNK2v813ModuleRequest19GetImportAttributesEv": fn(Handle) -> Handle;
    request_offset = "_ZNK2v813ModuleRequest15GetSourceOffsetEv": fn(Handle) -> c_int;
    fixed_array_length = "_ZNK2v810FixedArray6LengthEv": fn(Handle) -> c_int;
    fixed_array_get = "_ZNK2v810FixedArray3GetEi": fn(Handle, c_int) -> Handle;

    // Snapshots.
    snapshot_creator = "_ZN2v815SnapshotCreatorC1ERKNS_7Isolate12CreateParamsE": fn(Raw, Raw);
    snapshot_creator_end = "_ZN2v815SnapshotCreatorD1Ev": fn(Raw);
    snapshot_isolate = "_ZN2v815SnapshotCreator10GetIsolateEv": fn(Raw) -> Isolate;
    snapshot_context = "_ZN2v815SnapshotCreator17SetDefaultContextENS_5LocalINS_7ContextEEENS_31SerializeInternalFieldsCallbackENS_28SerializeContextDataCallbackENS_27SerializeAPIWrapperCallbackE": fn(Raw, Handle, Raw, Raw, Raw, Raw, Raw, Raw);
    snapshot_add_context = "_ZN2v815SnapshotCreator10AddContextENS_5LocalINS_7ContextEEENS_31SerializeInternalFieldsCallbackENS_28SerializeContextDataCallbackENS_27SerializeAPIWrapperCallbackE": fn(Raw, Handle, Raw, Raw, Raw, Raw, Raw, Raw) -> usize;
    snapshot_blob = "_ZN2v815SnapshotCreator10CreateBlobENS0_20FunctionCodeHandlingE": fn(Raw, c_int) -> Blob;

    // Structured clone.
    serializer = "_ZN2v815ValueSerializerC1EPNS_7IsolateEPNS0_8DelegateE": fn(Raw, Isolate, Raw);
    serializer_end = "_ZN2v815ValueSerializerD1Ev": fn(Raw);
    serializer_header = "_ZN2v815ValueSerializer11WriteHeaderEv": fn(Raw);
    serializer_write = "_ZN2v815ValueSerializer10WriteValueENS_5LocalINS_7ContextEEENS1_INS_5ValueEEE": fn(Raw, Handle, Handle) -> MaybeBool;
    serializer_transfer = "_ZN2v815ValueSerializer19TransferArrayBufferEjNS_5LocalINS_11ArrayBufferEEE": fn(Raw, u32, Handle);
    serializer_release = "_ZN2v815ValueSerializer7ReleaseEv": fn(Raw) -> ByteSpan;
    deserializer = "_ZN2v817ValueDeserializerC1EPNS_7IsolateEPKhmPNS0_8DelegateE": fn(Raw, Isolate, *const u8, usize, Raw);
    deserializer_end = "_ZN2v817ValueDeserializerD1Ev": fn(Raw);
    deserializer_header = "_ZN2v817ValueDeserializer10ReadHeaderENS_5LocalINS_7ContextEEE": fn(Raw, Handle) -> MaybeBool;
    deserializer_u32 = "_ZN2v817ValueDeserializer10ReadUint32EPj": fn(Raw, *mut u32) -> bool;
    deserializer_raw = "_ZN2v817ValueDeserializer12ReadRawBytesEmPPKv": fn(Raw, usize, *mut *const u8) -> bool;
    deserializer_read = "_ZN2v817ValueDeserializer9ReadValueENS_5LocalINS_7ContextEEE": fn(Raw, Handle) -> Handle;
    deserializer_transfer = "_ZN2v817ValueDeserializer19TransferArrayBufferEjNS_5LocalINS_11ArrayBufferEEE": fn(Raw, u32, Handle);
    // Default implementations of the two delegates, for the table slots that rt does not override.
    delegate_has_custom = "_ZN2v815ValueSerializer8Delegate19HasCustomHostObjectEPNS_7IsolateE": fn(Raw, Isolate) -> bool;
    delegate_is_host = "_ZN2v815ValueSerializer8Delegate12IsHostObjectEPNS_7IsolateENS_5LocalINS_6ObjectEEE": fn(Raw, Isolate, Handle) -> MaybeBool;
    delegate_write_host = "_ZN2v815ValueSerializer8Delegate15WriteHostObjectEPNS_7IsolateENS_5LocalINS_6ObjectEEE": fn(Raw, Isolate, Handle) -> MaybeBool;
    delegate_adopt = "_ZN2v815ValueSerializer8Delegate24AdoptSharedValueConveyorEPNS_7IsolateEONS_19SharedValueConveyorE": fn(Raw, Isolate, Raw) -> bool;
    delegate_wasm_from = "_ZN2v817ValueDeserializer8Delegate19GetWasmModuleFromIdEPNS_7IsolateEj": fn(Raw, Isolate, u32) -> Handle;
    delegate_conveyor = "_ZN2v817ValueDeserializer8Delegate22GetSharedValueConveyorEPNS_7IsolateE": fn(Raw, Isolate) -> Raw;

    // Inspector.
    inspector_create = "_ZN12v8_inspector11V8Inspector6createEPN2v87IsolateEPNS_17V8InspectorClientE": fn(Isolate, Raw) -> Raw;
    inspector_delete = "_ZN12v8_inspector15V8InspectorImplD0Ev": fn(Raw);
    set_context_id = "_ZN2v85debug12SetContextIdENS_5LocalINS_7ContextEEEi": fn(Handle, c_int);
    inspector_context_created = "_ZN12v8_inspector15V8InspectorImpl14contextCreatedERKNS_13V8ContextInfoE": fn(Raw, *const ContextInfo);
    inspector_context_destroyed = "_ZN12v8_inspector15V8InspectorImpl16contextDestroyedEN2v85LocalINS1_7ContextEEE": fn(Raw, Handle);
    inspector_connect = "_ZN12v8_inspector15V8InspectorImpl7connectEiPNS_11V8Inspector7ChannelENS_10StringViewENS1_16ClientTrustLevelENS1_17SessionPauseStateE": fn(Raw, c_int, Raw, StringView, c_int, c_int) -> Raw;
    inspector_exception = "_ZN12v8_inspector15V8InspectorImpl15exceptionThrownEN2v85LocalINS1_7ContextEEENS_10StringViewENS2_INS1_5ValueEEES5_S5_jjNSt4__Cr10unique_ptrINS_12V8StackTraceENS8_14default_deleteISA_EEEEi": fn(Raw, Handle, StringView, Handle, StringView, StringView, u32, u32, Raw, c_int) -> u32;
    inspector_stack_trace = "_ZN12v8_inspector15V8InspectorImpl16createStackTraceEN2v85LocalINS1_10StackTraceEEE": fn(Raw, Handle) -> Raw;
    inspector_task_scheduled = "_ZN12v8_inspector15V8InspectorImpl18asyncTaskScheduledENS_10StringViewEPvb": fn(Raw, StringView, Raw, bool);
    inspector_task_started = "_ZN12v8_inspector15V8InspectorImpl16asyncTaskStartedEPv": fn(Raw, Raw);
    inspector_task_finished = "_ZN12v8_inspector15V8InspectorImpl17asyncTaskFinishedEPv": fn(Raw, Raw);
    inspector_task_canceled = "_ZN12v8_inspector15V8InspectorImpl17asyncTaskCanceledEPv": fn(Raw, Raw);
    session_dispatch = "_ZN12v8_inspector22V8InspectorSessionImpl23dispatchProtocolMessageENS_10StringViewE": fn(Raw, StringView);
    session_pause = "_ZN12v8_inspector22V8InspectorSessionImpl28schedulePauseOnNextStatementENS_10StringViewES1_": fn(Raw, StringView, StringView);
    session_delete = "_ZN12v8_inspector22V8InspectorSessionImplD0Ev": fn(Raw);
    string_buffer_create = "_ZN12v8_inspector12StringBuffer6createENS_10StringViewE": fn(StringView) -> Raw;
}
