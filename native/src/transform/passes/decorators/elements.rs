//! The members of a decorated class, with one function for each kind.
use oxc_allocator::{ArenaBox, TakeIn};
use oxc_ast::ast::*;
use oxc_ast_visit::VisitMut;

use super::class::{Parts, Turn};
use super::{LowerDecorators, accessors, quote};

impl<'a> LowerDecorators<'a> {
    pub(super) fn lower_element(&mut self, element: ClassElement<'a>, parts: &mut Parts<'a>) {
        match element {
            ClassElement::MethodDefinition(method)
                if !method.decorators.is_empty()
                    && method.value.body.is_some()
                    && method.kind != MethodDefinitionKind::Constructor =>
            {
                self.lower_method(method.unbox(), parts);
            }
            ClassElement::PropertyDefinition(field)
                if !field.decorators.is_empty() && !field.declare && !field.r#type.is_abstract() =>
            {
                self.lower_field(field.unbox(), parts);
            }
            ClassElement::PropertyDefinition(field)
                if parts.is_decorated && field.r#static && !field.declare && !field.key.is_private_identifier() =>
            {
                self.move_static_field(field.unbox(), parts);
            }
            ClassElement::AccessorProperty(accessor) if !accessor.r#type.is_abstract() => {
                self.lower_accessor(accessor.unbox(), parts);
            }
            ClassElement::StaticBlock(mut block) => {
                if parts.is_decorated {
                    self.replace_this(parts).visit_static_block(&mut block);
                }
                parts.elements.push(ClassElement::StaticBlock(block));
            }
            element => parts.elements.push(element),
        }
    }

    pub(super) fn lower_method(&mut self, mut method: MethodDefinition<'a>, parts: &mut Parts<'a>) {
        let (key, index) =
            self.begin(&mut method.key, method.computed, method.decorators.take_in(&self.allocator), parts);
        let kind = match method.kind {
            MethodDefinitionKind::Get => "getter",
            MethodDefinitionKind::Set => "setter",
            _ => "method",
        };
        let is_static = method.r#static;
        let turn = if is_static { Turn::StaticMethod } else { Turn::Method };
        parts.has_method_decorators |= !is_static;
        let extra = if is_static { "staticExtra" } else { "protoExtra" };
        let prefix = parts.prefix.clone();
        let extra = format!("{prefix}_{extra}");
        if !key.is_private {
            self.apply(parts, turn, &key, index, kind, is_static, "null", "null", &extra, Vec::new());
            parts.elements.push(ClassElement::MethodDefinition(ArenaBox::new_in(method, &self.builder)));
            return;
        }
        // A private method cannot be replaced: it becomes a getter of the function that the decorators return.
        let descriptor = format!("{prefix}_descriptor_{index}");
        parts.before.extend(self.statements(&format!("let {descriptor};"), Vec::new()));
        let part = match kind {
            "getter" => "get",
            "setter" => "set",
            _ => "value",
        };
        let name = &key.value;
        let initial = format!("{descriptor} = {{ {part}: ({{ {name}: $0 }})[{name}] }}");
        let mut function = method.value;
        function.r#type = FunctionType::FunctionExpression;
        let holes = vec![Expression::FunctionExpression(function)];
        self.apply(parts, turn, &key, index, kind, is_static, &initial, "null", &extra, holes);
        let (prefix_static, element) = (if is_static { "static " } else { "" }, &key.element);
        let template = match kind {
            "getter" => format!("{prefix_static}get {element}() {{ return {descriptor}.get.call(this); }}"),
            "setter" => format!("{prefix_static}set {element}(value) {{ {descriptor}.set.call(this, value); }}"),
            _ => format!("{prefix_static}get {element}() {{ return {descriptor}.value; }}"),
        };
        parts.elements.extend(quote::elements(self.allocator, &template, Vec::new()));
    }

    pub(super) fn lower_field(&mut self, mut field: PropertyDefinition<'a>, parts: &mut Parts<'a>) {
        let (key, index) = self.begin(&mut field.key, field.computed, field.decorators.take_in(&self.allocator), parts);
        let is_static = field.r#static;
        let (init, extra) = self.initializers(parts, index);
        let turn = if is_static { Turn::StaticField } else { Turn::Field };
        self.apply(parts, turn, &key, index, "field", is_static, "null", &init, &extra, Vec::new());
        let initial = field.value.take();
        field.value = Some(self.wrap_initializer(&init, initial));
        if is_static && parts.is_decorated && !key.is_private {
            self.move_static_field(field, parts);
        } else {
            parts.elements.push(ClassElement::PropertyDefinition(ArenaBox::new_in(field, &self.builder)));
        }
        self.run_extra(parts, index, &extra, is_static);
    }

    pub(super) fn lower_accessor(&mut self, mut accessor: AccessorProperty<'a>, parts: &mut Parts<'a>) {
        let decorators = accessor.decorators.take_in(&self.allocator);
        let is_plain = decorators.is_empty();
        let (key, index) = self.begin(&mut accessor.key, accessor.computed, decorators, parts);
        let is_static = accessor.r#static;
        let prefix = parts.prefix.clone();
        let storage = format!("#{prefix}_storage_{index}");
        if is_plain {
            let lowered = accessors::lower(&key, &storage, accessor.value, is_static, self.allocator);
            parts.elements.extend(lowered);
            return;
        }
        let (init, extra) = self.initializers(parts, index);
        let turn = if is_static { Turn::StaticMethod } else { Turn::Method };
        let initial = self.wrap_initializer(&init, accessor.value.take());
        if key.is_private {
            let descriptor = format!("{prefix}_descriptor_{index}");
            parts.before.extend(self.statements(&format!("let {descriptor};"), Vec::new()));
            let text = format!(
                "{descriptor} = {{ get() {{ return this.{storage}; }}, set(value) {{ this.{storage} = value; }} }}"
            );
            self.apply(parts, turn, &key, index, "accessor", is_static, &text, &init, &extra, Vec::new());
            let (prefix_static, element) = (if is_static { "static " } else { "" }, &key.element);
            let template = format!(
                "{prefix_static}{storage} = $0; \
                 {prefix_static}get {element}() {{ return {descriptor}.get.call(this); }} \
                 {prefix_static}set {element}(value) {{ {descriptor}.set.call(this, value); }}"
            );
            parts.elements.extend(quote::elements(self.allocator, &template, vec![initial]));
        } else {
            self.apply(parts, turn, &key, index, "accessor", is_static, "null", &init, &extra, Vec::new());
            parts.elements.extend(accessors::lower(&key, &storage, Some(initial), is_static, self.allocator));
        }
        self.run_extra(parts, index, &extra, is_static);
    }

    /// Static fields of a decorated class are defined on the result of its decorators.
    fn move_static_field(&mut self, mut field: PropertyDefinition<'a>, parts: &mut Parts<'a>) {
        parts.count += 1;
        let temporary = format!("{}_key_{}", parts.prefix, parts.count);
        let (key, computed) = accessors::read_key(&mut field.key, field.computed, &temporary, self.allocator);
        if let Some(computed) = computed {
            parts.before.extend(self.statements(&format!("const {temporary} = __rt_key($0);"), vec![computed]));
        }
        let mut value = field.value.take().unwrap_or_else(|| self.expression("void 0", Vec::new()));
        self.replace_this(parts).visit_expression(&mut value);
        let name = &key.value;
        let template = format!(
            "static {{ Object.defineProperty({}_this, {name}, {{ value: ({{ [{name}]: $0 }})[{name}], \
             writable: true, enumerable: true, configurable: true }}); }}",
            parts.prefix
        );
        parts.elements.extend(quote::elements(self.allocator, &template, vec![value]));
    }
}
