//! CSS colours for `RT.color`: a colour as CSS, as eight-bit channels, and in the HSL and LAB spaces.
//!
//! lightningcss parses and converts. Numbers use the shortest text of a 32-bit float.
use lightningcss::printer::PrinterOptions;
use lightningcss::traits::{Parse, ToCss};
use lightningcss::values::color::{CssColor, HSL, LAB, RGBA};
use pyo3::prelude::*;

/// The values of a colour that does not depend on a page: channels with alpha from 0 to 255, hsl, lab, alpha as text.
type Values = ((u8, u8, u8, u8), String, String, String);
/// The colour as CSS, and its values.
type Color = (String, Option<Values>);

/// A missing component, such as the hue of a grey, is zero.
fn or_zero(component: f32) -> f32 {
    if component.is_nan() { 0.0 } else { component }
}

fn parse(text: &str) -> Option<Color> {
    let color = CssColor::parse_string(text).ok()?;
    let css = color.to_css_string(PrinterOptions::default()).ok()?;
    Some((css, if matches!(color, CssColor::Predefined(_)) { None } else { values(&color) }))
}

fn values(color: &CssColor) -> Option<Values> {
    let rgba = RGBA::try_from(color).ok()?;
    let hsl = HSL::try_from(color).ok()?;
    let lab = LAB::try_from(color).ok()?;
    Some((
        (rgba.red, rgba.green, rgba.blue, rgba.alpha),
        format!("hsl({}, {}%, {}%)", or_zero(hsl.h), or_zero(hsl.s), or_zero(hsl.l)),
        format!("lab({}% {} {})", or_zero(lab.l), or_zero(lab.a), or_zero(lab.b)),
        rgba.alpha_f32().to_string(),
    ))
}

#[pyfunction]
fn parse_color(text: &str) -> Option<Color> {
    parse(text)
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(parse_color, module)?)
}
