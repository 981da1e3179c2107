//! HTTP/1 parsers for JavaScript, which knows each by a number and frees it when its connection ends. One call hands in
//! a piece of input and returns all that was in it as one flat array (`js/internal/http_parser.js` reads it).
use std::cell::RefCell;

use super::head::{Head, Kind, Range};
use super::parser::{Answers, Facts, Outcome, Parser, Sink};
use crate::v8::api::layout::{CallbackInfo, small_integer};
use crate::v8::api::{Handle, v8};
use crate::v8::buffer;
use crate::v8::value::{literal, number_to_js};
use crate::v8::{Call, Natives, guarded};
use crate::v8::{Local, Scope};

pub const NATIVES: Natives = &[
    ("httpParserAnswers", parser_answers),
    ("httpParserExecute", parser_execute),
    ("httpParserFinish", parser_finish),
    ("httpParserFree", parser_free),
    ("httpParserNew", parser_new),
];

pub const HEAD: i32 = 1;
pub const BODY: i32 = 2;
pub const END: i32 = 3;
const UPGRADE: i32 = 4;
const FAILED: i32 = 5;
/// Part of another head has come.
const BEGUN: i32 = 6;

const KEEP_ALIVE: i32 = 1;
const WISHES_UPGRADE: i32 = 2;
const HAS_BODY: i32 = 4;

thread_local! {
    /// The parsers of this thread's engine by their numbers; None for a number that is free.
    static PARSERS: RefCell<Vec<Option<Box<Parser>>>> = const { RefCell::new(Vec::new()) };
}

pub fn integer<'s>(scope: &Scope<'s>, value: i32) -> Local<'s> {
    // SAFETY: the scope proves the isolate current; integers always fit.
    unsafe { scope.local((v8().integer_new)(scope.isolate, value)) }.expect("an integer")
}

/// Bytes as a string: heads are Latin-1.
pub fn latin<'s>(scope: &Scope<'s>, bytes: &[u8], is_name: bool) -> Local<'s> {
    // SAFETY: V8 copies as many bytes as it is told; a head is far shorter than the longest string.
    let text = unsafe {
        scope.local((v8().string_one_byte)(scope.isolate, bytes.as_ptr(), is_name.into(), bytes.len() as i32))
    };
    text.expect("a head is no long string")
}

pub fn array<'s>(scope: &Scope<'s>, items: &[Handle]) -> Local<'s> {
    // SAFETY: the handles are live, and V8 copies them.
    unsafe { scope.local((v8().array_new)(scope.isolate, items.as_ptr(), items.len())) }.expect("an array")
}

/// Names and values in turn.
pub fn fields<'s>(scope: &Scope<'s>, bytes: &[u8], fields: &[(Range, Range)]) -> Local<'s> {
    let mut items = Vec::with_capacity(fields.len() * 2);
    for (name, value) in fields {
        items.push(latin(scope, &bytes[name.clone()], true).handle());
        items.push(latin(scope, &bytes[value.clone()], false).handle());
    }
    array(scope, &items)
}

/// What a piece held, as JavaScript values.
pub struct Items<'a, 's> {
    pub scope: &'a Scope<'s>,
    pub items: Vec<Handle>,
}

impl Items<'_, '_> {
    pub fn number(&mut self, value: usize) {
        self.items.push(number_to_js(self.scope, value as f64).handle());
    }

    pub fn integer(&mut self, value: i32) {
        self.items.push(integer(self.scope, value).handle());
    }
}

impl Sink for Items<'_, '_> {
    fn head(&mut self, head: &Head, bytes: &[u8], facts: Facts) {
        self.integer(HEAD);
        match head.method {
            "" => self.integer(head.status.into()),
            method => self.items.push(literal(self.scope, method).handle()),
        }
        self.items.push(latin(self.scope, &bytes[head.text.clone()], false).handle());
        self.integer(i32::from(head.major) * 10 + i32::from(head.minor));
        self.items.push(fields(self.scope, bytes, &head.fields).handle());
        let flag = |holds: bool, bit: i32| if holds { bit } else { 0 };
        self.integer(
            flag(facts.should_keep_alive, KEEP_ALIVE)
                | flag(facts.is_upgrade, WISHES_UPGRADE)
                | flag(facts.has_body, HAS_BODY),
        );
    }

    fn body(&mut self, range: Range) {
        self.integer(BODY);
        self.number(range.start);
        self.number(range.end);
    }

    fn end(&mut self, trailer: &[u8], trailers: &[(Range, Range)]) {
        self.integer(END);
        let undefined = self.scope.handle_for(self.scope.state.inner().roots.get().undefined);
        let trailers = if trailers.is_empty() { undefined } else { fields(self.scope, trailer, trailers) };
        self.items.push(trailers.handle());
    }
}

pub fn number(call: &Call<'_>, index: usize) -> usize {
    let value = call.argument(index);
    match small_integer(value.word()) {
        Some(number) => number.max(0) as usize,
        // SAFETY: a live handle, tested for its kind before it is asked.
        None => unsafe {
            if (v8().is_number)(value.handle()) { (v8().number_value)(value.handle()) as usize } else { 0 }
        },
    }
}

/// `httpParserNew(isResponse, headLimit)`: the parser's number.
pub extern "C" fn parser_new(info: &CallbackInfo) {
    guarded(info, |call| {
        let kind = if number(call, 0) == 0 { Kind::Request } else { Kind::Response };
        let parser = Some(Box::new(Parser::new(kind, number(call, 1))));
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
        call.answer(integer(&call.scope, id as i32));
    });
}

/// `httpParserFree(id)`.
pub extern "C" fn parser_free(info: &CallbackInfo) {
    guarded(info, |call| {
        let id = number(call, 0);
        PARSERS.with_borrow_mut(|parsers| {
            if let Some(place) = parsers.get_mut(id) {
                *place = None;
            }
        });
    });
}

/// `httpParserAnswers(id, what)`: which request the next response answers: 0 an ordinary one, 1 HEAD, 2 CONNECT.
pub extern "C" fn parser_answers(info: &CallbackInfo) {
    guarded(info, |call| {
        let answers = match number(call, 1) {
            0 => Answers::Other,
            1 => Answers::Head,
            _ => Answers::Connect,
        };
        with_parser(call, |parser, _| parser.answers = answers);
    });
}

fn with_parser(call: &Call<'_>, work: impl FnOnce(&mut Parser, &mut Items<'_, '_>)) -> Vec<Handle> {
    let id = number(call, 0);
    let mut items = Items { scope: &call.scope, items: Vec::new() };
    PARSERS.with_borrow_mut(|parsers| {
        if let Some(Some(parser)) = parsers.get_mut(id) {
            work(parser, &mut items);
        }
    });
    items.items
}

fn tell(items: &mut Items<'_, '_>, outcome: Outcome) {
    match outcome {
        Outcome::Read => {}
        Outcome::Upgrade(offset) => {
            items.integer(UPGRADE);
            items.number(offset);
        }
        Outcome::Failed(problem, offset) => {
            items.integer(FAILED);
            items.items.push(literal(items.scope, problem.code).handle());
            items.items.push(literal(items.scope, problem.reason).handle());
            items.number(offset);
        }
    }
}

/// `httpParserExecute(id, bytes)`: what the bytes held, or undefined.
pub extern "C" fn parser_execute(info: &CallbackInfo) {
    guarded(info, |call| {
        let found = buffer::with_bytes(call.argument(1), |bytes| {
            with_parser(call, |parser, items| {
                let outcome = parser.execute(bytes, items);
                let is_read = outcome == Outcome::Read;
                tell(items, outcome);
                if is_read && parser.is_in_head() {
                    items.integer(BEGUN);
                }
            })
        });
        match found {
            None => call.throw_type_error("httpParserExecute takes a buffer"),
            Some(items) if items.is_empty() => {}
            Some(items) => call.answer(array(&call.scope, &items)),
        }
    });
}

/// `httpParserFinish(id)`: what the end of the input means, or undefined.
pub extern "C" fn parser_finish(info: &CallbackInfo) {
    guarded(info, |call| {
        let items = with_parser(call, |parser, items| {
            let outcome = parser.finish(items);
            tell(items, outcome);
        });
        if !items.is_empty() {
            call.answer(array(&call.scope, &items));
        }
    });
}
