//! The terminal of `rt repl`: a line editor on its own thread, while the event loop turns.
//!
//! `js/rt/repl` evaluates, prints and completes; this room knows neither V8's values nor what commands do. The editor's thread
//! reads one input at a time, on request, so that the terminal has its usual mode while code runs. A program that begins
//! without Python starts the editor before V8 (`begin`): the prompt does not wait for the engine.
mod commands;
mod editing;
mod highlight;
mod session;
mod terminal;

use crate::event_loop::with_core;
use crate::v8::{CallbackInfo, Natives, guarded};

pub use terminal::{begin, is_terminal};

pub const NATIVES: &[Natives] = &[&[
    ("replAnswer", answer),
    ("replClose", close),
    ("replCommand", find_command),
    ("replIsComplete", is_complete),
    ("replIsTerminal", is_on_terminal),
    ("replOpen", open),
    ("replPrint", print),
    ("replRead", read),
]];

/// `replIsTerminal()`: whether the editor can be used: input and output are the terminal.
extern "C" fn is_on_terminal(info: &CallbackInfo) {
    guarded(info, |call| call.answer(call.scope.boolean(is_terminal())));
}

/// `replIsComplete(text)`: whether a line break after the text ends the input.
extern "C" fn is_complete(info: &CallbackInfo) {
    guarded(info, |call| {
        let text = call.utf8(0).unwrap_or_default();
        call.answer(call.scope.boolean(commands::is_complete(&String::from_utf8_lossy(&text))));
    });
}

/// `replCommand(input)`: [name, text] of the command that an input is, or with which its last line abandons it; otherwise
/// undefined.
extern "C" fn find_command(info: &CallbackInfo) {
    guarded(info, |call| {
        let input = call.utf8(0).unwrap_or_default();
        let input = String::from_utf8_lossy(&input);
        let Some(command) = commands::find(&input) else { return };
        let text = |text: &str| call.scope.text(text.as_bytes()).unwrap_or_else(|| call.scope.undefined());
        call.answer_list(&[text(command.name), text(command.text)]);
    });
}

/// `replOpen(callback)`: starts the editor unless it is running, and calls back with its events (`session::Event`).
extern "C" fn open(info: &CallbackInfo) {
    with_core(info, |call, core| {
        let Some(callback) = call.function(0) else { return };
        if let Err(error) = core.inbox.pipe() {
            return call.raise(std::io::Error::from(error).into());
        }
        core.refer(1);
        begin().attach(core.inbox.clone(), callback);
    });
}

/// `replRead(isWholeText)`: reads the next input; with `isWholeText`, up to Ctrl-D.
extern "C" fn read(info: &CallbackInfo) {
    guarded(info, |call| begin().read(call.is_true(0)));
}

/// `replAnswer(id, texts)`: answers a question of the editor.
extern "C" fn answer(info: &CallbackInfo) {
    guarded(info, |call| {
        let scope = &call.scope;
        let texts = scope.elements(call.argument(1)).into_iter();
        let texts = texts.map(|text| String::from_utf8_lossy(&scope.utf8(text)).into_owned()).collect();
        begin().answer(call.integer(0) as u64, texts);
    });
}

/// `replPrint(text)`: prints above the prompt; returns whether it was printed.
extern "C" fn print(info: &CallbackInfo) {
    guarded(info, |call| {
        let text = call.utf8(0).unwrap_or_default();
        let is_printed = begin().print(String::from_utf8_lossy(&text).into_owned());
        call.answer(call.scope.boolean(is_printed));
    });
}

/// `replClose()`: gives the terminal its former mode; the editor no longer keeps the program alive.
extern "C" fn close(info: &CallbackInfo) {
    with_core(info, |_, core| {
        if begin().close() {
            core.refer(-1);
        }
    });
}
