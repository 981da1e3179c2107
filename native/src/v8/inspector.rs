//! V8's own debugger: sessions that speak the Chrome DevTools protocol, messages in and out as text.
//!
//! `inspector_client.rs` is what V8 calls; these are the classes that Python uses.
use std::ffi::c_int;
use std::rc::Rc;
use std::sync::Arc;

use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;

use crate::class;

use super::api::{Raw, v8};
use super::engine::Engine;
use super::function::JsFunction;
use super::inspector_client::{Channel, Client, Text, close};
use super::layout::ContextInfo;
use super::scope::Scope;
use super::state::State;
use super::value::{to_js, to_python};

const GROUP: c_int = 1;
const FULLY_TRUSTED: c_int = 1;
const NOT_WAITING: c_int = 1;
/// No script id: V8 takes the script from the frames of the stack trace.
const NO_SCRIPT: c_int = 0;
/// The inspector of an engine; one at a time. `on_pause()` is called again and again while JavaScript is paused: it
/// waits for a message from the front end and dispatches it. `on_run()` is called when a front end asks to run what
/// waits for a debugger.
#[pyclass(frozen, module = "rt_supervisor._native")]
pub struct Inspector {
    state: Arc<State>,
}

/// One front end.
#[pyclass(frozen, module = "rt_supervisor._native")]
pub struct InspectorSession {
    state: Arc<State>,
    id: u64,
}

fn client_of(state: &State) -> PyResult<Rc<Client>> {
    state.check_interrupted()?;
    let client = state.inner().inspector.borrow().clone();
    client.ok_or_else(|| PyRuntimeError::new_err("the inspector is closed"))
}

#[pymethods]
impl Inspector {
    #[new]
    #[pyo3(signature = (engine, on_pause, on_run=None, *, name="rt"))]
    fn new(engine: &Engine, on_pause: Py<PyAny>, on_run: Option<Py<PyAny>>, name: &str) -> PyResult<Inspector> {
        let state = engine.share();
        state.enter_interrupted(|scope| {
            if scope.state.inner().inspector.borrow().is_some() {
                return Err(PyValueError::new_err("the engine has an inspector already"));
            }
            let client = Client::new(scope.state, on_pause, on_run);
            let (name, empty, data) = (Text::new(name), Text::new(""), Text::new(r#"{"isDefault":true}"#));
            let info = ContextInfo {
                context: scope.context.handle(),
                group: GROUP,
                name: name.view(),
                origin: empty.view(),
                data: data.view(),
                has_memory_on_console: false,
            };
            // SAFETY: the scope proves the isolate current; the client stays in place until `close`; V8 copies texts.
            unsafe {
                let inspector = (v8().inspector_create)(scope.isolate, Rc::as_ptr(&client) as Raw);
                client.inspector.set(inspector);
                (v8().inspector_context_created)(inspector, &info);
            }
            scope.state.inner().inspector.replace(Some(client));
            Ok(())
        })?;
        Ok(Inspector { state })
    }

    /// Connect a front end; `on_message(text)` is given what V8 sends it.
    fn connect(&self, on_message: Py<PyAny>) -> PyResult<InspectorSession> {
        let client = client_of(&self.state)?;
        self.state.enter_interrupted(|scope| {
            let id = client.next_session.get();
            client.next_session.set(id + 1);
            let channel = Channel::new(scope.state, id, on_message);
            let empty = Text::new("");
            // SAFETY: the inspector is live; the channel stays in place until its session is deleted.
            let session = unsafe {
                let channel = Rc::as_ptr(&channel) as Raw;
                (v8().inspector_connect)(
                    client.inspector.get(),
                    GROUP,
                    channel,
                    empty.view(),
                    FULLY_TRUSTED,
                    NOT_WAITING,
                )
            };
            channel.session.set(session);
            client.channels.borrow_mut().push(channel);
            Ok(InspectorSession { state: self.state.clone(), id })
        })
    }

    /// Tell front ends of a value that was thrown and that nobody caught; `detail` is the text that they show.
    fn exception_thrown(&self, py: Python<'_>, value: &Bound<'_, PyAny>, detail: &str) -> PyResult<()> {
        let client = client_of(&self.state)?;
        self.state.enter_interrupted(|scope| {
            let value = to_js(scope, value)?;
            let (label, detail) = (Text::new("Uncaught"), Text::new(detail));
            // SAFETY: live handles, a trace that may be null, and a frame that it has: where the error was made.
            let (trace, file, line, column) = unsafe {
                let trace = (v8().message_stack_trace)((v8().message_create)(scope.isolate, value.handle()));
                if trace.is_null() || (v8().stack_count)(trace) == 0 {
                    (trace, None, 0, 0)
                } else {
                    let frame = (v8().stack_frame)(trace, scope.isolate, 0);
                    let location = (v8().frame_location)(frame);
                    let (line, column) = (location as u32 + 1, (location >> 32) as u32 + 1);
                    (trace, scope.local((v8().frame_script)(frame)), line, column)
                }
            };
            let file = file.map(|file| to_python(scope, py, file)).transpose()?;
            let file = Text::new(&file.and_then(|file| file.extract::<String>(py).ok()).unwrap_or_default());
            scope.work(py, || {
                // SAFETY: live handles and views; the stack is taken over by V8, null is allowed.
                unsafe {
                    let stack = (v8().inspector_stack_trace)(client.inspector.get(), trace);
                    let (context, value) = (scope.context.handle(), value.handle());
                    (v8().inspector_exception)(
                        client.inspector.get(),
                        context,
                        label.view(),
                        value,
                        detail.view(),
                        file.view(),
                        line,
                        column,
                        stack,
                        NO_SCRIPT,
                    );
                }
            })
        })
    }

    /// Have `function` be `require` in the consoles of front ends.
    fn set_require(&self, function: &Bound<'_, JsFunction>) -> PyResult<()> {
        let client = client_of(&self.state)?;
        let kept = function.as_super().get().0.enter(|scope, function| Ok(scope.keep(function)))?;
        client.require.replace(Some(kept));
        Ok(())
    }

    /// Resume JavaScript if it is paused, though no front end has asked for it.
    fn go_on(&self) -> PyResult<()> {
        client_of(&self.state)?.is_paused.set(false);
        Ok(())
    }

    /// Tell front ends that the program is over; its sessions live on.
    fn end_context(&self) -> PyResult<()> {
        let client = client_of(&self.state)?;
        self.state.enter_interrupted(|scope| {
            // SAFETY: the inspector and the context are live; telling of a context twice does no harm.
            unsafe { (v8().inspector_context_destroyed)(client.inspector.get(), scope.context.handle()) };
            Ok(())
        })
    }

    /// Close all sessions and the inspector; not while JavaScript is paused.
    fn close(&self) -> PyResult<()> {
        self.state.check()?;
        match &*self.state.inner().inspector.borrow() {
            Some(client) if client.is_paused.get() || client.is_busy() => {
                return Err(PyRuntimeError::new_err("the inspector is in use"));
            }
            _ => {}
        }
        self.state.enter(|scope| {
            close(scope.state);
            Ok(())
        })
    }
}

impl InspectorSession {
    /// Call V8 with the session, which is kept while it is in use.
    fn use_session(&self, py: Python<'_>, work: impl FnOnce(&Scope<'_>, Raw)) -> PyResult<()> {
        let client = client_of(&self.state)?;
        let channel = client.channel(self.id)?;
        self.state.enter_interrupted(|scope| {
            channel.depth.set(channel.depth.get() + 1);
            let outcome = scope.work(py, || work(scope, channel.session.get()));
            channel.depth.set(channel.depth.get() - 1);
            client.sweep();
            outcome
        })
    }
}

#[pymethods]
impl InspectorSession {
    /// Give V8 a message of the front end. Answers come through `on_message`, most before this returns.
    fn dispatch(&self, py: Python<'_>, message: &str) -> PyResult<()> {
        let text = Text::new(message);
        // SAFETY: a live session and a live view.
        self.use_session(py, |_, session| unsafe { (v8().session_dispatch)(session, text.view()) })
    }

    /// Pause before the next statement that runs.
    #[pyo3(signature = (reason="other"))]
    fn pause_soon(&self, py: Python<'_>, reason: &str) -> PyResult<()> {
        let (reason, empty) = (Text::new(reason), Text::new("{}"));
        // SAFETY: a live session and live views.
        self.use_session(py, |_, session| unsafe { (v8().session_pause)(session, reason.view(), empty.view()) })
    }

    /// Disconnect; from inside its own `on_message` this takes effect when V8 returns.
    fn close(&self) -> PyResult<()> {
        let client = client_of(&self.state)?;
        let Ok(channel) = client.channel(self.id) else { return Ok(()) };
        self.state.enter_interrupted(|_| {
            channel.is_closing.set(true);
            client.sweep();
            Ok(())
        })
    }
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    class::<Inspector>(module)?;
    class::<InspectorSession>(module)
}
