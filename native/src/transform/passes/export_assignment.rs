//! `export = value` in a file with imports: a module whose value `require` returns, under Node's name for it.
use oxc_allocator::{Allocator, ArenaVec, TakeIn};
use oxc_ast::ast::*;

use super::quote;

pub fn lower<'a>(program: &mut Program<'a>, allocator: &'a Allocator) {
    let mut body = ArenaVec::with_capacity_in(program.body.len() + 1, &allocator);
    for statement in program.body.take_in(&allocator) {
        match statement {
            Statement::TSExportAssignment(assignment) => {
                let template = "const __rt_exports = $0; \
                                export { __rt_exports as default, __rt_exports as \"module.exports\" };";
                body.extend(quote::statements(allocator, template, vec![assignment.unbox().expression]));
            }
            statement => body.push(statement),
        }
    }
    program.body = body;
}
