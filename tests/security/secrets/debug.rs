//! What holds a secret, its hash or something sealed shows none of it when it is formatted, as in a log
//! line or a panic.

use std::path::{Path, PathBuf};

use grantor_domain::Timestamp;
use grantor_domain::client::{ClientStatus, Environment};
use grantor_domain::idempotency::IdempotencyKey;
use grantor_domain::scope::Scopes;
use grantor_domain::secret::SecretHash;
use grantor_service::identity::code::CodeSent;
use grantor_service::operations::idempotency::{KeyedRequest, StoredResponse};
use grantor_storage::authenticator_app::AuthenticatorApp;
use grantor_storage::ceremony::Ceremony;
use grantor_storage::challenge::Challenge;
use grantor_storage::client::Client;
use grantor_storage::mail::ClaimedMail;
use grantor_storage::single_sign_on::SealedSecret;
use grantor_storage::user;
use grantor_storage::webhook::Sealed;
use grantor_testkit::db_test;
use syn::visit::{self, Visit};
use uuid::Uuid;

use super::Lived;

/// A byte that is easily seen in a list of numbers.
const MARK: u8 = 171;

fn marked() -> Vec<u8> {
    vec![MARK; 32]
}

/// Whether a text shows marked bytes, as numbers or as hexadecimal digits.
fn shows(text: &str) -> bool {
    let text = text.to_ascii_lowercase();
    ["171, 171", "171,\n", "abab", "marked"].iter().any(|it| text.contains(it))
}

fn assert_silent(value: &dyn std::fmt::Debug) {
    for text in [format!("{value:?}"), format!("{value:#?}")] {
        assert!(!shows(&text), "{text}");
    }
}

#[test]
fn the_search_finds_what_is_shown() {
    for shown in [format!("{:?}", marked()), format!("{:#?}", marked()), "\"Marked\"".to_owned()] {
        assert!(shows(&shown), "{shown}");
    }
}

#[test]
fn no_record_shows_its_secret() {
    let hash = SecretHash::from_bytes([MARK; 32]);
    let at = Timestamp::from_secs(0);
    assert_silent(&hash);
    assert_silent(&Client {
        id: Uuid::nil().into(),
        tenant: Uuid::nil().into(),
        user: Uuid::nil().into(),
        name: "Importer".to_owned(),
        environment: Environment::Production,
        api_key: "public".to_owned(),
        secret_hash: hash,
        old_secret: Some((hash, at)),
        scopes: Scopes::all(),
        status: ClientStatus::Active,
        expires_at: None,
        warned_days: None,
        last_used_at: None,
        created_at: at,
    });
    assert_silent(&Challenge {
        purpose: "reset".to_owned(),
        sealed: marked(),
        code_mac: marked(),
        wrong: 0,
        resends: 0,
        sent_at: at,
        expires_at: at,
        link: Some(hash),
    });
    assert_silent(&ClaimedMail { id: Uuid::nil().into(), sealed: marked(), attempts: 1 });
    assert_silent(&Sealed { secret: marked(), old: Some((marked(), at)) });
    assert_silent(&AuthenticatorApp { sealed: marked(), last_step: 0, created_at: at });
    let (purpose, expires_at) = ("sign_in".to_owned(), at);
    assert_silent(&Ceremony { purpose, user: None, sealed: marked(), wrong: 0, expires_at });
    assert_silent(&SealedSecret(marked()));
    assert_silent(&CodeSent { session: "marked".to_owned(), email: String::new() });
    let (status, headers) = (201, vec![("location".to_owned(), "/marked".to_owned())]);
    assert_silent(&StoredResponse { status, headers, body: marked() });
    assert_silent(&KeyedRequest {
        caller: "user".to_owned(),
        method: "POST".to_owned(),
        path: "/".to_owned(),
        key: IdempotencyKey::parse("key").unwrap(),
        body_hash: [MARK; 32],
    });
}

#[db_test]
async fn no_account_shows_its_password(lived: Lived) {
    let store = &lived.app.app.store;
    let found = store.read(|tx| user::find_by_email(tx, "ada@example.com")).await.unwrap();
    let user = found.expect("the first account");
    let hash = user.password_hash.clone().expect("a password");
    let shown = format!("{user:?} {user:#?}");
    assert!(shown.contains(&user.id.to_string()), "the control: {shown}");
    assert!(!shown.contains(&hash) && !shown.contains("argon2"), "{shown}");
}

/// Structs that are formatted field by field and have a field that sounds secret, of a type that does
/// not hide itself.
#[derive(Default)]
struct Telltale(Vec<String>);

impl<'ast> Visit<'ast> for Telltale {
    fn visit_item_struct(&mut self, item: &'ast syn::ItemStruct) {
        let derives = |attribute: &syn::Attribute| {
            let mut found = false;
            if attribute.path().is_ident("derive") {
                let _ = attribute.parse_nested_meta(|it| {
                    found |= it.path.is_ident("Debug");
                    Ok(())
                });
            }
            found
        };
        if item.attrs.iter().any(derives) {
            for field in &item.fields {
                let name = field.ident.as_ref().map(ToString::to_string).unwrap_or_default();
                let sounds = ["secret", "sealed", "password", "hash", "mac", "token"];
                let sounds = sounds.iter().any(|it| name.split('_').any(|word| word == *it));
                // Both parties and every receipt show the hash of the terms.
                if sounds && name != "terms_hash" && is_bare(&field.ty) {
                    self.0.push(format!("{}.{name}", item.ident));
                }
            }
        }
        visit::visit_item_struct(self, item);
    }
}

/// Text and bytes, also in a box of the standard library.
fn is_bare(kind: &syn::Type) -> bool {
    match kind {
        syn::Type::Array(_) | syn::Type::Slice(_) => true,
        syn::Type::Reference(it) => is_bare(&it.elem),
        syn::Type::Tuple(it) => it.elems.iter().any(is_bare),
        syn::Type::Path(it) => {
            let last = it.path.segments.last().expect("a name");
            let inner = match &last.arguments {
                syn::PathArguments::AngleBracketed(inner) => inner
                    .args
                    .iter()
                    .any(|it| matches!(it, syn::GenericArgument::Type(inner) if is_bare(inner))),
                _ => false,
            };
            ["String", "str", "u8"].iter().any(|it| last.ident == it) || inner
        }
        _ => false,
    }
}

fn telltales(source: &str) -> Vec<String> {
    let mut found = Telltale::default();
    found.visit_file(&syn::parse_file(source).unwrap());
    found.0
}

fn sources(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let all = entries.flat_map(|path| if path.is_dir() { sources(&path) } else { vec![path] });
    all.filter(|it| it.extension().is_some_and(|it| it == "rs")).collect()
}

#[test]
fn no_struct_derives_what_would_show_a_secret() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates");
    for path in sources(&crates) {
        let found = telltales(&std::fs::read_to_string(&path).unwrap());
        assert_eq!(found, Vec::<String>::new(), "{}", path.display());
    }
}

#[test]
fn a_struct_that_would_show_one_is_noticed() {
    let source =
        "#[derive(Clone, Debug)] struct Row { password_hash: Option<String>, name: String }
        #[derive(Debug)] struct Sealed { secret: Vec<u8>, old: Option<(Vec<u8>, Timestamp)> }
        #[derive(Clone)] struct Quiet { secret: Vec<u8> }
        #[derive(Debug)] struct Hidden { secret: SecretString, hash: SecretHash }";
    assert_eq!(telltales(source), ["Row.password_hash", "Sealed.secret"]);
}
