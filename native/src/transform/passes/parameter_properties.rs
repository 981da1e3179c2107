//! Parameter properties of a derived class whose constructor calls `super()` inside another statement or expression:
//! `this.name = name` follows each such call. oxc places the assignments after a call that is a separate statement.
use oxc_allocator::{Allocator, TakeIn};
use oxc_ast::ast::*;
use oxc_ast_visit::{VisitMut, walk_mut};
use oxc_syntax::scope::ScopeFlags;

use super::quote;

pub struct AssignAfterSuper<'a> {
    pub allocator: &'a Allocator,
    /// Fields are assigned, not defined, so that their initializers follow `super()` as well.
    pub assigns_fields: bool,
    pub changed: bool,
}

/// The method that initializes the fields of a class.
const FIELDS: &str = "#rt_fields";

/// Replaces the calls of `super()` in one constructor.
struct Replace<'a> {
    allocator: &'a Allocator,
    /// The assignments after a call.
    assignments: String,
}

impl<'a> VisitMut<'a> for Replace<'a> {
    fn visit_expression(&mut self, it: &mut Expression<'a>) {
        walk_mut::walk_expression(self, it);
        if it.is_super_call_expression() {
            let call = it.take_in(&self.allocator);
            *it = quote::expression(self.allocator, &format!("($0, {}, this)", self.assignments), vec![call]);
        }
    }

    // Their `super()` is another one.
    fn visit_function(&mut self, _: &mut Function<'a>, _: ScopeFlags) {}
    fn visit_class(&mut self, _: &mut Class<'a>) {}
}

impl<'a> AssignAfterSuper<'a> {
    fn lower(&mut self, class: &mut Class<'a>) {
        let constructor = class.body.body.iter_mut().find_map(|element| match element {
            ClassElement::MethodDefinition(method) if method.kind.is_constructor() => Some(&mut method.value),
            _ => None,
        });
        let Some(constructor) = constructor else { return };
        let Function { params, body: Some(body), .. } = &mut **constructor else { return };
        let is_call = |statement: &Statement<'_>| match statement {
            Statement::ExpressionStatement(statement) => statement.expression.is_super_call_expression(),
            _ => false,
        };
        let parameters = &mut params.items;
        if !parameters.iter().any(FormalParameter::has_modifier) || body.statements.iter().any(is_call) {
            return;
        }
        let mut names = Vec::new();
        for parameter in parameters.iter_mut().filter(|parameter| parameter.has_modifier()) {
            (parameter.accessibility, parameter.readonly, parameter.r#override) = (None, false, false);
            names.extend(parameter.pattern.get_binding_identifier().map(|id| id.name.to_string()));
        }
        let mut assignments: Vec<String> = names.iter().map(|name| format!("this.{name} = {name}")).collect();
        if self.assigns_fields {
            assignments.push(format!("this.{FIELDS}()"));
        }
        let mut replace = Replace { allocator: self.allocator, assignments: assignments.join(", ") };
        replace.visit_statements(&mut body.statements);
        self.changed = true;
        if self.assigns_fields {
            self.move_fields(class);
        } else {
            let declared = |name: &String| {
                class.body.body.iter().any(|element| {
                    matches!(element, ClassElement::PropertyDefinition(field)
                        if !field.r#static && field.key.static_name().is_some_and(|key| key == name.as_str()))
                })
            };
            let fields: String = names.iter().filter(|name| !declared(name)).map(|name| format!("{name}; ")).collect();
            class.body.body.splice(0..0, quote::elements(self.allocator, &fields, Vec::new()));
        }
    }

    /// Move the initializers of fields into a method. Fields with computed names stay.
    fn move_fields(&self, class: &mut Class<'a>) {
        let mut assignments = String::new();
        let mut values = Vec::new();
        for element in &mut class.body.body {
            let ClassElement::PropertyDefinition(field) = element else { continue };
            let name = match &field.key {
                _ if field.r#static || field.computed || field.declare => continue,
                PropertyKey::PrivateIdentifier(name) => format!("this.#{}", name.name),
                key => match key.static_name() {
                    Some(name) => format!("this[{}]", quote::string(&name)),
                    None => continue,
                },
            };
            if let Some(value) = field.value.take() {
                assignments += &format!("{name} = ${}; ", values.len());
                values.push(value);
            }
        }
        let method = format!("{FIELDS}() {{ {assignments} }}");
        class.body.body.extend(quote::elements(self.allocator, &method, values));
    }
}

impl<'a> VisitMut<'a> for AssignAfterSuper<'a> {
    fn visit_class(&mut self, it: &mut Class<'a>) {
        walk_mut::walk_class(self, it);
        if it.heritage.is_some() && !it.declare {
            self.lower(it);
        }
    }
}
