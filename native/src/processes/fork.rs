//! Forking a sibling: a copy of this process whose parent is this process's parent, and changing its command line.
//!
//! `fork(2)` cannot do that, so the system call is made here, together with what the interpreter and the C library
//! require around it. The process must have only one thread, so that no lock is held by a thread that the copy lacks.
use std::ffi::{c_int, c_ulong};
use std::io::Error;
use std::ptr::null_mut;

use pyo3::exceptions::{PyOSError, PyRuntimeError};
use pyo3::ffi::{PyOS_AfterFork_Child, PyOS_AfterFork_Parent, PyOS_BeforeFork};
use pyo3::prelude::*;

const PR_GET_TID_ADDRESS: c_int = 40;
// Fields of /proc/self/stat (proc(5)) are counted from 1; the third one follows the name in parentheses.
const FIRST_FIELD: usize = 3;
const ARGUMENTS_START: usize = 48;
const ARGUMENTS_END: usize = 49;

/// Forks a child of this process's parent; see `_native.pyi`.
#[pyfunction]
fn fork_sibling(_py: Python<'_>) -> PyResult<libc::pid_t> {
    if !is_single_threaded()? {
        return Err(PyRuntimeError::new_err("a process with several threads cannot fork a sibling"));
    }
    // SAFETY: this is the only thread, it holds the GIL, and the interpreter's hooks are called as in os.fork. No lock
    // of the C library is held, so fork()'s handling of locks is not needed; the kernel updates the C library's copy of
    // the thread id.
    unsafe {
        PyOS_BeforeFork();
        let pid = clone_sibling();
        let error = Error::last_os_error();
        if pid == 0 {
            PyOS_AfterFork_Child();
        } else {
            PyOS_AfterFork_Parent();
        }
        if pid < 0 { Err(PyOSError::new_err(error)) } else { Ok(pid) }
    }
}

/// Whether this is the process's only thread. A thread that was just joined may exist for a moment longer.
fn is_single_threaded() -> PyResult<bool> {
    for _ in 0..100 {
        if std::fs::read_dir("/proc/self/task")?.count() == 1 {
            return Ok(true);
        }
        std::thread::sleep(std::time::Duration::from_micros(100));
    }
    Ok(false)
}

/// # Safety
/// As for `fork` in a process with one thread.
unsafe fn clone_sibling() -> libc::pid_t {
    // SAFETY: without CLONE_VM the child has separate memory and continues on a copy of this stack. The address is
    // where the C library stores this thread's id; if the kernel does not provide it, the old id stays there, which
    // matters only to functions that inspect other threads.
    unsafe {
        let mut thread_id: *mut c_int = null_mut();
        if libc::prctl(PR_GET_TID_ADDRESS, &mut thread_id as *mut _) != 0 {
            thread_id = null_mut();
        }
        let mut flags = libc::CLONE_PARENT | libc::SIGCHLD;
        if !thread_id.is_null() {
            flags |= libc::CLONE_CHILD_SETTID | libc::CLONE_CHILD_CLEARTID;
        }
        let (flags, stack) = (flags as c_ulong, 0 as c_ulong);
        let (none, thread_id) = (0 as c_ulong, thread_id as c_ulong);
        // Arguments after the stack pointer: parent_tid, then child_tid and tls on x86-64, tls and child_tid elsewhere.
        let pid = if cfg!(target_arch = "x86_64") {
            libc::syscall(libc::SYS_clone, flags, stack, none, thread_id, none)
        } else {
            libc::syscall(libc::SYS_clone, flags, stack, none, none, thread_id)
        };
        pid as libc::pid_t
    }
}

/// Kills this process when its parent thread ends; see `_native.pyi`.
#[pyfunction]
fn die_with_parent(parent: libc::pid_t) -> PyResult<bool> {
    // SAFETY: prctl with this option reads only its integer argument; getppid takes nothing.
    unsafe {
        if libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL) != 0 {
            return Err(PyOSError::new_err(Error::last_os_error()));
        }
        Ok(libc::getppid() == parent)
    }
}

/// Change the command line of this process; see `_native.pyi`.
#[pyfunction]
fn show_command_line(words: Vec<Vec<u8>>) -> PyResult<()> {
    // then no other process can read it either
    let Ok(stat) = std::fs::read_to_string("/proc/self/stat") else { return Ok(()) };
    let fields: Vec<&str> = stat.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
    let address = |field: usize| fields.get(field - FIRST_FIELD).and_then(|text| text.parse::<usize>().ok());
    let (Some(start), Some(end)) = (address(ARGUMENTS_START), address(ARGUMENTS_END)) else { return Ok(()) };
    if start == 0 || end <= start {
        return Ok(());
    }
    let mut shown = Vec::with_capacity(end - start);
    for word in words {
        if shown.len() + word.len() + 1 > end - start {
            break;
        }
        shown.extend(word);
        shown.push(0);
    }
    shown.resize(end - start, 0);
    // SAFETY: according to the kernel the arguments of this process lie there, in writable memory of this process. They
    // remain strings that end in NUL, so the C library's pointer to the first one stays valid.
    unsafe { std::ptr::copy_nonoverlapping(shown.as_ptr(), std::ptr::with_exposed_provenance_mut(start), shown.len()) };
    Ok(())
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(fork_sibling, module)?)?;
    module.add_function(wrap_pyfunction!(die_with_parent, module)?)?;
    module.add_function(wrap_pyfunction!(show_command_line, module)?)
}
