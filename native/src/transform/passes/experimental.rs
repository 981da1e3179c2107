//! Preparations for experimental decorators where TypeScript and oxc differ: decorators in places that TypeScript
//! refuses are errors, decorated abstract fields count, and an anonymous default export keeps its name.
use oxc_allocator::Allocator;
use oxc_ast::ast::*;
use oxc_ast_visit::{VisitMut, walk_mut};
use oxc_diagnostics::OxcDiagnostic;

use super::quote;

pub struct PrepareExperimental<'a> {
    pub allocator: &'a Allocator,
    pub failures: Vec<OxcDiagnostic>,
    /// Scopes have to be analysed again.
    pub changed: bool,
}

fn is_name(element: &ClassElement<'_>) -> bool {
    element.property_key().and_then(PropertyKey::static_name).is_some_and(|name| name == "name")
}

impl PrepareExperimental<'_> {
    fn refuse(&mut self, decorators: &[Decorator<'_>]) {
        if let Some(decorator) = decorators.first() {
            self.failures.push(OxcDiagnostic::error("Decorators are not valid here").with_label(decorator.span));
        }
    }

    /// Refuse decorators in a class expression, on a private name, or on a constructor.
    fn check(&mut self, element: &ClassElement<'_>, is_expression: bool) {
        let decorators: &[Decorator<'_>] = match element {
            ClassElement::MethodDefinition(it) => &it.decorators,
            ClassElement::PropertyDefinition(it) => &it.decorators,
            ClassElement::AccessorProperty(it) => &it.decorators,
            ClassElement::StaticBlock(_) | ClassElement::TSIndexSignature(_) => &[],
        };
        let is_private = element.property_key().is_some_and(PropertyKey::is_private_identifier);
        let is_constructor = element.method_definition_kind().is_some_and(MethodDefinitionKind::is_constructor);
        if is_expression || is_private || is_constructor {
            self.refuse(decorators);
        }
        if let ClassElement::MethodDefinition(method) = element
            && (is_expression || is_private)
        {
            for parameter in &method.value.params.items {
                self.refuse(&parameter.decorators);
            }
        }
    }
}

impl<'a> VisitMut<'a> for PrepareExperimental<'a> {
    fn visit_export_default_declaration(&mut self, it: &mut ExportDefaultDeclaration<'a>) {
        walk_mut::walk_export_default_declaration(self, it);
        if let ExportDefaultDeclarationKind::ClassDeclaration(class) = &mut it.declaration
            && class.id.is_none()
            && !class.decorators.is_empty()
            && !class.body.body.iter().any(|element| element.r#static() && is_name(element))
        {
            // It becomes a variable, after which the engine would name it.
            let block = "static { Object.defineProperty(this, \"name\", { value: \"default\", configurable: true }); }";
            class.body.body.splice(0..0, quote::elements(self.allocator, block, Vec::new()));
            self.changed = true;
        }
    }

    fn visit_class(&mut self, it: &mut Class<'a>) {
        let is_expression = it.is_expression();
        if is_expression {
            self.refuse(&it.decorators);
        }
        for element in &mut it.body.body {
            self.check(element, is_expression);
            if let ClassElement::PropertyDefinition(field) = element
                && field.r#type == PropertyDefinitionType::TSAbstractPropertyDefinition
                && !field.decorators.is_empty()
            {
                field.r#type = PropertyDefinitionType::PropertyDefinition;
                field.declare = true;
            }
        }
        walk_mut::walk_class(self, it);
    }
}
