//! The function around a lowered class: it suspends where decorators, keys or the base class do.
use oxc_allocator::{Allocator, ArenaVec};
use oxc_ast::ast::*;
use oxc_ast_visit::{Visit, walk};
use oxc_syntax::scope::ScopeFlags;

use super::quote;

/// A call of a function with these statements.
pub fn enclose<'a>(statements: ArenaVec<'a, Statement<'a>>, allocator: &'a Allocator) -> Expression<'a> {
    let mut found = Suspensions::default();
    found.visit_statements(&statements);
    let template = match found {
        Suspensions { yields: true, awaits: true } => "yield* (async function* () {}).call(this)",
        Suspensions { yields: true, .. } => "yield* (function* () {}).call(this)",
        Suspensions { awaits: true, .. } => "await (async () => {})()",
        _ => "(() => {})()",
    };
    // `yield` parses in generators only.
    let mut call = match template.strip_prefix("yield* ") {
        Some(inner) => {
            let inner = quote::expression(allocator, inner, Vec::new());
            let text = format!("{}function* f() {{ yield* $0; }}", if found.awaits { "async " } else { "" });
            let mut outer = quote::statements(allocator, &text, vec![inner]);
            match outer.pop() {
                Some(Statement::FunctionDeclaration(function)) => {
                    let mut body = function.unbox().body.expect("a body").unbox().statements;
                    match body.pop() {
                        Some(Statement::ExpressionStatement(statement)) => statement.unbox().expression,
                        _ => unreachable!("the template holds one expression"),
                    }
                }
                _ => unreachable!("the template is a function"),
            }
        }
        None => quote::expression(allocator, template, Vec::new()),
    };
    let mut fill = Fill { statements: Some(statements) };
    oxc_ast_visit::VisitMut::visit_expression(&mut fill, &mut call);
    call
}

/// Inserts statements into the one function of a template.
struct Fill<'a> {
    statements: Option<ArenaVec<'a, Statement<'a>>>,
}

impl<'a> oxc_ast_visit::VisitMut<'a> for Fill<'a> {
    fn visit_function_body(&mut self, it: &mut FunctionBody<'a>) {
        if let Some(statements) = self.statements.take() {
            it.statements = statements;
        }
    }
}

/// Whether code of the function itself suspends.
#[derive(Default)]
struct Suspensions {
    awaits: bool,
    yields: bool,
}

impl<'a> Visit<'a> for Suspensions {
    fn visit_await_expression(&mut self, it: &AwaitExpression<'a>) {
        self.awaits = true;
        walk::walk_await_expression(self, it);
    }

    fn visit_yield_expression(&mut self, it: &YieldExpression<'a>) {
        self.yields = true;
        walk::walk_yield_expression(self, it);
    }

    fn visit_function(&mut self, _: &Function<'a>, _: ScopeFlags) {}
    fn visit_arrow_function_expression(&mut self, _: &ArrowFunctionExpression<'a>) {}
    fn visit_static_block(&mut self, _: &StaticBlock<'a>) {}
}
