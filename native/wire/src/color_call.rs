//! The interface of the library of CSS colours (`native/colors`), which the native module opens when a program first calls `RT.color`.
use std::ffi::{CStr, c_void};

/// The name of the library's only function, which has the type `Parse`.
pub const NAME: &CStr = c"rt_parse_color";

/// The components of a colour. One that the notation leaves out, such as the hue of a grey, is NaN.
#[repr(C)]
#[derive(Clone, Copy, Default)]
pub struct Components {
    /// Whether the colour has components that do not depend on a page or a screen; the others are zero otherwise.
    pub is_absolute: bool,
    /// Red, green, blue and alpha in the sRGB space.
    pub channels: [u8; 4],
    pub alpha: f32,
    /// Hue in degrees, saturation and lightness in percent.
    pub hsl: [f32; 3],
    pub lab: [f32; 3],
}

/// Receives the shortest CSS for the colour: `length` bytes of UTF-8 that are valid until it returns.
pub type Receive = unsafe extern "C" fn(context: *mut c_void, css: *const u8, length: usize);

/// Parses `length` bytes of UTF-8. For a colour, fills `components`, calls `receive` once with `context`, and returns true.
pub type Parse = unsafe extern "C" fn(
    text: *const u8,
    length: usize,
    components: *mut Components,
    receive: Receive,
    context: *mut c_void,
) -> bool;
