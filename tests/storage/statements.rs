//! Every SQL statement of the storage crate prepares on both engines.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use grantor_storage::{Error, Result, Store};
use grantor_testkit::db_test;
use grantor_testkit::store::TestStore;
use syn::parse::{Parse, ParseStream};
use syn::visit::{self, Visit};
use syn::{Expr, ExprMethodCall, LitStr, Macro, Token, bracketed};

/// What was found in one source file.
#[derive(Default)]
struct Found {
    texts: Vec<String>,
    /// Calls that hand the engine a text of their own making.
    strays: Vec<String>,
}

/// The arguments of `sql_choice!`.
struct Choice(Vec<String>);

impl Parse for Choice {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        input.parse::<Expr>()?;
        input.parse::<Token![,]>()?;
        let head = input.parse::<LitStr>()?.value();
        input.parse::<Token![,]>()?;
        let middles;
        bracketed!(middles in input);
        let middles = middles.parse_terminated(<LitStr as Parse>::parse, Token![,])?;
        input.parse::<Token![,]>()?;
        let tail = input.parse::<LitStr>()?.value();
        Ok(Self(middles.iter().map(|it| format!("{head}{}{tail}", it.value())).collect()))
    }
}

impl<'ast> Visit<'ast> for Found {
    fn visit_macro(&mut self, found: &'ast Macro) {
        if found.path.is_ident("sql") {
            self.texts.push(found.parse_body::<LitStr>().unwrap().value());
        } else if found.path.is_ident("sql_choice") {
            self.texts.extend(found.parse_body::<Choice>().unwrap().0);
        }
        visit::visit_macro(self, found);
    }

    fn visit_expr_method_call(&mut self, call: &'ast ExprMethodCall) {
        let name = call.method.to_string();
        let on_unit = matches!(&*call.receiver, Expr::Path(path) if path.path.is_ident("tx"));
        let in_place = matches!(call.args.first(), Some(Expr::Macro(made))
            if made.mac.path.is_ident("sql") || made.mac.path.is_ident("sql_choice"));
        let stray = match name.as_str() {
            "query" | "find" | "execute" | "lock" => on_unit && !in_place,
            "query_text" | "execute_text" | "script" => true,
            _ => false,
        };
        if stray {
            self.strays.push(name);
        }
        visit::visit_expr_method_call(self, call);
    }
}

fn look_through(source: &str) -> Found {
    let mut found = Found::default();
    found.visit_file(&syn::parse_file(source).unwrap());
    found
}

pub(super) fn sources(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries
        .flat_map(|path| if path.is_dir() { sources(&path) } else { vec![path] })
        .filter(|path| path.extension().is_some_and(|it| it == "rs"))
        .collect()
}

/// The texts of one file.
pub(super) fn texts_of(file: &str) -> Vec<String> {
    let found = storage().iter().find(|(path, _)| path == Path::new(file));
    found.expect("the file is there").1.texts.clone()
}

/// Every text, with its file.
pub(super) fn all_texts() -> Vec<(String, String)> {
    let texts = |(path, found): &(PathBuf, Found)| {
        let file = path.display().to_string();
        found.texts.iter().map(|text| (file.clone(), text.clone())).collect::<Vec<_>>()
    };
    storage().iter().flat_map(texts).collect()
}

/// What is in each source file, looked through once: without optimization that takes seconds.
fn storage() -> &'static [(PathBuf, Found)] {
    static FOUND: OnceLock<Vec<(PathBuf, Found)>> = OnceLock::new();
    FOUND.get_or_init(|| {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates/storage/src");
        let look = |path: PathBuf| {
            let found = look_through(&std::fs::read_to_string(&path).unwrap());
            (path.strip_prefix(&folder).unwrap().to_owned(), found)
        };
        sources(&folder).into_iter().map(look).collect()
    })
}

/// The names of the columns that a statement returns.
async fn prepared(store: &Store, text: &str) -> Result<Vec<String>> {
    let text = text.to_owned();
    store.read(move |tx| tx.prepare_text(&text)).await
}

#[db_test]
async fn every_statement_prepares(test: TestStore) {
    let mut count = 0;
    for (path, found) in storage() {
        for text in &found.texts {
            let outcome = prepared(&test.store, text).await;
            let columns = outcome.unwrap_or_else(|it| panic!("{}: {text}: {it:?}", path.display()));
            let names: BTreeSet<_> = columns.iter().collect();
            assert_eq!(names.len(), columns.len(), "{}: {text}: {columns:?}", path.display());
            count += 1;
        }
    }
    assert!(count > 20, "only {count} statements were found");
}

#[db_test]
async fn a_broken_statement_does_not_prepare(test: TestStore) {
    for broken in [
        "SELECT nothing FROM meta",
        "SELECT value FROM metas WHERE name = $1",
        "SELEKT value FROM meta",
        "INSERT INTO meta (name, value) VALUES ($1)",
    ] {
        let outcome = prepared(&test.store, broken).await;
        assert!(matches!(outcome, Err(Error::Fault(_))), "{broken}: {outcome:?}");
    }
    let sound = "SELECT value FROM meta WHERE name = $1";
    assert_eq!(prepared(&test.store, sound).await, Ok(vec!["value".to_owned()]));
}

/// Those that build their texts from the schema itself, and the door they go through.
fn may_make_texts(path: &Path) -> bool {
    ["driver", "backup"].iter().any(|folder| path.starts_with(folder))
        || ["backup.rs", "log/partition.rs", "migrate.rs", "schema.rs"]
            .iter()
            .any(|file| path == Path::new(file))
}

#[test]
fn no_statement_goes_past_the_macro() {
    for (path, found) in storage() {
        assert!(found.strays.is_empty() || may_make_texts(path), "{}", path.display());
    }
}

#[test]
fn a_statement_past_the_macro_is_noticed() {
    let found = look_through(
        r#"fn f(tx: &mut Tx<'_>) {
            tx.find(sql!("A"), params![], |row| row.get(0));
            tx.query(sql_choice!(pick(1, 2), "B", ["1", "2",], "C"), params![], read);
            tx.query(STATEMENT, params![], read);
            tx.execute("D", params![]);
            tx.execute_text(&format!("E {x}"), params![]);
            list.find(x);
        }"#,
    );
    assert_eq!(found.texts, ["A", "B1C", "B2C"]);
    assert_eq!(found.strays, ["query", "execute", "execute_text"]);
}
