//! The user of this process, and scheduling priorities.
use std::ffi::{CStr, c_char};
use std::mem::MaybeUninit;

use rustix::io::Errno;

use super::{throw, throw_last};
use crate::fs::Failure;
use crate::v8::{Call, HostOperation};

pub const OPERATIONS: &[(&str, HostOperation)] =
    &[("os_user", user), ("os_priority", priority), ("os_setPriority", set_priority)];

/// The entry of a user seldom needs more.
const USUAL_BYTES: usize = 1024;
const MOST_BYTES: usize = 1 << 20;

/// `os_user()`: this user's entry in the user database.
fn user(call: &Call<'_>) -> bool {
    let mut room: Vec<c_char> = vec![0; USUAL_BYTES];
    let mut entry = MaybeUninit::<libc::passwd>::zeroed();
    let mut found = std::ptr::null_mut();
    loop {
        // SAFETY: the call fills the structure with pointers into `room`, which has `len()` bytes.
        let refused =
            unsafe { libc::getpwuid_r(libc::getuid(), entry.as_mut_ptr(), room.as_mut_ptr(), room.len(), &mut found) };
        match refused {
            libc::ERANGE if room.len() < MOST_BYTES => room.resize(room.len() * 2, 0),
            libc::EINTR => {}
            _ => break,
        }
    }
    if found.is_null() {
        return throw(call, &Failure::new(Errno::NOENT, "uv_os_get_passwd"));
    }
    // SAFETY: the entry was found, so all of it is filled.
    let entry = unsafe { entry.assume_init() };
    let scope = &call.scope;
    let user = scope.object();
    scope.put(user, "uid", scope.number(entry.pw_uid.into()));
    scope.put(user, "gid", scope.number(entry.pw_gid.into()));
    for (name, text) in [("username", entry.pw_name), ("homedir", entry.pw_dir), ("shell", entry.pw_shell)] {
        // SAFETY: the text ends in NUL, or is null if the database has none.
        let bytes = if text.is_null() { &[] } else { unsafe { CStr::from_ptr(text) }.to_bytes() };
        scope.put(user, name, scope.text(bytes).unwrap_or_else(|| scope.undefined()));
    }
    call.answer(user);
    true
}

/// `os_priority(pid)`
fn priority(call: &Call<'_>) -> bool {
    // SAFETY: the calls take numbers only. As -1 is also a valid result, errno, which is thread-local, shows whether
    // the call failed.
    let (priority, errno) = unsafe {
        *libc::__errno_location() = 0;
        let priority = libc::getpriority(libc::PRIO_PROCESS, call.integer(0) as libc::id_t);
        (priority, *libc::__errno_location())
    };
    if priority == -1 && errno != 0 {
        return throw_last(call, "uv_os_getpriority");
    }
    call.answer_number(priority.into());
    true
}

/// `os_setPriority(pid, value)`
fn set_priority(call: &Call<'_>) -> bool {
    // SAFETY: the call takes numbers only.
    let result =
        unsafe { libc::setpriority(libc::PRIO_PROCESS, call.integer(0) as libc::id_t, call.integer(1) as i32) };
    result == 0 || throw_last(call, "uv_os_setpriority")
}
