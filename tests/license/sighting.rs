//! A mention of a license, as a scan would record it.

use std::time::Duration;

use grantor_testkit::clock::MockClock;
use grantor_testkit::seed;
use serde_json::{Value, json};

use super::World;

pub(super) const MENTION: &str = "0190a5e4-7b3c-7def-8123-000000000001";
pub(super) const PLATFORM: &str = "0190a5e4-7b3c-7def-8123-0000000000aa";

impl World {
    /// Records one sighting of the license's talent, on a platform of the brand's.
    pub(crate) async fn sight(&self, license: &str) {
        let id = |id: &str| seed::id(&self.app.database.options, id);
        let found = r#"{"kind":"name","term":"Grace Hopper","confidence":0.97}"#;
        let script = format!(
            "INSERT INTO platforms (platform_id, tenant_id, name, domain, token, created_at)
             VALUES ({platform}, {}, 'The Wire', 'wire.example', '{token}', 0);
             {listed}
             INSERT INTO mentions (mention_id, talent_id, tenant_id, platform_id, url, url_key, title,
               excerpt, author, media_type, match, verdict, verdict_reason, status, note,
               published_at, first_seen_at, last_seen_at, revision)
             SELECT {}, talent_id, tenant_id, {platform}, 'https://wire.example/1', 'k', 'Sighting',
               'by Grace Hopper', NULL, 'text', '{found}', 'unlicensed', 'Strong match', 'new',
               NULL, NULL, 1767225600000000, 1767225600000000, 1
             FROM licenses WHERE license_id = {};
             {marked}",
            id(&self.brand.organization),
            id(MENTION),
            id(license),
            listed = seed::list_all_mentions(&self.app.database.options, license),
            marked = seed::MARK_MENTIONS,
            platform = id(PLATFORM),
            token = "0".repeat(32),
        );
        seed::run(&self.app.database.options, script).await;
    }
}

/// The mention as the external API shows it to a viewer, after a decision when the first license was
/// made.
pub(super) fn shown(license: &str, status: &str) -> Value {
    let decided = status != "new";
    json!({
        "allowed": null, "decided_by": decided.then_some("Feed"),
        "decided_at": decided.then(|| MockClock::START.plus(Duration::from_secs(1)).to_string()),
        "id": MENTION, "license_id": license,
        "platform": { "id": PLATFORM, "name": "The Wire" }, "source": null, "url": "https://wire.example/1",
        "title": "Sighting", "excerpt": "by Grace Hopper", "author": null, "media_type": "text",
        "match": {
            "kind": "name", "method": "full_name", "term": "Grace Hopper", "confidence": 0.97,
        },
        "verdict": "unlicensed", "verdict_reason": "Strong match", "status": status,
        "published_at": null, "first_seen_at": "2026-01-01T00:00:00.000000Z",
        "last_seen_at": "2026-01-01T00:00:00.000000Z", "revision": 1,
    })
}
