//! The inputs of a transformation besides the source: the command line's flags and the nearest tsconfig.
//!
//! `Options` is created once per run and shared by all files; `Config` has the emit options of one tsconfig and differs
//! between files. Both are plain data: nothing here reads a file.
use std::collections::HashMap;

use oxc_span::SourceType;

use super::passes::erase::Import;

/// How the bytes of a file become a module.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Loader {
    Js,
    Jsx,
    Ts,
    Tsx,
    /// Not a script: json, toml, text and others, which the host reads.
    Data,
}

impl Loader {
    pub fn named(name: &str) -> Option<Self> {
        Some(match name {
            "js" => Self::Js,
            "jsx" => Self::Jsx,
            "ts" => Self::Ts,
            "tsx" => Self::Tsx,
            "json" | "jsonc" | "json5" | "toml" | "yaml" | "text" | "file" | "wasm" | "napi" | "base64" | "dataurl"
            | "html" | "css" | "sqlite" | "md" | "xml" => Self::Data,
            _ => return None,
        })
    }

    /// The default loader for an extension without its dot; None if there is none.
    pub fn for_extension(extension: &str) -> Option<&'static str> {
        Some(match extension {
            "js" | "jsx" => "jsx",
            "mjs" | "cjs" => "js",
            "ts" | "mts" | "cts" => "ts",
            "tsx" => "tsx",
            "json" => "json",
            "jsonc" => "jsonc",
            "json5" => "json5",
            "toml" => "toml",
            "yaml" | "yml" => "yaml",
            "txt" | "text" => "text",
            "wasm" => "wasm",
            "node" => "napi",
            "html" => "html",
            "css" => "css",
            "md" | "markdown" => "md",
            "xml" => "xml",
            _ => return None,
        })
    }

    pub fn is_typescript(self) -> bool {
        matches!(self, Self::Ts | Self::Tsx)
    }

    /// How the parser reads a file: the extension determines the goal only for `.mjs` and `.cjs`.
    pub fn source_type(self, path: &str) -> SourceType {
        let source_type = match self {
            Self::Js | Self::Data => SourceType::unambiguous(),
            Self::Jsx => SourceType::unambiguous().with_jsx(true),
            Self::Ts => SourceType::ts().with_unambiguous(true),
            Self::Tsx => SourceType::tsx().with_unambiguous(true),
        };
        match extension(path) {
            "mjs" | "mts" => source_type.with_unambiguous(true),
            _ => source_type,
        }
    }
}

/// The extension of a path without the dot; "" if its file name has none.
pub fn extension(path: &str) -> &str {
    let name = path.rsplit('/').next().unwrap_or(path);
    match name.rsplit_once('.') {
        Some((stem, extension)) if !stem.is_empty() => extension,
        _ => "",
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JsxRuntime {
    Automatic,
    Classic,
}

/// The emit options of one tsconfig; `None` means not set.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Config {
    pub jsx_runtime: Option<JsxRuntimeName>,
    pub jsx_factory: Option<String>,
    pub jsx_fragment: Option<String>,
    pub jsx_import_source: Option<String>,
    pub experimental_decorators: bool,
    pub emit_decorator_metadata: bool,
    pub verbatim_module_syntax: bool,
    pub use_define_for_class_fields: Option<bool>,
    pub strict_null_checks: bool,
}

/// tsconfig's `jsx`, as far as it affects the output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JsxRuntimeName {
    Classic,
    Automatic,
    Development,
    Preserve,
}

/// The flags of one run.
#[derive(Clone, Debug, Default)]
pub struct Options {
    pub loaders: HashMap<String, String>,
    pub define: Vec<(String, String)>,
    pub drop: Vec<Vec<String>>,
    pub jsx_runtime: Option<JsxRuntime>,
    pub jsx_factory: Option<String>,
    pub jsx_fragment: Option<String>,
    pub jsx_import_source: Option<String>,
    /// Whether a flag selects the JSX mode; this implies production, unless the tsconfig selects development.
    pub jsx_is_requested: bool,
    pub jsx_side_effects: bool,
    pub production: bool,
    pub ignore_dce_annotations: bool,
    /// The program sees Node only: the name of a file and its package decide whether it is a module, before its content.
    pub is_node: bool,
    /// Append the source map to changed code, for a debugger.
    pub inline_maps: bool,
}

impl Options {
    /// The name of the loader for a path: the user's mapping first, then the default.
    pub fn loader_name(&self, path: &str) -> Option<&str> {
        if path.ends_with("/bun.lock") && !self.loaders.contains_key("lock") {
            return Some("jsonc"); // Bun's JSON with trailing commas
        }
        let extension = extension(path);
        self.loaders.get(extension).map(String::as_str).or_else(|| Loader::for_extension(extension))
    }
}

/// The request for one file.
#[derive(Clone, Debug, Default)]
pub struct Request {
    pub path: String,
    /// Overrides the loader for the path's extension.
    pub loader: Option<String>,
    pub config: Config,
    /// The `type` of the package, for files that do not determine it themselves.
    pub package_is_module: Option<bool>,
    /// The member expression to assign the program's completion value to (`rt -p`).
    pub completion: Option<String>,
    /// Imports that refer only to types, as found by examining all files.
    pub erase: Vec<Import>,
    /// Re-exports to add: the name, and the specifier of the module that exports it.
    pub reexport: Vec<(String, String)>,
    /// Macro calls by their index in `Transformed.macro_calls`, each with its replacement.
    pub macros: HashMap<usize, String>,
}

impl JsxRuntimeName {
    /// `compilerOptions.jsx`
    pub fn named(name: &str) -> Option<Self> {
        Some(match name {
            "react" => Self::Classic,
            "react-jsx" => Self::Automatic,
            "react-jsxdev" => Self::Development,
            "preserve" | "react-native" => Self::Preserve,
            _ => return None,
        })
    }
}
