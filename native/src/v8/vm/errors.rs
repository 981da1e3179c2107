//! The stack of `node:vm` errors: the source line above it, as Node prints it.
use super::scripts::text_to_js;
use crate::v8::api::layout::maybe_int;
use crate::v8::api::v8;
use crate::v8::values::scope::{Local, NO_HANDLE, Scope, TryCatch};
use crate::v8::values::value::{literal, number_to_js};

/// Prepend `file:line`, the source line and a marker below it to the stack of the caught exception, once.
pub fn decorate(scope: &Scope<'_>, catcher: &TryCatch<'_, '_>) {
    let (Some(error), Some(message)) = (catcher.exception(), catcher.message()) else { return };
    let mut words = Default::default();
    let _quiet = TryCatch::open(scope, &mut words); // if `stack` throws, the error stays as it is
    let context = scope.context.handle();
    // SAFETY: the handles are live and their types are tested before use.
    unsafe {
        if !(v8().is_object)(error.handle()) {
            return;
        }
        let mark = literal(scope, "rt.vm.decorated").handle();
        let mark = (v8().private_for_api)(scope.isolate, mark);
        if (v8().object_has_private)(error.handle(), context, mark) >> 8 != 0 {
            return;
        }
        let Some(arrow) = arrow(scope, message) else { return };
        let key = literal(scope, "stack").handle();
        let Some(stack) = scope.local((v8().object_get)(error.handle(), context, key)) else { return };
        if !(v8().is_string)(stack.handle()) {
            return;
        }
        let head = text_to_js(scope, &arrow).handle();
        let whole = (v8().string_concat)(scope.isolate, head, stack.handle());
        (v8().object_set)(error.handle(), context, key, whole);
        (v8().object_set_private)(error.handle(), context, mark, number_to_js(scope, 1.0).handle());
    }
}

fn text(scope: &Scope<'_>, value: Option<Local<'_>>) -> Option<String> {
    let value = value?;
    // SAFETY: the string is live; the buffer has the size that V8 requires.
    unsafe {
        if !(v8().is_string)(value.handle()) {
            return None;
        }
        let size = (v8().string_utf8_length)(value.handle(), scope.isolate);
        let mut bytes = vec![0u8; size];
        (v8().string_write_utf8)(value.handle(), scope.isolate, bytes.as_mut_ptr(), size, 2, std::ptr::null_mut());
        String::from_utf8(bytes).ok()
    }
}

fn arrow(scope: &Scope<'_>, message: Local<'_>) -> Option<String> {
    let (handle, context) = (message.handle(), scope.context.handle());
    // SAFETY: the message is live; these functions only read.
    let (file, line, source, start, end) = unsafe {
        (
            text(scope, scope.local((v8().message_resource)(handle))).unwrap_or_default(),
            maybe_int((v8().message_line)(handle, context)).unwrap_or(0),
            text(scope, scope.local((v8().message_source_line)(handle, context)))?,
            (v8().message_start_column)(handle).max(0) as usize,
            (v8().message_end_column)(handle).max(0) as usize,
        )
    };
    // Columns refer to the file, the source line to the text, whose first line may begin within a line of the file.
    // SAFETY: as above; V8 fills the origin.
    let (start, end) = unsafe {
        let mut origin = Default::default();
        (v8().message_origin)(&mut origin, handle);
        let shift = if line - origin.line_offset == 1 { origin.column_offset.max(0) as usize } else { 0 };
        if start >= shift { (start - shift, end - shift) } else { (start, end) }
    };
    let units: Vec<char> = source.chars().collect();
    let blank = |at: usize| if units.get(at) == Some(&'\t') { '\t' } else { ' ' };
    let space: String = (0..start.min(units.len())).map(blank).collect();
    let marks = "^".repeat(end.saturating_sub(start).max(1));
    Some(format!("{file}:{line}\n{source}\n{space}{marks}\n\n"))
}

/// Throws an Error with a code.
pub fn throw_coded(scope: &Scope<'_>, code: &str, message: &str) {
    let context = scope.context.handle();
    // SAFETY: V8 is calling; the handles are live.
    unsafe {
        let error = (v8().error_new)(text_to_js(scope, message).handle(), NO_HANDLE);
        let (key, value) = (literal(scope, "code").handle(), text_to_js(scope, code).handle());
        (v8().object_create_property)(error, context, key, value);
        (v8().throw)(scope.isolate, error);
    }
}
