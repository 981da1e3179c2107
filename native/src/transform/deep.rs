//! Stack space for deeply nested sources, and a limit for their depth.
//!
//! The parser and the passes recurse. They run on a thread with a large stack (untouched pages cost nothing). A source
//! whose nesting could exhaust even that is refused before it is parsed; the engine, whose parser has about a megabyte
//! of stack, could not run it either.
use std::any::Any;
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Once;
use std::thread;

/// Reserved, not used: an ordinary source touches a few dozen kilobytes. The deepest source that `is_too_deep` accepts
/// takes about 100 MiB (measured: 2.6 KiB for a heavy level, 250 bytes for a light one).
pub const STACK_BYTES: usize = 256 << 20;

/// How much of a thread's ordinary stack (8 MiB) may be used.
const ORDINARY_STACK_BYTES: usize = 4 << 20;

thread_local! {
    static QUIET: Cell<bool> = const { Cell::new(false) };
}

/// Returns whether a source fits an ordinary stack whatever it contains, which saves a separate thread: every bracket could be
/// a level, and every other byte a light one.
pub fn is_shallow(source: &[u8]) -> bool {
    let lightest = source.len() * 350;
    lightest <= ORDINARY_STACK_BYTES && {
        let brackets = source.iter().filter(|byte| matches!(byte, b'(' | b'[' | b'{')).count();
        lightest + brackets * 2600 <= ORDINARY_STACK_BYTES
    }
}

/// Runs `work` on a deep stack; an inner panic is returned as a message.
pub fn run<T: Send>(work: impl FnOnce() -> T + Send) -> Result<T, String> {
    let mut size = STACK_BYTES;
    let mut work = Some(work);
    loop {
        let result = thread::scope(|scope| {
            let slot = &mut work;
            let builder = thread::Builder::new().name("rt-transform".to_string()).stack_size(size);
            let handle = builder.spawn_scoped(scope, move || {
                let work = slot.take().expect("taken once");
                catch_panic(work)
            });
            handle.ok().map(thread::ScopedJoinHandle::join)
        });
        match result {
            Some(joined) => return joined.unwrap_or_else(|panic| Err(sentence(&*panic))),
            // Under a limit on address space, a smaller stack is better than none.
            None if size > 8 << 20 => size /= 4,
            None => return catch_panic(work.take().expect("never started")),
        }
    }
}

/// Runs `work` on this thread; a panic is returned as a message and prints nothing.
pub fn catch_panic<T>(work: impl FnOnce() -> T) -> Result<T, String> {
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
    let message = panic.downcast_ref::<String>().map(String::as_str).or_else(|| panic.downcast_ref::<&str>().copied());
    format!("the transpiler failed on this file ({})", message.unwrap_or("no reason given"))
}

/// Returns whether a source nests too deeply to run.
///
/// A conservative estimate without parsing: it counts what is open or chained since the last separator. A bracket or a
/// prefix costs much of the parser's stack, a link of a chain (`a.b.c`, `1 + 2 + 3`) little of the passes'.
pub fn is_too_deep(source: &str) -> bool {
    let bytes = source.as_bytes();
    // A short file cannot be deep, which saves the scan for almost every file.
    bytes.len() > MOST_UNITS / ANGLE
        && Depth::default().exceeds(bytes)
        // Text in templates was counted as code (WebAssembly text, for example, looks deep).
        && Depth { knows_templates: true, ..Depth::default() }.exceeds(bytes)
}

/// The cost of a level at which the parser recurses.
const HEAVY: usize = 20;
/// The cost of `<`: the parser tries type arguments first, in time quadratic in the depth.
const ANGLE: usize = 200;
/// The number of units for which the stack certainly suffices: 20,000 heavy levels, twice what the engine's parser
/// supports.
const MOST_UNITS: usize = 400_000;

/// Words that may precede an expression or a statement without a bracket.
const PREFIXES: [&[u8]; 14] = [
    b"if", b"do", b"new", b"typeof", b"await", b"void", b"delete", b"else", b"for", b"while", b"yield", b"keyof",
    b"extends", b"as",
];

/// Words after which a slash begins a regular expression.
const BEFORE_OPERAND: [&[u8]; 10] =
    [b"return", b"typeof", b"case", b"in", b"of", b"do", b"else", b"void", b"throw", b"yield"];

#[derive(Default)]
struct Depth {
    /// Units since the last separator, for the top level and each open bracket.
    open: Vec<usize>,
    top: usize,
    total: usize,
    /// Whether the text of templates and regular expressions is ignored.
    knows_templates: bool,
    /// For each open `${`, the number of open brackets at which the template's text continues.
    templates: Vec<usize>,
}

impl Depth {
    fn exceeds(&mut self, bytes: &[u8]) -> bool {
        let mut index = 0;
        let mut before = b';';
        let mut wants_operand = true;
        while index < bytes.len() {
            let byte = bytes[index];
            let next = bytes.get(index + 1).copied().unwrap_or(b' ');
            let after_word = wants_operand;
            wants_operand &= byte.is_ascii_whitespace();
            match byte {
                b' ' | b'\t' | b'\r' => {
                    index += 1;
                    continue;
                }
                b'\n' => {
                    let after = bytes[index..].iter().copied().find(|byte| !byte.is_ascii_whitespace());
                    if ends_operand(before) && after.is_some_and(starts_operand) {
                        self.separate();
                    }
                    index += 1;
                    continue;
                }
                b'"' | b'\'' => index = end_of_string(bytes, index, byte),
                b'/' if next == b'/' => {
                    index += bytes[index..].iter().position(|&byte| byte == b'\n').unwrap_or(bytes.len() - index);
                    continue;
                }
                b'/' if next == b'*' => index = end_of_comment(bytes, index + 2),
                b'/' if self.knows_templates && (after_word || !ends_operand(before)) => {
                    index = end_of_expression(bytes, index);
                }
                b'`' if self.knows_templates => index = self.template(bytes, index + 1),
                b'}' if self.templates.last() == Some(&self.open.len()) => {
                    self.templates.pop();
                    self.leave(byte);
                    index = self.template(bytes, index + 1);
                }
                b'(' | b'[' | b'{' => self.enter(),
                b')' | b']' | b'}' => self.leave(byte),
                b',' | b';' => self.separate(),
                b'<' if next == b'/' => self.remove(ANGLE),
                b'/' if next == b'>' => self.remove(ANGLE),
                b'<' => self.add(ANGLE),
                b'!' | b'~' | b'-' | b'=' | b'?' | b':' | b'@' | b'*' => self.add(HEAVY),
                b'+' if !ends_operand(before) => self.add(HEAVY),
                b'.' | b'+' | b'/' | b'%' | b'&' | b'|' | b'^' | b'`' => self.add(1),
                b'a'..=b'z' if !is_word(before) || index == 0 || !is_word(bytes[index - 1]) => {
                    let length = bytes[index..].iter().position(|&byte| !is_word(byte)).unwrap_or(bytes.len() - index);
                    let word = &bytes[index..index + length];
                    if length < 8 && PREFIXES.contains(&word) {
                        self.add(HEAVY);
                    }
                    wants_operand = length < 8 && BEFORE_OPERAND.contains(&word);
                    index += length - 1;
                }
                _ => {}
            }
            if self.total > MOST_UNITS {
                return true;
            }
            before = byte;
            index += 1;
        }
        false
    }

    /// Skips a template's text from `index`; returns the index of its end, or of the bracket that opens a `${`.
    fn template(&mut self, bytes: &[u8], mut index: usize) -> usize {
        self.add(1);
        while index < bytes.len() && bytes[index] != b'`' {
            if bytes[index] == b'$' && bytes.get(index + 1) == Some(&b'{') {
                self.enter();
                self.templates.push(self.open.len());
                return index + 1;
            }
            index += if bytes[index] == b'\\' { 2 } else { 1 };
        }
        index
    }

    fn add(&mut self, units: usize) {
        self.top += units;
        self.total += units;
    }

    fn remove(&mut self, units: usize) {
        let units = units.min(self.top);
        self.top -= units;
        self.total -= units;
    }

    fn separate(&mut self) {
        self.total -= self.top;
        self.top = 0;
    }

    fn enter(&mut self) {
        self.open.push(self.top);
        self.top = 0;
        self.total += HEAVY;
    }

    fn leave(&mut self, bracket: u8) {
        self.separate();
        if let Some(outer) = self.open.pop() {
            self.top = outer;
            self.total -= HEAVY;
            // `a()()` and `a[0][0]` are chains.
            if bracket != b'}' {
                self.add(1);
            }
        }
    }
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | 0x80..)
}

fn ends_operand(byte: u8) -> bool {
    is_word(byte) || matches!(byte, b')' | b']' | b'}' | b'"' | b'\'' | b'`')
}

fn starts_operand(byte: u8) -> bool {
    is_word(byte) || matches!(byte, b'"' | b'\'' | b'{')
}

/// The index of a string's closing quote, or of the end of its line.
fn end_of_string(bytes: &[u8], start: usize, quote: u8) -> usize {
    let mut index = start + 1;
    while index < bytes.len() && bytes[index] != quote && bytes[index] != b'\n' {
        index += if bytes[index] == b'\\' { 2 } else { 1 };
    }
    index
}

/// The index of the slash that ends a regular expression, or `start` if its line has none.
fn end_of_expression(bytes: &[u8], start: usize) -> usize {
    let mut index = start + 1;
    let mut is_in_class = false;
    while index < bytes.len() && bytes[index] != b'\n' {
        match bytes[index] {
            b'\\' => index += 1,
            b'[' => is_in_class = true,
            b']' => is_in_class = false,
            b'/' if !is_in_class => return index,
            _ => {}
        }
        index += 1;
    }
    start
}

/// The index of the last character of a block comment.
fn end_of_comment(bytes: &[u8], mut index: usize) -> usize {
    while index < bytes.len() && !(bytes[index] == b'/' && bytes[index - 1] == b'*') {
        index += 1;
    }
    index
}
