//! Receipts of grants, links and certificates that show them, and the status lists that revoke them
//! (contract-2 section 23).

pub mod certificate;
pub mod share;
mod status_list;

use grantor_domain::grant::Grant;
use grantor_domain::id::GrantId;
use grantor_domain::license::LicenseType;
use grantor_domain::{Error, Result, Timestamp};
pub use grantor_receipt::{
    CertificateFonts, Claims, Disclosable, MAX_LENGTH, Reason, Validity, Verification,
};
use grantor_receipt::{
    HeldStatusList, LicenseName, NewReceipt, Party, StatusReference, TalentName, present,
};
use grantor_storage::grant::GrantRecord;

pub use self::status_list::{PublishedList, StatusLists, stored_list};
use super::grant::{self, GrantView};
use crate::App;
use crate::identity::access::TenantCaller;

/// Returns a grant to one of its parties, with its receipt, which discloses only these claims or
/// everything.
pub async fn issue(
    app: &App,
    caller: TenantCaller,
    id: GrantId,
    disclosed: Option<&[Disclosable]>,
) -> Result<(GrantView, String)> {
    let view = grant::get(app, caller, id).await?;
    let receipt = match disclosed {
        Some(disclosed) => issue_disclosing(app, &view.record, disclosed)?,
        None => issue_whole(app, &view.record)?,
    };
    Ok((view, receipt))
}

fn issue_whole(app: &App, record: &GrantRecord) -> Result<String> {
    let now = app.clock.now();
    let receipt = describe(app, record, now);
    grantor_receipt::issue(&receipt, &app.public_url, &app.keys.receipt_key(now)?, &*app.entropy)
}

/// Issues a receipt that discloses only these claims.
fn issue_disclosing(app: &App, record: &GrantRecord, disclosed: &[Disclosable]) -> Result<String> {
    let whole = issue_whole(app, record)?;
    present(&whole, disclosed)
        .map_err(|error| Error::internal(format!("cannot present a receipt: {error}")))
}

/// The URL of the page where anybody can verify a receipt.
fn verify_url(app: &App) -> String {
    format!("{}/verify", app.public_url)
}

/// Verifies a receipt of this installation. Nothing is fetched, and no account is needed.
pub async fn verify(app: &App, receipt: &str) -> Result<Verification> {
    let now = app.clock.now();
    let check = |status: Option<&HeldStatusList>| {
        grantor_receipt::verify(receipt, &*app.keys, &app.public_url, status, now)
    };
    let authentic = check(None);
    let Some(claims) = &authentic.claims else { return Ok(authentic) };
    let Some(list) = list_number(&app.public_url, &claims.status.uri) else { return Ok(authentic) };
    let Some(published) = app.status_lists.get(app, list).await? else { return Ok(authentic) };
    let held = HeldStatusList::current(claims.status.uri.clone(), published.list.clone(), now);
    Ok(check(Some(&held)))
}

/// The URL of a status list.
fn list_url(public_url: &str, list: u32) -> String {
    format!("{public_url}/status-lists/{list}")
}

fn list_number(public_url: &str, url: &str) -> Option<u32> {
    let number = url.strip_prefix(public_url)?.strip_prefix("/status-lists/")?.parse().ok()?;
    (list_url(public_url, number) == url).then_some(number)
}

fn describe(app: &App, record: &GrantRecord, now: Timestamp) -> NewReceipt {
    let Grant { terms, number, terms_hash, status_entry: (list, idx), .. } = record.grant.clone();
    let coverage = terms.coverage;
    let party = |it: &grantor_storage::request::PartyName| Party {
        id: it.id.as_uuid(),
        name: it.name.clone(),
    };
    NewReceipt {
        number: number.to_string(),
        terms_hash,
        licensor: party(&record.licensor),
        uses: coverage
            .uses
            .as_slice()
            .iter()
            .copied()
            .map(LicenseType::key)
            .map(Into::into)
            .collect(),
        territories: coverage.territories.as_slice().iter().map(ToString::to_string).collect(),
        exclusive: terms.exclusive,
        issued_at: now,
        starts_at: coverage.starts_at,
        ends_at: coverage.ends_at,
        status: StatusReference { idx, uri: list_url(&app.public_url, list) },
        license: LicenseName {
            id: record.grant.license.as_uuid(),
            title: record.license_title.clone(),
        },
        talent: TalentName {
            id: Some(record.grant.talent.as_uuid()),
            name: record.talent_name.clone(),
        },
        licensee: party(&record.licensee),
        fee: terms.fee,
        conditions: Some(terms.conditions).filter(|it| !it.is_empty()),
        channels: terms.channels,
    }
}
