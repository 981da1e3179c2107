//! One decorated class as an expression: what is evaluated before it, and how its body is assembled.
use oxc_allocator::{ArenaBox, ArenaVec, TakeIn};
use oxc_ast::ast::*;
use oxc_span::SPAN;

use super::{LowerDecorators, quote, suspension};

/// The order in which the standard applies the decorators of elements.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Turn {
    StaticMethod,
    Method,
    StaticField,
    Field,
}

/// State of one class while its elements are lowered.
pub struct Parts<'a> {
    pub prefix: String,
    pub is_decorated: bool,
    /// Statements before the class, in evaluation order.
    pub before: ArenaVec<'a, Statement<'a>>,
    /// `__rt_decorate(…)` calls with their positions in that order.
    pub applications: Vec<(Turn, ArenaVec<'a, Statement<'a>>)>,
    pub elements: ArenaVec<'a, ClassElement<'a>>,
    pub has_method_decorators: bool,
    pub count: usize,
}

impl<'a> LowerDecorators<'a> {
    /// Lowers a class with decorators to an expression; `name` is the name of an anonymous class.
    pub(super) fn lower_class(&mut self, mut class: Class<'a>, name: Option<&str>) -> Expression<'a> {
        self.needs_helpers = true;
        self.changed = true;
        self.counter += 1;
        let mut parts = Parts {
            prefix: format!("_d{}", self.counter),
            is_decorated: !class.decorators.is_empty(),
            before: ArenaVec::new_in(&self.builder),
            applications: Vec::new(),
            elements: ArenaVec::new_in(&self.builder),
            has_method_decorators: false,
            count: 0,
        };
        let prefix = parts.prefix.clone();
        let own_name = class.id.as_ref().map(|id| id.name.to_string());
        let variable = own_name.clone().unwrap_or_else(|| format!("{prefix}_class"));
        let is_decorated = parts.is_decorated;
        if is_decorated {
            let decorators = class.decorators.take_in(&self.allocator);
            self.decorator_list(&mut parts.before, &format!("{prefix}_classDecorators"), decorators);
        }
        let mut base = "null".to_string();
        if let Some(heritage) = &mut class.heritage {
            base = format!("{prefix}_base");
            let value = heritage.expression.take_in(&self.allocator);
            parts.before.extend(self.statements(&format!("const {base} = $0;"), vec![value]));
            heritage.expression = self.expression(&base, Vec::new());
        }
        for element in class.body.body.take_in(&self.allocator) {
            self.lower_element(element, &mut parts);
        }
        class.body.body = self.assemble(&mut parts, &variable, own_name.as_deref(), &base);
        class.id = None;
        class.r#type = ClassType::ClassExpression;
        let value = Expression::ClassExpression(ArenaBox::new_in(class, &self.builder));
        let name_text = own_name.as_deref().or(name).or(Some(""));
        let assigned = match name_text {
            Some(name_text) if name_text != variable => {
                let name_text = quote::string(name_text);
                format!("{variable} = ({{ {name_text}: $0 }})[{name_text}]")
            }
            _ => format!("{variable} = $0"),
        };
        let declared = format!(
            "let {prefix}_this, {prefix}_metadata; \
             const {prefix}_staticExtra = [], {prefix}_protoExtra = [], {prefix}_classExtra = [];"
        );
        let mut body = self.statements(&declared, Vec::new());
        body.extend(parts.before);
        // Declared here, so that decorators and keys that refer to the class find it uninitialised.
        body.extend(self.statements(&format!("let {variable};"), Vec::new()));
        body.extend(self.statements(&format!("{assigned};"), vec![value]));
        body.extend(self.statements(&format!("return_({variable} = {prefix}_this);"), Vec::new()));
        suspension::enclose(self.with_return(body), self.allocator)
    }

    /// `return` does not parse outside a function, so the template contains `return_(value)`.
    pub(super) fn with_return(&self, mut body: ArenaVec<'a, Statement<'a>>) -> ArenaVec<'a, Statement<'a>> {
        if let Some(Statement::ExpressionStatement(statement)) = body.last_mut()
            && let Expression::CallExpression(call) = &mut statement.expression
            && let Some(value) = call.arguments.pop()
        {
            let value = value.into_expression();
            body.pop();
            body.push(Statement::new_return_statement(SPAN, Some(value), &self.builder));
        }
        body
    }

    /// The class body: the block that applies decorators, the initializers of methods, the elements.
    fn assemble(
        &self,
        parts: &mut Parts<'a>,
        variable: &str,
        own_name: Option<&str>,
        base: &str,
    ) -> ArenaVec<'a, ClassElement<'a>> {
        let prefix = &parts.prefix;
        let head =
            format!("static {{ {prefix}_this = {variable} = this; {prefix}_metadata = __rt_metadata({base}); }}");
        let mut body = quote::elements(self.allocator, &head, Vec::new());
        parts.applications.sort_by_key(|(turn, _)| *turn);
        let mut tail = String::new();
        if parts.is_decorated {
            let name = own_name.map_or("this.name".to_string(), quote::string);
            tail.push_str(&format!(
                "{prefix}_this = {variable} = __rt_decorate(null, {{ value: this }}, {prefix}_classDecorators, \
                 {{ kind: \"class\", name: {name}, metadata: {prefix}_metadata }}, null, {prefix}_classExtra).value; "
            ));
        }
        tail.push_str(&format!(
            "__rt_metadata.set({prefix}_this, {prefix}_metadata); __rt_run({prefix}_this, {prefix}_staticExtra);"
        ));
        let tail = quote::elements(self.allocator, &format!("static {{ {tail} }}"), Vec::new());
        if let (Some(ClassElement::StaticBlock(block)), Some(ClassElement::StaticBlock(tail))) =
            (body.first_mut(), tail.into_iter().next())
        {
            for (_, statements) in std::mem::take(&mut parts.applications) {
                block.body.extend(statements);
            }
            block.body.extend(tail.unbox().body);
        }
        if parts.has_method_decorators {
            let first = format!("#{prefix}_run = __rt_run(this, {prefix}_protoExtra);");
            body.extend(quote::elements(self.allocator, &first, Vec::new()));
        }
        body.extend(parts.elements.take_in(&self.allocator));
        if parts.is_decorated {
            let last = format!("static {{ __rt_run({prefix}_this, {prefix}_classExtra); }}");
            body.extend(quote::elements(self.allocator, &last, Vec::new()));
        }
        body
    }
}
