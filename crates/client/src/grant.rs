//! Grants.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::client::Client;
use crate::connection::Request;
use crate::error::Result;
use crate::page::Pages;
use crate::record::{Fee, Named, Party};

/// A grant: an accepted offer. Its terms never change.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub struct Grant {
    /// The ID.
    pub id: String,
    /// The number, such as `GR-2026-000042`, unique per licensor.
    pub number: String,
    /// The license.
    pub license: Named,
    /// The version of the license that was accepted.
    pub license_version: u32,
    /// The talent.
    pub talent: Named,
    /// Who gave the grant.
    pub licensor: Party,
    /// Who holds the grant.
    pub licensee: Party,
    /// The caller's side: `owner` or `asker`.
    pub role: String,
    /// The status: `scheduled`, `active`, `ended` or `revoked`.
    pub status: String,
    /// The terms.
    pub terms: Terms,
    /// When the offer was accepted.
    pub created_at: String,
    /// When the grant was revoked, if it was.
    pub revoked_at: Option<String>,
    /// Why the grant was revoked.
    pub revoke_reason: Option<String>,
    /// Other members.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

/// The terms of a grant.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub struct Terms {
    /// The uses.
    pub uses: Vec<String>,
    /// The territories: ISO 3166-1 alpha-2 codes, or `WORLD`.
    pub territories: Vec<String>,
    /// When the grant starts.
    pub starts_at: String,
    /// When the grant ends; `None` if it is open.
    pub ends_at: Option<String>,
    /// The fee.
    pub fee: Option<Fee>,
    /// Whether nobody else gets the same.
    pub exclusive: bool,
    /// The channels.
    pub channels: Vec<String>,
    /// The conditions, as plain text.
    pub conditions: Option<String>,
    /// Members that this version does not know.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

/// Which grants to list. All that are given must fit.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GrantFilter {
    /// The caller's side: `owner` for grants given, `asker` for grants held.
    pub role: Option<String>,
    /// The status.
    pub status: Option<String>,
    /// The ID of the license.
    pub license_id: Option<String>,
    /// The ID of the talent.
    pub talent_id: Option<String>,
    /// Only grants that end before this time.
    pub ends_before: Option<String>,
    /// The number, such as `GR-2026-000042`. Each licensor counts its own grants.
    pub number: Option<String>,
}

impl Client {
    /// Lists the grants that the organization gave or holds. Needs the scope `license:read`.
    pub fn grants(&self, filter: &GrantFilter) -> Pages<'_, Grant> {
        let request = Request::get(&["grants"]).query(&[
            ("role", filter.role.as_deref()),
            ("status", filter.status.as_deref()),
            ("license_id", filter.license_id.as_deref()),
            ("talent_id", filter.talent_id.as_deref()),
            ("ends_before", filter.ends_before.as_deref()),
            ("number", filter.number.as_deref()),
        ]);
        Pages::new(self, request)
    }

    /// Gets a grant by its ID. Needs the scope `license:read`.
    pub async fn grant(&self, id: &str) -> Result<Grant> {
        self.fetch(&Request::get(&["grants", id])).await
    }
}
