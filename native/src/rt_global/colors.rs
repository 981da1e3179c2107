//! CSS colours for `RT.color`: a colour as CSS, as eight-bit channels, and in the HSL and LAB spaces.
//!
//! The library that `native/colors` builds parses and converts; it is opened on first use. Numbers use the shortest text of a 32-bit float.
use std::ffi::c_void;
use std::sync::OnceLock;

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use rt_wire::color_call::{Components, NAME, Parse};

use crate::files::beside::function_in;

/// The file name of `native/colors`' library.
const LIBRARY: &str = "librt_colors.so";

/// The values of a colour that does not depend on a page: channels with alpha from 0 to 255, hsl, lab, alpha as text.
type Values = ((u8, u8, u8, u8), String, String, String);
/// The colour as CSS, and its values.
type Color = (String, Option<Values>);

/// The library's function, found on first use; the error describes why it cannot be called.
fn library() -> Result<Parse, &'static str> {
    static LOADED: OnceLock<Result<Parse, String>> = OnceLock::new();
    let loaded = LOADED.get_or_init(|| {
        let address = function_in(LIBRARY, NAME)?;
        // SAFETY: the library's function with this name has this signature (`rt_wire::color_call`).
        Ok(unsafe { std::mem::transmute::<*mut c_void, Parse>(address.as_ptr()) })
    });
    loaded.as_ref().copied().map_err(String::as_str)
}

/// # Safety
/// `context` points to a `String` that only the caller uses, `css` to `length` bytes of UTF-8.
unsafe extern "C" fn store_css(context: *mut c_void, css: *const u8, length: usize) {
    // SAFETY: guaranteed by the caller.
    unsafe { (*context.cast::<String>()).push_str(str::from_utf8_unchecked(std::slice::from_raw_parts(css, length))) }
}

/// A missing component, such as the hue of a grey, is zero.
fn or_zero(component: f32) -> f32 {
    if component.is_nan() { 0.0 } else { component }
}

fn values(components: Components) -> Option<Values> {
    let [red, green, blue, alpha] = components.channels;
    let [h, s, l] = components.hsl.map(or_zero);
    let [lightness, a, b] = components.lab.map(or_zero);
    components.is_absolute.then(|| {
        (
            (red, green, blue, alpha),
            format!("hsl({h}, {s}%, {l}%)"),
            format!("lab({lightness}% {a} {b})"),
            components.alpha.to_string(),
        )
    })
}

#[pyfunction]
fn parse_color(text: &str) -> PyResult<Option<Color>> {
    let parse =
        library().map_err(|why| PyRuntimeError::new_err(format!("rt's library of colours cannot be loaded: {why}")))?;
    let mut css = String::new();
    let mut components = Components::default();
    // SAFETY: the pointers are valid during the call, and `store_css` receives the `String`.
    let is_color =
        unsafe { parse(text.as_ptr(), text.len(), &mut components, store_css, (&raw mut css).cast::<c_void>()) };
    Ok(is_color.then(|| (css, values(components))))
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(parse_color, module)?)
}
