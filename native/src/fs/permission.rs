//! The file limits of `--permission` (`files/permission`), as JavaScript queries and changes them.
use crate::files::permission::{Access, allows, drop};
use crate::v8::Natives;
use crate::v8::{Call, CallbackInfo, guarded};

pub const NATIVES: Natives = &[("filesAllowed", files_allowed), ("filesDrop", files_drop)];

fn access(call: &Call<'_>) -> Access {
    if call.integer(0) == 0 { Access::Read } else { Access::Write }
}

/// The path in the second argument, as text or bytes; none if it is neither.
fn path(call: &Call<'_>) -> Option<Vec<u8>> {
    call.utf8(1).or_else(|| call.with_bytes(1, <[u8]>::to_vec))
}

/// `filesAllowed(0 to read or 1 to write, path?)`: whether the program may access the path, or all files if none is
/// given.
extern "C" fn files_allowed(info: &CallbackInfo) {
    guarded(info, |call| call.answer(call.scope.boolean(allows(access(call), path(call).as_deref()))));
}

/// `filesDrop(0 or 1, path?)`: drops that permission.
extern "C" fn files_drop(info: &CallbackInfo) {
    guarded(info, |call| drop(access(call), path(call).as_deref()));
}
