//! rt's own changes to a syntax tree, one file per idea.
//!
//! Each pass leaves a tree that can be analysed again; none updates scopes.
mod accessors;
pub mod assigned_fields;
pub mod completion;
mod constant;
pub mod decorators;
pub mod defer;
pub mod devjsx;
pub mod drop;
pub mod erase;
pub mod experimental;
pub mod export_assignment;
pub mod import_meta;
pub mod legacy_order;
pub mod legacy_private;
pub mod macros;
pub mod metadata;
pub mod modernize;
pub mod namespaces;
mod naming;
pub mod parameter_properties;
pub mod pure;
pub mod quote;
pub mod source_phase;
pub mod verbatim;

use oxc_allocator::Allocator;
use oxc_ast::ast::Program;

/// The helpers for lowered experimental decorators.
pub const LEGACY_HELPERS: &str = include_str!("legacy.js");

/// Insert statements before the program's own.
pub fn prepend<'a>(program: &mut Program<'a>, text: &str, allocator: &'a Allocator) {
    let statements = quote::statements(allocator, text, Vec::new());
    program.body.splice(0..0, statements);
}
