//! Host functions that only V8 can implement: text and bytes, and properties of values that JavaScript cannot read.
pub mod bytes_text;
pub mod file_buffers;
pub mod introspection;
pub mod kind_tests;
pub mod running;
pub mod text;
pub mod thrown;
