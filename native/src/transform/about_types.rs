//! Parser errors about TypeScript that only a type checker would report, which is not rt's job: the program without its
//! types runs, so it runs here as it does elsewhere. Syntax that leaves no meaningful program is refused.
use oxc_diagnostics::OxcDiagnostic;

/// TypeScript's codes of such errors. Other codes concern programs that are meaningless or ambiguous without their
/// types.
const TOLERATED: &[&str] = &[
    "1015", "1016", "1019", "1021", "1024", "1028", "1029", "1030", "1036", "1038", "1039", "1040", "1047", "1051",
    "1063", "1070", "1071", "1092", "1093", "1094", "1095", "1096", "1099", "1147", "1176", "1183", "1187", "1221",
    "1222", "1243", "1245", "1249", "1255", "1257", "1263", "1264", "1265", "1266", "1267", "1268", "1276", "1318",
    "1337", "1354", "1392", "1477", "18010", "18019", "2206", "2207", "2398", "2499", "2681", "2784", "5085", "5086",
    "5087",
];

pub fn is_typescript(diagnostic: &OxcDiagnostic) -> bool {
    diagnostic.code.scope.as_deref() == Some("TS")
}

/// `with`, which TypeScript refuses even in sloppy code.
pub fn is_with(diagnostic: &OxcDiagnostic) -> bool {
    diagnostic.message == "'with' statements are not allowed"
}

pub fn is_only(diagnostic: &OxcDiagnostic) -> bool {
    let is_tolerated = diagnostic.code.number.as_deref().is_some_and(|number| TOLERATED.contains(&number));
    // A repeated modifier (1030) is tolerated, except for `export`, which does not concern types.
    is_typescript(diagnostic) && is_tolerated && !diagnostic.message.starts_with("'export'")
}
