//! Preparations for experimental decorators where TypeScript and oxc differ: decorators in places that TypeScript
//! refuses are errors, decorated abstract fields count, and a type that may also be null or undefined is that type in
//! the metadata if `strictNullChecks` is off.
use oxc_ast::ast::*;
use oxc_ast_visit::{VisitMut, walk_mut};
use oxc_diagnostics::OxcDiagnostic;

pub struct PrepareExperimental {
    pub elides_null: bool,
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

    fn visit_ts_type(&mut self, it: &mut TSType<'a>) {
        walk_mut::walk_ts_type(self, it);
        let TSType::TSUnionType(union) = it else { return };
        if !self.elides_null {
            return;
        }
        let is_type = |one: &TSType<'_>| {
            let one = one.without_parenthesized();
            !matches!(one, TSType::TSNullKeyword(_) | TSType::TSUndefinedKeyword(_) | TSType::TSNeverKeyword(_))
        };
        let mut types = union.types.iter().enumerate().filter(|(_, one)| is_type(one));
        if let (Some((only, _)), None) = (types.next(), types.next()) {
            *it = union.types.swap_remove(only);
        }
    }
}
