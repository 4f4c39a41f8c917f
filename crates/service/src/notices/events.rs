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
use crate::mail::phrase::{MailValue, date, days, english, message, named, plain};

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
        plain("organization", &shown.owner_name),
        plain("license", license.title.as_str()),
        plain("talent", &shown.talent_name),
        named("role", "mail-role", role.name()),
        plain("link", &link),
    ];
    notify(unit, MailKind::LicenseReceived, Audience { tenant, also: None }, &values)
}

/// Tells the owner of a license that it expires soon.
pub(crate) fn license_expiring(
    unit: &mut UnitOfWork<'_, '_>,
    shown: &LicenseRecord,
    left: u64,
    end: Timestamp,
) -> Result<()> {
    let license = &shown.license;
    let link = format!("{}/app/licenses/{}", unit.app.public_url, license.id);
    let values = [
        plain("license", license.title.as_str()),
        plain("talent", &shown.talent_name),
        days("time", left),
        date("date", end),
        plain("link", &link),
    ];
    let audience = Audience { tenant: license.tenant, also: None };
    notify(unit, MailKind::LicenseExpiring, audience, &values)
}

/// Tells a tenant that one of its API clients expires soon.
pub(crate) fn client_expiring(
    unit: &mut UnitOfWork<'_, '_>,
    client: &Client,
    left: u16,
) -> Result<()> {
    let link = format!("{}/app/clients/{}", unit.app.public_url, client.id);
    let ends = client.expires_at.map_or_else(|| plain("date", ""), |it| date("date", it));
    let values =
        [plain("client", &client.name), days("time", left.into()), ends, plain("link", &link)];
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
    let values = [
        plain("url", &webhook.url),
        plain("host", host(&webhook.url)),
        date("date", since),
        plain("link", &link),
    ];
    let audience = Audience { tenant: webhook.tenant, also: Some(webhook.user) };
    notify(unit, MailKind::WebhookFailing, audience, &values)
}

/// Tells a tenant that a webhook was disabled. The reason is the key of a message.
pub(crate) fn webhook_disabled(
    unit: &mut UnitOfWork<'_, '_>,
    webhook: &Webhook,
    reason: &'static str,
) -> Result<()> {
    let link = format!("{}/app/webhooks/{}", unit.app.public_url, webhook.id);
    let values = [
        plain("url", &webhook.url),
        plain("host", host(&webhook.url)),
        message("reason", reason),
        plain("link", &link),
    ];
    let audience = Audience { tenant: webhook.tenant, also: Some(webhook.user) };
    notify(unit, MailKind::WebhookDisabled, audience, &values)
}

/// Tells a tenant that a chat address was disabled. The reason is the key of a message.
pub(crate) fn chat_disabled(
    unit: &mut UnitOfWork<'_, '_>,
    address: &ChatAddress,
    reason: &'static str,
) -> Result<()> {
    let link = format!("{}/app/organization/chat", unit.app.public_url);
    let values =
        [plain("chat", address.name.as_str()), message("reason", reason), plain("link", &link)];
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
    let values = [
        plain("source", source.name.as_str()),
        plain("url", &source.url),
        date("date", since),
        error_of(last_run.as_ref()),
        plain("link", &link),
    ];
    let audience = Audience { tenant: source.tenant, also: Some(source.created_by) };
    notify(unit, MailKind::SourceFailing, audience, &values)
}

/// Tells an organization that a platform's domain was verified.
pub(crate) fn platform_verified(unit: &mut UnitOfWork<'_, '_>, platform: &Platform) -> Result<()> {
    let link = format!("{}/app/platforms/{}", unit.app.public_url, platform.id);
    let values = [
        plain("platform", platform.name.as_str()),
        plain("domain", platform.domain.as_str()),
        plain("link", &link),
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
    let values = [plain("platform", name), plain("link", &link)];
    notify(unit, MailKind::ScannerStopped, Audience { tenant, also: None }, &values)
}

/// Tells staff that a platform waits for a scanner.
pub(crate) fn platform_waits(unit: &mut UnitOfWork<'_, '_>, platform: &Platform) -> Result<()> {
    let owner = tenant::find(unit.tx, platform.tenant)?.map(|it| it.name).unwrap_or_default();
    let link = format!("{}{}", unit.app.public_url, new_scanner(platform.id));
    let values = [
        plain("organization", &owner),
        plain("platform", platform.name.as_str()),
        plain("domain", platform.domain.as_str()),
        plain("link", &link),
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

/// The host of a URL.
pub(super) fn host(url: &str) -> &str {
    url.split('/').nth(2).unwrap_or(url)
}

/// Why a source was not readable, without its address, which the notice names anyway.
fn error_of(run: Option<&FeedRun>) -> MailValue<'_> {
    let Some(reason) = run.and_then(|it| it.reason.as_deref()) else {
        return message("error", "mail-error-unfinished");
    };
    let bare = reason.split_once(": ").filter(|(address, _)| !address.contains(' '));
    english("error", bare.map_or(reason, |(_, error)| error).trim_end_matches('.'))
}
