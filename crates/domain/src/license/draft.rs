//! A license as whoever makes it describes it.

use serde_json::{Map, Value};

use super::names::{Member, Names};
use super::record::check_dates;
use super::{
    Description, ExternalId, License, LicenseChange, LicenseFee, LicenseStatus, LicenseType, Terms,
    Territories, Title, Uses,
};
use crate::Timestamp;
use crate::error::{Error, Fields, Result};
use crate::id::{LicenseId, TalentId, TenantId};

/// All that is needed for a license but whose it is.
#[derive(Clone, Debug, PartialEq)]
pub struct NewLicense {
    /// The owner's own name for it.
    pub external_id: Option<ExternalId>,
    /// What it is called.
    pub title: Title,
    /// What it says of itself.
    pub description: Description,
    /// What it begins as; a draft when nothing is said.
    pub status: LicenseStatus,
    /// What it is for.
    pub license_type: LicenseType,
    /// What may be done.
    pub uses: Uses,
    /// Where it holds.
    pub territories: Territories,
    /// What it costs.
    pub fee: Option<LicenseFee>,
    /// Whether platforms may be searched for it; not without the owner's word.
    pub can_crawl: bool,
    /// What only its readers understand.
    pub terms: Terms,
    /// From when it holds.
    pub valid_from: Option<Timestamp>,
    /// Until when it holds.
    pub expires_at: Option<Timestamp>,
    /// The names of members that nobody can write.
    pub ignored: Vec<String>,
}

impl NewLicense {
    /// Reads the members of a body; each that does not fit or lacks is named.
    pub fn parse(
        members: &Map<String, Value>,
        names: &'static Names,
        now: Timestamp,
    ) -> Result<Self> {
        let mut fields = Fields::default();
        let asked = LicenseChange::read(members, names, &mut fields);
        for (member, lacks) in [
            (Member::Title, asked.title.is_none()),
            (Member::LicenseType, asked.license_type.is_none()),
        ] {
            if lacks {
                fields.add(names.of(member), "is required");
            }
        }
        let status = asked.status.unwrap_or_default();
        fields.take(names.of(Member::Status), status.as_first());
        let fee = asked.fee.over(None, names, &mut fields);
        let (valid_from, expires_at) = (asked.valid_from.over(None), asked.expires_at.over(None));
        let expiry = names.of(Member::ExpiresAt);
        fields.take(expiry, check_dates(valid_from, expires_at, Member::ExpiresAt));
        if status.is_live() && expires_at.is_some_and(|at| at <= now) {
            fields.add(expiry, "must be in the future unless the license is a draft");
        }
        fields.finish()?;
        let (Some(title), Some(license_type)) = (asked.title, asked.license_type) else {
            return Err(Error::validation("The license does not read"));
        };
        Ok(Self {
            external_id: asked.external_id.over(None),
            title,
            description: asked.description.unwrap_or_default(),
            status,
            license_type,
            uses: asked.uses.unwrap_or_default(),
            territories: asked.territories.unwrap_or_default(),
            fee,
            can_crawl: asked.can_crawl.unwrap_or_default(),
            terms: asked.terms.unwrap_or_default(),
            valid_from,
            expires_at,
            ignored: asked.ignored,
        })
    }

    /// The record, in its first version and without images.
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

    use super::*;

    const NOW: Timestamp = Timestamp::from_secs(1_800_000_000);

    fn parse(body: &Value) -> Result<NewLicense> {
        NewLicense::parse(body.as_object().unwrap(), Names::CONSOLE, NOW)
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
