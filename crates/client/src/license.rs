//! Licenses.

use reqwest::header;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::client::{Client, JSON, once};
use crate::connection::Request;
use crate::error::{Error, Result};
use crate::page::Pages;
use crate::record::{Fee, Party, Versioned};

/// A license for a talent's name, image or likeness.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub struct License {
    /// The ID.
    pub id: String,
    /// The owner's own identifier.
    pub external_id: Option<String>,
    /// The title.
    pub title: String,
    /// The description.
    pub description: String,
    /// The status: `draft`, `private`, `public` or `expired`.
    pub status: String,
    /// The type, such as `advertising`.
    pub license_type: String,
    /// The talent whose likeness is licensed.
    pub talent: Talent,
    /// The owner.
    pub owner: Party,
    /// The caller's permission: `viewer`, `trustee` or `licensor`.
    pub permission: String,
    /// The licensed uses.
    pub uses: Vec<String>,
    /// The territories: ISO 3166-1 alpha-2 codes, or `WORLD`.
    pub territories: Vec<String>,
    /// The fee.
    pub fee: Option<Fee>,
    /// Whether uses of the likeness are watched for.
    pub can_crawl: bool,
    /// Additional terms.
    pub terms: Map<String, Value>,
    /// When the license starts, if it has a start.
    pub valid_from: Option<String>,
    /// When the license expires, if it has an end.
    pub expires_at: Option<String>,
    /// The number of reference images.
    pub image_count: u32,
    /// Incremented with every change.
    pub version: u32,
    /// When the license was created.
    pub created_at: String,
    /// When the license was last changed.
    pub updated_at: String,
    /// Members that this version does not know.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

/// The talent of a license.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub struct Talent {
    /// The ID.
    pub id: String,
    /// The name.
    pub name: String,
    /// Other names.
    pub aliases: Vec<String>,
    /// Members that this version does not know.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

/// Which licenses to list. All that are given must fit.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LicenseFilter {
    /// The status.
    pub status: Option<String>,
    /// Words or phrases of the title or description.
    pub search: Option<String>,
    /// Like `search`, also in the names of talent and owner and in the external ID.
    pub q: Option<String>,
    /// The type.
    pub license_type: Option<String>,
    /// The field to sort by: `created_at` (the default), `updated_at` or `title`.
    pub sort: Option<String>,
    /// The order: `asc` or `desc` (the default).
    pub order: Option<String>,
}

impl Client {
    /// Lists the licenses that the API client can view. Needs the scope `license:read`.
    pub fn licenses(&self, filter: &LicenseFilter) -> Pages<'_, License> {
        let request = Request::get(&["licenses"]).query(&[
            ("status", filter.status.as_deref()),
            ("search", filter.search.as_deref()),
            ("q", filter.q.as_deref()),
            ("license_type", filter.license_type.as_deref()),
            ("sort", filter.sort.as_deref()),
            ("order", filter.order.as_deref()),
        ]);
        Pages::new(self, request)
    }

    /// Gets a license by its ID or external ID. Needs the scope `license:read`.
    pub async fn license(&self, id: &str) -> Result<Versioned<License>> {
        let answer = self.send(&Request::get(&["licenses", id])).await?;
        Ok(Versioned { value: answer.json()?, etag: answer.etag })
    }

    /// Changes some fields of a license, which have the names of the API. With an entity tag, the
    /// call fails with 412 if somebody changed the license in the meantime. Needs the scope
    /// `license:write`.
    pub async fn update_license(
        &self,
        id: &str,
        changes: &Map<String, Value>,
        if_match: Option<&str>,
    ) -> Result<Versioned<License>> {
        let body = serde_json::to_vec(changes).map_err(|it| Error::Invalid(it.to_string()))?;
        let mut request = Request::patch(&["licenses", id]).body(JSON, body);
        if let Some(etag) = if_match {
            request = request.header(header::IF_MATCH, etag);
        }
        let answer = self.send(&once(request)?).await?;
        Ok(Versioned { value: answer.json()?, etag: answer.etag })
    }
}
