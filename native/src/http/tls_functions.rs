//! Bytes through connections of `node:tls`, from buffer to buffer (`native/crypto/src/tls_passing.rs`); all
//! else of them are functions of the library (`js/node/tls/handle.js`).
use super::parser_functions::{integer, number};
use super::secure::load;
use crate::v8::api::layout::CallbackInfo;
use crate::v8::buffer;
use crate::v8::{Call, Natives, guarded};

pub const NATIVES: Natives = &[("tlsPut", put), ("tlsTake", take)];

const NOTHING_DONE: i64 = -1;

fn answer(call: &Call<'_>, outcome: i64) {
    call.answer(integer(&call.scope, outcome as i32));
}

/// `tlsTake(connection, bytes that arrived, room)`: how many clear bytes are in the room, with 1 << 20 where another call without
/// bytes may give more, 2 << 20 where there is something else to tell; -1 where nothing has happened.
pub extern "C" fn take(info: &CallbackInfo) {
    guarded(info, |call| {
        let (data, room) = (buffer::region(call.argument(1)), buffer::region(call.argument(2)));
        let (Some(data), Some(room), Some(functions)) = (data, room, load()) else { return answer(call, NOTHING_DONE) };
        // SAFETY: the regions live as long as their handles, and no JavaScript runs meanwhile; a room has at least a byte.
        let outcome =
            unsafe { (functions.take)(number(call, 0) as u64, data.data, data.length, room.data, room.length) };
        answer(call, outcome);
    });
}

/// `tlsPut(connection, descriptor, first, second or undefined)`: as `Functions::put` says.
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
