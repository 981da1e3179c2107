//! Preparations for experimental decorators where TypeScript and oxc differ: decorators in places that TypeScript
//! refuses are errors, and decorated abstract fields count.
use oxc_ast::ast::*;
use oxc_ast_visit::{VisitMut, walk_mut};
use oxc_diagnostics::OxcDiagnostic;

#[derive(Default)]
pub struct PrepareExperimental {
    pub failures: Vec<OxcDiagnostic>,
}

impl PrepareExperimental {
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

impl<'a> VisitMut<'a> for PrepareExperimental {
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
