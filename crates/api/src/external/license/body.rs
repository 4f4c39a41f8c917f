//! A license on the wire of the external API.

use grantor_domain::Timestamp;
use grantor_domain::license::{LicenseFee, LicenseStatus, LicenseType};
use grantor_domain::permission::PermissionRole;
use grantor_service::license::{Seen, Shown};
use serde::Serialize;
use serde_json::{Map, Value};
use utoipa::ToSchema;

use super::image::{ImageBody, ImageUrl};
use crate::describe::value;

/// What a license is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = LicenseType)]
pub(crate) enum TypeKey {
    SocialMedia,
    Advertising,
    Endorsement,
    AiTraining,
    AiGeneration,
    Voice,
    Merchandise,
    Custom,
}

impl From<LicenseType> for TypeKey {
    fn from(kind: LicenseType) -> Self {
        match kind {
            LicenseType::SocialMedia => Self::SocialMedia,
            LicenseType::Advertising => Self::Advertising,
            LicenseType::Endorsement => Self::Endorsement,
            LicenseType::AiTraining => Self::AiTraining,
            LicenseType::AiGeneration => Self::AiGeneration,
            LicenseType::Voice => Self::Voice,
            LicenseType::Merchandise => Self::Merchandise,
            LicenseType::Custom => Self::Custom,
        }
    }
}

/// What a license costs.
#[derive(Serialize, ToSchema)]
#[schema(as = Fee)]
pub(crate) struct FeeBody {
    /// A decimal number of at most two places.
    #[schema(inline, value_type = value::Amount)]
    amount: String,
    /// ISO 4217.
    #[schema(value_type = value::Currency)]
    currency: String,
    #[schema(inline, value_type = value::FeePerName)]
    per: &'static str,
}

impl From<LicenseFee> for FeeBody {
    fn from(fee: LicenseFee) -> Self {
        let LicenseFee { amount, currency, per } = fee;
        Self { amount: amount.to_string(), currency: currency.to_string(), per: per.name() }
    }
}

/// A grant over one person's likeness (contract section 4).
#[derive(Serialize, ToSchema)]
#[schema(as = License)]
pub(crate) struct LicenseBody {
    #[schema(inline, value_type = value::Id)]
    id: String,
    external_id: Option<String>,
    title: String,
    description: String,
    #[schema(inline, value_type = value::LicenseStatusName)]
    status: &'static str,
    license_type: TypeKey,
    talent: TalentBody,
    owner: OwnerBody,
    /// What the caller is to it.
    #[schema(inline, value_type = value::PermissionRoleName)]
    permission: &'static str,
    uses: Vec<TypeKey>,
    #[schema(value_type = Vec<value::Territory>)]
    territories: Vec<String>,
    fee: Option<FeeBody>,
    can_crawl: bool,
    #[schema(value_type = Object)]
    terms: Map<String, Value>,
    #[schema(value_type = Option<String>, format = DateTime)]
    valid_from: Option<Timestamp>,
    #[schema(value_type = Option<String>, format = DateTime)]
    expires_at: Option<Timestamp>,
    image_count: u32,
    version: u32,
    #[schema(value_type = String, format = DateTime)]
    created_at: Timestamp,
    #[schema(value_type = String, format = DateTime)]
    updated_at: Timestamp,
    /// With `include_images`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    reference_images: Option<Vec<ImageBody>>,
    /// In lists, with `include_image_urls`. Written behind what is kept of the rest.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    image_urls: Option<Vec<ImageUrl>>,
}

/// Members that can be changed; others are ignored and named in `X-Ignored-Fields`.
#[derive(ToSchema)]
#[expect(dead_code, reason = "only its schema is used: the domain reads the members")]
pub(crate) struct LicenseChanges {
    /// 1 to 128 of letters, digits and `._:-`, unique for the owner; null for none.
    #[schema(inline, value_type = Option<value::ExternalId>)]
    external_id: Option<String>,
    /// 1 to 200 characters.
    #[schema(required = false, inline, value_type = value::LicenseTitle)]
    title: String,
    /// At most 5000 characters.
    #[schema(inline, value_type = Option<value::LicenseDescription>)]
    description: Option<String>,
    #[schema(required = false, inline, value_type = value::LicenseStatusName)]
    status: LicenseStatus,
    #[schema(required = false)]
    license_type: TypeKey,
    /// The types but custom.
    #[schema(required = false, inline, value_type = value::UseList)]
    uses: Vec<LicenseType>,
    /// ISO 3166-1 alpha-2, or WORLD.
    #[schema(required = false, inline, value_type = value::TerritoryList)]
    territories: Vec<String>,
    fee: Option<FeeBody>,
    #[schema(required = false)]
    can_crawl: bool,
    /// Any object of at most 16 KiB.
    #[schema(required = false, inline, value_type = Option<value::Terms>)]
    terms: Option<Map<String, Value>>,
    #[schema(inline, value_type = Option<value::Instant>)]
    valid_from: Option<Timestamp>,
    #[schema(inline, value_type = Option<value::Instant>)]
    expires_at: Option<Timestamp>,
}

/// Whose likeness it is about.
#[derive(Serialize, ToSchema)]
struct TalentBody {
    #[schema(inline, value_type = value::Id)]
    id: String,
    name: String,
    aliases: Vec<String>,
}

/// Whose it is.
#[derive(Serialize, ToSchema)]
struct OwnerBody {
    #[schema(inline, value_type = value::Id)]
    id: String,
    name: String,
    #[serde(rename = "type")]
    #[schema(inline, value_type = value::TenantTypeName)]
    kind: &'static str,
}

impl LicenseBody {
    pub(crate) fn of(seen: &Seen, images: Option<Vec<ImageBody>>) -> Self {
        let mut body = Self::listed(&seen.shown, seen.role, seen.status);
        body.reference_images = images;
        body
    }

    pub(crate) fn listed(shown: &Shown, role: PermissionRole, status: LicenseStatus) -> Self {
        let license = &shown.license;
        Self {
            id: license.id.to_string(),
            external_id: license.external_id.as_ref().map(|it| it.as_str().to_owned()),
            title: license.title.as_str().to_owned(),
            description: license.description.as_str().to_owned(),
            status: status.name(),
            license_type: license.license_type.into(),
            talent: TalentBody {
                id: license.talent.to_string(),
                name: shown.talent_name.clone(),
                aliases: shown.talent_aliases.clone(),
            },
            owner: OwnerBody {
                id: license.tenant.to_string(),
                name: shown.owner_name.clone(),
                kind: shown.owner_type.name(),
            },
            permission: role.name(),
            uses: license.uses.as_slice().iter().copied().map(TypeKey::from).collect(),
            territories: license.territories.as_slice().iter().map(ToString::to_string).collect(),
            fee: license.fee.map(FeeBody::from),
            can_crawl: license.can_crawl,
            terms: license.terms.as_map().clone(),
            valid_from: license.valid_from,
            expires_at: license.expires_at,
            image_count: license.image_count,
            version: license.version,
            created_at: license.created_at,
            updated_at: license.updated_at,
            reference_images: None,
            image_urls: None,
        }
    }
}
