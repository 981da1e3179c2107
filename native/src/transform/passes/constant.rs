//! Values that are known during transpilation, for the conditions people write: literals, `!`, `&&`, `||`, `??` and
//! comparisons of them.
use oxc_ast::ast::*;
use oxc_syntax::operator::{BinaryOperator, LogicalOperator, UnaryOperator};

#[derive(Clone, Debug, PartialEq)]
pub enum Known {
    Undefined,
    Null,
    Boolean(bool),
    Number(f64),
    Text(String),
}

impl Known {
    pub fn is_true(&self) -> bool {
        match self {
            Self::Undefined | Self::Null => false,
            Self::Boolean(value) => *value,
            Self::Number(value) => *value != 0.0 && !value.is_nan(),
            Self::Text(text) => !text.is_empty(),
        }
    }

    pub fn is_nullish(&self) -> bool {
        matches!(self, Self::Undefined | Self::Null)
    }
}

/// The value of `expression`; `is_free` returns whether a name is not a variable of the file.
pub fn value_of(expression: &Expression, is_free: &impl Fn(&IdentifierReference) -> bool) -> Option<Known> {
    let value = |expression: &Expression| value_of(expression, is_free);
    Some(match expression.get_inner_expression() {
        Expression::BooleanLiteral(it) => Known::Boolean(it.value),
        Expression::NullLiteral(_) => Known::Null,
        Expression::NumericLiteral(it) => Known::Number(it.value),
        Expression::StringLiteral(it) => Known::Text(it.value.to_string()),
        Expression::Identifier(it) if it.name == "undefined" && is_free(it) => Known::Undefined,
        Expression::UnaryExpression(it) => match (it.operator, value(&it.argument)?) {
            (UnaryOperator::LogicalNot, known) => Known::Boolean(!known.is_true()),
            (UnaryOperator::Void, _) => Known::Undefined,
            (UnaryOperator::UnaryNegation, Known::Number(number)) => Known::Number(-number),
            _ => return None,
        },
        Expression::LogicalExpression(it) => {
            let left = value(&it.left)?;
            if decides(it.operator, &left) { left } else { value(&it.right)? }
        }
        Expression::ConditionalExpression(it) => {
            value(if value(&it.test)?.is_true() { &it.consequent } else { &it.alternate })?
        }
        Expression::BinaryExpression(it) => compare(it.operator, &value(&it.left)?, &value(&it.right)?)?,
        _ => return None,
    })
}

/// Returns whether the right operand of a logical expression is not evaluated.
pub fn decides(operator: LogicalOperator, left: &Known) -> bool {
    match operator {
        LogicalOperator::And => !left.is_true(),
        LogicalOperator::Or => left.is_true(),
        LogicalOperator::Coalesce => !left.is_nullish(),
    }
}

fn compare(operator: BinaryOperator, left: &Known, right: &Known) -> Option<Known> {
    let is_same_kind = std::mem::discriminant(left) == std::mem::discriminant(right);
    Some(Known::Boolean(match operator {
        BinaryOperator::StrictEquality => left == right,
        BinaryOperator::StrictInequality => left != right,
        BinaryOperator::Equality if is_same_kind => left == right,
        BinaryOperator::Inequality if is_same_kind => left != right,
        _ => match (operator, left, right) {
            (BinaryOperator::LessThan, Known::Number(left), Known::Number(right)) => left < right,
            (BinaryOperator::LessEqualThan, Known::Number(left), Known::Number(right)) => left <= right,
            (BinaryOperator::GreaterThan, Known::Number(left), Known::Number(right)) => left > right,
            (BinaryOperator::GreaterEqualThan, Known::Number(left), Known::Number(right)) => left >= right,
            _ => return None,
        },
    }))
}
