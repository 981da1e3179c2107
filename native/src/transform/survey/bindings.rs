//! The names in a pattern.
use oxc_ast::ast::*;

/// Collects the names that a pattern binds, in order.
pub fn collect_names(pattern: &BindingPattern, names: &mut Vec<String>) {
    match pattern {
        BindingPattern::BindingIdentifier(id) => names.push(id.name.to_string()),
        BindingPattern::ObjectPattern(object) => {
            object.properties.iter().for_each(|property| collect_names(&property.value, names));
            object.rest.iter().for_each(|rest| collect_names(&rest.argument, names));
        }
        BindingPattern::ArrayPattern(array) => {
            array.elements.iter().flatten().for_each(|element| collect_names(element, names));
            array.rest.iter().for_each(|rest| collect_names(&rest.argument, names));
        }
        BindingPattern::AssignmentPattern(assignment) => collect_names(&assignment.left, names),
    }
}
