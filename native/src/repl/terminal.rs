//! The editor's thread: greets, then reads one input after the other.
use std::fs::OpenOptions;
use std::io::Write;
use std::os::fd::AsFd;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use rustix::termios::{OptionalActions, SpecialCodeIndex, Termios, tcgetattr, tcsetattr};
use rustyline::config::{BellStyle, CompletionType, Config};
use rustyline::error::ReadlineError;
use rustyline::history::FileHistory;
use rustyline::{Cmd, Editor, EventHandler, ExternalPrinter, KeyEvent, Movement};

use super::editing::{EndOfText, Helper, Interruption};
use super::session::{Event, Print, Session};
use crate::event_loop::Inbox;
use crate::v8::Global;

const PROMPT: &str = "> ";
const HISTORY_VARIABLE: &str = "RT_REPL_HISTORY";
const HISTORY_FILE: &str = ".rt_repl_history";
/// The first line of a history file whose entries may have several lines; rustyline writes and expects it.
const HISTORY_HEAD: &[u8] = b"#V2\n";
const MOST_ENTRIES: usize = 1000;
const CANDIDATES_AT_ONCE: usize = 100;
/// Turns off bracketed paste.
const PLAIN_PASTE: &[u8] = b"\x1b[?2004l";

static TERMINAL: OnceLock<Terminal> = OnceLock::new();

pub struct Terminal {
    session: Arc<Session>,
    orders: Mutex<Sender<Order>>,
    /// The mode of the terminal at the start.
    mode: Option<Termios>,
}

struct Order {
    reads_whole_text: bool,
}

/// Returns whether the editor can be used: input and output are the terminal.
pub fn is_terminal() -> bool {
    rustix::termios::isatty(std::io::stdin()) && rustix::termios::isatty(std::io::stdout())
}

/// Returns the terminal; the first call starts the editor, which greets and reads the first input.
pub fn begin() -> &'static Terminal {
    TERMINAL.get_or_init(|| {
        let session = Arc::new(Session::new());
        let (sender, orders) = channel();
        let mode = tcgetattr(std::io::stdin()).ok();
        if let Some(mode) = &mode {
            keep_ctrl_d(mode.clone());
        }
        let own = session.clone();
        let thread = std::thread::Builder::new().name("rt-repl".into());
        if let Err(error) = thread.spawn(move || run(&own, &orders)) {
            session.send(Event::Failure(error.to_string()));
        }
        Terminal { session, orders: Mutex::new(sender), mode }
    })
}

impl Terminal {
    pub fn attach(&self, inbox: Arc<Inbox>, callback: Global) {
        self.session.attach(inbox, callback);
    }

    /// Reads the next input.
    pub fn read(&self, reads_whole_text: bool) {
        // The thread has ended if it has sent a failure.
        let _ = self.orders.lock().unwrap_or_else(PoisonError::into_inner).send(Order { reads_whole_text });
    }

    /// Prints above the prompt, if it is shown. Returns whether it was printed.
    pub fn print(&self, text: String) -> bool {
        self.session.print(text)
    }

    pub fn answer(&self, id: u64, texts: Vec<String>) {
        self.session.answer(id, texts);
    }

    /// Restores the terminal's mode. Returns whether the program was attached.
    pub fn close(&self) -> bool {
        let was_attached = self.session.close();
        if was_attached && let Some(mode) = &self.mode {
            let output = std::io::stdout();
            let _ = rustix::io::write(output.as_fd(), PLAIN_PASTE);
            let _ = tcsetattr(std::io::stdin(), OptionalActions::Drain, mode); // fails if the terminal no longer exists
        }
        was_attached
    }
}

/// Makes the terminal pass Ctrl-D on as a character. Between two inputs the terminal edits lines itself, so that Ctrl-C interrupts
/// an evaluation; a Ctrl-D typed there would otherwise become a NUL that the editor ignores.
fn keep_ctrl_d(mut mode: Termios) {
    const DISABLED: u8 = 0; // _POSIX_VDISABLE
    mode.special_codes[SpecialCodeIndex::VEOF] = DISABLED;
    let _ = tcsetattr(std::io::stdin(), OptionalActions::Now, &mode); // fails if the terminal no longer exists
}

fn run(session: &Arc<Session>, orders: &Receiver<Order>) {
    let version = env!("CARGO_PKG_VERSION");
    let greeting = format!("Welcome to rt v{version}\nType .help for more information.\n");
    let _ = rustix::io::write(std::io::stdout().as_fd(), greeting.as_bytes());
    let mut editor = match make_editor(session) {
        Ok(editor) => editor,
        Err(error) => return session.send(Event::Failure(error.to_string())),
    };
    if let Ok(printer) = editor.create_external_printer() {
        session.print_with(print_on_a_thread(printer));
    }
    let history = history_path().inspect(|path| prepare_history(path));
    if let Some(path) = &history {
        let _ = editor.load_history(path); // an unreadable history is an empty one
    }
    loop {
        let is_whole_text = session.reads_whole_text.load(Ordering::Relaxed);
        let event = match editor.readline(if is_whole_text { "" } else { PROMPT }) {
            Ok(text) if session.is_interrupted.swap(false, Ordering::Relaxed) => {
                Event::Interrupt { is_blank: text.trim().is_empty() }
            }
            Ok(text) => {
                remember(&mut editor, history.as_deref(), &text);
                Event::Line(text)
            }
            Err(ReadlineError::Interrupted) => Event::Interrupt { is_blank: true }, // a signal, not the key
            Err(ReadlineError::Eof) => Event::End,
            Err(error) => Event::Failure(error.to_string()),
        };
        session.send(event);
        let Ok(order) = orders.recv() else { return };
        session.reads_whole_text.store(order.reads_whole_text, Ordering::Relaxed);
    }
}

/// Prints through `printer` on a thread of its own, which the first text starts: the printer blocks while an input that has
/// just been entered is evaluated.
fn print_on_a_thread(printer: impl ExternalPrinter + Send + 'static) -> Print {
    let mut unused = Some(printer);
    let mut texts: Option<Sender<String>> = None;
    Box::new(move |text| {
        if let Some(mut printer) = unused.take() {
            let (sender, receiver) = channel();
            let print_all = move || receiver.iter().all(|text| printer.print(text).is_ok());
            let thread = std::thread::Builder::new().name("rt-repl-print".into());
            texts = thread.spawn(print_all).is_ok().then_some(sender);
        }
        texts.as_ref().is_some_and(|texts| texts.send(text).is_ok())
    })
}

fn make_editor(session: &Arc<Session>) -> rustyline::Result<Editor<Helper, FileHistory>> {
    let config = Config::builder()
        .max_history_size(MOST_ENTRIES)?
        .completion_type(CompletionType::List)
        .completion_show_all_if_ambiguous(true)
        .completion_prompt_limit(CANDIDATES_AT_ONCE)
        .bell_style(BellStyle::None)
        .tab_stop(4)
        .build();
    let mut editor = Editor::with_config(config)?;
    editor.set_helper(Some(Helper::new(session.clone())));
    editor.bind_sequence(KeyEvent::ctrl('U'), Cmd::Kill(Movement::BeginningOfBuffer));
    editor.bind_sequence(KeyEvent::ctrl('C'), EventHandler::Conditional(Box::new(Interruption(session.clone()))));
    editor.bind_sequence(KeyEvent::ctrl('D'), EventHandler::Conditional(Box::new(EndOfText(session.clone()))));
    Ok(editor)
}

/// The file that `RT_REPL_HISTORY` names, otherwise one in the home folder; none if the variable is empty.
fn history_path() -> Option<PathBuf> {
    match std::env::var_os(HISTORY_VARIABLE) {
        Some(given) => (!given.is_empty()).then(|| given.into()),
        None => std::env::home_dir().map(|home| home.join(HISTORY_FILE)),
    }
}

/// Creates the file for its user only, so that a REPL that starts at the same time appends to it and replaces nothing.
fn prepare_history(path: &Path) {
    let made = OpenOptions::new().write(true).create_new(true).mode(0o600).open(path);
    if let Ok(mut file) = made {
        let _ = file.write_all(HISTORY_HEAD);
    }
}

/// Appends an input to the history at once, under the file's lock.
fn remember(editor: &mut Editor<Helper, FileHistory>, history: Option<&Path>, text: &str) {
    if text.trim().is_empty() {
        return;
    }
    let is_new = editor.add_history_entry(text).unwrap_or(false);
    if is_new && let Some(path) = history {
        let _ = editor.append_history(path); // without a history on disk, that of this session remains
    }
}
