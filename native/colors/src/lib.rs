//! CSS colours for `RT.color`, in a library that is loaded on first use: lightningcss parses and converts, and takes longer to compile than
//! any other dependency whose absence most programs would not notice.
use std::ffi::c_void;

use lightningcss::printer::PrinterOptions;
use lightningcss::traits::{Parse, ToCss};
use lightningcss::values::color::{CssColor, HSL, LAB, RGBA};
use rt_wire::color_call::{Components, Receive};

/// The components of a colour that depends on neither a page nor a screen.
fn components_of(color: &CssColor) -> Option<Components> {
    if matches!(color, CssColor::Predefined(_)) {
        return None;
    }
    let rgba = RGBA::try_from(color).ok()?;
    let hsl = HSL::try_from(color).ok()?;
    let lab = LAB::try_from(color).ok()?;
    Some(Components {
        is_absolute: true,
        channels: [rgba.red, rgba.green, rgba.blue, rgba.alpha],
        alpha: rgba.alpha_f32(),
        hsl: [hsl.h, hsl.s, hsl.l],
        lab: [lab.l, lab.a, lab.b],
    })
}

fn parse(text: &str) -> Option<(String, Components)> {
    let color = CssColor::parse_string(text).ok()?;
    let css = color.to_css_string(PrinterOptions::default()).ok()?;
    Some((css, components_of(&color).unwrap_or_default()))
}

/// See `rt_wire::color_call::Parse`.
///
/// # Safety
/// `text` points to `length` bytes of UTF-8, and `components` to a value that only the caller uses.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rt_parse_color(
    text: *const u8,
    length: usize,
    components: *mut Components,
    receive: Receive,
    context: *mut c_void,
) -> bool {
    // SAFETY: guaranteed by the caller.
    let text = unsafe { str::from_utf8_unchecked(std::slice::from_raw_parts(text, length)) };
    let Ok(Some((css, found))) = std::panic::catch_unwind(|| parse(text)) else {
        return false;
    };
    // SAFETY: the caller's pointers are valid, and `css` lives until `receive` has returned.
    unsafe {
        *components = found;
        receive(context, css.as_ptr(), css.len());
    }
    true
}

/// Fails to compile if the function does not have the type by which the native module calls it.
const _: rt_wire::color_call::Parse = rt_parse_color;
