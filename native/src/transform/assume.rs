//! Large CommonJS files of packages, used unparsed if nothing in their text speaks against it.
//!
//! Parsing a bundle of 10 MB takes a tenth of a second, only to find that it needs no change. The engine parses it
//! anyway: a file wrongly taken for CommonJS (an import, `import.meta`, JSX, a top-level await) does not compile there,
//! and is then transformed in full. Code that compiles either way with different meanings is excluded here: unused pure
//! calls, and whatever else a pass would change.
use memchr::memmem;

use super::options::{Loader, Options, Request, extension};

/// Smaller files are parsed, which is quick and certain.
const LEAST_BYTES: usize = 128 << 10;

/// How much of a file's end is examined for the end of a bundle.
const END_BYTES: usize = 16 << 10;

/// Returns whether `source` may be taken for CommonJS that needs no change.
pub fn is_plain_commonjs(source: &str, request: &Request, options: &Options) -> bool {
    let loader = request.loader.as_deref().or_else(|| options.loader_name(&request.path)).and_then(Loader::named);
    source.len() >= LEAST_BYTES
        && matches!(loader, Some(Loader::Js | Loader::Jsx))
        && request.completion.is_none()
        && request.erase.is_empty()
        && options.define.is_empty()
        && options.drop.is_empty()
        && !(options.is_node && extension(&request.path) == "mjs")
        && is_commonjs(source.as_bytes(), request)
        && (options.ignore_dce_annotations || pure_calls_are_used(source.as_bytes()))
}

fn mentions(source: &[u8], words: &[u8]) -> bool {
    memmem::find(source, words).is_some()
}

fn is_of_package(request: &Request) -> bool {
    request.path.contains("/node_modules/")
}

/// Returns whether a file without import and export is CommonJS: by its location, or by identifiers that only CommonJS code
/// uses.
fn is_commonjs(source: &[u8], request: &Request) -> bool {
    let speaks_of_modules =
        [&b"\nimport "[..], b"\nimport{", b"\nexport ", b"\nexport{"].iter().any(|words| mentions(source, words));
    // A CommonJS bundle may contain the text of a module.
    if speaks_of_modules && !(is_of_package(request) && is_bundle_of_commonjs(source, request)) {
        return false;
    }
    if matches!(extension(&request.path), "cjs") {
        return true;
    }
    match request.package_is_module {
        Some(is_module) => !is_module,
        None if is_of_package(request) => true,
        None => [&b"typeof module"[..], b"typeof exports", b"\nmodule.exports", b"\nexports."]
            .iter()
            .any(|words| mentions(source, words)),
    }
}

/// Returns whether the last lines assign the exports as esbuild writes it.
fn is_bundle_of_commonjs(source: &[u8], request: &Request) -> bool {
    let end = &source[source.len().saturating_sub(END_BYTES)..];
    !matches!(extension(&request.path), "mjs") && mentions(end, b"\n0 && (module.exports = {")
}

/// Returns whether the value of each call marked `__PURE__` is used, judging by what precedes the mark.
fn pure_calls_are_used(source: &[u8]) -> bool {
    memmem::find_iter(source, b"__PURE__").all(|mark| {
        let Some(comment) = memmem::rfind(&source[..mark], b"/") else { return true };
        let text = source[..comment].trim_ascii_end();
        // `/*` begins with its slash; the second slash of `//` follows another.
        let before = text.strip_suffix(b"/").unwrap_or(text).trim_ascii_end();
        ends_in_operator(before) && !text.ends_with(b"*/") || ends_in_operator_word(before)
    })
}

/// Operators with a right operand, and other tokens that a value follows.
const OPERATORS: &[u8] = b"=([,:?|&><+-*%^~!";
const OPERATOR_WORDS: [&[u8]; 10] =
    [b"return", b"of", b"in", b"case", b"typeof", b"instanceof", b"await", b"throw", b"yield", b"delete"];

fn ends_in_operator(text: &[u8]) -> bool {
    let Some(last) = text.last() else { return false };
    let is_postfix = text.ends_with(b"++") || text.ends_with(b"--");
    OPERATORS.contains(last) && !is_postfix || text.ends_with(b"...") || text.ends_with(b"${")
}

fn ends_in_operator_word(text: &[u8]) -> bool {
    OPERATOR_WORDS.iter().any(|word| {
        let rest = text.strip_suffix(*word);
        rest.is_some_and(|rest| {
            !rest.last().is_some_and(|&byte| byte.is_ascii_alphanumeric() || b"_$.".contains(&byte))
        })
    })
}
