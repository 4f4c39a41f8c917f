//! Licenses in the external API.

use grantor_domain::Timestamp;
use grantor_domain::license::{LicenseFee, LicenseStatus, LicenseType};
use grantor_domain::permission::PermissionRole;
use grantor_service::licensing::license::{LicenseRecord, LicenseView};
use serde::Serialize;
use serde_json::{Map, Value};
use utoipa::ToSchema;

use super::image::{ImageBody, ImageUrl};
use crate::frame::describe::value;

/// The type of a license or use.
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

/// The fee of a license.
#[derive(Serialize, ToSchema)]
#[schema(as = Fee)]
pub(crate) struct FeeBody {
    /// The amount, with at most two decimal places.
    #[schema(inline, value_type = value::Amount)]
    amount: String,
    /// The ISO 4217 currency code.
    #[schema(value_type = value::Currency)]
    currency: String,
    /// The unit that the fee applies to.
    #[schema(inline, value_type = value::FeePerName)]
    per: &'static str,
}

impl From<LicenseFee> for FeeBody {
    fn from(fee: LicenseFee) -> Self {
        let LicenseFee { amount, currency, per } = fee;
        Self { amount: amount.to_string(), currency: currency.to_string(), per: per.name() }
    }
}

/// A license for a talent's name, image or likeness.
#[derive(Serialize, ToSchema)]
#[schema(as = License)]
pub(crate) struct LicenseBody {
    /// The license's ID.
    #[schema(inline, value_type = value::Id)]
    id: String,
    /// The owner's own identifier for the license.
    external_id: Option<String>,
    /// The license's title.
    title: String,
    /// The license's description.
    description: String,
    /// The license's status.
    #[schema(inline, value_type = value::LicenseStatusName)]
    status: &'static str,
    license_type: TypeKey,
    talent: TalentBody,
    owner: OwnerBody,
    /// The caller's permission on the license.
    #[schema(inline, value_type = value::PermissionRoleName)]
    permission: &'static str,
    /// The licensed uses.
    uses: Vec<TypeKey>,
    /// The territories of the license.
    #[schema(value_type = Vec<value::Territory>)]
    territories: Vec<String>,
    fee: Option<FeeBody>,
    /// Whether platforms are scanned for mentions of the license.
    can_crawl: bool,
    /// Additional terms, as any JSON object.
    #[schema(value_type = Object)]
    terms: Map<String, Value>,
    /// When the license starts, if it has a start date.
    #[schema(value_type = Option<String>, format = DateTime)]
    valid_from: Option<Timestamp>,
    /// When the license expires, if it has an end date.
    #[schema(value_type = Option<String>, format = DateTime)]
    expires_at: Option<Timestamp>,
    /// The number of reference images.
    image_count: u32,
    /// Incremented with every change.
    version: u32,
    /// When the license was created.
    #[schema(value_type = String, format = DateTime)]
    created_at: Timestamp,
    /// When the license was last changed.
    #[schema(value_type = String, format = DateTime)]
    updated_at: Timestamp,
    /// The reference images. Only with `include_images`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    reference_images: Option<Vec<ImageBody>>,
    /// Pre-signed image URLs. Only in lists, with `include_image_urls`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    image_urls: Option<Vec<ImageUrl>>,
}

/// The fields to change. Other fields are ignored and listed in the `X-Ignored-Fields` header.
#[derive(ToSchema)]
#[expect(dead_code, reason = "only its schema is used: the domain reads the members")]
pub(crate) struct LicenseChanges {
    /// The owner's own identifier, unique per owner: 1 to 128 letters, digits and `._:-`. Null
    /// removes it.
    #[schema(inline, value_type = Option<value::ExternalId>)]
    external_id: Option<String>,
    /// The license's title. 1 to 200 characters.
    #[schema(required = false, inline, value_type = value::LicenseTitle)]
    title: String,
    /// The license's description. At most 5000 characters.
    #[schema(inline, value_type = Option<value::LicenseDescription>)]
    description: Option<String>,
    /// The license's status.
    #[schema(required = false, inline, value_type = value::LicenseStatusName)]
    status: LicenseStatus,
    #[schema(required = false)]
    license_type: TypeKey,
    /// The licensed uses: any license type except custom.
    #[schema(required = false, inline, value_type = value::UseList)]
    uses: Vec<LicenseType>,
    /// The territories, as ISO 3166-1 alpha-2 codes or WORLD.
    #[schema(required = false, inline, value_type = value::TerritoryList)]
    territories: Vec<String>,
    fee: Option<FeeBody>,
    /// Whether platforms are scanned for mentions of the license.
    #[schema(required = false)]
    can_crawl: bool,
    /// Additional terms, as any JSON object of at most 16 KiB.
    #[schema(required = false, inline, value_type = Option<value::Terms>)]
    terms: Option<Map<String, Value>>,
    /// When the license starts.
    #[schema(inline, value_type = Option<value::Instant>)]
    valid_from: Option<Timestamp>,
    /// When the license expires.
    #[schema(inline, value_type = Option<value::Instant>)]
    expires_at: Option<Timestamp>,
}

/// The licensed talent.
#[derive(Serialize, ToSchema)]
struct TalentBody {
    /// The talent's ID.
    #[schema(inline, value_type = value::Id)]
    id: String,
    /// The talent's name.
    name: String,
    /// The talent's other names.
    aliases: Vec<String>,
}

/// The owner of the license.
#[derive(Serialize, ToSchema)]
struct OwnerBody {
    /// The tenant's ID.
    #[schema(inline, value_type = value::Id)]
    id: String,
    /// The tenant's name.
    name: String,
    /// The tenant's type.
    #[serde(rename = "type")]
    #[schema(inline, value_type = value::TenantTypeName)]
    kind: &'static str,
}

impl LicenseBody {
    pub(crate) fn of(seen: &LicenseView, images: Option<Vec<ImageBody>>) -> Self {
        let mut body = Self::listed(&seen.shown, seen.role, seen.status);
        body.reference_images = images;
        body
    }

    pub(crate) fn listed(
        shown: &LicenseRecord,
        role: PermissionRole,
        status: LicenseStatus,
    ) -> Self {
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
