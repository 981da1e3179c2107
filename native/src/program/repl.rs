//! What `js/rt/repl` asks of the program: an input as a script whose errors show its lines, and output before the prompt.
use std::path::Path;
use std::sync::Arc;

use super::life::Life;
use crate::transform::repl_input::{self, Declarations};
use crate::transform::{Options, Request, Transformed, deep};
use crate::v8::{Call, HostOperation};

pub const OPERATIONS: &[(&str, HostOperation)] = &[("repl_flush", flush), ("repl_prepare", prepare)];

/// The goals that an input is read as: JSX excludes the type arguments of `<T>(x: T) => x`.
const LOADERS: [&str; 2] = ["tsx", "ts"];

/// `repl_flush()`: writes what the program has printed, so that the prompt comes after it.
fn flush(call: &Call<'_>) -> bool {
    if let Some(life) = Life::of(call.scope.state) {
        let _ = life.output.flush(); // the program hears of a closed output elsewhere
    }
    true
}

/// `repl_prepare(text, name, form)`: an input as a script for V8, under a name by which errors find its lines:
/// [code, whether it may be previewed, whether it only imports]; for invalid text [undefined, message, line, column, source line]. `form` is 0, or
/// how declarations are rewritten: 1 `Declarations::Var`, 2 `Declarations::Let`. Without a name nothing is recorded.
fn prepare(call: &Call<'_>) -> bool {
    let Some(life) = Life::of(call.scope.state) else { return false };
    let text = call.utf8(0).unwrap_or_default();
    let text = String::from_utf8_lossy(&text);
    let name = call.exact_text(1).unwrap_or_default();
    let form = match call.integer(2) {
        1 => Declarations::Var,
        2 => Declarations::Let,
        _ => Declarations::Written,
    };
    let scope = &call.scope;
    let string = |text: &str| scope.text(text.as_bytes()).unwrap_or_else(|| scope.undefined());
    let transformed = transform_input(&life, &repl_input::source_of(&text), &name);
    if let Some(problem) = transformed.first_problem() {
        let place = &problem.place;
        let (line, column) = (scope.number(place.line.into()), scope.number(place.column.into()));
        call.answer_list(&[scope.undefined(), string(&problem.message), line, column, string(&place.text)]);
        return true;
    }
    let script = repl_input::script(transformed.code_text(), form);
    if !name.is_empty() {
        life.texts.add(name, transformed, 0);
    }
    call.answer_list(&[string(&script.code), scope.boolean(script.is_expression), scope.boolean(script.is_import)]);
    true
}

/// Removes types and JSX; the first goal's problems are reported if none fits.
fn transform_input(life: &Life, source: &str, name: &str) -> Transformed {
    let folder = life.working_folder();
    let config = life.resolver().tsconfig_for(Path::new(&folder)).map(|config| config.emit.clone()).unwrap_or_default();
    // The value of an element or of a call that is marked pure is the result.
    let options = Arc::new(Options { ignore_dce_annotations: true, ..(*life.options()).clone() });
    let mut first = None;
    for loader in LOADERS {
        let mut config = config.clone();
        config.verbatim_module_syntax = true; // a later input may use what this one imports
        let request = Request { path: name.to_owned(), loader: Some(loader.to_owned()), config, ..Request::default() };
        let (source, request, options) = (Arc::from(source), Arc::new(request), options.clone());
        let made = deep::run(move || Transformed::new(source, request, options));
        match made {
            Ok(made) if made.first_problem().is_none() => return made,
            Ok(made) => {
                first.get_or_insert(made);
            }
            Err(_) => {} // no thread with a deep stack is available: the next goal tries again
        }
    }
    first.unwrap_or_else(|| Transformed::new(Arc::from(source), Arc::default(), options))
}
