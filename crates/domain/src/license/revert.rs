//! Taking back a change of a license.

use super::record::{became, differences};
use super::{Applied, License, LicenseStatus};
use crate::Timestamp;

/// Gives a license the values that an earlier version of it had, as a new version. Its images stay as
/// they are. The moves between statuses that people can make do not apply, but what has expired since
/// stays expired.
#[must_use]
pub fn revert(license: &License, earlier: &License, now: Timestamp) -> Applied {
    let before = License { status: license.effective_status(now), ..license.clone() };
    let mut after = License {
        id: license.id,
        tenant: license.tenant,
        talent: license.talent,
        image_count: license.image_count,
        version: license.version.saturating_add(1),
        created_at: license.created_at,
        updated_at: now,
        watched_since: license.watched_since,
        watched_until: license.watched_until,
        ..earlier.clone()
    };
    after.status = after.effective_status(now);
    let changed_fields = differences(&before, &after);
    if changed_fields.is_empty() {
        let license = license.clone();
        return Applied { license, changed_fields, published: false, expired: false };
    }
    let published = became(before.status, after.status, LicenseStatus::Public);
    let expired = became(license.status, after.status, LicenseStatus::Expired);
    Applied { license: after.with_watch(now), changed_fields, published, expired }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use uuid::Uuid;

    use super::super::{FieldNames, LicenseChange, NewLicense, apply};
    use super::*;

    const NOW: Timestamp = Timestamp::from_secs(1_800_000_000);

    fn license(body: &Value) -> License {
        let mut members = json!({ "title": "T", "license_type": "voice" });
        members.as_object_mut().unwrap().extend(body.as_object().cloned().unwrap());
        let members = members.as_object().unwrap();
        let new = NewLicense::parse(members, FieldNames::EXTERNAL, NOW).unwrap();
        let id = Uuid::nil();
        new.into_license(id.into(), id.into(), id.into(), NOW)
    }

    fn changed(license: &License, body: &Value) -> License {
        let body = body.as_object().unwrap();
        let change = LicenseChange::parse(body, FieldNames::EXTERNAL).unwrap();
        apply(license, change, NOW).unwrap().license
    }

    #[test]
    fn every_value_comes_back_as_a_new_version() {
        let earlier =
            license(&json!({ "status": "private", "can_crawl": true, "uses": ["voice"] }));
        let body = json!({ "title": "U", "uses": [], "can_crawl": false, "status": "public" });
        let mut now = changed(&earlier, &body);
        now.image_count = 3;
        let reverted = revert(&now, &earlier, NOW);
        assert_eq!(reverted.changed_fields, ["title", "status", "uses", "can_crawl"]);
        let License { title, status, version, image_count, .. } = &reverted.license;
        assert_eq!((title.as_str(), *status), ("T", LicenseStatus::Private));
        assert_eq!((*version, *image_count), (3, 3));
        assert_eq!((reverted.license.uses, reverted.published), (earlier.uses, false));
        assert_eq!(reverted.license.watched_until, None, "it is watched again");
    }

    #[test]
    fn a_license_that_was_ended_by_hand_goes_on() {
        let earlier = license(&json!({ "status": "public" }));
        let ended = changed(&earlier, &json!({ "status": "expired" }));
        let reverted = revert(&ended, &earlier, NOW);
        assert_eq!(reverted.license.status, LicenseStatus::Public);
        assert!(reverted.published && !reverted.expired);
    }

    #[test]
    fn what_time_ended_stays_ended() {
        let earlier = License { expires_at: Some(NOW), ..license(&json!({ "status": "public" })) };
        let now = License { expires_at: None, version: 2, ..earlier.clone() };
        let reverted = revert(&now, &earlier, NOW);
        assert_eq!(reverted.license.status, LicenseStatus::Expired);
        assert!(reverted.expired);
    }

    #[test]
    fn nothing_to_take_back_makes_no_version() {
        let license = license(&json!({}));
        assert_eq!(revert(&license, &license, NOW).license, license);
    }
}
