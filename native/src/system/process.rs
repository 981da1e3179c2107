//! Changes of this process, and signals it sends: working directory, title, sleeping, abort(3).
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::FileExt;
use std::time::Duration;

use super::{flush, throw, throw_last};
use crate::event_loop::borrowed;
use crate::fs::Failure;
use crate::v8::{Call, HostOperation};

pub const OPERATIONS: &[(&str, HostOperation)] = &[
    ("process_abort", abort),
    ("process_chdir", change_folder),
    ("process_kill", kill),
    ("process_setTitle", set_title),
    ("process_sleep", sleep),
    ("process_terminalSize", terminal_size),
];

/// The length of a thread's name in the kernel.
const COMM_BYTES: usize = 15;
/// Indices in /proc/self/stat, counted from the field after the name.
const ARG_START: usize = 45;
const ARG_END: usize = 46;

/// `process_abort()`
fn abort(call: &Call<'_>) -> bool {
    if flush(call) {
        std::process::abort()
    }
    true
}

/// `process_chdir(folder)`
fn change_folder(call: &Call<'_>) -> bool {
    let folder = call.c_text(0).unwrap_or_default(); // as in Node
    if let Err(error) = rustix::process::chdir(&folder) {
        let known = std::env::current_dir().unwrap_or_default(); // empty if the folder was removed
        return throw(
            call,
            &Failure::with_destination(error, "chdir", known.as_os_str().as_bytes(), folder.as_bytes()),
        );
    }
    true
}

/// `process_kill(pid, signal)`; writes buffered output first.
fn kill(call: &Call<'_>) -> bool {
    if !flush(call) {
        return true;
    }
    // SAFETY: the call takes numbers only.
    let is_sent = unsafe { libc::kill(call.integer(0) as i32, call.integer(1) as i32) == 0 };
    is_sent || throw_last(call, "kill")
}

/// `process_sleep(ms)`; writes buffered output first.
fn sleep(call: &Call<'_>) -> bool {
    if flush(call) {
        let seconds = call.number(0).unwrap_or(0.0).max(0.0) / 1000.0;
        std::thread::sleep(Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX));
    }
    true
}

/// `process_terminalSize(descriptor)`: columns and rows; the usual ones if it is not a terminal.
fn terminal_size(call: &Call<'_>) -> bool {
    let size = rustix::termios::tcgetwinsize(borrowed(call.integer(0) as i32));
    let (columns, rows) = size.map_or((80, 24), |size| (size.ws_col, size.ws_row));
    call.answer(call.scope.array(&[call.scope.number(columns.into()), call.scope.number(rows.into())]));
    true
}

/// `process_setTitle(title)`: sets the thread's name and as much of the command line as fits.
///
/// If the kernel does not allow it, the process keeps its names; nothing depends on them.
fn set_title(call: &Call<'_>) -> bool {
    let mut title = call.utf8(0).unwrap_or_default();
    title.retain(|byte| *byte != 0);
    let _ = title_to_system(&title);
    true
}

fn title_to_system(title: &[u8]) -> Option<()> {
    std::fs::write("/proc/self/comm", &title[..title.len().min(COMM_BYTES)]).ok()?;
    let stat = std::fs::read("/proc/self/stat").ok()?;
    let name_end = stat.iter().rposition(|byte| *byte == b')')?;
    let fields: Vec<&str> = std::str::from_utf8(&stat[name_end + 1..]).ok()?.split_whitespace().collect();
    let (start, end): (u64, u64) = (fields.get(ARG_START)?.parse().ok()?, fields.get(ARG_END)?.parse().ok()?);
    let room = usize::try_from(end.checked_sub(start)?).ok().filter(|room| *room > 0)?;
    let mut shown = title[..title.len().min(room - 1)].to_vec();
    shown.resize(room, 0);
    let memory = std::fs::File::options().write(true).open("/proc/self/mem").ok()?;
    memory.write_all_at(&shown, start).ok()
}
