//! rt's options in the form of oxc's transformer and printer.
use std::path::Path;

use oxc_codegen::{CodegenOptions, CommentOptions, LegalComment};
use oxc_transformer::{
    CompilerAssumptions, DecoratorOptions, HelperLoaderMode, HelperLoaderOptions, JsxOptions, TransformOptions,
    TypeScriptOptions,
};

use super::options::{JsxRuntime, JsxRuntimeName, Loader, Options, Request};

pub fn transform_options(loader: Loader, request: &Request, options: &Options) -> TransformOptions {
    let config = &request.config;
    let jsx = jsx_options(request, options);
    let assign_fields = loader.is_typescript() && config.use_define_for_class_fields == Some(false);
    TransformOptions {
        assumptions: CompilerAssumptions { set_public_class_fields: assign_fields, ..CompilerAssumptions::default() },
        typescript: TypeScriptOptions {
            jsx_pragma: jsx.pragma.clone().unwrap_or_else(|| "React.createElement".to_string()).into(),
            jsx_pragma_frag: jsx.pragma_frag.clone().unwrap_or_else(|| "React.Fragment".to_string()).into(),
            only_remove_type_imports: config.verbatim_module_syntax,
            remove_class_fields_without_initializer: assign_fields,
            ..TypeScriptOptions::default()
        },
        decorator: DecoratorOptions {
            legacy: is_legacy(loader, request),
            emit_decorator_metadata: false, // `passes::metadata`
            strict_null_checks: false,
        },
        jsx,
        helper_loader: HelperLoaderOptions { mode: HelperLoaderMode::External, ..HelperLoaderOptions::default() },
        ..TransformOptions::default()
    }
}

/// Whether decorators are TypeScript's `experimentalDecorators`; JavaScript only has standard ones.
pub fn is_legacy(loader: Loader, request: &Request) -> bool {
    request.config.experimental_decorators && loader.is_typescript()
}

/// Flags take precedence over the tsconfig, and that over the default: automatic, for development unless in production.
fn jsx_options(request: &Request, options: &Options) -> JsxOptions {
    let config = &request.config;
    let classic = match options.jsx_runtime {
        Some(runtime) => runtime == JsxRuntime::Classic,
        None => config.jsx_runtime == Some(JsxRuntimeName::Classic),
    };
    let development = match config.jsx_runtime {
        _ if options.production => false,
        Some(JsxRuntimeName::Automatic) => false,
        Some(JsxRuntimeName::Development) => true,
        _ => !options.jsx_is_requested,
    };
    let mut jsx = JsxOptions {
        runtime: if classic { oxc_transformer::JsxRuntime::Classic } else { oxc_transformer::JsxRuntime::Automatic },
        development: development && !classic,
        display_name_plugin: false,
        throw_if_namespace: false,
        pure: !options.jsx_side_effects,
        ..JsxOptions::enable()
    };
    if classic {
        jsx.pragma = options.jsx_factory.clone().or_else(|| config.jsx_factory.clone());
        jsx.pragma_frag = options.jsx_fragment.clone().or_else(|| config.jsx_fragment.clone());
    } else {
        jsx.import_source = options.jsx_import_source.clone().or_else(|| config.jsx_import_source.clone());
    }
    if options.jsx_side_effects {
        // Without other options the transformer always marks elements as pure.
        if classic {
            jsx.pragma.get_or_insert_with(|| "React.createElement".to_string());
        } else {
            jsx.import_source.get_or_insert_with(|| "react".to_string());
        }
    }
    jsx
}

pub fn codegen_options(path: &Path, wants_map: bool) -> CodegenOptions {
    CodegenOptions {
        source_map_path: wants_map.then(|| path.to_path_buf()),
        // Indentation of deeply nested code would exceed the code itself.
        indent_width: 0,
        comments: CommentOptions { normal: false, jsdoc: false, annotation: false, legal: LegalComment::None },
        ..CodegenOptions::default()
    }
}
