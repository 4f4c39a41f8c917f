//! Mentions in bulk.

use grantor_storage::Options;

use super::dialect::Dialect;
use super::{id, run};

/// `count` mentions of a license's talent on the oldest platform, a minute apart, the last one a
/// minute ago. One in four is unlicensed and one in four decided. Mentions of another `kind` have
/// other ids and URLs. The license lists all of them.
pub async fn mentions(options: &Options, license: &str, kind: u8, count: u32) {
    let dialect = Dialect::of(&options.url);
    let script = format!(
        "{listed}
         INSERT INTO mentions (mention_id, talent_id, platform_id, url, url_key, title, excerpt,
           author, media_type, match, verdict, verdict_reason, status, note, published_at,
           first_seen_at, last_seen_at, revision, content_digest, tenant_id)
         SELECT {id}, l.talent_id, p.platform_id, 'https://news.example/{kind}/' || n,
           'news.example/{kind}/' || n, 'Sighting ' || n, 'Seen on page ' || n, NULL, 'text',
           '{{\"kind\":\"name\",\"term\":\"Talent\",\"confidence\":1.0}}',
           CASE n % 4 WHEN 0 THEN 'unlicensed' ELSE 'needs_review' END, 'seeded',
           CASE n % 4 WHEN 1 THEN 'dismissed' ELSE 'new' END, NULL, NULL,
           ({now} - n * 60) * 1000000, ({now} - n * 60) * 1000000, 1, NULL, l.tenant_id
         FROM licenses l, (SELECT platform_id FROM platforms ORDER BY created_at LIMIT 1) p, {series}
         WHERE l.license_id = {license}; {COUNT_MENTIONS}",
        listed = list_all_mentions(options, license),
        id = dialect.id.replace("KIND", &kind.to_string()).replace("OF", "n"),
        license = id(options, license),
        now = dialect.now,
        series = (dialect.series)(count),
    );
    run(options, script).await;
}

/// A statement that makes a license list every mention of its talent.
#[must_use]
pub fn list_all_mentions(options: &Options, license: &str) -> String {
    let license = id(options, license);
    format!(
        "UPDATE licenses SET watched_since = 0, watched_until = NULL WHERE license_id = {license};"
    )
}

/// Marks all mentions for indexing, after rows were written.
pub const MARK_MENTIONS: &str = "INSERT INTO record_stale (kind, record_id, mark)
     SELECT 'mention', mention_id, 1 FROM mentions WHERE true
     ON CONFLICT (kind, record_id) DO NOTHING;";

/// Recounts the mentions of every day, after rows were written.
pub const COUNT_MENTIONS: &str =
    "DELETE FROM mention_days;
     INSERT INTO mention_days SELECT tenant_id, first_seen_at / 86400000000, verdict, status, count(*)
     FROM mentions WHERE tenant_id IS NOT NULL GROUP BY 1, 2, 3, 4;";
