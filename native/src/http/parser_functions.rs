//! HTTP/1 parsers for JavaScript, which identifies each by a number and frees it when its connection ends. One call
//! passes a piece of input and returns everything in it as one flat array (`js/internal/http_parser.js` reads it).
use std::cell::RefCell;
use std::rc::Rc;

use super::head::{Head, Kind, Range};
use super::numbers::{
    BEGUN, BODY, END, FAILED, HAS_BODY, HEAD, KEEP_ALIVE, TO_CONNECT, TO_HEAD, UPGRADE, WISHES_UPGRADE,
};
use super::parser::{Answers, Facts, Outcome, Parser, Sink};
use crate::event_loop::{read_decoded, with_core};
use crate::v8::value::literal;
use crate::v8::{Call, CallbackInfo, Natives, guarded};
use crate::v8::{Local, Scope};

pub const NATIVES: Natives = &[
    ("httpParserAnswers", parser_answers),
    ("httpParserExecute", parser_execute),
    ("httpParserFinish", parser_finish),
    ("httpParserFree", parser_free),
    ("httpParserNew", parser_new),
    ("httpParserRead", parser_read),
];

/// Shared with the reads that it decodes, which it survives.
type Shared = Rc<RefCell<Parser>>;

thread_local! {
    /// The parsers of this thread's engine by their numbers; None for a free number.
    static PARSERS: RefCell<Vec<Option<Shared>>> = const { RefCell::new(Vec::new()) };
}

/// Alternating names and values.
pub fn fields<'s>(scope: &Scope<'s>, bytes: &[u8], fields: &[(Range, Range)]) -> Local<'s> {
    let mut items = Vec::with_capacity(fields.len() * 2);
    for (name, value) in fields {
        items.push(scope.latin1(&bytes[name.clone()], true));
        items.push(scope.latin1(&bytes[value.clone()], false));
    }
    scope.array(&items)
}

/// The content of a piece, as JavaScript values.
pub struct Items<'a, 's> {
    pub scope: &'a Scope<'s>,
    pub items: Vec<Local<'s>>,
    /// Whether an item consists of positions in the bytes.
    pub refers_to_bytes: bool,
}

impl Items<'_, '_> {
    pub fn number(&mut self, value: usize) {
        self.items.push(self.scope.number(value as f64));
    }

    pub fn integer(&mut self, value: i32) {
        self.items.push(self.scope.number(value.into()));
    }
}

impl Sink for Items<'_, '_> {
    fn head(&mut self, head: &Head, bytes: &[u8], facts: Facts) {
        self.integer(HEAD);
        match head.method {
            "" => self.integer(head.status.into()),
            method => self.items.push(literal(self.scope, method)),
        }
        self.items.push(self.scope.latin1(&bytes[head.text.clone()], false));
        self.integer(i32::from(head.major) * 10 + i32::from(head.minor));
        self.items.push(fields(self.scope, bytes, &head.fields));
        let flag = |holds: bool, bit: i32| if holds { bit } else { 0 };
        self.integer(
            flag(facts.should_keep_alive, KEEP_ALIVE)
                | flag(facts.is_upgrade, WISHES_UPGRADE)
                | flag(facts.has_body, HAS_BODY),
        );
    }

    fn body(&mut self, range: Range) {
        self.refers_to_bytes = true;
        self.integer(BODY);
        self.number(range.start);
        self.number(range.end);
    }

    fn end(&mut self, trailer: &[u8], trailers: &[(Range, Range)]) {
        self.integer(END);
        let trailers = if trailers.is_empty() { self.scope.undefined() } else { fields(self.scope, trailer, trailers) };
        self.items.push(trailers);
    }
}

/// The argument at `index` as a number that is not negative; zero for anything else.
pub fn number(call: &Call<'_>, index: usize) -> usize {
    call.number(index).unwrap_or(0.0) as usize
}

/// The argument at `index` as the number of a parser: a whole number that is not negative.
fn id(call: &Call<'_>, index: usize) -> Option<usize> {
    call.number(index).filter(|id| *id >= 0.0 && id.fract() == 0.0).map(|id| id as usize)
}

/// `httpParserNew(isResponse, headLimit, isLenient)`: the parser's number.
pub extern "C" fn parser_new(info: &CallbackInfo) {
    guarded(info, |call| {
        let kind = if number(call, 0) == 0 { Kind::Request } else { Kind::Response };
        let parser = Some(Rc::new(RefCell::new(Parser::new(kind, number(call, 1), call.is_true(2)))));
        let id = PARSERS.with_borrow_mut(|parsers| match parsers.iter().position(Option::is_none) {
            Some(free) => {
                parsers[free] = parser;
                free
            }
            None => {
                parsers.push(parser);
                parsers.len() - 1
            }
        });
        call.answer_number(id as f64);
    });
}

/// `httpParserFree(id)`.
pub extern "C" fn parser_free(info: &CallbackInfo) {
    guarded(info, |call| {
        PARSERS.with_borrow_mut(|parsers| {
            if let Some(place) = id(call, 0).and_then(|id| parsers.get_mut(id)) {
                *place = None;
            }
        });
    });
}

/// `httpParserAnswers(id, what)`: the request that the next response answers (`TO_OTHER`, `TO_HEAD`, `TO_CONNECT`).
pub extern "C" fn parser_answers(info: &CallbackInfo) {
    guarded(info, |call| {
        let answers = match number(call, 1) as i32 {
            TO_HEAD => Answers::Head,
            TO_CONNECT => Answers::Connect,
            _ => Answers::Other,
        };
        with_parser(call, |parser, _| parser.answers = answers);
    });
}

fn with_parser<'s>(call: &Call<'s>, work: impl FnOnce(&mut Parser, &mut Items<'_, 's>)) -> Vec<Local<'s>> {
    let mut items = Items { scope: &call.scope, items: Vec::new(), refers_to_bytes: false };
    if let Some(parser) = parser_of(id(call, 0)) {
        work(&mut parser.borrow_mut(), &mut items);
    }
    items.items
}

fn parser_of(id: Option<usize>) -> Option<Shared> {
    PARSERS.with_borrow(|parsers| parsers.get(id?).cloned().flatten())
}

/// Parses a piece of input.
fn execute(parser: &mut Parser, bytes: &[u8], items: &mut Items<'_, '_>) {
    let outcome = parser.execute(bytes, items);
    let is_read = outcome == Outcome::Read;
    append_outcome(items, outcome);
    if is_read && parser.is_in_head() {
        items.integer(BEGUN);
    }
}

fn append_outcome(items: &mut Items<'_, '_>, outcome: Outcome) {
    items.refers_to_bytes |= outcome != Outcome::Read;
    match outcome {
        Outcome::Read => {}
        Outcome::Upgrade(offset) => {
            items.integer(UPGRADE);
            items.number(offset);
        }
        Outcome::Failed(problem, offset) => {
            items.integer(FAILED);
            items.items.push(literal(items.scope, problem.code));
            items.items.push(literal(items.scope, problem.reason));
            items.number(offset);
        }
    }
}

/// `httpParserExecute(id, bytes)`: the content of the bytes, or undefined.
pub extern "C" fn parser_execute(info: &CallbackInfo) {
    guarded(info, |call| {
        let found = call.with_bytes(1, |bytes| with_parser(call, |parser, items| execute(parser, bytes, items)));
        match found {
            None => call.throw_type_error("httpParserExecute takes a buffer"),
            Some(items) if items.is_empty() => {}
            Some(items) => call.answer_list(&items),
        }
    });
}

/// `httpParserRead(descriptor, callback, id)`: reads the descriptor and parses what arrives: `callback(items, bytes, size)`,
/// where bytes are undefined if no item refers to them; at the end null, or a negative errno.
pub extern "C" fn parser_read(info: &CallbackInfo) {
    with_core(info, |call, core| {
        let Some(parser) = parser_of(id(call, 2)) else { return };
        read_decoded(
            call,
            core,
            Rc::new(move |scope, bytes| {
                let mut items = Items { scope, items: Vec::new(), refers_to_bytes: false };
                execute(&mut parser.borrow_mut(), bytes, &mut items);
                (scope.array(&items.items), items.refers_to_bytes)
            }),
        );
    });
}

/// `httpParserFinish(id)`: the effect of the end of the input, or undefined.
pub extern "C" fn parser_finish(info: &CallbackInfo) {
    guarded(info, |call| {
        let items = with_parser(call, |parser, items| {
            let outcome = parser.finish(items);
            append_outcome(items, outcome);
        });
        if !items.is_empty() {
            call.answer_list(&items);
        }
    });
}
