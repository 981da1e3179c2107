//! Older code in ES modules: `require.main === module`, and functions as the body of an `if` or after a label.
//!
//! An ES module has no `module`; the check for the main module becomes `import.meta.main`. Strict code may declare such
//! a function only in a block, so one is added around it.
use oxc_allocator::{Allocator, ArenaVec, TakeIn};
use oxc_ast::ast::*;
use oxc_ast_visit::{VisitMut, walk_mut};

use super::quote;

pub struct Modernize<'a>(pub &'a Allocator);

impl<'a> Modernize<'a> {
    fn in_block(&self, body: &mut Statement<'a>) {
        if matches!(body, Statement::FunctionDeclaration(_)) {
            let function = body.take_in(&self.0);
            let mut block = quote::statements(self.0, "{}", Vec::new());
            if let Some(Statement::BlockStatement(inner)) = block.first_mut() {
                inner.body = ArenaVec::from_value_in(function, &self.0);
            }
            *body = block.pop().expect("one block");
        }
    }
}

impl<'a> VisitMut<'a> for Modernize<'a> {
    fn visit_expression(&mut self, it: &mut Expression<'a>) {
        let features = match it {
            Expression::BinaryExpression(binary) if asks_for_main(&binary.left, &binary.right) => match binary.operator
            {
                BinaryOperator::StrictEquality | BinaryOperator::Equality => Some("import.meta.main"),
                BinaryOperator::StrictInequality | BinaryOperator::Inequality => Some("!import.meta.main"),
                _ => None,
            },
            _ => None,
        };
        match features {
            Some(text) => *it = quote::expression(self.0, text, Vec::new()),
            None => walk_mut::walk_expression(self, it),
        }
    }

    fn visit_if_statement(&mut self, it: &mut IfStatement<'a>) {
        self.in_block(&mut it.consequent);
        if let Some(alternate) = &mut it.alternate {
            self.in_block(alternate);
        }
        walk_mut::walk_if_statement(self, it);
    }

    fn visit_labeled_statement(&mut self, it: &mut LabeledStatement<'a>) {
        self.in_block(&mut it.body);
        walk_mut::walk_labeled_statement(self, it);
    }
}

/// `require.main` and `module`, in either order.
pub fn asks_for_main(left: &Expression, right: &Expression) -> bool {
    let is_main = |expression: &Expression| match expression {
        Expression::StaticMemberExpression(member) => {
            member.property.name == "main" && member.object.is_specific_id("require")
        }
        _ => false,
    };
    is_main(left) && right.is_specific_id("module") || is_main(right) && left.is_specific_id("module")
}
