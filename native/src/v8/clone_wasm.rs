//! Compiled WebAssembly in clones: a module is handed on as it was compiled, also to another engine of the process.
use super::api::{Handle, Isolate, Raw, v8};
use super::api_addons::{self, more};
use super::clone::{Delegate, throw_clone_error};
use super::layout::SharedPointer;
use super::scope::{NO_HANDLE, Scope};
use super::share::Share;
use super::state::State;
use super::value::literal;

/// `v8::CompiledWasmModule`: what was compiled, and a `std::string` with the URL of its source. All zeros is an empty
/// string in V8's C++ library.
#[repr(C)]
pub struct CompiledWasm {
    compiled: SharedPointer,
    source_url: [usize; 3],
}

/// `GetWasmModuleTransferId`: the module's place in the list, as a `Maybe<uint32_t>`.
pub unsafe extern "C" fn module_id(this: Raw, isolate: Isolate, module: Handle) -> u64 {
    const JUST: u64 = 1;
    // SAFETY: `this` is the delegate given to V8, alive through the call; V8 is calling with a live module.
    unsafe {
        let delegate = &mut *(this as *mut Delegate);
        if !delegate.may_share || api_addons::load().is_err() {
            let scope = Scope::in_callback(isolate, State::of(isolate));
            throw_clone_error(this, literal(&scope, "A WebAssembly.Module could not be cloned.").handle());
            return 0;
        }
        // The URL, which streamed code alone has, is not handed on; one that is too long for the string itself is never freed.
        delegate.modules.push(Share::new((more().wasm_compiled)(module).compiled));
        ((delegate.modules.len() - 1) as u64) << 32 | JUST
    }
}

/// `GetWasmModuleFromId`: the module at that place, made in this engine.
pub unsafe extern "C" fn module_from_id(this: Raw, isolate: Isolate, id: u32) -> Handle {
    // SAFETY: as above; a share lives in the argument, which V8 only looks at, and is given up after the call.
    unsafe {
        let delegate = &*(this as *const Delegate);
        let Some(share) = delegate.modules.get(id as usize) else {
            return (v8().delegate_wasm_from)(this, isolate, id);
        };
        if api_addons::load().is_err() {
            return NO_HANDLE;
        }
        let given = CompiledWasm { compiled: share.another(), source_url: [0; 3] };
        let module = (more().wasm_from_compiled)(isolate, &raw const given);
        drop(Share::new(given.compiled));
        module
    }
}
