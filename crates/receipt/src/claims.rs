//! What a receipt says.

use grantor_domain::Timestamp;
use grantor_domain::license::{LicenseFee, LicenseType, Territory};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use uuid::Uuid;

/// A tenant that is a party to the grant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Party {
    /// The tenant.
    pub id: Uuid,
    /// The tenant's name when the receipt was issued.
    pub name: String,
}

/// The license that the grant is under.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LicenseName {
    /// The license.
    pub id: Uuid,
    /// The license's title when the receipt was issued.
    pub title: String,
}

/// The talent whose likeness may be used.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TalentName {
    /// The talent, if the licensor manages the talent as a record.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<Uuid>,
    /// The talent's name when the receipt was issued.
    pub name: String,
}

/// Where the receipt's status is published.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StatusReference {
    /// The entry in the list.
    pub idx: u32,
    /// The URL of the list.
    pub uri: String,
}

/// A claim that the holder of a receipt can disclose or withhold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Disclosable {
    /// The license's id and title.
    License,
    /// The talent.
    Talent,
    /// The licensee.
    Licensee,
    /// The fee; null if there is none.
    Fee,
    /// The conditions; null if there are none.
    Conditions,
    /// The channels.
    Channels,
}

impl Disclosable {
    /// All disclosable claims, in the order of the contract.
    pub const ALL: [Self; 6] =
        [Self::License, Self::Talent, Self::Licensee, Self::Fee, Self::Conditions, Self::Channels];

    /// The name of the claim.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::License => "license",
            Self::Talent => "talent",
            Self::Licensee => "licensee",
            Self::Fee => "fee",
            Self::Conditions => "conditions",
            Self::Channels => "channels",
        }
    }

    /// The claim with this name, if it is disclosable.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|it| it.name() == name)
    }
}

/// Everything that a new receipt is made of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewReceipt {
    /// The grant's number, for example GR-2026-000042.
    pub number: String,
    /// The hash of the accepted terms.
    pub terms_hash: String,
    /// The tenant that grants.
    pub licensor: Party,
    /// The permitted uses.
    pub uses: Vec<String>,
    /// The permitted territories.
    pub territories: Vec<String>,
    /// Whether the grant is exclusive.
    pub exclusive: bool,
    /// When the receipt is issued.
    pub issued_at: Timestamp,
    /// When the grant starts.
    pub starts_at: Timestamp,
    /// When the grant ends, if it does.
    pub ends_at: Option<Timestamp>,
    /// Where revocation is published.
    pub status: StatusReference,
    /// The license.
    pub license: LicenseName,
    /// The talent.
    pub talent: TalentName,
    /// The tenant that receives the grant.
    pub licensee: Party,
    /// The fee, if there is one.
    pub fee: Option<LicenseFee>,
    /// The conditions, if there are any.
    pub conditions: Option<String>,
    /// The channels. Empty means any.
    pub channels: Vec<String>,
}

/// The verified claims of a receipt. Withheld claims are `None`, and not in `disclosed`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claims {
    /// The grant's number.
    pub number: String,
    /// The hash of the accepted terms.
    pub terms_hash: String,
    /// The tenant that grants.
    pub licensor: Party,
    /// The permitted uses.
    pub uses: Vec<String>,
    /// The permitted territories.
    pub territories: Vec<String>,
    /// Whether the grant is exclusive.
    pub exclusive: bool,
    /// When the receipt was issued.
    pub issued_at: Timestamp,
    /// When the grant starts.
    pub starts_at: Timestamp,
    /// When the grant ends, if it does.
    pub ends_at: Option<Timestamp>,
    /// Where revocation is published.
    pub status: StatusReference,
    /// The claims that the holder disclosed.
    pub disclosed: Vec<Disclosable>,
    /// The license.
    pub license: Option<LicenseName>,
    /// The talent.
    pub talent: Option<TalentName>,
    /// The tenant that received the grant.
    pub licensee: Option<Party>,
    /// The fee. `None` with [`Disclosable::Fee`] disclosed means that there is none.
    pub fee: Option<LicenseFee>,
    /// The conditions. `None` with [`Disclosable::Conditions`] disclosed means that there are none.
    pub conditions: Option<String>,
    /// The channels.
    pub channels: Option<Vec<String>>,
    json: Map<String, Value>,
}

impl Claims {
    /// All verified claims as in the receipt, without digests.
    #[must_use]
    pub fn as_json(&self) -> &Map<String, Value> {
        &self.json
    }

    /// The permitted uses as people call them. Uses that are not known here stay as they are.
    #[must_use]
    pub fn use_names(&self) -> Vec<&str> {
        let name = |key: &str| key.parse().ok().map(LicenseType::label);
        self.uses.iter().map(|key| name(key).unwrap_or(key.as_str())).collect()
    }

    /// The permitted territories as people call them.
    #[must_use]
    pub fn territory_names(&self) -> Vec<&str> {
        let name = |code: &str| Territory::parse(code).ok().map(Territory::label);
        self.territories.iter().map(|code| name(code).unwrap_or(code.as_str())).collect()
    }

    /// Reads verified claims. `None` if one is missing, unknown or of another type.
    pub(crate) fn read(json: Map<String, Value>, disclosed: Vec<Disclosable>) -> Option<Self> {
        let wire: Wire = serde_json::from_value(Value::Object(json.clone())).ok()?;
        Some(Self {
            number: wire.grant_number,
            terms_hash: wire.terms_hash,
            licensor: wire.licensor,
            uses: wire.uses,
            territories: wire.territories,
            exclusive: wire.exclusive,
            issued_at: Timestamp::from_secs(wire.iat),
            starts_at: Timestamp::from_secs(wire.nbf),
            ends_at: wire.exp.map(Timestamp::from_secs),
            status: wire.status.status_list,
            disclosed,
            license: wire.license,
            talent: wire.talent,
            licensee: wire.licensee,
            fee: wire.fee,
            conditions: wire.conditions,
            channels: wire.channels,
            json,
        })
    }
}

/// The claims as they are on the wire.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Wire {
    #[serde(rename = "iss")]
    _iss: String,
    #[serde(rename = "vct")]
    _vct: String,
    iat: i64,
    nbf: i64,
    exp: Option<i64>,
    status: Status,
    grant_number: String,
    terms_hash: String,
    licensor: Party,
    uses: Vec<String>,
    territories: Vec<String>,
    exclusive: bool,
    license: Option<LicenseName>,
    talent: Option<TalentName>,
    licensee: Option<Party>,
    fee: Option<LicenseFee>,
    conditions: Option<String>,
    channels: Option<Vec<String>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Status {
    status_list: StatusReference,
}
