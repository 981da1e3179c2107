//! The exports and requests of CommonJS code, as far as static analysis can tell.
//!
//! Names that are computed at run time (`exports[computed]`, `Object.assign`) are not found: these are hints.
use oxc_ast::ast::*;

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
                && let [target, Argument::StringLiteral(name), ..] = it.arguments.as_slice()
                && target.as_expression().is_some_and(is_exports)
            {
                self.cjs_export(&name.value);
            }
        } else if let Expression::Identifier(callee) = &it.callee
            && matches!(callee.name.as_str(), "__exportStar" | "__export" | "__reExport")
        {
            for value in it.arguments.iter().filter_map(Argument::as_expression) {
                self.cjs_reexport(value);
            }
        }
    }

    /// `exports.x = …`, `exports["x"] = …`, `module.exports = …`
    pub(super) fn look_at_assignment(&mut self, it: &AssignmentExpression) {
        match &it.left {
            AssignmentTarget::StaticMemberExpression(member) if is_exports(&member.object) => {
                let name = member.property.name;
                self.cjs_export(&name);
            }
            AssignmentTarget::ComputedMemberExpression(member) if is_exports(&member.object) => {
                if let Expression::StringLiteral(name) = &member.expression {
                    self.cjs_export(&name.value);
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

    fn cjs_export(&mut self, name: &str) {
        if !self.cjs_exports.iter().any(|known| known == name) {
            self.cjs_exports.push(name.to_string());
        }
    }

    /// `module.exports = { a, b: 1, ...require('x') }` or `= require('x')`
    fn cjs_assigned(&mut self, value: &Expression) {
        match value.get_inner_expression() {
            Expression::ObjectExpression(object) => {
                for property in &object.properties {
                    match property {
                        // A getter may have side effects, and runs only when its name is read.
                        ObjectPropertyKind::ObjectProperty(property) if property.kind == PropertyKind::Get => {}
                        ObjectPropertyKind::ObjectProperty(property) => {
                            if let Some(name) = property.key.static_name() {
                                self.cjs_export(&name);
                            }
                        }
                        ObjectPropertyKind::SpreadProperty(spread) => self.cjs_reexport(&spread.argument),
                    }
                }
            }
            other => self.cjs_reexport(other),
        }
    }

    fn cjs_reexport(&mut self, value: &Expression) {
        if let Expression::CallExpression(call) = value.get_inner_expression()
            && let Some(specifier) = required_literal(call)
        {
            self.cjs_reexports.push(specifier.value.to_string());
        }
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
