//! Descriptors that close with their loop when the process continues after it, as after a worker: those of its sockets
//! and pipes, and those of files that a program opened by number. The loop of a main program tracks none, because all
//! of them close with the process.
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use pyo3::prelude::*;
use rustix::net::SocketAddrUnix;

use super::core::Core;
use super::inbox::{Inbox, Task};
use super::later::with_core;
use super::poller::borrowed;
use crate::v8::Natives;
use crate::v8::{CallbackInfo, Global};

pub const NATIVES: Natives = &[("core_keepDescriptors", keep)];

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Handle,
    File,
}

/// Misuse of a file descriptor, in the numbers of `node/worker_threads/inside.js`.
#[derive(Clone, Copy)]
pub enum DescriptorMisuse {
    OpenedTwice = 0,
    ClosedUnopened = 1,
}

/// The descriptors of one loop, which any thread of its pool may open and close.
pub struct OwnedDescriptors {
    open: Mutex<HashMap<i32, Kind>>,
    keeps_files: bool,
    inbox: Arc<Inbox>,
}

impl OwnedDescriptors {
    fn with<R>(&self, work: impl FnOnce(&mut HashMap<i32, Kind>) -> R) -> R {
        work(&mut self.open.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Records a file that was opened by number.
    pub fn record_opened(&self, descriptor: i32) {
        if self.keeps_files && self.with(|open| open.insert(descriptor, Kind::File)).is_some() {
            self.report(DescriptorMisuse::OpenedTwice, descriptor);
        }
    }

    /// Record that a program closes a descriptor by number.
    pub fn closing(&self, descriptor: i32) {
        if self.with(|open| open.remove(&descriptor)).is_none() && self.keeps_files {
            self.report(DescriptorMisuse::ClosedUnopened, descriptor);
        }
    }

    fn report(&self, misuse: DescriptorMisuse, descriptor: i32) {
        self.inbox.send(Task::Native(Box::new(move |core| {
            let listener = core.oddities.borrow().clone();
            listener.map_or(Ok(()), |listener| listener(core, misuse, descriptor))
        })));
    }
}

/// Receives each case of misuse on the loop's thread.
pub type Listener = std::rc::Rc<dyn Fn(&Core, DescriptorMisuse, i32) -> PyResult<()>>;

impl Core {
    /// Adds a socket or pipe to this loop, which closes it at its end.
    pub fn own(&self, descriptor: i32) {
        if let Some(owned_descriptors) = self.owned_descriptors.get() {
            owned_descriptors.with(|open| open.insert(descriptor, Kind::Handle));
        }
    }

    /// Removes a descriptor that is about to be closed or handed on.
    pub fn disown(&self, descriptor: i32) {
        if let Some(owned_descriptors) = self.owned_descriptors.get() {
            owned_descriptors.with(|open| open.remove(&descriptor));
        }
    }

    pub fn owned_descriptors(&self) -> Option<Arc<OwnedDescriptors>> {
        self.owned_descriptors.get().cloned()
    }

    /// Closes the loop's remaining descriptors, and removes the paths of listening sockets.
    pub fn close_owned(&self) {
        let Some(owned_descriptors) = self.owned_descriptors.get() else { return };
        for (descriptor, kind) in owned_descriptors.with(std::mem::take) {
            if kind == Kind::Handle {
                remove_name(descriptor);
            }
            // SAFETY: whatever closes one of these descriptors removes it first, so each is open and owned by the loop.
            unsafe { libc::close(descriptor) };
        }
    }
}

/// Removes the path of a listening socket, as closing a server does.
fn remove_name(descriptor: i32) {
    let socket = borrowed(descriptor);
    if !rustix::net::sockopt::socket_acceptconn(socket).unwrap_or(false) {
        return;
    }
    let name = rustix::net::getsockname(socket).and_then(SocketAddrUnix::try_from);
    if let Some(path) = name.as_ref().ok().and_then(SocketAddrUnix::path) {
        let _ = rustix::fs::unlink(path); // it may be gone already
    }
}

/// `core_keepDescriptors(keepsFiles, warn)`: closes this loop's descriptors at its end; `warn(misuse, descriptor)` is
/// called for files.
extern "C" fn keep(info: &CallbackInfo) {
    with_core(info, |call, core| {
        let warn: Option<Global> = call.function(1);
        let owned_descriptors =
            OwnedDescriptors { open: Mutex::default(), keeps_files: call.is_true(0), inbox: core.inbox.clone() };
        if core.owned_descriptors.set(Arc::new(owned_descriptors)).is_ok()
            && let Some(warn) = warn
        {
            core.oddities.replace(Some(std::rc::Rc::new(move |core: &Core, misuse, descriptor| {
                core.call(
                    &warn,
                    &[&|scope| Ok(scope.number(f64::from(misuse as i32))), &|scope| {
                        Ok(scope.number(f64::from(descriptor)))
                    }],
                )
            })));
        }
    });
}
