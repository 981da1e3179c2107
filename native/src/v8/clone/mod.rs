//! Structured clone: between realms of one engine, as bytes, and as packets between engines.
mod node;
pub mod packet;
pub mod serializer;
mod views;
mod wasm;

pub const NATIVES: crate::v8::values::function::Natives = &[
    ("cloneBytes", views::clone_bytes),
    ("setBufferPrototype", views::set_buffer_prototype),
    ("structuredClone", serializer::structured_clone),
];
