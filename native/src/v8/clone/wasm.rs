//! Compiled WebAssembly in clones: a module is transferred in its compiled form, also to another engine of the process.
use super::serializer::{Delegate, throw_clone_error};
use crate::v8::api::layout::CompiledWasm;
use crate::v8::api::rare::{self, more};
use crate::v8::api::share::Share;
use crate::v8::api::{Handle, Isolate, Raw, v8};
use crate::v8::values::scope::{NO_HANDLE, Scope};
use crate::v8::values::state::State;
use crate::v8::values::value::literal;

/// `GetWasmModuleTransferId`: the module's index in the list, as a `Maybe<uint32_t>`.
pub unsafe extern "C" fn module_id(this: Raw, isolate: Isolate, module: Handle) -> u64 {
    const JUST: u64 = 1;
    // SAFETY: `this` is the delegate given to V8 and outlives the call; V8 passes a live module.
    unsafe {
        let delegate = &mut *(this as *mut Delegate);
        if !delegate.may_share || rare::load().is_err() {
            let scope = Scope::in_callback(isolate, State::of(isolate));
            throw_clone_error(this, literal(&scope, "A WebAssembly.Module could not be cloned.").handle());
            return 0;
        }
        // The URL, which only streamed code has, is dropped. A URL too long for the string object itself is never
        // freed.
        delegate.modules.push(Share::new((more().wasm_compiled)(module).compiled));
        ((delegate.modules.len() - 1) as u64) << 32 | JUST
    }
}

/// `GetWasmModuleFromId`: the module at that index, created in this engine.
pub unsafe extern "C" fn module_from_id(this: Raw, isolate: Isolate, id: u32) -> Handle {
    // SAFETY: as above; V8 only reads the argument, whose share is released after the call.
    unsafe {
        let delegate = &*(this as *const Delegate);
        let Some(share) = delegate.modules.get(id as usize) else {
            return (v8().delegate_wasm_from)(this, isolate, id);
        };
        if rare::load().is_err() {
            return NO_HANDLE;
        }
        let wrapper = CompiledWasm { compiled: share.another(), source_url: [0; 3] };
        let module = (more().wasm_from_compiled)(isolate, &raw const wrapper);
        drop(Share::new(wrapper.compiled));
        module
    }
}
