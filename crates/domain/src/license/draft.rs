//! A new license as its creator describes it.

use serde_json::{Map, Value};

use super::field_names::{FieldNames, Member};
use super::record::check_dates;
use super::{
    Description, ExternalId, License, LicenseChange, LicenseFee, LicenseStatus, LicenseType, Terms,
    Territories, Title, Uses,
};
use crate::Timestamp;
use crate::error::{Error, Fields, Result};
use crate::id::{LicenseId, TalentId, TenantId};

/// All fields of a new license except its owner.
#[derive(Clone, Debug, PartialEq)]
pub struct NewLicense {
    /// The owner's own ID for the license.
    pub external_id: Option<ExternalId>,
    /// The title.
    pub title: Title,
    /// The description.
    pub description: Description,
    /// The initial status; defaults to draft.
    pub status: LicenseStatus,
    /// The type.
    pub license_type: LicenseType,
    /// The allowed uses.
    pub uses: Uses,
    /// The territories.
    pub territories: Territories,
    /// The fee.
    pub fee: Option<LicenseFee>,
    /// Whether platforms are watched for uses of the likeness; defaults to false.
    pub can_crawl: bool,
    /// Free-form terms.
    pub terms: Terms,
    /// When the license becomes valid.
    pub valid_from: Option<Timestamp>,
    /// When the license expires.
    pub expires_at: Option<Timestamp>,
    /// The names of unknown and read-only members.
    pub ignored: Vec<String>,
}

impl NewLicense {
    /// Parses the members of a request body; the error names every invalid or missing one.
    pub fn parse(
        members: &Map<String, Value>,
        names: &'static FieldNames,
        now: Timestamp,
    ) -> Result<Self> {
        let mut fields = Fields::default();
        let given = LicenseChange::read(members, names, &mut fields);
        for (member, lacks) in [
            (Member::Title, given.title.is_none()),
            (Member::LicenseType, given.license_type.is_none()),
        ] {
            if lacks {
                fields.add(names.of(member), "is required");
            }
        }
        let status = given.status.unwrap_or_default();
        fields.take(names.of(Member::Status), status.as_first());
        let fee = given.fee.over(None, names, &mut fields);
        let (valid_from, expires_at) = (given.valid_from.over(None), given.expires_at.over(None));
        let expiry = names.of(Member::ExpiresAt);
        fields.take(expiry, check_dates(valid_from, expires_at, Member::ExpiresAt));
        if status.is_live() && expires_at.is_some_and(|at| at <= now) {
            fields.add(expiry, "must be in the future unless the license is a draft");
        }
        fields.finish()?;
        let (Some(title), Some(license_type)) = (given.title, given.license_type) else {
            return Err(Error::validation("The license is not valid"));
        };
        Ok(Self {
            external_id: given.external_id.over(None),
            title,
            description: given.description.unwrap_or_default(),
            status,
            license_type,
            uses: given.uses.unwrap_or_default(),
            territories: given.territories.unwrap_or_default(),
            fee,
            can_crawl: given.can_crawl.unwrap_or_default(),
            terms: given.terms.unwrap_or_default(),
            valid_from,
            expires_at,
            ignored: given.ignored,
        })
    }

    /// A draft with the content of another license. It has no external ID, since that is unique, and
    /// no dates that are over.
    #[must_use]
    pub fn copy_of(license: &License, now: Timestamp) -> Self {
        const SUFFIX: &str = " (copy)";
        let kept = Title::RULE.max - SUFFIX.len();
        let title: String = license.title.as_str().chars().take(kept).collect();
        let title = Title::parse(&format!("{}{SUFFIX}", title.trim_end()));
        let over = license.expires_at.is_some_and(|it| it <= now);
        Self {
            external_id: None,
            title: title.unwrap_or_else(|_| license.title.clone()),
            description: license.description.clone(),
            status: LicenseStatus::Draft,
            license_type: license.license_type,
            uses: license.uses.clone(),
            territories: license.territories.clone(),
            fee: license.fee,
            can_crawl: license.can_crawl,
            terms: license.terms.clone(),
            valid_from: license.valid_from.filter(|_| !over),
            expires_at: license.expires_at.filter(|_| !over),
            ignored: Vec::new(),
        }
    }

    /// Creates the first version of the license, without images.
    #[must_use]
    pub fn into_license(
        self,
        id: LicenseId,
        tenant: TenantId,
        talent: TalentId,
        now: Timestamp,
    ) -> License {
        License {
            id,
            tenant,
            talent,
            external_id: self.external_id,
            title: self.title,
            description: self.description,
            status: self.status,
            license_type: self.license_type,
            uses: self.uses,
            territories: self.territories,
            fee: self.fee,
            can_crawl: self.can_crawl,
            terms: self.terms,
            valid_from: self.valid_from,
            expires_at: self.expires_at,
            image_count: 0,
            version: 1,
            created_at: now,
            updated_at: now,
            watched_since: None,
            watched_until: None,
        }
        .with_watch(now)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::FeePer;
    use super::*;

    const NOW: Timestamp = Timestamp::from_secs(1_800_000_000);

    fn parse(body: &Value) -> Result<NewLicense> {
        NewLicense::parse(body.as_object().unwrap(), FieldNames::CONSOLE, NOW)
    }

    fn errors(body: &Value) -> Vec<String> {
        let error = parse(body).unwrap_err();
        error.fields().iter().map(|(name, text)| format!("{name} {text}")).collect()
    }

    #[test]
    fn a_title_and_a_type_make_a_draft() {
        let new = parse(&json!({ "name": "T", "type": "custom", "images": [] })).unwrap();
        assert_eq!((new.status, new.can_crawl, new.fee), (LicenseStatus::Draft, false, None));
        assert_eq!(new.ignored, ["images"]);
        let license = new.into_license(
            uuid::Uuid::nil().into(),
            uuid::Uuid::nil().into(),
            uuid::Uuid::nil().into(),
            NOW,
        );
        assert_eq!((license.version, license.image_count, license.created_at), (1, 0, NOW));
    }

    #[test]
    fn what_lacks_is_named_in_the_callers_words() {
        assert_eq!(errors(&json!({})), ["name is required", "type is required"]);
        assert_eq!(
            errors(&json!({ "name": "", "type": "voice", "appearanceFee": 5 })),
            [
                "currency is required for a fee",
                "feePer is required for a fee",
                "name must be 1 to 200 characters",
            ]
        );
    }

    #[test]
    fn nothing_is_paid_in_no_currency() {
        for amount in [json!(0), json!("0.00")] {
            let body = json!({ "name": "T", "type": "voice", "appearanceFee": amount });
            assert_eq!(parse(&body).unwrap().fee, Some(LicenseFee::FREE));
        }
        let body = json!({ "name": "T", "type": "voice", "appearanceFee": 0, "currency": "EUR" });
        let fee = parse(&body).unwrap().fee.unwrap();
        assert_eq!((fee.currency.as_str(), fee.per), ("EUR", FeePer::Use));
    }

    #[test]
    fn a_copy_is_a_draft_of_its_own() {
        let body = json!({
            "name": "x".repeat(200), "type": "voice", "status": "public", "externalId": "W-1",
            "validFrom": "2026-01-01T00:00:00Z", "expiresAt": "2030-01-01T00:00:00Z",
        });
        let id = uuid::Uuid::nil();
        let license = parse(&body).unwrap().into_license(id.into(), id.into(), id.into(), NOW);
        let copy = NewLicense::copy_of(&license, NOW);
        assert_eq!(copy.title.as_str(), format!("{} (copy)", "x".repeat(193)));
        assert_eq!((copy.status, copy.external_id), (LicenseStatus::Draft, None));
        assert_eq!((copy.valid_from, copy.expires_at), (license.valid_from, license.expires_at));
        let late = Timestamp::parse("2030-01-01T00:00:00Z").unwrap();
        let copy = NewLicense::copy_of(&license, late);
        assert_eq!((copy.valid_from, copy.expires_at), (None, None));
    }

    #[test]
    fn no_license_begins_expired() {
        let body = |status: &str, expires_at: Timestamp| json!({ "name": "T", "type": "voice", "status": status, "expiresAt": expires_at });
        let past = Timestamp::from_secs(0);
        assert!(parse(&body("draft", past)).is_ok());
        for status in ["private", "public"] {
            assert_eq!(
                errors(&body(status, NOW)),
                ["expiresAt must be in the future unless the license is a draft"]
            );
        }
        assert_eq!(
            errors(&body("expired", past)),
            ["status must be one of draft, private, public"]
        );
        let dates = json!({ "name": "T", "type": "voice", "validFrom": NOW, "expiresAt": NOW });
        assert_eq!(errors(&dates), ["expiresAt must be after the license becomes valid"]);
    }
}
