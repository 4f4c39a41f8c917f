//! What people are told about, one function for each kind of event. Requests, offers and grants are
//! in `licensing/notice.rs`.

use std::time::Duration;

use grantor_domain::id::{PlatformId, TenantId};
use grantor_domain::notice::{ChatAddress, NoticeKind};
use grantor_domain::permission::PermissionRole;
use grantor_domain::platform::Platform;
use grantor_domain::source::FeedRun;
use grantor_domain::template::MailKind;
use grantor_domain::webhook::Webhook;
use grantor_domain::{Result, Timestamp};
use grantor_storage::client::Client;
use grantor_storage::license::LicenseRecord;
use grantor_storage::notice::{self, pending};
use grantor_storage::source::ListedSource;
use grantor_storage::tenant;

use super::tell_staff;
use crate::act::UnitOfWork;
use crate::mail::notify::{Audience, notify};

/// How long a source must fail before its tenant is told.
const SOURCE_PATIENCE: Duration = Duration::from_hours(24);

/// Tells an organization that a license was shared with it.
pub(crate) fn license_shared(
    unit: &mut UnitOfWork<'_, '_>,
    shown: &LicenseRecord,
    tenant: TenantId,
    role: PermissionRole,
) -> Result<()> {
    let license = &shown.license;
    let link = format!("{}/app/licenses/{}", unit.app.public_url, license.id);
    let values = [
        ("organization", &*shown.owner_name),
        ("license", license.title.as_str()),
        ("talent", &*shown.talent_name),
        ("role", role.name()),
        ("link", &*link),
    ];
    notify(unit, MailKind::LicenseReceived, Audience { tenant, also: None }, &values)
}

/// Tells the owner of a license that it expires soon.
pub(crate) fn license_expiring(
    unit: &mut UnitOfWork<'_, '_>,
    shown: &LicenseRecord,
    days: u64,
    end: Timestamp,
) -> Result<()> {
    let license = &shown.license;
    let link = format!("{}/app/licenses/{}", unit.app.public_url, license.id);
    let (time, ends) = (in_days(days), end.date());
    let values = [
        ("license", license.title.as_str()),
        ("talent", &*shown.talent_name),
        ("time", &*time),
        ("date", &*ends),
        ("link", &*link),
    ];
    let audience = Audience { tenant: license.tenant, also: None };
    notify(unit, MailKind::LicenseExpiring, audience, &values)
}

/// Tells a tenant that one of its API clients expires soon.
pub(crate) fn client_expiring(
    unit: &mut UnitOfWork<'_, '_>,
    client: &Client,
    days: u16,
) -> Result<()> {
    let link = format!("{}/app/clients/{}", unit.app.public_url, client.id);
    let (time, ends) =
        (in_days(days.into()), client.expires_at.map(Timestamp::date).unwrap_or_default());
    let values = [("client", &*client.name), ("time", &*time), ("date", &*ends), ("link", &*link)];
    let audience = Audience { tenant: client.tenant, also: Some(client.user) };
    notify(unit, MailKind::ClientExpiring, audience, &values)
}

/// Tells a tenant that deliveries to a webhook fail.
pub(crate) fn webhook_failing(
    unit: &mut UnitOfWork<'_, '_>,
    webhook: &Webhook,
    since: Timestamp,
) -> Result<()> {
    let link = format!("{}/app/webhooks/{}", unit.app.public_url, webhook.id);
    let since = since.date();
    let values =
        [("url", &*webhook.url), ("host", host(&webhook.url)), ("date", &*since), ("link", &*link)];
    let audience = Audience { tenant: webhook.tenant, also: Some(webhook.user) };
    notify(unit, MailKind::WebhookFailing, audience, &values)
}

/// Tells a tenant that a webhook was disabled.
pub(crate) fn webhook_disabled(
    unit: &mut UnitOfWork<'_, '_>,
    webhook: &Webhook,
    reason: &str,
) -> Result<()> {
    let link = format!("{}/app/webhooks/{}", unit.app.public_url, webhook.id);
    let values = [
        ("url", &*webhook.url),
        ("host", host(&webhook.url)),
        ("reason", reason),
        ("link", &*link),
    ];
    let audience = Audience { tenant: webhook.tenant, also: Some(webhook.user) };
    notify(unit, MailKind::WebhookDisabled, audience, &values)
}

/// Tells a tenant that a chat address was disabled.
pub(crate) fn chat_disabled(
    unit: &mut UnitOfWork<'_, '_>,
    address: &ChatAddress,
    reason: &str,
) -> Result<()> {
    let link = format!("{}/app/organization/chat", unit.app.public_url);
    let values = [("chat", address.name.as_str()), ("reason", reason), ("link", &*link)];
    let audience = Audience { tenant: address.tenant, also: None };
    notify(unit, MailKind::ChatDisabled, audience, &values)
}

/// Tells a tenant that a source has not been readable for a day, once. May be called after every
/// failure.
pub(crate) fn source_failing(unit: &mut UnitOfWork<'_, '_>, listed: &ListedSource) -> Result<()> {
    let ListedSource { source, feed, last_run, .. } = listed;
    let Some(since) = feed.failing_since else { return Ok(()) };
    let kind = NoticeKind::SourceFailing;
    if unit.now.since(since) < SOURCE_PATIENCE
        || !notice::tell_once(unit.tx, source.id.as_uuid(), kind, since, unit.now)?
    {
        return Ok(());
    }
    let link = format!("{}/app/sources/{}", unit.app.public_url, source.id);
    let since = since.date();
    let values = [
        ("source", source.name.as_str()),
        ("url", &*source.url),
        ("date", &*since),
        ("error", error_of(last_run.as_ref())),
        ("link", &*link),
    ];
    let audience = Audience { tenant: source.tenant, also: Some(source.created_by) };
    notify(unit, MailKind::SourceFailing, audience, &values)
}

/// Tells an organization that a platform's domain was verified.
pub(crate) fn platform_verified(unit: &mut UnitOfWork<'_, '_>, platform: &Platform) -> Result<()> {
    let link = format!("{}/app/platforms/{}", unit.app.public_url, platform.id);
    let values = [
        ("platform", platform.name.as_str()),
        ("domain", platform.domain.as_str()),
        ("link", &*link),
    ];
    let audience = Audience { tenant: platform.tenant, also: None };
    notify(unit, MailKind::PlatformVerified, audience, &values)
}

/// Tells an organization that staff stopped the scanner of one of its platforms.
pub(crate) fn scanner_stopped(
    unit: &mut UnitOfWork<'_, '_>,
    tenant: TenantId,
    platform: PlatformId,
    name: &str,
) -> Result<()> {
    let link = format!("{}/app/platforms/{platform}", unit.app.public_url);
    let values = [("platform", name), ("link", &*link)];
    notify(unit, MailKind::ScannerStopped, Audience { tenant, also: None }, &values)
}

/// Tells staff that a platform waits for a scanner.
pub(crate) fn platform_waits(unit: &mut UnitOfWork<'_, '_>, platform: &Platform) -> Result<()> {
    let owner = tenant::find(unit.tx, platform.tenant)?.map(|it| it.name).unwrap_or_default();
    let link = format!("{}{}", unit.app.public_url, new_scanner(platform.id));
    let values = [
        ("organization", &*owner),
        ("platform", platform.name.as_str()),
        ("domain", platform.domain.as_str()),
        ("link", &*link),
    ];
    tell_staff(unit, NoticeKind::PlatformWaiting, MailKind::PlatformWaiting, &values)
}

/// Settles what staff were told about a platform that waited for a scanner, because it has one now.
pub(crate) fn scanner_created(unit: &mut UnitOfWork<'_, '_>, platform: PlatformId) -> Result<()> {
    pending::settle(unit.tx, NoticeKind::PlatformWaiting, &new_scanner(platform), unit.now)?;
    Ok(())
}

/// The page on which staff create the scanner of a platform.
fn new_scanner(platform: PlatformId) -> String {
    format!("/app/admin/pods/new?platform={platform}")
}

fn in_days(days: u64) -> String {
    if days == 1 { "1 day".to_owned() } else { format!("{days} days") }
}

/// The host of a URL.
pub(super) fn host(url: &str) -> &str {
    url.split('/').nth(2).unwrap_or(url)
}

/// Why a source was not readable, without its address, which the notice names anyway.
fn error_of(run: Option<&FeedRun>) -> &str {
    let reason = run.and_then(|it| it.reason.as_deref()).unwrap_or("the scan did not finish");
    let bare = reason.split_once(": ").filter(|(address, _)| !address.contains(' '));
    bare.map_or(reason, |(_, error)| error).trim_end_matches('.')
}
