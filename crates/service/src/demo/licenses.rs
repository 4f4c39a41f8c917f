//! The sample's licenses, in every status and of every type, and who else holds rights on them.

use std::sync::Arc;
use std::time::Duration;

use grantor_domain::id::{ImageId, LicenseId, TalentId};
use grantor_domain::license::{LicenseChange, LicenseStatus, Names, NewLicense};
use grantor_domain::page::{Page, PageRules};
use grantor_domain::permission::{GranteeName, PermissionRole};
use grantor_domain::{Error, Result, Timestamp};
use serde_json::{Map, Value, json};
use tokio::task::JoinHandle;

use super::people::{AGENCY, Account, BRAND, PERSON, PLATFORM, SELF_MANAGED, TALENTS};
use super::portrait::{Framing, draw};
use super::unfit;
use crate::license::{self, Expected, Named};
use crate::{App, permission, talent};

/// A license of the sample.
pub struct Licensed {
    /// Its id.
    pub id: LicenseId,
    /// Its owner's own name for it.
    pub external_id: &'static str,
    /// What it is called.
    pub title: &'static str,
    /// Its status.
    pub status: LicenseStatus,
    /// Its pictures.
    pub images: Vec<ImageId>,
}

/// The license of this external id.
pub(super) fn named<'a>(licenses: &'a [Licensed], name: &str) -> Result<&'a Licensed> {
    licenses.iter().find(|it| it.external_id == name).ok_or_else(|| Error::not_found("License"))
}

/// Whose likeness a license is about.
#[derive(Clone, Copy)]
enum Of {
    /// The place on the agency's roster.
    Talent(usize),
    /// Who manages themself.
    Person,
}

/// How a license came to its end.
#[derive(Clone, Copy)]
enum End {
    /// Its owner ended it.
    ByHand,
    /// Its time was up so many days ago.
    DaysAgo(u64),
}

struct Row {
    name: &'static str,
    of: Of,
    title: &'static str,
    description: &'static str,
    kind: &'static str,
    begins: &'static str,
    uses: &'static [&'static str],
    territories: &'static [&'static str],
    fee: Option<[&'static str; 3]>,
    crawl: bool,
    /// Days until it holds and until it ends, counted from now.
    holds: (Option<i64>, Option<i64>),
    end: Option<End>,
    pictures: usize,
    /// JSON, as a caller would send it.
    terms: &'static str,
}

const ROW: Row = Row {
    name: "",
    of: Of::Person,
    title: "",
    description: "",
    kind: "custom",
    begins: "private",
    uses: &[],
    territories: &["WORLD"],
    fee: None,
    crawl: false,
    holds: (None, None),
    end: None,
    pictures: 1,
    terms: "{}",
};

const LICENSES: [Row; 15] = [
    Row {
        name: "QF-001",
        of: Of::Talent(0),
        title: "Summit season: outdoor advertising",
        description: "Posters, print and films for outdoor wear. No alcohol, no energy drinks.",
        kind: "advertising",
        begins: "public",
        uses: &["advertising", "social_media"],
        fee: Some(["12500.00", "EUR", "campaign"]),
        crawl: true,
        holds: (Some(-60), Some(300)),
        pictures: 3,
        terms: r#"{"approval": "each motif", "exclusive": false, "credit": "Photo: Quillfeather"}"#,
        ..ROW
    },
    Row {
        name: "QF-002",
        of: Of::Talent(0),
        title: "Rope and rock: short films",
        description: "Clips of up to sixty seconds. About to end: ask for a renewal.",
        kind: "social_media",
        uses: &["social_media"],
        territories: &["SE", "NO", "DK", "FI"],
        fee: Some(["900.00", "EUR", "month"]),
        crawl: true,
        holds: (Some(-355), Some(10)),
        ..ROW
    },
    Row {
        name: "QF-003",
        of: Of::Talent(1),
        title: "A reading voice",
        description: "Audiobooks and radio plays in French and Bambara.",
        kind: "voice",
        begins: "public",
        uses: &["voice"],
        territories: &["FR", "BE", "SN", "ML"],
        fee: Some(["350.00", "EUR", "day"]),
        holds: (None, Some(200)),
        terms: r#"{"languages": ["fr", "bm"], "ai": "no cloning"}"#,
        ..ROW
    },
    Row {
        name: "QF-004",
        of: Of::Talent(2),
        title: "Storybook face · 絵本の顔",
        description: "Her face beside the books she draws, in feeds and stories.",
        kind: "social_media",
        begins: "public",
        uses: &["social_media", "endorsement"],
        territories: &["JP"],
        fee: Some(["80000.00", "JPY", "campaign"]),
        crawl: true,
        holds: (Some(-30), None),
        pictures: 2,
        ..ROW
    },
    Row {
        name: "QF-005",
        of: Of::Talent(2),
        title: "Picture-book goods",
        description: "Cups, bags and stickers. Waiting for the publisher's word.",
        kind: "merchandise",
        begins: "draft",
        uses: &["merchandise"],
        territories: &["JP", "KR"],
        pictures: 0,
        ..ROW
    },
    Row {
        name: "QF-006",
        of: Of::Talent(3),
        title: "The harbor coat",
        description: "He speaks for one coat and wears it. Begins with the autumn collection.",
        kind: "endorsement",
        uses: &["endorsement", "advertising"],
        territories: &["DK", "DE", "NO"],
        fee: Some(["4000.00", "EUR", "campaign"]),
        holds: (Some(14), Some(380)),
        ..ROW
    },
    Row {
        name: "QF-007",
        of: Of::Talent(4),
        title: "Stage lights",
        description: "Posters of one tour, which is over.",
        kind: "advertising",
        begins: "public",
        uses: &["advertising"],
        territories: &["ES", "PT", "MX"],
        fee: Some(["2200.00", "EUR", "month"]),
        crawl: true,
        holds: (Some(-200), Some(30)),
        end: Some(End::DaysAgo(12)),
        ..ROW
    },
    Row {
        name: "QF-008",
        of: Of::Talent(4),
        title: "Movement study for models",
        description: "Motion capture for training. Terms are being written.",
        kind: "ai_training",
        begins: "draft",
        uses: &["ai_training"],
        pictures: 0,
        ..ROW
    },
    Row {
        name: "QF-009",
        of: Of::Talent(5),
        title: "Hands at the piano",
        description: "Generated films that show her hands and never her face.",
        kind: "ai_generation",
        uses: &["ai_generation", "advertising"],
        territories: &["UA", "PL", "US"],
        fee: Some(["0.75", "USD", "use"]),
        crawl: true,
        holds: (Some(-90), Some(275)),
        terms: r#"{"label": "must say that it was generated", "max_seconds": 30}"#,
        ..ROW
    },
    Row {
        name: "QF-010",
        of: Of::Talent(5),
        title: "Recital posters · Афіші",
        description: "Printed posters, sold in the foyer.",
        kind: "merchandise",
        begins: "public",
        uses: &["merchandise"],
        territories: &["UA", "PL", "DE", "AT"],
        fee: Some(["1.20", "EUR", "use"]),
        holds: (None, Some(120)),
        pictures: 0,
        ..ROW
    },
    Row {
        name: "QF-011",
        of: Of::Talent(6),
        title: "Eleven seats: the cookbook",
        description: "Whatever the book needs, as the terms say.",
        begins: "public",
        territories: &["IE", "GB"],
        terms: r#"{"pages": 240, "editions": ["hardback", "e-book"], "royalty_percent": 4}"#,
        ..ROW
    },
    Row {
        name: "QF-012",
        of: Of::Talent(6),
        title: "A word for stout",
        description: "Ended by agreement after the first season.",
        kind: "endorsement",
        uses: &["endorsement"],
        territories: &["IE"],
        fee: Some(["15000.00", "EUR", "year"]),
        holds: (Some(-365), None),
        end: Some(End::ByHand),
        pictures: 0,
        ..ROW
    },
    Row {
        name: "QF-013",
        of: Of::Talent(7),
        title: "Science in a minute",
        description: "Clips for schools and museums, free of charge.",
        kind: "social_media",
        begins: "public",
        uses: &["social_media"],
        territories: &["IN", "GB", "US"],
        fee: Some(["0.00", "USD", "use"]),
        crawl: true,
        ..ROW
    },
    Row {
        name: "QF-014",
        of: Of::Talent(7),
        title: "A voice that explains",
        description: "Forty hours of speech for one named model.",
        kind: "ai_training",
        uses: &["ai_training", "voice"],
        fee: Some(["30000.00", "USD", "year"]),
        holds: (Some(-10), Some(355)),
        terms: r#"{"model": "one, named in the contract", "resale": false}"#,
        pictures: 0,
        ..ROW
    },
    Row {
        name: "NE-001",
        of: Of::Person,
        title: "Walks through the old town",
        description: "Stills from a travel diary, for guides and magazines.",
        kind: "advertising",
        begins: "public",
        uses: &["advertising"],
        territories: &["DE", "AT", "CH", "IL"],
        fee: Some(["180.00", "EUR", "use"]),
        crawl: true,
        holds: (None, Some(90)),
        ..ROW
    },
];

enum To {
    /// A whole organization, by its place among the accounts.
    Organization(usize),
    /// One person.
    User(usize),
}

/// What others than the owner hold.
const RIGHTS: [(&str, To, PermissionRole); 10] = [
    ("QF-001", To::Organization(BRAND), PermissionRole::Viewer),
    ("QF-001", To::Organization(PLATFORM), PermissionRole::Viewer),
    ("QF-002", To::Organization(PLATFORM), PermissionRole::Viewer),
    ("QF-004", To::Organization(PLATFORM), PermissionRole::Viewer),
    ("QF-005", To::Organization(BRAND), PermissionRole::Trustee),
    ("QF-006", To::Organization(BRAND), PermissionRole::Licensor),
    ("QF-009", To::Organization(BRAND), PermissionRole::Trustee),
    ("QF-013", To::Organization(PLATFORM), PermissionRole::Trustee),
    ("QF-014", To::Organization(PLATFORM), PermissionRole::Licensor),
    ("QF-009", To::User(PERSON), PermissionRole::Viewer),
];

/// Makes the licenses.
pub(super) async fn make(
    app: &App,
    accounts: &[Account],
    talents: &[(TalentId, &'static str)],
) -> Result<Vec<Licensed>> {
    // Drawn on threads of their own, ahead of where they are needed.
    let pictures: Vec<_> = LICENSES.iter().map(start_drawing).collect();
    let own = own_record(app, &accounts[PERSON]).await?;
    let mut made = Vec::with_capacity(LICENSES.len());
    for (row, pictures) in LICENSES.iter().zip(pictures) {
        let (owner, talent) = match row.of {
            Of::Talent(place) => (&accounts[AGENCY], talents[place].0),
            Of::Person => (&accounts[PERSON], own),
        };
        let files = pictures.await.map_err(|error| Error::internal(error.to_string()))??;
        made.push(make_one(app, owner, talent, files, row).await?);
    }
    Ok(made)
}

/// Gives others their rights.
pub(super) async fn grant(app: &App, accounts: &[Account], licenses: &[Licensed]) -> Result<()> {
    let agency = &accounts[AGENCY];
    for (name, to, role) in &RIGHTS {
        let grantee = match to {
            To::Organization(place) => GranteeName::Organization(accounts[*place].tenant),
            To::User(place) => GranteeName::User(accounts[*place].address()?),
        };
        let (caller, id) = (Arc::clone(&agency.caller), named(licenses, name)?.id);
        permission::grant(app, &agency.context(app), caller, id, grantee, *role).await?;
    }
    Ok(())
}

/// The record that who manages themself has from the start.
async fn own_record(app: &App, person: &Account) -> Result<TalentId> {
    let rules = PageRules { size_name: "limit", default_size: 1, max_size: 1 };
    let own = talent::own(app, &person.caller, Page::parse(None, None, rules)?).await?;
    let first = own.items.into_iter().next();
    first.map(|it| it.talent.id).ok_or_else(|| Error::not_found("Talent"))
}

async fn make_one(
    app: &App,
    owner: &Account,
    talent: TalentId,
    files: Vec<Vec<u8>>,
    row: &Row,
) -> Result<Licensed> {
    let (context, caller) = (owner.context(app), Arc::clone(&owner.caller));
    let new = NewLicense::parse(&row.body(app.clock.now())?, Names::EXTERNAL, app.clock.now())?;
    let license::Created { shown, images } =
        license::create(app, &context, caller, talent, new, files).await?;
    let (id, mut status) = (shown.license.id, shown.license.status);
    if let Some(end) = row.end {
        let (reader, named) = (owner.caller.reader(), Named::Id(id));
        let asked = end.asked(app.clock.now())?;
        let expected = Expected::default();
        let changed = license::change(app, &context, reader, named, None, expected, asked).await?;
        status = changed.seen.status;
    }
    let images = images.into_iter().map(|it| it.id).collect();
    Ok(Licensed { id, external_id: row.name, title: row.title, status, images })
}

fn start_drawing(row: &Row) -> JoinHandle<Result<Vec<Vec<u8>>>> {
    let look = match row.of {
        Of::Talent(place) => TALENTS[place].look,
        Of::Person => SELF_MANAGED.look,
    };
    let framings = Framing::ALL.into_iter().take(row.pictures);
    tokio::task::spawn_blocking(move || framings.map(|it| draw(&look, it)).collect())
}

impl Row {
    /// The body a caller of the external API would write.
    fn body(&self, now: Timestamp) -> Result<Map<String, Value>> {
        let terms: Value = serde_json::from_str(self.terms).map_err(unfit)?;
        let fee = self.fee.map(
            |[amount, currency, per]| json!({ "amount": amount, "currency": currency, "per": per }),
        );
        let (from, until) = self.holds;
        let body = json!({
            "external_id": self.name,
            "title": self.title,
            "description": self.description,
            "license_type": self.kind,
            "status": self.begins,
            "uses": self.uses,
            "territories": self.territories,
            "fee": fee,
            "can_crawl": self.crawl,
            "terms": terms,
            "valid_from": from.map(|it| in_days(now, it)),
            "expires_at": until.map(|it| in_days(now, it)),
        });
        members(body)
    }
}

impl End {
    /// What an owner asks for to end a license so.
    fn asked(self, now: Timestamp) -> Result<LicenseChange> {
        let body = match self {
            Self::ByHand => json!({ "status": "expired" }),
            Self::DaysAgo(days) => json!({ "expires_at": now.minus(days_long(days)) }),
        };
        LicenseChange::parse(&members(body)?, Names::EXTERNAL)
    }
}

fn members(body: Value) -> Result<Map<String, Value>> {
    match body {
        Value::Object(members) => Ok(members),
        _ => Err(unfit("a body that is no object")),
    }
}

pub(super) fn days_long(days: u64) -> Duration {
    Duration::from_hours(days.saturating_mul(24))
}

fn in_days(now: Timestamp, days: i64) -> Timestamp {
    let away = days_long(days.unsigned_abs());
    if days < 0 { now.minus(away) } else { now.plus(away) }
}

#[cfg(test)]
mod tests {
    use grantor_domain::license::LicenseType;

    use super::*;

    const NOW: Timestamp = Timestamp::from_secs(1_800_000_000);

    #[test]
    fn every_row_is_one_that_a_caller_could_send() {
        for row in &LICENSES {
            let new = NewLicense::parse(&row.body(NOW).unwrap(), Names::EXTERNAL, NOW);
            let new = new.unwrap_or_else(|error| panic!("{}: {error}", row.name));
            assert_eq!((new.title.as_str(), new.ignored.len()), (row.title, 0));
        }
    }

    #[test]
    fn every_type_and_every_first_status_is_there() {
        for kind in LicenseType::ALL {
            assert!(LICENSES.iter().any(|it| it.kind == kind.key()), "{}", kind.key());
        }
        for status in LicenseStatus::FIRST {
            let lasting = |it: &&Row| it.end.is_none() && it.begins == status.name();
            assert!(LICENSES.iter().filter(lasting).count() > 1, "{status}");
        }
        assert!(LICENSES.iter().any(|it| it.end.is_some()));
    }

    #[test]
    fn every_right_is_given_on_the_agencys_licenses() {
        for (name, ..) in &RIGHTS {
            let row = LICENSES.iter().find(|it| it.name == *name).unwrap();
            assert!(matches!(row.of, Of::Talent(_)), "{name}");
        }
        for role in PermissionRole::ALL {
            assert!(RIGHTS.iter().any(|it| it.2 == role), "{role:?}");
        }
    }
}
