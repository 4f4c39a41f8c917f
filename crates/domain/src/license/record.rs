//! A stored license and the rules for changing it.

use super::field_names::Member;
use super::{
    Description, ExternalId, LicenseChange, LicenseFee, LicenseStatus, LicenseType, Terms,
    Territories, Title, Uses, change, effective,
};
use crate::Timestamp;
use crate::error::{Fields, Result};
use crate::id::{LicenseId, TalentId, TenantId};

/// The rights holder's record of what may be done with a talent's likeness.
#[derive(Clone, Debug, PartialEq)]
pub struct License {
    /// The unique ID.
    pub id: LicenseId,
    /// The tenant that owns it.
    pub tenant: TenantId,
    /// The talent whose likeness it covers.
    pub talent: TalentId,
    /// The owner's own ID for the license.
    pub external_id: Option<ExternalId>,
    /// The title.
    pub title: Title,
    /// The description.
    pub description: Description,
    /// The stored status; see `effective_status` for the current one.
    pub status: LicenseStatus,
    /// The type.
    pub license_type: LicenseType,
    /// The allowed uses.
    pub uses: Uses,
    /// The territories.
    pub territories: Territories,
    /// The fee.
    pub fee: Option<LicenseFee>,
    /// Whether platforms are watched for uses of the likeness.
    pub can_crawl: bool,
    /// Free-form terms.
    pub terms: Terms,
    /// When it becomes valid.
    pub valid_from: Option<Timestamp>,
    /// When it expires (exclusive).
    pub expires_at: Option<Timestamp>,
    /// The number of reference images.
    pub image_count: u32,
    /// Incremented by every change.
    pub version: u32,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
    /// When watching first started, if ever.
    pub watched_since: Option<Timestamp>,
    /// When watching ended or will end; `None` while no end is known.
    pub watched_until: Option<Timestamp>,
}

impl License {
    /// The current status, which takes the expiry date into account.
    #[must_use]
    pub fn effective_status(&self, now: Timestamp) -> LicenseStatus {
        effective(self.status, self.expires_at, now)
    }

    /// Whether `now` is between the start and end date.
    #[must_use]
    pub fn in_force(&self, now: Timestamp) -> bool {
        self.valid_from.is_none_or(|from| from <= now)
            && self.expires_at.is_none_or(|end| now < end)
    }

    /// Whether platforms are watched for the talent now (contract section 7).
    #[must_use]
    pub fn is_watched(&self, now: Timestamp) -> bool {
        let status = self.effective_status(now);
        self.can_crawl && matches!(status, LicenseStatus::Private | LicenseStatus::Public)
    }

    /// Updates the watch period after a change. A license that is no longer watched keeps the
    /// mentions found until then; one that is watched again continues from its original start.
    #[must_use]
    pub(super) fn with_watch(mut self, now: Timestamp) -> Self {
        if self.is_watched(now) {
            self.watched_since.get_or_insert(now);
            self.watched_until = self.expires_at;
        } else if self.watched_since.is_some() {
            self.watched_until = Some(self.watched_until.map_or(now, |end| end.min(now)));
        }
        self
    }
}

/// The result of a change.
#[derive(Clone, Debug, PartialEq)]
pub struct Applied {
    /// The license after the change; unchanged, with the same version, if nothing differs.
    pub license: License,
    /// The changed fields, by their names in the external API, which events use.
    pub changed_fields: Vec<&'static str>,
    /// Whether it became public.
    pub published: bool,
    /// Whether to send `license.expired`: the license expired by this change, or earlier without an
    /// event.
    pub expired: bool,
}

/// Applies a change. An expired license stays expired until a change sets another status, whether
/// or not the expiry has already been stored.
pub fn apply(license: &License, requested: LicenseChange, now: Timestamp) -> Result<Applied> {
    let before = License { status: license.effective_status(now), ..license.clone() };
    let next = requested.status;
    let mut after = merge(&before, requested)?;
    if let Some(next) = next {
        after.status = change(before.status, next, after.expires_at, now)?;
    }
    after.status = after.effective_status(now);
    let mut changed_fields = differences(&before, &after);
    if changed_fields.is_empty() {
        let license = license.clone();
        return Ok(Applied { license, changed_fields, published: false, expired: false });
    }
    let expired = became(license.status, after.status, LicenseStatus::Expired);
    if expired && !changed_fields.contains(&"status") {
        changed_fields.push("status");
    }
    after.version = license.version.saturating_add(1);
    after.updated_at = now;
    let published = became(before.status, after.status, LicenseStatus::Public);
    Ok(Applied { license: after.with_watch(now), changed_fields, published, expired })
}

pub(super) fn became(before: LicenseStatus, after: LicenseStatus, this: LicenseStatus) -> bool {
    before != this && after == this
}

/// Applies everything except the status, which has its own rules.
fn merge(before: &License, requested: LicenseChange) -> Result<License> {
    let mut fields = Fields::default();
    let mut after = before.clone();
    let names = requested.names;
    let dates = requested.valid_from.is_given() || requested.expires_at.is_given();
    let expires = requested.expires_at.is_given();
    let blamed = if expires { Member::ExpiresAt } else { Member::ValidFrom };
    after.external_id = requested.external_id.over(after.external_id);
    after.fee = requested.fee.over(after.fee, names, &mut fields);
    after.valid_from = requested.valid_from.over(after.valid_from);
    after.expires_at = requested.expires_at.over(after.expires_at);
    after.title = requested.title.unwrap_or(after.title);
    after.description = requested.description.unwrap_or(after.description);
    after.license_type = requested.license_type.unwrap_or(after.license_type);
    after.uses = requested.uses.unwrap_or(after.uses);
    after.territories = requested.territories.unwrap_or(after.territories);
    after.can_crawl = requested.can_crawl.unwrap_or(after.can_crawl);
    after.terms = requested.terms.unwrap_or(after.terms);
    if dates {
        let checked = check_dates(after.valid_from, after.expires_at, blamed);
        fields.take(names.of(blamed), checked);
    }
    fields.finish()?;
    Ok(after)
}

/// Checks that a license ends after it starts. The message is worded for the member it is reported
/// under.
pub(super) fn check_dates(
    valid_from: Option<Timestamp>,
    expires_at: Option<Timestamp>,
    blamed: Member,
) -> Result<(), &'static str> {
    match (valid_from, expires_at) {
        (Some(from), Some(until)) if until <= from => match blamed {
            Member::ValidFrom => Err("must be before the license expires"),
            _ => Err("must be after the license becomes valid"),
        },
        _ => Ok(()),
    }
}

pub(super) fn differences(one: &License, other: &License) -> Vec<&'static str> {
    let table = [
        ("external_id", one.external_id != other.external_id),
        ("title", one.title != other.title),
        ("description", one.description != other.description),
        ("status", one.status != other.status),
        ("license_type", one.license_type != other.license_type),
        ("uses", one.uses != other.uses),
        ("territories", one.territories != other.territories),
        ("fee", one.fee != other.fee),
        ("can_crawl", one.can_crawl != other.can_crawl),
        ("terms", one.terms != other.terms),
        ("valid_from", one.valid_from != other.valid_from),
        ("expires_at", one.expires_at != other.expires_at),
    ];
    table.into_iter().filter(|(_, differs)| *differs).map(|(name, _)| name).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use uuid::Uuid;

    use super::super::{FieldNames, NewLicense};
    use super::*;
    use crate::ErrorKind;

    const NOW: Timestamp = Timestamp::from_secs(1_800_000_000);
    const PAST: &str = "2026-01-01T00:00:00Z";
    const FUTURE: &str = "2030-01-01T00:00:00Z";

    /// A license with these members, created an hour ago.
    fn license(body: &Value) -> License {
        let made = Timestamp::from_secs(NOW.as_secs() - 3_600);
        let mut members = json!({ "title": "T", "license_type": "voice" });
        members.as_object_mut().unwrap().extend(body.as_object().cloned().unwrap());
        let new =
            NewLicense::parse(members.as_object().unwrap(), FieldNames::EXTERNAL, made).unwrap();
        let id = Uuid::nil();
        new.into_license(id.into(), id.into(), id.into(), made)
    }

    /// A public license that has just expired, but is still stored as public.
    fn lapsed() -> License {
        License { expires_at: Some(NOW), ..license(&json!({ "status": "public" })) }
    }

    fn ask(license: &License, body: &Value) -> Result<Applied> {
        let requested =
            LicenseChange::parse(body.as_object().unwrap(), FieldNames::EXTERNAL).unwrap();
        apply(license, requested, NOW)
    }

    fn ask_console(license: &License, body: &Value) -> Result<Applied> {
        let requested =
            LicenseChange::parse(body.as_object().unwrap(), FieldNames::CONSOLE).unwrap();
        apply(license, requested, NOW)
    }

    #[test]
    fn a_change_raises_the_version_and_names_what_is_different() {
        let before = license(&json!({}));
        let body = json!({ "title": "U", "uses": [], "can_crawl": true, "status": "public" });
        let applied = ask(&before, &body).unwrap();
        assert_eq!(applied.changed_fields, ["title", "status", "can_crawl"]);
        assert_eq!((applied.license.version, applied.license.updated_at), (2, NOW));
        assert_eq!((applied.published, applied.expired), (true, false));
    }

    #[test]
    fn what_changes_nothing_leaves_no_trace() {
        for before in [license(&json!({ "status": "private" })), lapsed()] {
            for body in [json!({}), json!({ "title": " T ", "fee": null, "uses": [] })] {
                let applied = ask(&before, &body).unwrap();
                assert_eq!((&applied.license, applied.changed_fields.len()), (&before, 0));
                assert!(!applied.published && !applied.expired);
            }
        }
        let again = ask(&license(&json!({ "status": "public" })), &json!({ "status": "public" }));
        assert_eq!(again.unwrap().license.version, 1);
    }

    #[test]
    fn a_status_is_judged_with_the_expiry_of_the_same_change() {
        let refused = ask(&lapsed(), &json!({ "status": "public" })).unwrap_err();
        assert_eq!(refused.kind(), &ErrorKind::Conflict);
        for expiry in [json!(null), json!(FUTURE)] {
            let body = json!({ "status": "public", "expires_at": expiry });
            let applied = ask(&lapsed(), &body).unwrap();
            assert_eq!(applied.license.status, LicenseStatus::Public);
            assert_eq!(applied.changed_fields, ["status", "expires_at"]);
            assert_eq!((applied.published, applied.expired), (true, false));
        }
    }

    #[test]
    fn a_lapsed_license_stays_so_until_a_status_is_named() {
        let applied = ask(&lapsed(), &json!({ "expires_at": FUTURE })).unwrap();
        assert_eq!(applied.license.status, LicenseStatus::Expired);
        assert_eq!(applied.changed_fields, ["expires_at", "status"]);
        assert!(applied.expired, "nobody has told it yet");
        let told = License { status: LicenseStatus::Expired, ..lapsed() };
        let applied = ask(&told, &json!({ "expires_at": FUTURE })).unwrap();
        assert_eq!(applied.changed_fields, ["expires_at"]);
        assert!(!applied.expired);
    }

    #[test]
    fn a_license_ends_by_hand_or_by_a_past_expiry() {
        let before = license(&json!({ "status": "private" }));
        for body in [json!({ "status": "expired" }), json!({ "expires_at": PAST })] {
            let applied = ask(&before, &body).unwrap();
            assert_eq!(applied.license.status, LicenseStatus::Expired);
            assert!(applied.expired && applied.changed_fields.contains(&"status"));
        }
        let draft = ask(&license(&json!({})), &json!({ "expires_at": PAST })).unwrap();
        assert_eq!((draft.license.status, draft.expired), (LicenseStatus::Draft, false));
    }

    /// The watch period, in seconds relative to now.
    fn watch(license: &License) -> (Option<i64>, Option<i64>) {
        let relative = |at: Timestamp| at.as_secs() - NOW.as_secs();
        (license.watched_since.map(relative), license.watched_until.map(relative))
    }

    #[test]
    fn a_license_is_watched_from_its_first_day_to_its_last() {
        let soon = Timestamp::from_secs(NOW.as_secs() + 60);
        let draft = license(&json!({ "can_crawl": true }));
        assert_eq!(watch(&draft), (None, None), "a draft is not");
        let watched = license(&json!({ "status": "private", "can_crawl": true }));
        assert_eq!(watch(&watched), (Some(-3_600), None));
        let begun = ask(&draft, &json!({ "status": "public" })).unwrap().license;
        assert_eq!(watch(&begun), (Some(0), None));
        let ends = ask(&watched, &json!({ "expires_at": soon.to_string() })).unwrap().license;
        assert_eq!(watch(&ends), (Some(-3_600), Some(60)));
        for body in [json!({ "can_crawl": false }), json!({ "expires_at": PAST })] {
            let off = ask(&ends, &body).unwrap().license;
            assert_eq!(watch(&off), (Some(-3_600), Some(0)), "{body}");
        }
    }

    #[test]
    fn a_watch_that_ended_goes_on_from_its_first_day() {
        let first = NOW.minus(std::time::Duration::from_hours(2));
        let end = Some(NOW.minus(std::time::Duration::from_hours(1)));
        let ended = License {
            watched_since: Some(first),
            watched_until: end,
            expires_at: end,
            ..license(&json!({ "status": "private", "can_crawl": true }))
        };
        let renamed = ask(&ended, &json!({ "title": "U" })).unwrap().license;
        assert_eq!(watch(&renamed), (Some(-7_200), Some(-3_600)), "time had ended it");
        let body = json!({ "status": "private", "expires_at": null });
        assert_eq!(watch(&ask(&renamed, &body).unwrap().license), (Some(-7_200), None));
    }

    #[test]
    fn a_license_is_valid_before_it_expires() {
        let before = license(&json!({ "expires_at": FUTURE }));
        let error = ask_console(&before, &json!({ "validFrom": FUTURE })).unwrap_err();
        assert_eq!(error.fields()["validFrom"], "must be before the license expires");
        let body = json!({ "valid_from": FUTURE, "expires_at": PAST });
        let error = ask(&before, &body).unwrap_err();
        assert_eq!(error.fields()["expires_at"], "must be after the license becomes valid");
        assert!(ask(&before, &json!({ "valid_from": PAST })).is_ok());
        assert!(ask(&before, &json!({ "valid_from": FUTURE, "expires_at": null })).is_ok());
    }

    #[test]
    fn the_console_changes_a_fee_part_by_part() {
        let fee = json!({ "amount": "5", "currency": "EUR", "per": "use" });
        let before = license(&json!({ "fee": fee }));
        let fee = |body| ask_console(&before, &body).unwrap().license.fee.map(|it| json!(it));
        assert_eq!(
            fee(json!({ "appearanceFee": 7.5, "feePer": "day" })),
            Some(json!({ "amount": "7.50", "currency": "EUR", "per": "day" }))
        );
        assert_eq!(fee(json!({ "appearanceFee": null })), None);
        assert_eq!(fee(json!({ "appearanceFee": null, "currency": null, "feePer": null })), None);
        let error = ask_console(&before, &json!({ "currency": null })).unwrap_err();
        assert_eq!(error.fields()["currency"], "is required for a fee");
        let free = license(&json!({}));
        let error = ask_console(&free, &json!({ "currency": "USD" })).unwrap_err();
        assert_eq!(error.fields().keys().collect::<Vec<_>>(), ["appearanceFee", "feePer"]);
    }
}
