//! The migrations.

use grantor_domain::hex;
use sha2::{Digest, Sha256};

/// One migration.
#[derive(Debug)]
pub struct Migration {
    /// The migration's number.
    pub version: i64,
    /// The migration's name.
    pub name: &'static str,
    /// The SQL text, for both engines.
    pub text: &'static str,
}

impl Migration {
    /// The checksum that a database stores.
    pub(crate) fn checksum(&self) -> String {
        hex::encode(&Sha256::digest(self.text.as_bytes()))
    }
}

/// Every migration in order. A test compares this list with the directory.
pub const MIGRATIONS: &[Migration] = &[
    Migration {
        version: 1,
        name: "house",
        text: include_str!("../../../../migrations/0001_house.sql"),
    },
    Migration {
        version: 2,
        name: "people",
        text: include_str!("../../../../migrations/0002_people.sql"),
    },
    Migration {
        version: 3,
        name: "access",
        text: include_str!("../../../../migrations/0003_access.sql"),
    },
    Migration {
        version: 4,
        name: "licenses",
        text: include_str!("../../../../migrations/0004_licenses.sql"),
    },
    Migration {
        version: 5,
        name: "mention_version",
        text: include_str!("../../../../migrations/0005_mention_version.sql"),
    },
    Migration {
        version: 6,
        name: "webhooks",
        text: include_str!("../../../../migrations/0006_webhooks.sql"),
    },
    Migration {
        version: 7,
        name: "reader_changes",
        text: include_str!("../../../../migrations/0007_reader_changes.sql"),
    },
    Migration {
        version: 8,
        name: "teams",
        text: include_str!("../../../../migrations/0008_teams.sql"),
    },
    Migration {
        version: 9,
        name: "organization",
        text: include_str!("../../../../migrations/0009_organization.sql"),
    },
    Migration {
        version: 10,
        name: "platforms",
        text: include_str!("../../../../migrations/0010_platforms.sql"),
    },
    Migration {
        version: 11,
        name: "billing",
        text: include_str!("../../../../migrations/0011_billing.sql"),
    },
    Migration {
        version: 12,
        name: "logs",
        text: include_str!("../../../../migrations/0012_logs.sql"),
    },
    Migration {
        version: 13,
        name: "mail_templates",
        text: include_str!("../../../../migrations/0013_mail_templates.sql"),
    },
    Migration {
        version: 14,
        name: "own_and_verified",
        text: include_str!("../../../../migrations/0014_own_and_verified.sql"),
    },
    Migration {
        version: 15,
        name: "webhook_rest",
        text: include_str!("../../../../migrations/0015_webhook_rest.sql"),
    },
    Migration {
        version: 16,
        name: "image_hashes",
        text: include_str!("../../../../migrations/0016_image_hashes.sql"),
    },
    Migration {
        version: 17,
        name: "scans",
        text: include_str!("../../../../migrations/0017_scans.sql"),
    },
    Migration {
        version: 18,
        name: "sightings",
        text: include_str!("../../../../migrations/0018_sightings.sql"),
    },
    Migration {
        version: 19,
        name: "console",
        text: include_str!("../../../../migrations/0019_console.sql"),
    },
    Migration {
        version: 20,
        name: "chores",
        text: include_str!("../../../../migrations/0020_chores.sql"),
    },
    Migration {
        version: 21,
        name: "bounds",
        text: include_str!("../../../../migrations/0021_bounds.sql"),
    },
    Migration {
        version: 22,
        name: "expired_tokens",
        text: include_str!("../../../../migrations/0022_expired_tokens.sql"),
    },
    Migration {
        version: 23,
        name: "shared_drafts",
        text: include_str!("../../../../migrations/0023_shared_drafts.sql"),
    },
    Migration {
        version: 24,
        name: "shares",
        text: include_str!("../../../../migrations/0024_shares.sql"),
    },
    Migration {
        version: 25,
        name: "memberships",
        text: include_str!("../../../../migrations/0025_memberships.sql"),
    },
    Migration {
        version: 26,
        name: "share_invitations",
        text: include_str!("../../../../migrations/0026_share_invitations.sql"),
    },
    Migration {
        version: 27,
        name: "sign_in",
        text: include_str!("../../../../migrations/0027_sign_in.sql"),
    },
    Migration {
        version: 28,
        name: "license_index",
        text: include_str!("../../../../migrations/0028_license_index.sql"),
    },
    Migration {
        version: 29,
        name: "mention_order",
        text: include_str!("../../../../migrations/0029_mention_order.sql"),
    },
    Migration {
        version: 30,
        name: "fewer_indexes",
        text: include_str!("../../../../migrations/0030_fewer_indexes.sql"),
    },
    Migration {
        version: 31,
        name: "delivery_order",
        text: include_str!("../../../../migrations/0031_delivery_order.sql"),
    },
    Migration {
        version: 32,
        name: "log_index",
        text: include_str!("../../../../migrations/0032_log_index.sql"),
    },
    Migration {
        version: 33,
        name: "delivery_days",
        text: include_str!("../../../../migrations/0033_delivery_days.sql"),
    },
    Migration {
        version: 34,
        name: "vacuum",
        text: include_str!("../../../../migrations/0034_vacuum.sql"),
    },
    Migration {
        version: 35,
        name: "mentions_of_talents",
        text: include_str!("../../../../migrations/0035_mentions_of_talents.sql"),
    },
    Migration {
        version: 36,
        name: "grants",
        text: include_str!("../../../../migrations/0036_grants.sql"),
    },
    Migration {
        version: 37,
        name: "licensing_costs",
        text: include_str!("../../../../migrations/0037_licensing_costs.sql"),
    },
    Migration {
        version: 38,
        name: "revoked_by",
        text: include_str!("../../../../migrations/0038_revoked_by.sql"),
    },
    Migration {
        version: 39,
        name: "sources",
        text: include_str!("../../../../migrations/0039_sources.sql"),
    },
    Migration {
        version: 40,
        name: "websub",
        text: include_str!("../../../../migrations/0040_websub.sql"),
    },
    Migration {
        version: 41,
        name: "notices",
        text: include_str!("../../../../migrations/0041_notices.sql"),
    },
    Migration {
        version: 42,
        name: "scanner_requests",
        text: include_str!("../../../../migrations/0042_scanner_requests.sql"),
    },
    Migration {
        version: 43,
        name: "evidence",
        text: include_str!("../../../../migrations/0043_evidence.sql"),
    },
    Migration {
        version: 44,
        name: "cases",
        text: include_str!("../../../../migrations/0044_cases.sql"),
    },
    Migration {
        version: 45,
        name: "mention_decisions",
        text: include_str!("../../../../migrations/0045_mention_decisions.sql"),
    },
    Migration {
        version: 46,
        name: "licensing_lists",
        text: include_str!("../../../../migrations/0046_licensing_lists.sql"),
    },
    Migration {
        version: 47,
        name: "notice_links",
        text: include_str!("../../../../migrations/0047_notice_links.sql"),
    },
    Migration {
        version: 48,
        name: "source_runs",
        text: include_str!("../../../../migrations/0048_source_runs.sql"),
    },
    Migration {
        version: 49,
        name: "case_openers",
        text: include_str!("../../../../migrations/0049_case_openers.sql"),
    },
    Migration {
        version: 50,
        name: "second_factors",
        text: include_str!("../../../../migrations/0050_second_factors.sql"),
    },
    Migration {
        version: 51,
        name: "single_sign_on",
        text: include_str!("../../../../migrations/0051_single_sign_on.sql"),
    },
    Migration {
        version: 52,
        name: "record_index",
        text: include_str!("../../../../migrations/0052_record_index.sql"),
    },
    Migration {
        version: 53,
        name: "saved_views",
        text: include_str!("../../../../migrations/0053_saved_views.sql"),
    },
    Migration {
        version: 54,
        name: "catalog_pictures",
        text: include_str!("../../../../migrations/0054_catalog_pictures.sql"),
    },
    Migration {
        version: 55,
        name: "license_forms",
        text: include_str!("../../../../migrations/0055_license_forms.sql"),
    },
    Migration {
        version: 56,
        name: "tags",
        text: include_str!("../../../../migrations/0056_tags.sql"),
    },
    Migration {
        version: 57,
        name: "batches",
        text: include_str!("../../../../migrations/0057_batches.sql"),
    },
    Migration {
        version: 58,
        name: "undo",
        text: include_str!("../../../../migrations/0058_undo.sql"),
    },
    Migration {
        version: 59,
        name: "overview",
        text: include_str!("../../../../migrations/0059_overview.sql"),
    },
    Migration {
        version: 60,
        name: "locales",
        text: include_str!("../../../../migrations/0060_locales.sql"),
    },
    Migration {
        version: 61,
        name: "nodes",
        text: include_str!("../../../../migrations/0061_nodes.sql"),
    },
    Migration {
        version: 62,
        name: "key_rings",
        text: include_str!("../../../../migrations/0062_key_rings.sql"),
    },
    Migration {
        version: 63,
        name: "objects",
        text: include_str!("../../../../migrations/0063_objects.sql"),
    },
    Migration {
        version: 64,
        name: "log_partitions",
        text: include_str!("../../../../migrations/0064_log_partitions.sql"),
    },
    Migration {
        version: 65,
        name: "deleted_platforms",
        text: include_str!("../../../../migrations/0065_deleted_platforms.sql"),
    },
    Migration {
        version: 66,
        name: "trace_contexts",
        text: include_str!("../../../../migrations/0066_trace_contexts.sql"),
    },
    Migration {
        version: 67,
        name: "names",
        text: include_str!("../../../../migrations/0067_names.sql"),
    },
    Migration {
        version: 68,
        name: "local_features",
        text: include_str!("../../../../migrations/0068_local_features.sql"),
    },
    Migration {
        version: 69,
        name: "own_scans",
        text: include_str!("../../../../migrations/0069_own_scans.sql"),
    },
    Migration {
        version: 70,
        name: "image_tenants",
        text: include_str!("../../../../migrations/0070_image_tenants.sql"),
    },
    Migration {
        version: 71,
        name: "batch_undos",
        text: include_str!("../../../../migrations/0071_batch_undos.sql"),
    },
    Migration {
        version: 72,
        name: "offered_talents",
        text: include_str!("../../../../migrations/0072_offered_talents.sql"),
    },
    Migration {
        version: 73,
        name: "plain_checks",
        text: include_str!("../../../../migrations/0073_plain_checks.sql"),
    },
    Migration {
        version: 74,
        name: "event_rows",
        text: include_str!("../../../../migrations/0074_event_rows.sql"),
    },
];
