//! A value on its way to another engine: V8's bytes, shared memory and transferred memory.
use super::serializer::{self, Bytes, SerializedValue, transferable};
use crate::v8::api::layout::maybe_bool;
use crate::v8::api::share::Share;
use crate::v8::api::{Handle, v8};
use crate::v8::values::function::Call;
use crate::v8::values::scope::{Global, Local, NO_HANDLE, Scope};

/// A serialized value. It belongs to no engine and no thread.
pub struct Packet {
    /// The value is a list: the message and what travels with it.
    pub is_list: bool,
    bytes: Bytes,
    shared: Vec<Share>,
    moved: Vec<Share>,
    modules: Vec<Share>,
}

impl Packet {
    /// Serializes `value`; the ArrayBuffers in argument `transfer` of the call move into the packet. `None` if it threw.
    pub fn pack(call: &Call<'_>, value: Local<'_>, transfer: usize, is_list: bool) -> Option<Packet> {
        let buffers = transferable(call, transfer)?;
        let SerializedValue { bytes, shared, modules } = serializer::write(&call.scope, value, &buffers, true)?;
        let store = |buffer: Global| {
            let buffer = buffer.in_scope(&call.scope).ok()?;
            // SAFETY: the SharedArrayBuffer is live; V8 returns a share that this owns.
            Some(unsafe { Share::new((v8().shared_array_buffer_store)(buffer.handle())) })
        };
        let shared = shared.into_iter().filter_map(store).collect();
        let moved = buffers.into_iter().map(detach).collect::<Option<Vec<Share>>>()?;
        Some(Packet { is_list, bytes, shared, moved, modules })
    }

    /// Deserializes the value in another engine; `None` if it threw. Only the first call receives transferred memory.
    pub fn unpack<'s>(&mut self, scope: &Scope<'s>) -> Option<Local<'s>> {
        // SAFETY: V8 owns the shares from here on, and has just made the buffers.
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
            scope.local(serializer::read(scope, self.bytes.as_slice(), &moved, shared, modules))
        }
    }
}

/// Detaches the memory of an ArrayBuffer.
fn detach(buffer: Handle) -> Option<Share> {
    // SAFETY: the ArrayBuffer is live and detachable; V8 returns a share that this owns.
    unsafe {
        let store = Share::new((v8().array_buffer_store)(buffer));
        maybe_bool((v8().array_buffer_detach)(buffer, NO_HANDLE))?;
        Some(store)
    }
}
