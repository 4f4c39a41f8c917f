//! `grantor verify`: verifies a receipt or a capsule of evidence without the network. A key inside
//! the file never counts.

mod capsule;

use std::fs::File;
use std::io::{Read as _, Write};
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;

use grantor_domain::{Clock as _, Timestamp};
use grantor_keys::Keys;
use grantor_receipt::{
    Claims, Disclosable, HeldStatusList, InvalidStatusList, KeySet, MAX_CAPSULE, TrustedKeys,
    Validity, Verification, is_capsule, named_issuer, verify, verify_status_list,
};
use grantor_service::licensing::receipt::stored_list;

use crate::bootstrap;
use crate::cli::Verify;
use crate::config::{Config, Database, KeyRing};
use crate::key_ring;
use crate::system::{SystemClock, SystemEntropy};
use crate::telemetry;

/// The exit code if the receipt or the capsule is not valid.
const NOT_VALID: u8 = 1;
/// The exit code if an option or a file is wrong. It is also that of unknown options.
const USAGE: u8 = 2;
/// The exit code if nobody can tell: without the issuer's keys or a recent status list.
pub(crate) const NOT_CHECKED: u8 = 3;

/// The longest file that is read. Receipts, key sets and status lists are much shorter.
const MAX_FILE: u64 = 1024 * 1024;
/// How much of a receipt is read.
const MAX_RECEIPT: usize = 1024 * 1024;

/// Why a file was not verified.
enum Failure {
    /// An option or a file is wrong.
    Usage(String),
    /// Keys, status list or database are missing or cannot be used.
    NotChecked(String),
}

impl From<String> for Failure {
    fn from(message: String) -> Self {
        Self::NotChecked(message)
    }
}

/// Verifies the file and prints the result. The exit code says whether it is valid. An error means
/// that the file could not be checked.
pub(crate) async fn run(
    config: &Config,
    options: &Verify,
    out: &mut dyn Write,
) -> Result<ExitCode, String> {
    match check(config, options, out).await {
        Ok(code) => Ok(code),
        Err(Failure::Usage(message)) => {
            telemetry::print_error(&message);
            Ok(ExitCode::from(USAGE))
        }
        Err(Failure::NotChecked(message)) => Err(message),
    }
}

async fn check(
    config: &Config,
    options: &Verify,
    out: &mut dyn Write,
) -> Result<ExitCode, Failure> {
    let now = SystemClock::new().now();
    let at = match &options.at {
        Some(text) => {
            let parsed = Timestamp::parse(text);
            parsed.map_err(|reason| Failure::Usage(format!("--at {reason}")))?
        }
        None => now,
    };
    let file = read_bytes(&options.file, MAX_CAPSULE as u64 + 1)?;
    if is_capsule(&file) {
        return capsule::run(config, options, &file, out).await;
    }
    let text = String::from_utf8_lossy(&file[..file.len().min(MAX_RECEIPT)]).into_owned();
    // A receipt has no white space, but mail programs break long lines.
    let receipt: String = text.split_whitespace().collect();
    if receipt.starts_with("%PDF") {
        let file = options.file.display();
        return Err(Failure::Usage(format!(
            "{file} is a PDF; save its attachment receipt.sd-jwt and verify that file"
        )));
    }
    if !is_receipt(&receipt) {
        let file = options.file.display();
        return Err(Failure::Usage(format!(
            "{file} is neither a receipt nor a capsule of evidence"
        )));
    }
    let verification = match &options.jwks {
        Some(jwks) => with_key_set(options, jwks, &receipt, at)?,
        None => with_own_keys(config, options, &receipt, (at, now)).await?,
    };
    super::say(out, &report(&verification, at))?;
    Ok(match verification.valid {
        Validity::Yes => ExitCode::SUCCESS,
        Validity::No => ExitCode::from(NOT_VALID),
        Validity::Unknown => ExitCode::from(NOT_CHECKED),
    })
}

/// Whether a text has the form of a receipt: a signed token of three parts, the first of which is a
/// JSON object in Base64, and disclosures.
fn is_receipt(text: &str) -> bool {
    let fits = |it: char| it.is_ascii_alphanumeric() || "-_.~".contains(it);
    let token = text.split('~').next().unwrap_or_default();
    token.starts_with("ey") && token.split('.').count() == 3 && text.chars().all(fits)
}

/// The issuer that this installation accepts. If its URL is not set, the key ring decides alone who
/// issued a file: the listen address says nothing.
fn own_issuer(config: &Config) -> Option<String> {
    config.has_public_url.then(|| super::public_url(config))
}

/// Verifies with published keys. They are trusted, so the issuer is the one that the receipt names.
fn with_key_set(
    options: &Verify,
    jwks: &Path,
    receipt: &str,
    at: Timestamp,
) -> Result<Verification, Failure> {
    let keys = key_set(jwks)?;
    let status = held(options, &keys)?;
    let issuer = named_issuer(receipt).unwrap_or_default();
    Ok(verify(receipt, &keys, &issuer, status.as_ref(), at))
}

/// Verifies with the key ring of this installation, and with its database if there is no status
/// list.
async fn with_own_keys(
    config: &Config,
    options: &Verify,
    receipt: &str,
    (at, now): (Timestamp, Timestamp),
) -> Result<Verification, Failure> {
    let keys = own_keys(config).await?;
    let issuer = own_issuer(config).or_else(|| named_issuer(receipt)).unwrap_or_default();
    let with = |status: Option<&HeldStatusList>| verify(receipt, &keys, &issuer, status, at);
    if options.status.is_some() {
        return Ok(with(held(options, &keys)?.as_ref()));
    }
    let authentic = with(None);
    let Some(claims) = &authentic.claims else { return Ok(authentic) };
    let status = stored(config, &issuer, &claims.status.uri, now).await?;
    Ok(with(status.as_ref()))
}

/// The status list in the file, if one is given.
fn held(options: &Verify, keys: &dyn TrustedKeys) -> Result<Option<HeldStatusList>, Failure> {
    let Some(path) = &options.status else { return Ok(None) };
    let list = verify_status_list(read(path)?.trim(), keys);
    list.map(Some).map_err(|reason| {
        let message = format!("{}: {reason}", path.display());
        match reason {
            InvalidStatusList::Signature => Failure::NotChecked(message),
            InvalidStatusList::Form | InvalidStatusList::Encoding => Failure::Usage(message),
        }
    })
}

/// The status list as the database has it now, if there is a database.
async fn stored(
    config: &Config,
    issuer: &str,
    url: &str,
    now: Timestamp,
) -> Result<Option<HeldStatusList>, String> {
    if matches!(&config.database, Database::Sqlite(path) if !path.exists()) {
        return Ok(None);
    }
    let store = bootstrap::open_store(config).await?;
    let list = stored_list(&store, issuer, url).await.map_err(|error| {
        let reason = error.internal_detail().unwrap_or(error.message());
        format!("database_url: {reason}")
    })?;
    Ok(list.map(|it| HeldStatusList::current(url, it, now)))
}

fn read(path: &Path) -> Result<String, Failure> {
    Ok(String::from_utf8_lossy(&read_bytes(path, MAX_FILE)?).into_owned())
}

fn read_bytes(path: &Path, at_most: u64) -> Result<Vec<u8>, Failure> {
    let mut bytes = Vec::new();
    let opened = File::open(path).and_then(|file| file.take(at_most).read_to_end(&mut bytes));
    opened.map_err(|error| Failure::Usage(format!("{}: {error}", path.display())))?;
    Ok(bytes)
}

/// The published keys in the file.
fn key_set(jwks: &Path) -> Result<KeySet, Failure> {
    let keys = KeySet::parse(&read(jwks)?);
    keys.map_err(|reason| Failure::Usage(format!("{}: {reason}", jwks.display())))
}

/// The key ring of this installation.
async fn own_keys(config: &Config) -> Result<Keys, Failure> {
    let problem =
        |error: String| Failure::NotChecked(format!("{}: {error}", key_ring::setting(config)));
    let (clock, entropy) = (Arc::new(SystemClock::new()), Arc::new(SystemEntropy));
    let keys = match &config.key_ring {
        KeyRing::File if !Keys::exist(&config.data_dir) => None,
        KeyRing::File => Some(Keys::read(&config.data_dir, clock, entropy).map_err(problem)?),
        KeyRing::Mounted(path) => Some(Keys::mounted(path, clock, entropy).map_err(problem)?),
        KeyRing::Database(_) => {
            let store = bootstrap::open_store(config).await.map_err(Failure::NotChecked)?;
            key_ring::read(config, &store, (clock, entropy)).await.map_err(problem)?
        }
    };
    keys.ok_or_else(|| {
        let folder = config.data_dir.display();
        problem(format!("{folder} has no key ring; name the issuer's published keys with --jwks"))
    })
}

fn report(verification: &Verification, at: Timestamp) -> String {
    let verdict = match verification.valid {
        Validity::Yes => "Valid",
        Validity::No => "Not valid",
        Validity::Unknown => "Unknown",
    };
    let mut lines = vec![verdict.to_owned()];
    let reasons = verification.reasons.iter();
    lines.extend(reasons.map(|it| format!("  {}: {}", it.name(), it.message())));
    if let Some(claims) = &verification.claims {
        lines.extend(facts(claims).map(|(name, value)| line(name, &value)));
    }
    lines.push(line("Checked for", &at.to_string()));
    lines.join("\n")
}

fn line(name: &str, value: &str) -> String {
    // The terminal must show a text, never obey it.
    let plain: String = value.chars().map(|it| if it.is_control() { ' ' } else { it }).collect();
    let label = format!("{name}:");
    format!("{label:<13}{plain}")
}

fn facts(claims: &Claims) -> impl Iterator<Item = (&'static str, String)> {
    let shown = |claim: Disclosable, value: Option<String>| {
        let known = claims.disclosed.contains(&claim);
        if known { value.unwrap_or_else(|| "none".to_owned()) } else { "not disclosed".to_owned() }
    };
    let issuer = claims.as_json().get("iss").and_then(|it| it.as_str()).unwrap_or_default();
    let channels = claims.channels.as_ref().map(|it| match it.as_slice() {
        [] => "not limited".to_owned(),
        some => some.join(", "),
    });
    let fee = claims.fee.map(|it| format!("{} {} per {}", it.amount, it.currency, it.per));
    let licensee = claims.licensee.as_ref().map(|it| it.name.clone());
    let talent = claims.talent.as_ref().map(|it| it.name.clone());
    let license = claims.license.as_ref().map(|it| it.title.clone());
    [
        ("Number", claims.number.clone()),
        ("Issuer", issuer.to_owned()),
        ("Licensor", claims.licensor.name.clone()),
        ("Licensee", shown(Disclosable::Licensee, licensee)),
        ("Talent", shown(Disclosable::Talent, talent)),
        ("License", shown(Disclosable::License, license)),
        ("Uses", claims.use_names().join(", ")),
        ("Territories", claims.territory_names().join(", ")),
        ("Starts", claims.starts_at.to_string()),
        ("Ends", claims.ends_at.map_or_else(|| "no end date".to_owned(), |it| it.to_string())),
        ("Exclusive", if claims.exclusive { "yes" } else { "no" }.to_owned()),
        ("Channels", shown(Disclosable::Channels, channels)),
        ("Conditions", shown(Disclosable::Conditions, claims.conditions.clone())),
        ("Fee", shown(Disclosable::Fee, fee)),
    ]
    .into_iter()
}
