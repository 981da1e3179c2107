//! Bytes through connections of `node:tls`, from buffer to buffer (`native/crypto/src/tls_passing.rs`). All their other
//! operations are functions of the library (`js/node/tls/handle.js`).
use super::parser_functions::number;
use super::secure::load;
use crate::v8::buffer;
use crate::v8::{Call, CallbackInfo, Natives, guarded};

pub const NATIVES: Natives = &[("tlsPut", put), ("tlsTake", take)];

const NOTHING_DONE: i64 = -1;

fn answer(call: &Call<'_>, outcome: i64) {
    call.answer_number(outcome as i32 as f64);
}

/// `tlsTake(connection, received bytes, room)`: the number of decrypted bytes in the room, with 1 << 20 if a call
/// without bytes may return more, and 2 << 20 if there are other events; -1 if nothing happened.
pub extern "C" fn take(info: &CallbackInfo) {
    guarded(info, |call| {
        let (data, room) = (buffer::region(call.argument(1)), buffer::region(call.argument(2)));
        let (Some(data), Some(room), Some(functions)) = (data, room, load()) else { return answer(call, NOTHING_DONE) };
        // SAFETY: the regions live as long as their handles, no JavaScript runs meanwhile, and the room has at least
        // one byte.
        let outcome =
            unsafe { (functions.take)(number(call, 0) as u64, data.data, data.length, room.data, room.length) };
        answer(call, outcome);
    });
}

/// `tlsPut(connection, descriptor, first, second or undefined)`: see `Functions::put`.
pub extern "C" fn put(info: &CallbackInfo) {
    guarded(info, |call| {
        let (first, second) = (buffer::region(call.argument(2)), buffer::region(call.argument(3)));
        let (Some(first), Some(functions)) = (first, load()) else { return answer(call, NOTHING_DONE) };
        let (data, size) = second.map_or((std::ptr::null(), 0), |second| (second.data.cast_const(), second.length));
        let (connection, descriptor) = (number(call, 0) as u64, number(call, 1) as i32);
        // SAFETY: as above.
        answer(call, unsafe { (functions.put)(connection, descriptor, first.data, first.length, data, size) });
    });
}
