//! `import defer * as ns from "x"`: a namespace that is evaluated at its first use.
//!
//! The engine parses it but cannot link it. `import.meta.__defer` returns an object that loads the module on demand.
use oxc_allocator::{Allocator, ArenaVec, TakeIn};
use oxc_ast::ast::*;

use super::quote;

const DEFER: &str = "__rt_defer";

pub fn is_deferred(import: &ImportDeclaration) -> bool {
    import.phase == Some(ImportPhase::Defer)
}

pub fn lower<'a>(program: &mut Program<'a>, allocator: &'a Allocator) {
    let mut head = Vec::new();
    let mut body = ArenaVec::with_capacity_in(program.body.len(), &allocator);
    for statement in program.body.take_in(&allocator) {
        match &statement {
            Statement::ImportDeclaration(import) if is_deferred(import) => {
                let specifiers = import.specifiers.iter().flatten();
                for local in specifiers.map(|specifier| specifier.local().name.as_str()) {
                    let specifier = quote::string(&import.source.value);
                    let text = format!("const {local} = {DEFER}({specifier}, [{}]);", attributes(import));
                    head.extend(quote::statements(allocator, &text, Vec::new()));
                }
            }
            _ => body.push(statement),
        }
    }
    program.body = body;
    // `import.meta.__defer` can be read once.
    head.splice(0..0, quote::statements(allocator, &format!("const {DEFER} = import.meta.__defer;"), Vec::new()));
    program.body.splice(0..0, head);
}

/// The names and values of the import's attributes, as the elements of one array.
fn attributes(import: &ImportDeclaration) -> String {
    let entries = import.with_clause.iter().flat_map(|clause| &clause.with_entries);
    let texts = entries.flat_map(|entry| [quote::string(&entry.key.as_arena_str()), quote::string(&entry.value.value)]);
    texts.collect::<Vec<_>>().join(",")
}
