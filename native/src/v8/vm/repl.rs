//! Evaluation in V8's REPL mode, and without side effects for previews and completions.
use super::scripts::{Limits, run_limited};
use crate::v8::api::layout::CallbackInfo;
use crate::v8::api::rare::{self, more};
use crate::v8::api::{Handle, Raw, v8};
use crate::v8::values::function::guarded;
use crate::v8::values::scope::Local;

/// `v8::debug::EvaluateGlobalMode`
const DEFAULT: i32 = 0;
const THROW_ON_SIDE_EFFECT: i32 = 2;

/// `replEvaluate(text)`: in REPL mode: a promise of an object whose property `.repl_result` is the completion value, so
/// that a promise as the value is not awaited. Throws a SyntaxError; a SIGINT ends the evaluation.
///
/// `replEvaluate(text, limit in ms)`: without side effects: the completion value. Throws an EvalError at the first side
/// effect, such as an assignment to something that was there before.
pub extern "C" fn evaluate(info: &CallbackInfo) {
    guarded(info, |call| {
        let scope = &call.scope;
        if let Err(symbol) = rare::load() {
            return call.throw_type_error(symbol);
        }
        let limit_ms = call.number(1);
        let limits = Limits { ms: limit_ms.unwrap_or(-1.0), breaks: limit_ms.is_none() };
        let mode = if limit_ms.is_some() { THROW_ON_SIDE_EFFECT } else { DEFAULT };
        let text = call.argument(0);
        if !call.is_string(0) {
            return call.throw_type_error("the text is not a string");
        }
        let value = run_limited(scope, limits, false, || {
            // SAFETY: the scope proves the isolate current; the handle is a live string.
            unsafe { scope.local((more().evaluate_global)(scope.isolate, text.handle(), mode, limit_ms.is_none())) }
        });
        if let Some(value) = value {
            call.answer(value);
        }
    });
}

/// `replLexicalNames()`: the names that `let`, `const` and `class` have declared in the global scope.
pub extern "C" fn lexical_names(info: &CallbackInfo) {
    guarded(info, |call| {
        let scope = &call.scope;
        if let Err(symbol) = rare::load() {
            return call.throw_type_error(symbol);
        }
        let mut found: [*mut Handle; 3] = [std::ptr::null_mut(); 3]; // a std::vector: begin, end, end of its memory
        // SAFETY: the vector outlives the call. The handles in it and its memory are released once each.
        unsafe {
            (more().lexical_names)(scope.context.handle(), found.as_mut_ptr() as Raw);
            let count = found[1].offset_from(found[0]).max(0) as usize;
            let handles: Vec<Handle> = (0..count).map(|at| *found[0].add(at)).collect();
            let names: Vec<Local<'_>> = handles.iter().map(|handle| scope.handle_for(**handle)).collect();
            handles.iter().for_each(|handle| (v8().global_dispose)(*handle));
            if !found[0].is_null() {
                (v8().operator_delete)(found[0] as Raw);
            }
            call.answer_list(&names);
        }
    });
}
