//! A platform as the console shows it.

use grantor_domain::Timestamp;
use grantor_domain::platform::{Platform, Proof};
use serde::Serialize;
use utoipa::ToSchema;

use crate::console::envelope::Plural;
use crate::describe::value;

/// A platform.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(in crate::console) struct PlatformBody {
    #[schema(inline, value_type = value::Id)]
    platform_id: String,
    name: String,
    /// The team that looks after it; none once that team is gone.
    #[schema(inline, value_type = Option<value::Id>)]
    team_id: Option<String>,
    #[schema(inline, value_type = value::PlatformTypeName)]
    r#type: &'static str,
    /// In lower case and ASCII; the port of https is left out.
    domain: String,
    description: Option<String>,
    feed_urls: Vec<String>,
    settings: SettingsBody,
    statistics: StatisticsBody,
    /// `pending_verification` or verified.
    #[schema(inline, value_type = value::PlatformStatusName)]
    status: &'static str,
    verification: ProofBody,
    /// By what the domain was proved, if it was.
    #[schema(inline, value_type = Option<value::MethodName>)]
    verification_method: Option<&'static str>,
    #[schema(value_type = Option<String>, format = DateTime)]
    verified_at: Option<Timestamp>,
    #[schema(value_type = String, format = DateTime)]
    created_at: Timestamp,
    #[schema(value_type = String, format = DateTime)]
    updated_at: Timestamp,
}

/// How it is scanned.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct SettingsBody {
    crawling_enabled: bool,
    #[schema(inline, value_type = value::FrequencyName)]
    detection_frequency: &'static str,
}

/// What scanning found.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct StatisticsBody {
    content_scanned: u32,
    nil_detections: u32,
    #[schema(value_type = Option<String>, format = DateTime)]
    last_scan_at: Option<Timestamp>,
}

/// What proves the domain; any one suffices.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct ProofBody {
    /// A record; null where the domain is an address, which has none.
    dns: Option<RecordBody>,
    meta_tag: TagBody,
    file: FileBody,
}

/// A record in the domain's zone.
#[derive(Serialize, ToSchema)]
struct RecordBody {
    name: String,
    /// Always TXT.
    #[schema(inline, value_type = value::TxtWord)]
    r#type: &'static str,
    value: String,
}

/// A meta tag in the head of the home page.
#[derive(Serialize, ToSchema)]
struct TagBody {
    name: String,
    content: String,
}

/// A file on the domain.
#[derive(Serialize, ToSchema)]
struct FileBody {
    path: String,
    content: String,
}

impl Plural for PlatformBody {
    const PLURAL: &'static str = "platforms";
}

impl PlatformBody {
    /// The platform, and what proves its domain to the service of this name.
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
