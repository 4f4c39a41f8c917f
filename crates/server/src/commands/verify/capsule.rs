//! Verifies a capsule of evidence.

use std::io::Write;
use std::process::ExitCode;

use grantor_receipt::{Capsule, InvalidCapsule, verify_capsule};
use serde_json::{Map, Value};

use super::{Failure, NOT_VALID, key_set, line, own_issuer, own_keys};
use crate::cli::Verify;
use crate::config::Config;

/// Verifies the capsule and prints the result. The exit code says whether it is valid.
pub(super) async fn run(
    config: &Config,
    options: &Verify,
    file: &[u8],
    out: &mut dyn Write,
) -> Result<ExitCode, Failure> {
    let verified = if let Some(jwks) = &options.jwks {
        // The keys are trusted, so the issuer is the one that the capsule names.
        verify_capsule(file, &key_set(jwks)?, None)
    } else {
        verify_capsule(file, &own_keys(config).await?, own_issuer(config).as_deref())
    };
    let (report, code) = match &verified {
        Ok(capsule) => (describe(capsule), ExitCode::SUCCESS),
        Err(InvalidCapsule::Issuer) => {
            let own = super::super::public_url(config);
            let message = format!("the capsule names another issuer than public_url, {own}");
            let name = InvalidCapsule::Issuer.name();
            (format!("Not valid\n  {name}: {message}"), ExitCode::from(NOT_VALID))
        }
        Err(reason) => (refuse(reason), ExitCode::from(NOT_VALID)),
    };
    super::super::say(out, &report)?;
    Ok(code)
}

fn refuse(reason: &InvalidCapsule) -> String {
    // The terminal must show a file's name, never obey it.
    let message = reason.to_string().replace(char::is_control, " ");
    format!("Not valid\n  {}: {message}", reason.name())
}

fn describe(capsule: &Capsule) -> String {
    let last = capsule.revisions.last();
    let text = |name: &str| text(last, name).unwrap_or("unknown").to_owned();
    let found = last.and_then(|it| it.get("match")).and_then(Value::as_object);
    let found = found.and_then(|it| it.get("kind")).and_then(Value::as_str).unwrap_or("unknown");
    let facts = [
        ("Evidence", format!("mention {}", capsule.mention)),
        ("Issuer", capsule.issuer.clone()),
        ("Made", capsule.created_at.to_string()),
        ("Revisions", capsule.revisions.len().to_string()),
        ("Address", text("content_url")),
        ("Captured", text("captured_at")),
        ("Found by", found.to_owned()),
        ("Files", capsule.files.len().to_string()),
    ];
    let lines = facts.iter().map(|(name, value)| line(name, value));
    ["Valid".to_owned()].into_iter().chain(lines).collect::<Vec<_>>().join("\n")
}

fn text<'a>(revision: Option<&'a Map<String, Value>>, name: &str) -> Option<&'a str> {
    revision?.get(name)?.as_str()
}
