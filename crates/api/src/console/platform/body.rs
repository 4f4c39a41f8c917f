//! Platforms in the console API.

use grantor_domain::Timestamp;
use grantor_domain::platform::{Platform, Proof};
use serde::Serialize;
use utoipa::ToSchema;

use crate::console::envelope::Plural;
use crate::frame::describe::value;

/// A platform.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(in crate::console) struct PlatformBody {
    /// The platform's ID.
    #[schema(inline, value_type = value::Id)]
    platform_id: String,
    /// The platform's name.
    name: String,
    /// The team that manages the platform, if one does.
    #[schema(inline, value_type = Option<value::Id>)]
    team_id: Option<String>,
    /// The platform's type.
    #[schema(inline, value_type = value::PlatformTypeName)]
    r#type: &'static str,
    /// The domain in lowercase ASCII, without the default HTTPS port.
    domain: String,
    /// The platform's description.
    description: Option<String>,
    /// The platform's feed URLs.
    feed_urls: Vec<String>,
    settings: SettingsBody,
    statistics: StatisticsBody,
    /// The platform's status: `pending_verification` or `verified`.
    #[schema(inline, value_type = value::PlatformStatusName)]
    status: &'static str,
    verification: ProofBody,
    /// The method by which the domain was verified, if it was.
    #[schema(inline, value_type = Option<value::MethodName>)]
    verification_method: Option<&'static str>,
    /// When the domain was verified.
    #[schema(value_type = Option<String>, format = DateTime)]
    verified_at: Option<Timestamp>,
    /// When the platform was created.
    #[schema(value_type = String, format = DateTime)]
    created_at: Timestamp,
    /// When the platform was last changed.
    #[schema(value_type = String, format = DateTime)]
    updated_at: Timestamp,
}

/// The scan settings of a platform.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct SettingsBody {
    /// Whether the platform may be scanned.
    crawling_enabled: bool,
    /// How often the platform is scanned.
    #[schema(inline, value_type = value::FrequencyName)]
    detection_frequency: &'static str,
}

/// The scan statistics of a platform.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct StatisticsBody {
    /// The number of content items scanned.
    content_scanned: u32,
    /// The number of detected names, images and likenesses.
    nil_detections: u32,
    /// When the platform was last scanned.
    #[schema(value_type = Option<String>, format = DateTime)]
    last_scan_at: Option<Timestamp>,
}

/// The ways to verify the domain. Any one of them is enough.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct ProofBody {
    /// The DNS record to create. Null if the domain is an IP address.
    dns: Option<RecordBody>,
    meta_tag: TagBody,
    file: FileBody,
}

/// A DNS record.
#[derive(Serialize, ToSchema)]
struct RecordBody {
    /// The record's name.
    name: String,
    /// Always `TXT`.
    #[schema(inline, value_type = value::TxtWord)]
    r#type: &'static str,
    /// The record's value.
    value: String,
}

/// A meta tag in the `<head>` of the home page.
#[derive(Serialize, ToSchema)]
struct TagBody {
    /// The tag's name.
    name: String,
    /// The tag's content.
    content: String,
}

/// A file on the domain.
#[derive(Serialize, ToSchema)]
struct FileBody {
    /// The file's path.
    path: String,
    /// The file's content.
    content: String,
}

impl Plural for PlatformBody {
    const PLURAL: &'static str = "platforms";
}

impl PlatformBody {
    /// Creates the body, with the proofs of the domain for the named service.
    pub(in crate::console) fn new(platform: Platform, service: &str) -> Self {
        let proof = Proof::of(service, &platform.domain, &platform.token);
        Self {
            platform_id: platform.id.to_string(),
            status: platform.status().name(),
            name: platform.name.into(),
            team_id: platform.team.map(|it| it.to_string()),
            r#type: platform.kind.name(),
            domain: platform.domain.as_str().to_owned(),
            description: platform.description.map(String::from),
            feed_urls: platform.feed_urls.as_slice().to_vec(),
            settings: SettingsBody {
                crawling_enabled: platform.settings.crawling_enabled,
                detection_frequency: platform.settings.detection_frequency.name(),
            },
            statistics: StatisticsBody {
                content_scanned: platform.statistics.content_scanned,
                nil_detections: platform.statistics.nil_detections,
                last_scan_at: platform.statistics.last_scan_at,
            },
            verification: proof.into(),
            verification_method: platform.proved.map(|it| it.method.name()),
            verified_at: platform.proved.map(|it| it.at),
            created_at: platform.created_at,
            updated_at: platform.updated_at,
        }
    }
}

impl From<Proof> for ProofBody {
    fn from(Proof { dns, meta_tag, file }: Proof) -> Self {
        let record = |it: grantor_domain::platform::DnsRecord| RecordBody {
            name: it.name,
            r#type: "TXT",
            value: it.value,
        };
        Self {
            dns: dns.map(record),
            meta_tag: TagBody { name: meta_tag.name, content: meta_tag.content },
            file: FileBody { path: file.path, content: file.content },
        }
    }
}
