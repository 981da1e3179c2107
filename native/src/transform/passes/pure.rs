//! Removes calls marked free of side effects (`/* @__PURE__ */ f()`, JSX) whose value is not used.
//!
//! Only expression statements are examined; arguments with possible side effects are kept.
use oxc_allocator::{Allocator, ArenaVec, TakeIn};
use oxc_ast::ast::*;
use oxc_ast::builder::AstBuilder;
use oxc_ast_visit::{VisitMut, walk_mut};
use oxc_semantic::Scoping;
use oxc_span::{GetSpan, SPAN};
use oxc_syntax::operator::UnaryOperator;

pub struct RemoveUnusedPure<'s, 'a> {
    builder: AstBuilder<'a>,
    allocator: &'a Allocator,
    scoping: &'s Scoping,
}

impl<'s, 'a> RemoveUnusedPure<'s, 'a> {
    pub fn new(allocator: &'a Allocator, scoping: &'s Scoping) -> Self {
        Self { builder: AstBuilder::new(allocator), allocator, scoping }
    }

    /// The remainder of an expression whose value is not used: its parts with side effects, in order.
    fn keep_effects(&self, mut expression: Expression<'a>, kept: &mut Vec<Expression<'a>>) {
        match &mut expression {
            Expression::CallExpression(call) if call.pure => self.keep_arguments(&mut call.arguments, kept),
            Expression::NewExpression(call) if call.pure => self.keep_arguments(&mut call.arguments, kept),
            Expression::SequenceExpression(sequence) => {
                for part in sequence.expressions.take_in(&self.allocator) {
                    self.keep_effects(part, kept);
                }
            }
            Expression::UnaryExpression(unary) if unary.operator == UnaryOperator::Void && is_pure(&unary.argument) => {
                self.keep_effects(unary.argument.take_in(&self.allocator), kept);
            }
            Expression::LogicalExpression(logical) if self.is_nothing(&logical.right) => {
                if self.may_have_effect(&logical.left) {
                    kept.push(logical.left.take_in(&self.allocator));
                }
            }
            _ => kept.push(expression),
        }
    }

    fn is_nothing(&self, expression: &Expression<'a>) -> bool {
        is_pure(expression) && !self.may_have_effect(expression)
    }

    fn keep_arguments(&self, arguments: &mut ArenaVec<'a, Argument<'a>>, kept: &mut Vec<Expression<'a>>) {
        for argument in arguments.take_in(&self.allocator) {
            match argument {
                // Spreading iterates, which may have side effects.
                Argument::SpreadElement(spread) => {
                    let element = ArrayExpressionElement::SpreadElement(spread);
                    kept.push(Expression::new_array_expression(SPAN, [element], &self.builder));
                }
                argument => {
                    let expression = argument.into_expression();
                    if self.may_have_effect(&expression) {
                        self.keep_effects(expression, kept);
                    }
                }
            }
        }
    }

    fn may_have_effect(&self, expression: &Expression) -> bool {
        match expression {
            // Reading a missing global throws.
            Expression::Identifier(name) => name.name != "undefined" && !self.is_bound(name),
            Expression::ThisExpression(_)
            | Expression::FunctionExpression(_)
            | Expression::ArrowFunctionExpression(_) => false,
            Expression::TemplateLiteral(template) => !template.expressions.is_empty(),
            Expression::UnaryExpression(unary) => {
                unary.operator == UnaryOperator::Delete || self.may_have_effect(&unary.argument)
            }
            Expression::CallExpression(call) if call.pure => self.arguments_have_effect(&call.arguments),
            Expression::NewExpression(call) if call.pure => self.arguments_have_effect(&call.arguments),
            Expression::ArrayExpression(array) => array.elements.iter().any(|element| match element {
                ArrayExpressionElement::SpreadElement(_) => true,
                ArrayExpressionElement::Elision(_) => false,
                element => element.as_expression().is_some_and(|element| self.may_have_effect(element)),
            }),
            Expression::ObjectExpression(object) => object.properties.iter().any(|property| match property {
                ObjectPropertyKind::ObjectProperty(property) => {
                    property.computed || self.may_have_effect(&property.value)
                }
                ObjectPropertyKind::SpreadProperty(spread) => self.may_have_effect(&spread.argument),
            }),
            Expression::ConditionalExpression(it) => {
                self.may_have_effect(&it.test)
                    || self.may_have_effect(&it.consequent)
                    || self.may_have_effect(&it.alternate)
            }
            Expression::LogicalExpression(it) => self.may_have_effect(&it.left) || self.may_have_effect(&it.right),
            other => !other.is_literal(),
        }
    }

    fn arguments_have_effect(&self, arguments: &[Argument]) -> bool {
        arguments.iter().any(|argument| argument.as_expression().is_none_or(|argument| self.may_have_effect(argument)))
    }

    fn is_bound(&self, name: &IdentifierReference) -> bool {
        name.reference_id.get().is_some_and(|id| self.scoping.get_reference(id).symbol_id().is_some())
    }
}

/// Returns whether an expression, apart from parts that only matter for its value, is a call marked pure.
pub fn is_pure(expression: &Expression) -> bool {
    match expression {
        Expression::CallExpression(call) => call.pure,
        Expression::NewExpression(call) => call.pure,
        Expression::SequenceExpression(sequence) => sequence.expressions.iter().any(is_pure),
        Expression::LogicalExpression(logical) => is_pure(&logical.right),
        Expression::UnaryExpression(unary) => unary.operator == UnaryOperator::Void && is_pure(&unary.argument),
        _ => false,
    }
}

impl<'a> VisitMut<'a> for RemoveUnusedPure<'_, 'a> {
    fn visit_statements(&mut self, it: &mut ArenaVec<'a, Statement<'a>>) {
        walk_mut::walk_statements(self, it);
        let has_pure = |statement: &Statement| match statement {
            Statement::ExpressionStatement(statement) => is_pure(&statement.expression),
            _ => false,
        };
        if !it.iter().any(has_pure) {
            return;
        }
        let mut statements = ArenaVec::with_capacity_in(it.len(), &self.builder);
        for statement in it.take_in(&self.allocator) {
            match statement {
                Statement::ExpressionStatement(statement) if is_pure(&statement.expression) => {
                    let mut remaining = Vec::new();
                    self.keep_effects(statement.unbox().expression, &mut remaining);
                    for expression in remaining {
                        let span = expression.span();
                        statements.push(Statement::new_expression_statement(span, expression, &self.builder));
                    }
                }
                statement => statements.push(statement),
            }
        }
        *it = statements;
    }
}
