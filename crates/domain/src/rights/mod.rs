//! What a license offers, for programs and people: as ODRL 2.2, RSL 1.0, schema.org data and text.
//!
//! Nobody may use a likeness without a grant, so each rendering is an offer that the licensor must
//! agree to. Each one says what its format cannot express.

mod odrl;
mod rsl;
mod schema_org;
#[cfg(test)]
mod tests;
mod text;
mod vocabulary;

pub use rsl::site as site_rsl;
pub use schema_org::offer as schema_org_offer;
pub use vocabulary::{PATH as VOCABULARY_PATH, vocabulary};

use strum::{VariantArray, VariantNames};

use crate::Timestamp;
use crate::decision::LicenseFacts;
use crate::enum_names::enum_names;
use crate::license::{LicenseFee, LicenseType, Territory};

enum_names!(RightsFormat);

/// The preferences about public pages (AIPREF): they may be found, but AI uses need an agreement.
pub const CONTENT_USAGE: &str = "train-ai=n, ai-use=n, search=y";

/// The path of the RSL document of the whole site.
pub const SITE_RSL_PATH: &str = "/license.xml";

/// A format in which a license says what it offers. Its name is in URLs. Of two with the same media
/// type, the first one is preferred.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, VariantArray, VariantNames)]
#[strum(serialize_all = "lowercase")]
pub enum RightsFormat {
    /// ODRL 2.2, as JSON-LD.
    Odrl,
    /// RSL 1.0, as XML.
    Rsl,
    /// schema.org data, as JSON-LD.
    Schema,
    /// Plain text.
    Text,
}

impl RightsFormat {
    /// The media type, without parameters.
    #[must_use]
    pub const fn media_type(self) -> &'static str {
        match self {
            Self::Odrl | Self::Schema => "application/ld+json",
            Self::Rsl => "application/rsl+xml",
            Self::Text => "text/plain",
        }
    }

    /// The profile that tells formats with the same media type apart (RFC 6906).
    #[must_use]
    pub const fn profile(self) -> Option<&'static str> {
        match self {
            Self::Odrl => Some("http://www.w3.org/ns/odrl/2/"),
            Self::Schema => Some("https://schema.org"),
            Self::Rsl | Self::Text => None,
        }
    }

    /// The media type with its parameters.
    #[must_use]
    pub const fn content_type(self) -> &'static str {
        match self {
            Self::Odrl => "application/ld+json; profile=\"http://www.w3.org/ns/odrl/2/\"",
            Self::Rsl => "application/rsl+xml",
            Self::Schema => "application/ld+json; profile=\"https://schema.org\"",
            Self::Text => "text/plain; charset=utf-8",
        }
    }

    /// Parses the name of a format, or `json` for the license itself.
    pub fn parse(text: &str) -> Result<Option<Self>, String> {
        let names = || Self::ALL.map(Self::name).join(", ");
        match text {
            "json" => Ok(None),
            _ => text.parse().map(Some).map_err(|_| format!("must be one of json, {}", names())),
        }
    }

    /// Renders what a license offers.
    #[must_use]
    pub fn render(self, statement: &Statement, now: Timestamp) -> String {
        match self {
            Self::Odrl => odrl::policy(statement).to_string(),
            Self::Rsl => rsl::document(statement, now),
            Self::Schema => schema_org::offer(statement, now).to_string(),
            Self::Text => text::text(statement, now),
        }
    }
}

/// A person or organization.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Named {
    /// The name.
    pub name: String,
    /// The URL of a public page.
    pub url: Option<String>,
}

/// What a license offers, with the URLs that renderings refer to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Statement {
    /// The title.
    pub title: String,
    /// The description; may be empty.
    pub description: String,
    /// The type.
    pub license_type: LicenseType,
    /// What it covers, with its current status.
    pub covers: LicenseFacts,
    /// The fee.
    pub fee: Option<LicenseFee>,
    /// When it last changed.
    pub updated_at: Timestamp,
    /// The talent.
    pub talent: Named,
    /// The owner.
    pub owner: Named,
    /// Whether the owner is an organization.
    pub owner_is_organization: bool,
    /// The URL of the picture that the owner picked.
    pub picture: Option<String>,
    /// The URL of the server, without a path.
    pub origin: String,
    /// The URL at which the license, or one of its versions, is available in all formats.
    pub url: String,
    /// The URL of the page on which anyone can request the license, if it is public.
    pub page: Option<String>,
}

impl Statement {
    /// The URL of a format.
    #[must_use]
    pub fn url_of(&self, format: RightsFormat) -> String {
        let separator = if self.url.contains('?') { '&' } else { '?' };
        format!("{}{separator}format={format}", self.url)
    }

    /// Whether a license for the training of AI models can be requested.
    #[must_use]
    pub fn offers_training(&self) -> bool {
        self.covers.status.is_live() && self.covers.uses.allow(LicenseType::AiTraining)
    }

    /// Where to request the license.
    fn place(&self) -> &str {
        self.page.as_deref().unwrap_or(&self.url)
    }

    /// The URL of the license itself, whatever version this is.
    fn license_url(&self) -> &str {
        self.url.split_once('?').map_or(self.url.as_str(), |(url, _)| url)
    }

    /// The countries that are covered, or `None` if all are.
    fn countries(&self) -> Option<&[Territory]> {
        let territories = self.covers.territories.as_slice();
        let everywhere = territories.is_empty() || territories.iter().any(|it| it.is_world());
        (!everywhere).then_some(territories)
    }
}
