//! The exports and requests of CommonJS code, as far as static analysis can tell.
//!
//! Names that are computed at run time (`exports[computed]`, `Object.assign`) are not found, except that a loop over the keys
//! of a required module re-exports it, as Babel and TypeScript write it. A program that sees Node only can import these names;
//! for any other they are hints.
use oxc_ast::ast::*;
use oxc_ast_visit::Visit;

use super::{RequestKind, Survey};

impl Survey {
    /// `require("x")`, `require.resolve("x")`, `Object.defineProperty(exports, "x", …)`, `__exportStar(…)`
    pub(super) fn look_at_call(&mut self, it: &CallExpression) {
        if let Some(literal) = required_literal(it) {
            self.request(literal, RequestKind::Require, None);
        } else if let Expression::StaticMemberExpression(callee) = &it.callee {
            if callee.object.is_specific_id("require") && callee.property.name == "resolve" {
                if let Some(Argument::StringLiteral(literal)) = it.arguments.first() {
                    self.request(literal, RequestKind::RequireResolve, None);
                }
            } else if callee.property.name == "defineProperty"
                && let [target, Argument::StringLiteral(name), descriptor @ ..] = it.arguments.as_slice()
                && target.as_expression().is_some_and(is_exports)
            {
                self.cjs_export_literal(name, descriptor.first().is_some_and(is_plain_descriptor));
            } else if is_reexporting(callee.property.name.as_str()) {
                self.cjs_reexport_arguments(it);
            } else if callee.property.name == "forEach"
                && let Some(specifier) = self.keys_exported_by(&callee.object, it)
            {
                self.cjs_reexports.push(specifier);
            }
        } else if let Expression::Identifier(callee) = &it.callee
            && is_reexporting(callee.name.as_str())
        {
            self.cjs_reexport_arguments(it);
        }
    }

    /// `const x = require("x")`, `const x = _interopRequireWildcard(require("x"))`
    pub(super) fn look_at_declarator(&mut self, it: &VariableDeclarator) {
        let (BindingPattern::BindingIdentifier(local), Some(Expression::CallExpression(call))) = (&it.id, &it.init)
        else {
            return;
        };
        let inner = match call.arguments.first() {
            Some(Argument::CallExpression(inner)) => Some(inner),
            _ => None,
        };
        if let Some(specifier) = required_literal(call).or_else(|| inner.and_then(|inner| required_literal(inner))) {
            self.required.push((local.name.to_string(), specifier.value.to_string()));
        }
    }

    /// Returns the specifier of the module whose keys are exported: `Object.keys(x).forEach(function (k) { exports[k] = … })`.
    fn keys_exported_by(&self, keys: &Expression, each: &CallExpression) -> Option<String> {
        let Expression::CallExpression(keys) = keys else { return None };
        let Expression::StaticMemberExpression(callee) = &keys.callee else { return None };
        let Some(Argument::Identifier(local)) = keys.arguments.first() else { return None };
        if callee.property.name != "keys" || !callee.object.is_specific_id("Object") {
            return None;
        }
        let (_, specifier) = self.required.iter().rfind(|(name, _)| name == local.name.as_str())?;
        let mut found = FindExports(false);
        found.visit_arguments(&each.arguments);
        found.0.then(|| specifier.clone())
    }

    /// `exports.x = …`, `exports["x"] = …`, `module.exports = …`
    pub(super) fn look_at_assignment(&mut self, it: &AssignmentExpression) {
        let is_lexed = it.operator.is_assign();
        match &it.left {
            AssignmentTarget::StaticMemberExpression(member) if is_exports(&member.object) => {
                let name = member.property.name;
                self.cjs_export(&name, is_lexed);
            }
            AssignmentTarget::ComputedMemberExpression(member) if is_exports(&member.object) => {
                if let Expression::StringLiteral(name) = &member.expression {
                    self.cjs_export_literal(name, is_lexed);
                }
            }
            AssignmentTarget::StaticMemberExpression(member)
                if member.property.name == "exports" && member.object.is_specific_id("module") =>
            {
                self.cjs_assigned(&it.right);
            }
            _ => {}
        }
    }

    fn cjs_export_literal(&mut self, name: &StringLiteral, is_lexed: bool) {
        if let Some(name) = well_formed(name) {
            self.cjs_export(&name, is_lexed);
        }
    }

    fn cjs_reexport_arguments(&mut self, call: &CallExpression) {
        for value in call.arguments.iter().filter_map(Argument::as_expression) {
            self.cjs_reexport(value);
        }
    }

    /// `is_lexed`: Node's lexer finds the name too.
    fn cjs_export(&mut self, name: &str, is_lexed: bool) {
        let lists = [(&mut self.cjs_exports, true), (&mut self.lexed_exports, is_lexed)];
        for (list, _) in lists.into_iter().filter(|(_, is_wanted)| *is_wanted) {
            if !list.iter().any(|known| known == name) {
                list.push(name.to_string());
            }
        }
    }

    /// `module.exports = { a, b: 1, ...require('x') }` or `= require('x')`, which replaces what was assigned before
    fn cjs_assigned(&mut self, value: &Expression) {
        self.cjs_reexports.clear();
        let Expression::ObjectExpression(object) = value.get_inner_expression() else {
            return self.cjs_reexport(value);
        };
        let mut is_lexed = true; // Node's lexer stops at the first value that is more than a name
        for property in &object.properties {
            match property {
                // A getter may have side effects, and runs only when its name is read.
                ObjectPropertyKind::ObjectProperty(property) if property.kind != PropertyKind::Init => is_lexed = false,
                ObjectPropertyKind::ObjectProperty(property) => {
                    is_lexed &= begins_as_lexed(property);
                    if let PropertyKey::StringLiteral(name) = &property.key {
                        self.cjs_export_literal(name, is_lexed);
                    } else if let Some(name) = property.key.static_name() {
                        self.cjs_export(&name, is_lexed);
                    }
                    is_lexed &= is_name(&property.value);
                }
                ObjectPropertyKind::SpreadProperty(spread) => {
                    self.cjs_reexport(&spread.argument);
                    is_lexed &= is_name(&spread.argument) || is_required(&spread.argument);
                }
            }
        }
    }

    /// `require('x')`; also `require('x').default` and `require('x')()`, as in Node's lexer
    fn cjs_reexport(&mut self, value: &Expression) {
        match value.get_inner_expression() {
            Expression::CallExpression(call) => match required_literal(call) {
                Some(specifier) => self.cjs_reexports.push(specifier.value.to_string()),
                None => self.cjs_reexport(&call.callee),
            },
            Expression::StaticMemberExpression(member) => self.cjs_reexport(&member.object),
            _ => {}
        }
    }
}

/// The value of a literal, of which the parser has escaped the surrogates; None if some of them are not paired.
fn well_formed(literal: &StringLiteral) -> Option<String> {
    if !literal.lone_surrogates {
        return Some(literal.value.to_string());
    }
    let mut units = Vec::new();
    let mut rest = literal.value.as_str();
    while let Some(at) = rest.find('\u{FFFD}') {
        units.extend(rest[..at].encode_utf16());
        let escaped = &rest[at + '\u{FFFD}'.len_utf8()..];
        units.push(u16::from_str_radix(escaped.get(..4)?, 16).ok()?);
        rest = &escaped[4..];
    }
    units.extend(rest.encode_utf16());
    String::from_utf16(&units).ok()
}

/// Whether Node's lexer adds the name of a property: one whose value begins with a word.
fn begins_as_lexed(property: &ObjectProperty) -> bool {
    let is_plain_method = |value: &Expression| matches!(value, Expression::FunctionExpression(function) if !function.r#async && !function.generator);
    match &property.key {
        _ if property.computed => false,
        PropertyKey::StaticIdentifier(_) if property.method => is_plain_method(&property.value),
        PropertyKey::StaticIdentifier(_) | PropertyKey::StringLiteral(_) => begins_with_word(&property.value),
        _ => false,
    }
}

fn begins_with_word(value: &Expression) -> bool {
    match value {
        Expression::Identifier(_)
        | Expression::ThisExpression(_)
        | Expression::BooleanLiteral(_)
        | Expression::NullLiteral(_)
        | Expression::FunctionExpression(_)
        | Expression::ClassExpression(_)
        | Expression::NewExpression(_)
        | Expression::AwaitExpression(_)
        | Expression::YieldExpression(_)
        | Expression::ImportExpression(_) => true,
        Expression::ArrowFunctionExpression(function) => function.r#async,
        Expression::UnaryExpression(unary) => unary.operator.is_keyword(),
        Expression::StaticMemberExpression(member) => begins_with_word(&member.object),
        Expression::ComputedMemberExpression(member) => begins_with_word(&member.object),
        Expression::CallExpression(call) => begins_with_word(&call.callee),
        Expression::BinaryExpression(binary) => begins_with_word(&binary.left),
        Expression::LogicalExpression(logical) => begins_with_word(&logical.left),
        Expression::ConditionalExpression(conditional) => begins_with_word(&conditional.test),
        Expression::TaggedTemplateExpression(tagged) => begins_with_word(&tagged.tag),
        _ => false,
    }
}

/// Whether a value is a single word.
fn is_name(value: &Expression) -> bool {
    matches!(
        value,
        Expression::Identifier(_)
            | Expression::ThisExpression(_)
            | Expression::BooleanLiteral(_)
            | Expression::NullLiteral(_)
    )
}

fn is_required(value: &Expression) -> bool {
    matches!(value, Expression::CallExpression(call) if required_literal(call).is_some())
}

/// Whether a function re-exports its argument: the helpers of TypeScript, tslib and esbuild.
fn is_reexporting(name: &str) -> bool {
    matches!(name, "__exportStar" | "__export" | "__reExport")
}

/// Whether a property descriptor has a value, or a getter that only returns a variable or a member of one, in the form that
/// compilers write and Node's lexer knows.
fn is_plain_descriptor(descriptor: &Argument) -> bool {
    let Argument::ObjectExpression(descriptor) = descriptor else { return false };
    let mut properties = descriptor.properties.as_slice();
    if let [ObjectPropertyKind::ObjectProperty(first), rest @ ..] = properties
        && first.key.static_name().is_some_and(|name| name == "enumerable")
        && matches!(&first.value, Expression::BooleanLiteral(value) if value.value)
    {
        properties = rest;
    }
    match properties {
        [ObjectPropertyKind::ObjectProperty(property), rest @ ..] => {
            let name = property.key.static_name();
            let is_value = name.as_ref().is_some_and(|name| name == "value");
            is_value || rest.is_empty() && name.is_some_and(|name| name == "get") && returns_reference(&property.value)
        }
        _ => false,
    }
}

fn returns_reference(getter: &Expression) -> bool {
    let Expression::FunctionExpression(getter) = getter else { return false };
    let Some([Statement::ReturnStatement(returned)]) = getter.body.as_ref().map(|body| body.statements.as_slice())
    else {
        return false;
    };
    match &returned.argument {
        Some(Expression::Identifier(_)) => true,
        Some(Expression::StaticMemberExpression(member)) => matches!(member.object, Expression::Identifier(_)),
        Some(Expression::ComputedMemberExpression(member)) => {
            matches!(member.object, Expression::Identifier(_))
                && matches!(member.expression, Expression::StringLiteral(_))
        }
        _ => false,
    }
}

/// Finds the name `exports`.
struct FindExports(bool);

impl<'a> Visit<'a> for FindExports {
    fn visit_identifier_reference(&mut self, it: &IdentifierReference<'a>) {
        self.0 |= it.name == "exports";
    }
}

/// The literal in `require("literal")`.
fn required_literal<'b, 'a>(call: &'b CallExpression<'a>) -> Option<&'b StringLiteral<'a>> {
    if !call.callee.is_specific_id("require") {
        return None;
    }
    match call.arguments.first() {
        Some(Argument::StringLiteral(literal)) => Some(literal),
        _ => None,
    }
}

fn is_exports(expression: &Expression) -> bool {
    match expression {
        Expression::Identifier(name) => name.name == "exports",
        Expression::StaticMemberExpression(member) => {
            member.property.name == "exports" && member.object.is_specific_id("module")
        }
        _ => false,
    }
}
