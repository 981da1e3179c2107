//! A value on its way to another engine: V8's bytes, the memory that is shared with them and the memory that moves.
use super::api::{Handle, v8};
use super::clone::{self, Bytes, Written, transferable};
use super::function::Call;
use super::layout::maybe_bool;
use super::scope::{Global, Local, NO_HANDLE, Scope};
use super::share::Share;

/// Belongs to no engine and no thread.
pub struct Packet {
    bytes: Bytes,
    shared: Vec<Share>,
    moved: Vec<Share>,
    modules: Vec<Share>,
}

impl Packet {
    /// Pack `value`; the ArrayBuffers in argument `transfer` of the call move into the packet. `None` after throwing.
    pub fn pack(call: &Call<'_>, value: Local<'_>, transfer: usize) -> Option<Packet> {
        let buffers = transferable(call, transfer)?;
        let Written { bytes, shared, modules } = clone::write(&call.scope, value, &buffers, true)?;
        let store = |buffer: Global| {
            let buffer = buffer.in_scope(&call.scope).ok()?;
            // SAFETY: a live SharedArrayBuffer; V8 returns the share to us.
            Some(unsafe { Share::new((v8().shared_array_buffer_store)(buffer.handle())) })
        };
        let shared = shared.into_iter().filter_map(store).collect();
        let moved = buffers.into_iter().map(detached).collect::<Option<Vec<Share>>>()?;
        Some(Packet { bytes, shared, moved, modules })
    }

    /// The value, in another engine. `None` where it threw. Memory that moves goes to the first call.
    pub fn unpack<'s>(&mut self, scope: &Scope<'s>) -> Option<Local<'s>> {
        // SAFETY: the shares are given over; the buffers are V8's own, made just now.
        unsafe {
            let shared = self.shared.iter().filter_map(|store| {
                let buffer = (v8().shared_array_buffer_from_store)(scope.isolate, store.another());
                Some(Global::new(scope, scope.local(buffer)?))
            });
            let shared: Vec<Global> = shared.collect();
            let moved = std::mem::take(&mut self.moved);
            let moved = moved.iter().map(|store| (v8().array_buffer_from_store)(scope.isolate, store.another()));
            let moved: Vec<Handle> = moved.collect();
            let modules = self.modules.iter().map(|module| Share::new(module.another())).collect();
            scope.local(clone::read(scope, self.bytes.as_slice(), &moved, shared, modules))
        }
    }
}

/// The memory of an ArrayBuffer, taken away from it.
fn detached(buffer: Handle) -> Option<Share> {
    // SAFETY: a live ArrayBuffer that can be detached; V8 returns the share to us.
    unsafe {
        let store = Share::new((v8().array_buffer_store)(buffer));
        maybe_bool((v8().array_buffer_detach)(buffer, NO_HANDLE))?;
        Some(store)
    }
}
