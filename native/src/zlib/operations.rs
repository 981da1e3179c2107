//! The host side of `js/internal/zlib/handle.js`: streams by number.
//!
//! A step returns [bytes, number of unread input bytes, whether there is more output, message, errno, code]; the last
//! three are null on success. One thread at a time uses a codec: JavaScript makes no other call for it during a step.
use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use super::{Codec, Problem, StepOutput, brotli, deflate, zstd};
use crate::event_loop::{Answer, Core, Task, submit};
use crate::v8::{Call, Global, HostOperation, Local, Plain, Scope};

pub const OPERATIONS: &[(&str, HostOperation)] = &[
    ("zlib_close", close),
    ("zlib_crc32", crc32),
    ("zlib_create", create),
    ("zlib_resume", resume),
    ("zlib_resumeLater", resume_later),
    ("zlib_reset", reset),
    ("zlib_run", run),
    ("zlib_runLater", run_later),
    ("zlib_setParams", set_params),
];

/// Smaller input is processed at once, as another thread would cost more.
const SMALL_BYTES: usize = 4096;

type Shared = Arc<Mutex<Codec>>;

thread_local! {
    /// The streams of this thread's programs, which end with it.
    static STREAMS: RefCell<HashMap<u32, Shared>> = RefCell::default();
    static LAST: Cell<u32> = const { Cell::new(0) };
}

fn with<R>(codec: &Shared, work: impl FnOnce(&mut Codec) -> R) -> R {
    work(&mut codec.lock().unwrap_or_else(PoisonError::into_inner))
}

/// The stream whose number is the first argument.
fn find_stream(call: &Call<'_>) -> Option<Shared> {
    let found = STREAMS.with_borrow(|streams| streams.get(&(call.integer(0) as u32)).cloned());
    if found.is_none() {
        call.throw(call.scope.error("this stream is closed"));
    }
    found
}

// --- Creating and closing.

/// Numbers and flags of a stream's settings from JavaScript.
struct Settings<'a, 's> {
    scope: &'a Scope<'s>,
    object: Local<'s>,
}

impl<'s> Settings<'_, 's> {
    fn value(&self, name: &str) -> Option<Local<'s>> {
        self.scope.get(self.object, name).ok()
    }

    fn number(&self, name: &str) -> Option<f64> {
        match self.scope.plain(self.value(name)?) {
            Plain::Number(number) => Some(number),
            _ => None,
        }
    }

    fn integer(&self, name: &str) -> i32 {
        self.number(name).unwrap_or(0.0) as i32
    }

    fn is_set(&self, name: &str) -> bool {
        self.value(name).is_some_and(|value| self.scope.is_true(value))
    }

    /// [[key, value], …]
    fn params(&self) -> Vec<(f64, f64)> {
        let pairs = self.value("params").map(|params| self.scope.elements(params)).unwrap_or_default();
        let pair = |each: Local<'s>| match self.scope.elements(each)[..] {
            [key, value] => (self.scope.double(key), self.scope.double(value)),
            _ => (0.0, 0.0),
        };
        pairs.into_iter().map(pair).collect()
    }
}

/// Creates a stream of a kind; the error describes invalid settings.
fn make_stream(kind: &str, settings: &Settings<'_, '_>, dictionary: Option<&[u8]>) -> Result<Codec, String> {
    let inflate = |form| {
        let (bits, is_single) = (settings.integer("windowBits"), settings.is_set("isSingle"));
        deflate::Inflate::new(form, bits, dictionary.unwrap_or_default(), is_single).map(Codec::of)
    };
    let of_brotli = || settings.params().into_iter().map(|(key, value)| (key as u32, value as u32)).collect::<Vec<_>>();
    let of_zstd = || settings.params().into_iter().map(|(key, value)| (key as i32, value as i32)).collect::<Vec<_>>();
    match kind {
        "deflate" => {
            let (level, bits) = (settings.integer("level"), settings.integer("windowBits"));
            let (memory, strategy) = (settings.integer("memLevel"), settings.integer("strategy"));
            deflate::Deflate::new(level, bits, memory, strategy, dictionary.unwrap_or_default()).map(Codec::of)
        }
        "inflate" => inflate(deflate::Form::Zlib),
        "gunzip" => inflate(deflate::Form::Gzip),
        "unzip" => inflate(deflate::Form::Either),
        "inflateRaw" => inflate(deflate::Form::Raw),
        "brotliCompress" => brotli::Encoder::new(&of_brotli(), dictionary).map(Codec::of),
        "brotliDecompress" => brotli::Decoder::new(&of_brotli(), dictionary).map(Codec::of),
        "zstdCompress" => {
            let size = settings.number("size").map(|size| size as u64);
            zstd::Encoder::new(&of_zstd(), dictionary, size).map(Codec::of)
        }
        _ => zstd::Decoder::new(&of_zstd(), dictionary).map(Codec::of),
    }
}

/// `zlib_create(kind, settings, dictionary)`: a number, or an error for invalid settings.
fn create(call: &Call<'_>) -> bool {
    let scope = &call.scope;
    let kind = String::from_utf8(call.utf8(0).unwrap_or_default()).unwrap_or_default();
    let settings = Settings { scope, object: call.argument(1) };
    let dictionary = settings.is_set("hasDictionary").then(|| scope.copy_bytes(call.argument(2))).flatten();
    match make_stream(&kind, &settings, dictionary.as_deref()) {
        Ok(codec) => {
            let number = LAST.get() + 1;
            LAST.set(number);
            STREAMS.with_borrow_mut(|streams| streams.insert(number, Arc::new(Mutex::new(codec))));
            call.answer_number(number.into());
        }
        Err(problem) => call.answer(scope.text(problem.as_bytes()).unwrap_or_else(|| scope.undefined())),
    }
    true
}

/// `zlib_close(stream)`
fn close(call: &Call<'_>) -> bool {
    STREAMS.with_borrow_mut(|streams| streams.remove(&(call.integer(0) as u32)));
    true
}

// --- Steps.

fn problem_to_js<'s>(scope: &Scope<'s>, problem: Option<&Problem>) -> [Local<'s>; 3] {
    let Some(Problem { message, errno, code }) = problem else { return [scope.null(); 3] };
    let text = |text: &str| scope.text(text.as_bytes()).unwrap_or_else(|| scope.null());
    [text(message), scope.number((*errno).into()), text(code)]
}

impl Answer for StepOutput {
    fn arguments<'s>(self: Box<Self>, scope: &Scope<'s>) -> Vec<Local<'s>> {
        let StepOutput { output, left, has_more, problem } = *self;
        let Some(bytes) = scope.bytes_of(&output) else {
            let problem = Problem::new("Array buffer allocation failed", 0, "ERR_MEMORY_ALLOCATION_FAILED");
            return StepOutput { output: Vec::new(), left, has_more: false, problem: Some(problem) }.into_answer(scope);
        };
        let [message, errno, code] = problem_to_js(scope, problem.as_ref());
        vec![bytes, scope.number(left as f64), scope.boolean(has_more), message, errno, code]
    }
}

impl StepOutput {
    fn into_answer<'s>(self, scope: &Scope<'s>) -> Vec<Local<'s>> {
        Box::new(self).arguments(scope)
    }
}

fn flush_and_limit(call: &Call<'_>, first: usize) -> (i32, usize) {
    (call.integer(first) as i32, call.number(first + 1).unwrap_or(0.0) as usize)
}

/// `zlib_run(stream, data, flush, limit)`
fn run(call: &Call<'_>) -> bool {
    let Some(codec) = find_stream(call) else { return true };
    let (flush, limit) = flush_and_limit(call, 2);
    let result = call.with_bytes(1, |data| with(&codec, |codec| codec.run(data, flush, limit)));
    if let Some(result) = result {
        call.answer(call.scope.array(&result.into_answer(&call.scope)));
    }
    true
}

/// `zlib_resume(stream, flush, limit)`
fn resume(call: &Call<'_>) -> bool {
    let Some(codec) = find_stream(call) else { return true };
    let (flush, limit) = flush_and_limit(call, 1);
    let result = with(&codec, |codec| codec.resume(flush, limit));
    call.answer(call.scope.array(&result.into_answer(&call.scope)));
    true
}

/// Runs a step on the pool and calls back with its result in a later turn.
fn resume_on_pool(call: &Call<'_>, callback: Global, codec: Shared, (flush, limit): (i32, usize)) -> bool {
    let Some(core) = Core::of(&call.scope) else { return false };
    let submitted = submit(&core, callback, move || Box::new(with(&codec, |codec| codec.resume(flush, limit))));
    if let Err(error) = submitted {
        call.raise(error);
    }
    true
}

/// `zlib_runLater(stream, data, flush, limit, callback)`
fn run_later(call: &Call<'_>) -> bool {
    let Some(codec) = find_stream(call) else { return true };
    let (Some(core), Some(callback)) = (Core::of(&call.scope), call.function(4)) else { return false };
    let (flush, limit) = flush_and_limit(call, 2);
    let small = call.with_bytes(1, |data| {
        let is_small = data.len() <= SMALL_BYTES;
        with(&codec, |codec| {
            if is_small {
                Some(codec.run(data, flush, limit))
            } else {
                codec.take(data.to_vec());
                None
            }
        })
    });
    match small.flatten() {
        Some(given) => {
            core.refer(1);
            core.inbox.push(Task::Native(Box::new(move |core| {
                core.refer(-1);
                core.answer(&callback, Box::new(given))
            })));
            true
        }
        None => resume_on_pool(call, callback, codec, (flush, limit)),
    }
}

/// `zlib_resumeLater(stream, flush, limit, callback)`
fn resume_later(call: &Call<'_>) -> bool {
    let Some(codec) = find_stream(call) else { return true };
    let Some(callback) = call.function(3) else { return false };
    resume_on_pool(call, callback, codec, flush_and_limit(call, 1))
}

/// `zlib_setParams(stream, level, strategy)`: [message, errno, code], which are null on success.
fn set_params(call: &Call<'_>) -> bool {
    let Some(codec) = find_stream(call) else { return true };
    let (level, strategy) = (call.integer(1) as i32, call.integer(2) as i32);
    let problem = with(&codec, |codec| codec.stream.set_params(level, strategy));
    call.answer(call.scope.array(&problem_to_js(&call.scope, problem.as_ref())));
    true
}

/// `zlib_reset(stream)`: as `zlib_setParams`.
fn reset(call: &Call<'_>) -> bool {
    let Some(codec) = find_stream(call) else { return true };
    let problem = with(&codec, Codec::reset);
    call.answer(call.scope.array(&problem_to_js(&call.scope, problem.as_ref())));
    true
}

/// `zlib_crc32(data, value)`: gzip's checksum, continued from `value`.
fn crc32(call: &Call<'_>) -> bool {
    let value = call.number(1).unwrap_or(0.0) as u32;
    if let Some(sum) = call.with_bytes(0, |data| deflate::crc32(data, value)) {
        call.answer_number(sum.into());
    }
    true
}
