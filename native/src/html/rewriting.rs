//! Owns: one rewriting as a coroutine, which runs on a stack of its own. It is resumed with an order, and stops where it wants
//! more of the document, or at a piece that a handler has asked for. Nothing of Python or V8 runs on that stack.
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

const STACK_BYTES: usize = 256 * 1024;

// What a row of handlers has, as bits.
const ELEMENT: u8 = 1;
const COMMENTS: u8 = 2;
const TEXT: u8 = 4;
const DOCTYPE: u8 = 1;
const END: u8 = 8;
// Whose handler is to be called.
const OF_ELEMENTS: u8 = 0;
const OF_DOCUMENT: u8 = 1;
const OF_END_TAG: u8 = 2;

pub enum Order {
    Feed(Vec<u8>),
    Finish,
    GoOn,
    Stop,
}

pub enum Step {
    /// More of the document is wanted.
    Wants,
    /// A handler is to be called, and then `GoOn` to be ordered.
    Piece { owner: u8, index: usize, kind: u8 },
    /// It has ended, with what went wrong.
    Ended(Option<String>),
}

/// The piece at which the coroutine has stopped.
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

/// What the coroutine and its owner share.
struct Shared {
    at: Cell<At>,
    output: RefCell<Vec<u8>>,
    stopping: Cell<*const Stopping>,
}

impl Shared {
    /// Stop at a piece until the handler has done with it.
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

// SAFETY: what is on the coroutine's stack is reachable through this value alone, and none of it depends on the thread.
unsafe impl Send for Rewriting {}
// SAFETY: nothing is done through a shared reference.
unsafe impl Sync for Rewriting {}

impl Rewriting {
    /// `elements`: selectors with the bits of their handlers; `documents`: those of the document's.
    pub fn new(elements: Vec<(String, u8)>, documents: Vec<u8>) -> PyResult<Self> {
        let parsed = elements.into_iter().map(|(selector, has)| match selector.parse::<Selector>() {
            Ok(selector) => Ok((selector, has)),
            Err(problem) => Err(PyValueError::new_err(problem.to_string())),
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

    pub fn go_on(&mut self, order: Order) -> Step {
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

    /// The piece at which the rewriting has stopped.
    pub fn piece(&mut self) -> Option<Piece<'_>> {
        // SAFETY: the coroutine has stopped where it lends the piece mutably, and cannot go on while `self` is borrowed.
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

    /// Have the element's end tag be a piece for the handler of that number, and for no other. Returns what is wrong.
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
        settings = settings.append_document_content_handler(of_document(shared, index, *has));
    }
    let mut rewriter = HtmlRewriter::new(settings, |part: &[u8]| shared.output.borrow_mut().extend_from_slice(part));
    loop {
        let done = match order {
            Order::Feed(bytes) => rewriter.write(&bytes),
            Order::Finish => return rewriter.end().err().map(|problem| problem.to_string()),
            Order::GoOn => Ok(()),
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

fn of_document(shared: &Rc<Shared>, index: usize, has: u8) -> DocumentContentHandlers<'static> {
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

pub fn selector_problem(selector: &str) -> Option<String> {
    selector.parse::<Selector>().err().map(|problem| problem.to_string())
}
