//! Names of anonymous functions and classes whose place changes: the engine names them after what they are assigned to.
use oxc_allocator::Allocator;
use oxc_ast::ast::*;

use super::quote;

/// `value` with the name that the expression `key` gives; a value that is not an anonymous function or class stays the same.
pub fn named<'a>(value: Expression<'a>, key: &str, allocator: &'a Allocator) -> Expression<'a> {
    let is_anonymous = match &value {
        Expression::ArrowFunctionExpression(_) => true,
        Expression::FunctionExpression(function) => function.id.is_none(),
        Expression::ClassExpression(class) => class.id.is_none(),
        _ => false,
    };
    if is_anonymous { quote::expression(allocator, &format!("({{ [{key}]: $0 }})[{key}]"), vec![value]) } else { value }
}
