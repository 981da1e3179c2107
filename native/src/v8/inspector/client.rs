//! What V8's inspector calls: a client for each engine and a channel for each session.
//!
//! V8 sees both as C++ objects; here they are Rust data behind a table of C functions. The engine's state owns them,
//! and closing the engine closes the sessions and the inspector first, so V8 never calls into freed memory.
use std::cell::{Cell, RefCell};
use std::ffi::{c_int, c_void};
use std::rc::Rc;
use std::time::{SystemTime, UNIX_EPOCH};

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::PyString;

use crate::v8::api::layout::StringView;
use crate::v8::api::{Handle, Raw, v8};
use crate::v8::values::inner::Closing;
use crate::v8::values::scope::{Global, Scope};
use crate::v8::values::state::State;
use crate::v8::values::value::literal;

const CLIENT_SLOTS: usize = 34;
const CHANNEL_SLOTS: usize = 5;
/// Slots of `StringBuffer`: the deleting destructor and `string()`.
const BUFFER_DELETE: usize = 1;
const BUFFER_STRING: usize = 2;

/// V8's `V8InspectorClient`.
#[repr(C)]
pub struct Client {
    table: *const *const c_void,
    _slots: Box<[*const c_void; CLIENT_SLOTS]>,
    pub state: *const State,
    pub inspector: Cell<Raw>,
    pub on_pause: Py<PyAny>,
    pub on_run: Option<Py<PyAny>>,
    pub is_paused: Cell<bool>,
    /// How many asynchronous callers the front ends want to see of each stack.
    pub task_depth: Cell<c_int>,
    pub channels: RefCell<Vec<Rc<Channel>>>,
    pub next_session: Cell<u64>,
    /// `require` in consoles, unless the program defines its own.
    pub require: RefCell<Option<Global>>,
}

/// The inspector of an engine, while it has one.
#[derive(Default)]
pub struct Inspecting(pub RefCell<Option<Rc<Client>>>);

impl Inspecting {
    pub fn begin(state: &State, client: Rc<Client>) {
        state.slot::<Inspecting>().0.replace(Some(client));
        state.inner().is_inspected.set(true);
        state.at_close(Closing::Inspector, close);
    }
}

/// V8's `Channel`, and the session it belongs to.
#[repr(C)]
pub struct Channel {
    table: *const *const c_void,
    _slots: Box<[*const c_void; CHANNEL_SLOTS]>,
    pub state: *const State,
    pub id: u64,
    pub session: Cell<Raw>,
    pub on_message: Py<PyAny>,
    /// How many of its calls into V8 are on the stack; a session is deleted only when there are none.
    pub depth: Cell<u32>,
    pub is_closing: Cell<bool>,
}

/// Text for V8, which must outlive its view.
pub enum Text {
    Ascii(Vec<u8>),
    Wide(Vec<u16>),
}

impl Text {
    pub fn new(text: &str) -> Text {
        if text.is_ascii() { Text::Ascii(text.into()) } else { Text::Wide(text.encode_utf16().collect()) }
    }

    pub fn view(&self) -> StringView {
        match self {
            Text::Ascii(bytes) => StringView { is_8_bit: true, length: bytes.len(), data: bytes.as_ptr().cast() },
            Text::Wide(units) => StringView { is_8_bit: false, length: units.len(), data: units.as_ptr().cast() },
        }
    }
}

/// # Safety
/// The view is V8's and live.
unsafe fn text_of(view: &StringView) -> String {
    // SAFETY: guaranteed by the caller.
    unsafe {
        if view.length == 0 {
            String::new()
        } else if view.is_8_bit {
            let bytes = std::slice::from_raw_parts(view.data as *const u8, view.length);
            bytes.iter().map(|byte| char::from(*byte)).collect()
        } else {
            String::from_utf16_lossy(std::slice::from_raw_parts(view.data as *const u16, view.length))
        }
    }
}

/// Reads and deletes a `unique_ptr<StringBuffer>` whose ownership V8 has transferred.
unsafe fn take_buffer(buffer: Raw) -> String {
    // SAFETY: V8 passes a live object whose first word is its table; `string()` returns a struct through a hidden
    // pointer.
    unsafe {
        let table = *(buffer as *const *const *const c_void);
        let string: unsafe extern "C" fn(*mut StringView, Raw) = std::mem::transmute(*table.add(BUFFER_STRING));
        let delete: unsafe extern "C" fn(Raw) = std::mem::transmute(*table.add(BUFFER_DELETE));
        let mut view = StringView { is_8_bit: true, length: 0, data: std::ptr::null() };
        string(&mut view, buffer);
        let text = text_of(&view);
        delete(buffer);
        text
    }
}

/// An exception in a callback of the inspector terminates the JavaScript that runs; otherwise the call that dispatched
/// raises it.
fn fail(state: &State, py: Python<'_>, problem: PyErr) {
    let inner = state.inner();
    if !inner.is_terminating.replace(true) {
        inner.pending.replace(Some(problem));
    }
    let _ = py;
    // SAFETY: V8 allows this on any thread at any time.
    unsafe { (v8().terminate)(state.isolate) };
}

unsafe extern "C" fn destroy(_this: Raw) {}

unsafe extern "C" fn nothing(_this: Raw) -> usize {
    0
}

unsafe extern "C" fn yes(_this: Raw) -> bool {
    true
}

unsafe extern "C" fn time_ms(_this: Raw) -> f64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0.0, |time| time.as_secs_f64() * 1e3)
}

unsafe extern "C" fn default_context(this: Raw, _group: c_int) -> Handle {
    // SAFETY: `this` is the client, and its state outlives it.
    unsafe { (*(*(this as *const Client)).state).context() }
}

/// `runMessageLoopOnPause`: calls Python, which waits for a message and dispatches it, until V8 resumes.
unsafe extern "C" fn pause(this: Raw, _group: c_int) {
    // SAFETY: `this` is the client, which the engine's state owns; the state outlives it.
    let (client, state) = unsafe {
        let client = &*(this as *const Client);
        (client, &*client.state)
    };
    client.is_paused.set(true);
    while client.is_paused.get() {
        let outcome =
            Python::attach(|py| client.on_pause.call0(py).map_err(|problem| fail(state, py, problem)).is_ok());
        if !outcome {
            client.is_paused.set(false);
        }
    }
}

unsafe extern "C" fn quit_pause(this: Raw) {
    // SAFETY: as in `pause`.
    unsafe { (*(this as *const Client)).is_paused.set(false) }
}

/// `runIfWaitingForDebugger`: the front end is ready.
unsafe extern "C" fn run_if_waiting(this: Raw, _group: c_int) {
    // SAFETY: as in `pause`.
    let (client, state) = unsafe {
        let client = &*(this as *const Client);
        (client, &*client.state)
    };
    if let Some(hook) = &client.on_run {
        Python::attach(|py| {
            if let Err(problem) = hook.call0(py) {
                fail(state, py, problem);
            }
        });
    }
}

/// `maxAsyncCallStackDepthChanged`: what the most demanding front end wants.
unsafe extern "C" fn set_task_depth(this: Raw, depth: c_int) {
    // SAFETY: as in `pause`.
    unsafe { (*(this as *const Client)).task_depth.set(depth) }
}

/// `resourceNameToUrl`: the URL by which front ends know a script; null if it is the script's name.
unsafe extern "C" fn resource_url(_this: Raw, name: &StringView) -> Raw {
    // SAFETY: V8 passes a live view and takes ownership of the buffer.
    unsafe {
        match url_of(&text_of(name)) {
            Some(url) => (v8().string_buffer_create)(Text::new(&url).view()),
            None => std::ptr::null_mut(),
        }
    }
}

/// Turns a path into a file URL, keeping its query. The runtime's own files get names like those of Node's internal
/// modules.
fn url_of(name: &str) -> Option<String> {
    if let Some(own) = name.strip_prefix("rt:") {
        return Some(format!("node:internal/rt/{own}"));
    }
    if !name.starts_with('/') {
        return None;
    }
    if name.ends_with("eval]") || name.ends_with("/[stdin]") {
        return name.rsplit_once('/').map(|(_, code)| code.to_string()); // code without a file
    }
    let mut url = String::from("file://");
    for byte in name.bytes() {
        if byte.is_ascii_alphanumeric() || b"/-._~!$&'()*+,;=:@[]?".contains(&byte) {
            url.push(char::from(byte));
        } else {
            url.push_str(&format!("%{byte:02X}"));
        }
    }
    Some(url)
}

/// `installAdditionalCommandLineAPI`: adds what a front end's console offers besides the program's globals.
unsafe extern "C" fn command_line(this: Raw, context: Handle, object: Handle) {
    // SAFETY: as in `pause`; V8 passes live handles, and the isolate is current.
    unsafe {
        let client = &*(this as *const Client);
        let scope = Scope::in_callback((*client.state).isolate, &*client.state);
        let require = client.require.borrow();
        if let Some(require) = require.as_ref().and_then(|require| require.in_scope(&scope).ok()) {
            let name = literal(&scope, "require").handle();
            (v8().object_create_property)(object, context, name, require.handle());
        }
    }
}

unsafe extern "C" fn send_response(this: Raw, _call: c_int, message: Raw) {
    // SAFETY: V8 transfers ownership of the buffer.
    unsafe { send(this, message) }
}

unsafe extern "C" fn send_notification(this: Raw, message: Raw) {
    // SAFETY: V8 transfers ownership of the buffer.
    unsafe { send(this, message) }
}

/// # Safety
/// `this` is a channel that the caller keeps alive.
unsafe fn send(this: Raw, message: Raw) {
    // SAFETY: guaranteed by the caller.
    let (channel, text) = unsafe { (&*(this as *const Channel), take_buffer(message)) };
    if channel.is_closing.get() {
        return;
    }
    Python::attach(|py| {
        if let Err(problem) = channel.on_message.call1(py, (PyString::new(py, &text),)) {
            // SAFETY: the state outlives its channels.
            fail(unsafe { &*channel.state }, py, problem);
        }
    });
}

/// The virtual functions of `V8InspectorClient` in declaration order, after two destructors.
fn client_table() -> [*const c_void; CLIENT_SLOTS] {
    let mut table = [nothing as *const c_void; CLIENT_SLOTS];
    for (slot, function) in [
        (0, destroy as *const c_void),
        (1, destroy as *const c_void),
        (2, pause as *const c_void),
        (3, pause as *const c_void),
        (4, quit_pause as *const c_void),
        (5, run_if_waiting as *const c_void),
        (13, yes as *const c_void),
        (17, command_line as *const c_void),
        (14, default_context as *const c_void),
        (26, time_ms as *const c_void),
        (29, yes as *const c_void),
        (30, set_task_depth as *const c_void),
        (31, resource_url as *const c_void),
    ] {
        table[slot] = function;
    }
    table
}

fn channel_table() -> [*const c_void; CHANNEL_SLOTS] {
    [
        destroy as *const c_void,
        destroy as *const c_void,
        send_response as *const c_void,
        send_notification as *const c_void,
        nothing as *const c_void,
    ]
}

impl Client {
    pub fn new(state: &State, on_pause: Py<PyAny>, on_run: Option<Py<PyAny>>) -> Rc<Client> {
        let slots = Box::new(client_table());
        Rc::new(Client {
            table: slots.as_ptr(),
            _slots: slots,
            state,
            inspector: Cell::new(std::ptr::null_mut()),
            on_pause,
            on_run,
            is_paused: Cell::new(false),
            task_depth: Cell::new(0),
            channels: RefCell::default(),
            next_session: Cell::new(1),
            require: RefCell::default(),
        })
    }

    pub fn is_busy(&self) -> bool {
        self.channels.borrow().iter().any(|channel| channel.depth.get() > 0)
    }

    pub fn channel(&self, id: u64) -> PyResult<Rc<Channel>> {
        let channels = self.channels.borrow();
        let found = channels.iter().find(|channel| channel.id == id && !channel.is_closing.get());
        found.cloned().ok_or_else(|| PyRuntimeError::new_err("the session is closed"))
    }

    /// Deletes the closing sessions that are not in use.
    pub fn sweep(&self) {
        let is_over = |channel: &Rc<Channel>| channel.is_closing.get() && channel.depth.get() == 0;
        let over: Vec<Rc<Channel>> =
            self.channels.borrow().iter().filter(|channel| is_over(channel)).cloned().collect();
        for channel in over {
            self.channels.borrow_mut().retain(|known| known.id != channel.id);
            // SAFETY: the session is live, none of its calls is on the stack, and its channel outlives it.
            unsafe { (v8().session_delete)(channel.session.replace(std::ptr::null_mut())) };
        }
    }
}

impl Channel {
    pub fn new(state: &State, id: u64, on_message: Py<PyAny>) -> Rc<Channel> {
        let slots = Box::new(channel_table());
        Rc::new(Channel {
            table: slots.as_ptr(),
            _slots: slots,
            state,
            id,
            session: Cell::new(std::ptr::null_mut()),
            on_message,
            depth: Cell::new(0),
            is_closing: Cell::new(false),
        })
    }
}

/// Closes the sessions and the inspector; the isolate is current or about to be disposed of.
pub fn close(state: &State) {
    let Some(client) = state.slot::<Inspecting>().0.take() else { return };
    state.inner().is_inspected.set(false);
    for channel in client.channels.borrow().iter() {
        channel.is_closing.set(true);
    }
    // SAFETY: the callers have checked that no JavaScript, and so no session, is on the stack. V8 releases the context
    // before its inspector.
    unsafe {
        crate::v8::values::scope::open(state, |scope| {
            client.sweep();
            (v8().inspector_context_destroyed)(client.inspector.get(), scope.context.handle());
            (v8().inspector_delete)(client.inspector.get());
        });
    }
}
