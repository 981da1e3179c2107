//! Room for deeply nested sources, and a bound on how deep they may be.
//!
//! The parser and the passes recurse. They run on a thread with a large stack (untouched pages cost nothing),
//! and a source whose nesting could exhaust even that is refused before it is parsed: the engine, whose own
//! parser has about a megabyte, could not run it either.
use std::any::Any;
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Once;
use std::thread;

/// Reserved, not used: a source of ordinary depth touches a few dozen kilobytes of it.
pub const STACK_BYTES: usize = 1 << 30;

/// Parser frames for one level of brackets come to about 2 KiB, those of all passes to 4 at most.
const DEEPEST: u32 = 50_000;

thread_local! {
    static QUIET: Cell<bool> = const { Cell::new(false) };
}

/// Runs `work` on a deep stack; an inner panic comes back as a sentence.
pub fn run<T: Send>(work: impl FnOnce() -> T + Send) -> Result<T, String> {
    let mut size = STACK_BYTES;
    let mut work = Some(work);
    loop {
        let result = thread::scope(|scope| {
            let slot = &mut work;
            let builder = thread::Builder::new().name("rt-transform".to_string()).stack_size(size);
            let handle = builder.spawn_scoped(scope, move || {
                let work = slot.take().expect("taken once");
                guarded(work)
            });
            handle.ok().map(thread::ScopedJoinHandle::join)
        });
        match result {
            Some(joined) => return joined.unwrap_or_else(|panic| Err(sentence(&*panic))),
            // A limit on address space: less room is better than none.
            None if size > 8 << 20 => size /= 4,
            None => return guarded(work.take().expect("never started")),
        }
    }
}

/// Runs `work` where it is; a panic comes back as a sentence and prints nothing.
pub fn guarded<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    silence_own_panics();
    QUIET.set(true);
    let result = catch_unwind(AssertUnwindSafe(work)).map_err(|panic| sentence(&*panic));
    QUIET.set(false);
    result
}

fn silence_own_panics() {
    static INSTALL: Once = Once::new();
    INSTALL.call_once(|| {
        let usual = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            if !QUIET.get() {
                usual(info);
            }
        }));
    });
}

fn sentence(panic: &(dyn Any + Send)) -> String {
    let said = panic.downcast_ref::<String>().map(String::as_str).or_else(|| panic.downcast_ref::<&str>().copied());
    format!("the transpiler failed on this file ({})", said.unwrap_or("no reason given"))
}

/// Whether a source nests deeper than can be run, by an estimate that errs high: brackets that are open plus
/// the operators before the next comma or semicolon.
pub fn is_too_deep(source: &str) -> bool {
    let bytes = source.as_bytes();
    if bytes.len() < DEEPEST as usize {
        return false;
    }
    let mut open: Vec<u32> = vec![0];
    let mut depth: u32 = 0;
    let mut index = 0;
    while index < bytes.len() {
        let byte = bytes[index];
        match byte {
            b'"' | b'\'' => index = end_of_string(bytes, index, byte),
            b'/' if bytes.get(index + 1) == Some(&b'/') => {
                while index + 1 < bytes.len() && bytes[index + 1] != b'\n' {
                    index += 1;
                }
            }
            b'/' if bytes.get(index + 1) == Some(&b'*') => {
                index += 3;
                while index < bytes.len() && !(bytes[index] == b'/' && bytes[index - 1] == b'*') {
                    index += 1;
                }
            }
            b'(' | b'[' | b'{' => {
                open.push(0);
                depth += 1;
            }
            b')' | b']' | b'}' => {
                depth -= open.last().copied().unwrap_or(0);
                if open.len() > 1 {
                    open.pop();
                    depth -= 1;
                } else {
                    open[0] = 0;
                }
            }
            b',' | b';' => {
                let top = open.last_mut().expect("never empty");
                depth -= *top;
                *top = 0;
            }
            b'!' | b'~' | b'-' | b'=' | b'?' | b':' | b'<' => {
                *open.last_mut().expect("never empty") += 1;
                depth += 1;
            }
            _ => {}
        }
        if depth > DEEPEST {
            return true;
        }
        index += 1;
    }
    false
}

/// The index of a string's closing quote, or of the end of its line.
fn end_of_string(bytes: &[u8], start: usize, quote: u8) -> usize {
    let mut index = start + 1;
    while index < bytes.len() && bytes[index] != quote && bytes[index] != b'\n' {
        index += if bytes[index] == b'\\' { 2 } else { 1 };
    }
    index
}
