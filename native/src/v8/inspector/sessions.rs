//! The classes for V8's debugger that Python uses: sessions that exchange messages of the Chrome DevTools Protocol as
//! text.
//!
//! `client.rs` has what V8 calls.
use std::ffi::c_int;
use std::rc::Rc;
use std::sync::Arc;

use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use crate::interpreter::class;

use super::client::{Channel, Client, Inspecting, Text, close};
use crate::v8::api::layout::ContextInfo;
use crate::v8::api::{Raw, v8};
use crate::v8::engine::class::Engine;
use crate::v8::values::function::JsFunction;
use crate::v8::values::object::JsObject;
use crate::v8::values::scope::Scope;
use crate::v8::values::state::State;
use crate::v8::values::value::{to_js, to_python};

const GROUP: c_int = 1;
const FULLY_TRUSTED: c_int = 1;
const NOT_WAITING: c_int = 1;
/// No script id: V8 takes the script from the stack trace.
const NO_SCRIPT: c_int = 0;
/// The inspector of an engine, at most one at a time. While JavaScript is paused, `on_pause()` is called repeatedly: it
/// waits for a message from the front end and dispatches it. `on_run()` is called when a front end asks to run a
/// program that waits for a debugger.
#[pyclass(frozen, module = "rt_supervisor._native")]
pub struct Inspector {
    state: Arc<State>,
}

/// The session of one front end.
#[pyclass(frozen, module = "rt_supervisor._native")]
pub struct InspectorSession {
    state: Arc<State>,
    id: u64,
}

fn client_of(state: &State) -> PyResult<Rc<Client>> {
    state.check_interrupted()?;
    let client = state.slot::<Inspecting>().0.borrow().clone();
    client.ok_or_else(|| PyRuntimeError::new_err("the inspector is closed"))
}

#[pymethods]
impl Inspector {
    #[new]
    #[pyo3(signature = (engine, on_pause, on_run=None, *, name="rt"))]
    fn new(engine: &Engine, on_pause: Py<PyAny>, on_run: Option<Py<PyAny>>, name: &str) -> PyResult<Inspector> {
        let state = engine.share();
        state.enter_interrupted(|scope| {
            if scope.state.inner().is_inspected.get() {
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
            // SAFETY: the scope proves the isolate current; the client stays in place until `close`; V8 copies the
            // texts.
            unsafe {
                let inspector = (v8().inspector_create)(scope.isolate, Rc::as_ptr(&client) as Raw);
                client.inspector.set(inspector);
                (v8().inspector_context_created)(inspector, &info);
            }
            Inspecting::begin(scope.state, client);
            Ok(())
        })?;
        Ok(Inspector { state })
    }

    /// Connects a front end; V8's messages for it go to `on_message(text)`.
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

    /// Reports an uncaught value to the front ends; `detail` is the text that they show.
    fn exception_thrown(&self, py: Python<'_>, value: &Bound<'_, PyAny>, detail: &str) -> PyResult<()> {
        let client = client_of(&self.state)?;
        self.state.enter_interrupted(|scope| {
            let value = to_js(scope, value)?;
            let (label, detail) = (Text::new("Uncaught"), Text::new(detail));
            // SAFETY: the handles are live; the trace may be null, and its first frame, where the error was created,
            // exists.
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
                // SAFETY: the handles and views are live; V8 takes ownership of the stack, which may be null.
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

    /// Sets the `require` function of the front ends' consoles.
    fn set_require(&self, function: &Bound<'_, JsFunction>) -> PyResult<()> {
        let client = client_of(&self.state)?;
        let function = &function.as_super().get().0;
        let callback = self.state.permit_interrupted(|| function.enter(|scope, function| Ok(scope.keep(function))))?;
        client.require.replace(Some(callback));
        Ok(())
    }

    /// Calls the method `name` of `object`, also while JavaScript is interrupted, as front ends may.
    #[pyo3(signature = (object, name, *args))]
    fn invoke(
        &self,
        py: Python<'_>,
        object: &Bound<'_, JsObject>,
        name: &Bound<'_, PyAny>,
        args: &Bound<'_, PyTuple>,
    ) -> PyResult<Py<PyAny>> {
        self.state.permit_interrupted(|| object.get().invoke(py, name, args))
    }

    /// Resumes JavaScript if it is paused, without a request from a front end.
    fn resume_paused(&self) -> PyResult<()> {
        client_of(&self.state)?.is_paused.set(false);
        Ok(())
    }

    /// Whether a front end wants to see the asynchronous callers of a stack.
    #[getter]
    fn follows_tasks(&self) -> PyResult<bool> {
        Ok(client_of(&self.state)?.task_depth.get() > 0)
    }

    /// Notifies the front ends that the program has ended; the sessions stay open.
    fn end_context(&self) -> PyResult<()> {
        let client = client_of(&self.state)?;
        self.state.enter_interrupted(|scope| {
            // SAFETY: the inspector and the context are live; reporting a context twice is harmless.
            unsafe { (v8().inspector_context_destroyed)(client.inspector.get(), scope.context.handle()) };
            Ok(())
        })
    }

    /// Closes all sessions and the inspector. Fails while JavaScript is paused.
    fn close(&self) -> PyResult<()> {
        self.state.check()?;
        match &*self.state.slot::<Inspecting>().0.borrow() {
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
    /// Calls V8 with the session, which stays alive during the call.
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
    /// Passes a front end's message to V8. Most answers reach `on_message` before this returns.
    fn dispatch(&self, py: Python<'_>, message: &str) -> PyResult<()> {
        let text = Text::new(message);
        // SAFETY: the session and the view are live.
        self.use_session(py, |_, session| unsafe { (v8().session_dispatch)(session, text.view()) })
    }

    /// Pauses before the next statement.
    #[pyo3(signature = (reason="other"))]
    fn pause_soon(&self, py: Python<'_>, reason: &str) -> PyResult<()> {
        let (reason, empty) = (Text::new(reason), Text::new("{}"));
        // SAFETY: the session and the views are live.
        self.use_session(py, |_, session| unsafe { (v8().session_pause)(session, reason.view(), empty.view()) })
    }

    /// Disconnect. Called from the session's own `on_message`, this takes effect when V8 returns.
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
