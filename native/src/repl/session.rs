//! What the editor's thread and the program exchange: events of the editor, questions and their answers.
//!
//! Until the program has attached itself, events wait, questions among them.
use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::event_loop::{Answer, Inbox, Task};
use crate::v8::{Global, Local, Scope};

/// The arguments of the program's callback begin with the event's name.
pub enum Event {
    /// `line`, text
    Line(String),
    /// `interrupt`, whether nothing had been typed
    Interrupt { is_blank: bool },
    /// `end`: Ctrl-D
    End,
    /// `failure`, message: the terminal cannot be read
    Failure(String),
    /// `complete`, id, text before the cursor, text after it. The answer: what is replaced, then for each candidate how it
    /// is displayed and what it is replaced with.
    Complete { id: u64, before: String, after: String },
    /// `hint`, id, text. The answer: the rest of a name, and the preview of the result.
    Hint { id: u64, text: String },
}

impl Answer for Event {
    fn arguments<'s>(self: Box<Self>, scope: &Scope<'s>) -> Vec<Local<'s>> {
        let text = |text: &str| scope.text(text.as_bytes()).unwrap_or_else(|| scope.undefined());
        match *self {
            Event::Line(line) => vec![text("line"), text(&line)],
            Event::Interrupt { is_blank } => vec![text("interrupt"), scope.boolean(is_blank)],
            Event::End => vec![text("end")],
            Event::Failure(why) => vec![text("failure"), text(&why)],
            Event::Complete { id, before, after } => {
                vec![text("complete"), scope.number(id as f64), text(&before), text(&after)]
            }
            Event::Hint { id, text: line } => vec![text("hint"), scope.number(id as f64), text(&line)],
        }
    }
}

/// Where events go.
enum Listener {
    /// The program has not started yet.
    Waiting(VecDeque<Event>),
    Attached(Arc<Inbox>, Arc<Global>),
    Closed,
}

/// Prints a text above the prompt; returns whether it could.
pub type Print = Box<dyn FnMut(String) -> bool + Send>;

pub struct Session {
    listener: Mutex<Listener>,
    last_question: AtomicU64,
    pending: Mutex<Option<(u64, Sender<Vec<String>>)>>,
    printer: Mutex<Option<Print>>,
    /// Enter starts a new line, and Ctrl-D ends the input: `.editor`.
    pub reads_whole_text: AtomicBool,
    /// Ctrl-C has ended the input.
    pub is_interrupted: AtomicBool,
}

impl Session {
    pub fn new() -> Session {
        Session {
            listener: Mutex::new(Listener::Waiting(VecDeque::new())),
            last_question: AtomicU64::new(0),
            pending: Mutex::new(None),
            printer: Mutex::new(None),
            reads_whole_text: AtomicBool::new(false),
            is_interrupted: AtomicBool::new(false),
        }
    }

    pub fn attach(&self, inbox: Arc<Inbox>, callback: Global) {
        let mut listener = lock(&self.listener);
        let callback = Arc::new(callback);
        let before = std::mem::replace(&mut *listener, Listener::Attached(inbox.clone(), callback.clone()));
        if let Listener::Waiting(events) = before {
            events.into_iter().for_each(|event| send(&inbox, &callback, event));
        }
    }

    pub fn print_with(&self, print: Print) {
        *lock(&self.printer) = Some(print);
    }

    pub fn print(&self, text: String) -> bool {
        lock(&self.printer).as_mut().is_some_and(|print| print(text))
    }

    /// Drops all further events. Returns whether the program was attached.
    pub fn close(&self) -> bool {
        matches!(std::mem::replace(&mut *lock(&self.listener), Listener::Closed), Listener::Attached(..))
    }

    pub fn send(&self, event: Event) {
        match &mut *lock(&self.listener) {
            Listener::Waiting(events) => events.push_back(event),
            Listener::Attached(inbox, callback) => send(inbox, callback, event),
            Listener::Closed => {}
        }
    }

    /// Returns whether the program answers questions by now.
    pub fn is_attached(&self) -> bool {
        matches!(*lock(&self.listener), Listener::Attached(..))
    }

    /// Asks the program, for `patience` at most, in which it may still have to start.
    pub fn ask(&self, question: impl FnOnce(u64) -> Event, patience: Duration) -> Option<Vec<String>> {
        let (sender, receiver) = channel();
        let id = self.last_question.fetch_add(1, Ordering::Relaxed) + 1;
        *lock(&self.pending) = Some((id, sender));
        self.send(question(id));
        receiver.recv_timeout(patience).ok()
    }

    /// Answers a question; a late answer is dropped.
    pub fn answer(&self, id: u64, texts: Vec<String>) {
        let mut pending = lock(&self.pending);
        if pending.as_ref().is_some_and(|(waiting, _)| *waiting == id)
            && let Some((_, sender)) = pending.take()
        {
            let _ = sender.send(texts); // the editor may have run out of patience
        }
    }
}

fn send(inbox: &Arc<Inbox>, callback: &Arc<Global>, event: Event) {
    let callback = callback.clone();
    inbox.send(Task::Native(Box::new(move |core| core.answer(&callback, Box::new(event)))));
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
