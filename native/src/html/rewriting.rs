//! One rewriting of a document as a coroutine with its own stack. The owner resumes it with an order; it suspends when it needs
//! more of the document, or at a piece that a handler is registered for. Neither Python nor V8 runs on that stack.
use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::rc::Rc;

use corosensei::stack::DefaultStack;
use corosensei::{Coroutine, CoroutineResult, Yielder};
use lol_html::html_content::{Comment, Doctype, DocumentEnd, Element, EndTag, TextChunk};
use lol_html::{DocumentContentHandlers, ElementContentHandlers, HandlerResult, HtmlRewriter, Selector, Settings};
use pyo3::PyResult;
use pyo3::exceptions::{PyMemoryError, PyValueError};

use super::pieces::Piece;

// lol_html recurses once for each combinator of a selector. Pages of the stack take memory only once they are touched.
const STACK_BYTES: usize = 32 << 20;
const MAX_COMBINATORS: usize = 10_000;

// The kinds of handlers registered together, as bits.
const ELEMENT: u8 = 1;
const COMMENTS: u8 = 2;
const TEXT: u8 = 4;
const DOCTYPE: u8 = 1;
const END: u8 = 8;
// The owner of the handler to call.
const OF_ELEMENTS: u8 = 0;
const OF_DOCUMENT: u8 = 1;
const OF_END_TAG: u8 = 2;

pub enum Order {
    Feed(Vec<u8>),
    Finish,
    Resume,
    Stop,
}

pub enum Step {
    /// It needs more of the document.
    Wants,
    /// The owner must call a handler, then resume with `Resume`.
    Piece { owner: u8, index: usize, kind: u8 },
    /// It has ended, with an error message if it failed.
    Ended(Option<String>),
}

/// The piece at which the coroutine is suspended.
#[derive(Clone, Copy)]
enum At {
    Nothing,
    Element(*mut Element<'static, 'static>),
    Text(*mut TextChunk<'static>),
    Comment(*mut Comment<'static>),
    Doctype(*mut Doctype<'static>),
    EndTag(*mut EndTag<'static>),
    DocumentEnd(*mut DocumentEnd<'static>),
}

type Stopping = Yielder<Order, Step>;

/// The state that the coroutine and its owner share.
struct Shared {
    at: Cell<At>,
    output: RefCell<Vec<u8>>,
    stopping: Cell<*const Stopping>,
}

impl Shared {
    /// Suspend at a piece until its handler has finished.
    fn stop_at(&self, at: At, owner: u8, index: usize, kind: u8) -> HandlerResult {
        self.at.set(at);
        // SAFETY: handlers run inside the coroutine, whose stack holds the yielder.
        let order = unsafe { &*self.stopping.get() }.suspend(Step::Piece { owner, index, kind });
        self.at.set(At::Nothing);
        if matches!(order, Order::Stop) { Err("stopped".into()) } else { Ok(()) }
    }
}

pub struct Rewriting {
    coroutine: Coroutine<Order, Step, Option<String>>,
    shared: Rc<Shared>,
}

// SAFETY: the coroutine's stack is reachable only through this value, and nothing on it depends on the thread.
unsafe impl Send for Rewriting {}
// SAFETY: no method takes a shared reference.
unsafe impl Sync for Rewriting {}

impl Rewriting {
    /// `elements` are selectors with the bits of their handlers; `documents` are the bits of the document's handlers.
    pub fn new(elements: Vec<(String, u8)>, documents: Vec<u8>) -> PyResult<Self> {
        let parsed = elements.into_iter().map(|(selector, has)| match parse_selector(&selector) {
            Ok(selector) => Ok((selector, has)),
            Err(problem) => Err(PyValueError::new_err(problem)),
        });
        let elements = parsed.collect::<PyResult<Vec<_>>>()?;
        let shared = Rc::new(Shared {
            at: Cell::new(At::Nothing),
            output: RefCell::new(Vec::new()),
            stopping: Cell::new(std::ptr::null()),
        });
        let stack = DefaultStack::new(STACK_BYTES).map_err(|_| PyMemoryError::new_err("no memory for a stack"))?;
        let inner = Rc::clone(&shared);
        let coroutine = Coroutine::with_stack(stack, move |stopping: &Stopping, order| {
            inner.stopping.set(stopping);
            rewrite(&inner, stopping, elements, &documents, order)
        });
        Ok(Self { coroutine, shared })
    }

    pub fn resume(&mut self, order: Order) -> Step {
        if self.coroutine.done() {
            return Step::Ended(None);
        }
        match self.coroutine.resume(order) {
            CoroutineResult::Yield(step) => step,
            CoroutineResult::Return(problem) => Step::Ended(problem),
        }
    }

    pub fn take_output(&mut self) -> Vec<u8> {
        self.shared.output.take()
    }

    /// The piece at which the rewriting is suspended.
    pub fn piece(&mut self) -> Option<Piece<'_>> {
        // SAFETY: the coroutine is suspended where it lends the piece mutably, and cannot resume while `self` is borrowed.
        unsafe {
            match self.shared.at.get() {
                At::Nothing => None,
                At::Element(element) => Some(Piece::Element(&mut *element)),
                At::Text(text) => Some(Piece::Text(&mut *text)),
                At::Comment(comment) => Some(Piece::Comment(&mut *comment)),
                At::Doctype(doctype) => Some(Piece::Doctype(&mut *doctype)),
                At::EndTag(tag) => Some(Piece::EndTag(&mut *tag)),
                At::DocumentEnd(end) => Some(Piece::DocumentEnd(&mut *end)),
            }
        }
    }

    /// Suspend at the element's end tag for the handler with that number, and for no other. Returns an error message.
    pub fn on_end_tag(&mut self, handler: usize) -> Option<String> {
        let shared = Rc::clone(&self.shared);
        let Some(Piece::Element(element)) = self.piece() else { return None };
        let Some(handlers) = element.end_tag_handlers() else { return Some("No end tag.".to_owned()) };
        handlers.clear();
        handlers.push(Box::new(move |tag: &mut EndTag<'_>| {
            let at = At::EndTag(std::ptr::from_mut(tag).cast());
            shared.stop_at(at, OF_END_TAG, handler, 0)
        }));
        None
    }
}

impl Drop for Rewriting {
    fn drop(&mut self) {
        while self.coroutine.started() && !self.coroutine.done() {
            self.coroutine.resume(Order::Stop);
        }
    }
}

fn rewrite(
    shared: &Rc<Shared>,
    stopping: &Stopping,
    elements: Vec<(Selector, u8)>,
    documents: &[u8],
    mut order: Order,
) -> Option<String> {
    let mut settings = Settings::new().with_strict(false);
    for (index, (selector, has)) in elements.into_iter().enumerate() {
        settings = settings.append_element_content_handler((Cow::Owned(selector), of_elements(shared, index, has)));
    }
    for (index, has) in documents.iter().enumerate() {
        settings = settings.append_document_content_handler(document_handlers(shared, index, *has));
    }
    let mut rewriter = HtmlRewriter::new(settings, |part: &[u8]| shared.output.borrow_mut().extend_from_slice(part));
    loop {
        let done = match order {
            Order::Feed(bytes) => rewriter.write(&bytes),
            Order::Finish => return rewriter.end().err().map(|problem| problem.to_string()),
            Order::Resume => Ok(()),
            Order::Stop => return None,
        };
        if let Err(problem) = done {
            return Some(problem.to_string());
        }
        order = stopping.suspend(Step::Wants);
    }
}

fn of_elements(shared: &Rc<Shared>, index: usize, has: u8) -> ElementContentHandlers<'static> {
    let mut handlers = ElementContentHandlers::default();
    if has & ELEMENT != 0 {
        let shared = Rc::clone(shared);
        handlers = handlers.element(move |element: &mut Element<'_, '_>| {
            shared.stop_at(At::Element(std::ptr::from_mut(element).cast()), OF_ELEMENTS, index, ELEMENT)
        });
    }
    if has & COMMENTS != 0 {
        let shared = Rc::clone(shared);
        handlers = handlers.comments(move |comment: &mut Comment<'_>| {
            shared.stop_at(At::Comment(std::ptr::from_mut(comment).cast()), OF_ELEMENTS, index, COMMENTS)
        });
    }
    if has & TEXT != 0 {
        let shared = Rc::clone(shared);
        handlers = handlers.text(move |text: &mut TextChunk<'_>| {
            shared.stop_at(At::Text(std::ptr::from_mut(text).cast()), OF_ELEMENTS, index, TEXT)
        });
    }
    handlers
}

fn document_handlers(shared: &Rc<Shared>, index: usize, has: u8) -> DocumentContentHandlers<'static> {
    let mut handlers = DocumentContentHandlers::default();
    if has & DOCTYPE != 0 {
        let shared = Rc::clone(shared);
        handlers = handlers.doctype(move |doctype: &mut Doctype<'_>| {
            shared.stop_at(At::Doctype(std::ptr::from_mut(doctype).cast()), OF_DOCUMENT, index, DOCTYPE)
        });
    }
    if has & COMMENTS != 0 {
        let shared = Rc::clone(shared);
        handlers = handlers.comments(move |comment: &mut Comment<'_>| {
            shared.stop_at(At::Comment(std::ptr::from_mut(comment).cast()), OF_DOCUMENT, index, COMMENTS)
        });
    }
    if has & TEXT != 0 {
        let shared = Rc::clone(shared);
        handlers = handlers.text(move |text: &mut TextChunk<'_>| {
            shared.stop_at(At::Text(std::ptr::from_mut(text).cast()), OF_DOCUMENT, index, TEXT)
        });
    }
    if has & END != 0 {
        let shared = Rc::clone(shared);
        handlers = handlers.end(move |end: &mut DocumentEnd<'_>| {
            shared.stop_at(At::DocumentEnd(std::ptr::from_mut(end).cast()), OF_DOCUMENT, index, END)
        });
    }
    handlers
}

/// Returns the error message for a selector that cannot be used.
pub fn selector_problem(selector: &str) -> Option<String> {
    parse_selector(selector).err()
}

fn parse_selector(selector: &str) -> Result<Selector, String> {
    if count_combinators(selector) > MAX_COMBINATORS {
        return Err(format!("The selector has more than {MAX_COMBINATORS} combinators."));
    }
    selector.parse::<Selector>().map_err(|problem| problem.to_string())
}

/// Returns an upper bound for the combinators of a selector, which are white space, `>`, `+` and `~`.
fn count_combinators(selector: &str) -> usize {
    let mut count = 0;
    let mut is_in_gap = false;
    for byte in selector.bytes() {
        let is_gap = byte.is_ascii_whitespace() || matches!(byte, b'>' | b'+' | b'~');
        count += usize::from(is_gap && !is_in_gap);
        is_in_gap = is_gap;
    }
    count
}
