//! Licenses on the wire of the external API.

use grantor_domain::license::LicenseType;
use serde::Serialize;
use utoipa::ToSchema;

/// What a license is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = LicenseType)]
pub(super) enum TypeKey {
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
