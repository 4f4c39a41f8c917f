//! What was scanned and found before there were sources.

use grantor_storage::migrate::{MIGRATIONS, run, run_steps};
use grantor_testkit::{Engine, db_test, seed};

use super::NOW;
use super::migrations::Bare;

/// A store of before, with a platform, a mention on it, and what its pod had read.
async fn fill(Bare(test): &Bare) {
    let before = MIGRATIONS.iter().position(|it| it.name == "sources").unwrap();
    run_steps(&test.store, NOW, &MIGRATIONS[..before]).await.unwrap();
    seed::licenses_without_index(&test.options, 1).await;
    let id =
        |kind: u8| seed::id(&test.options, &format!("{kind}0000000-0000-0000-0000-000000000001"));
    let [bytes, hashes] = match test.store.engine() {
        Engine::Sqlite => ["unhex('00ff')", "unhex('abcd')"],
        Engine::Postgres => ["decode('00ff', 'hex')", "decode('abcd', 'hex')"],
    };
    let (tenant, talent, mention) = (id(1), id(2), id(5));
    let script = format!(
        "INSERT INTO platforms (platform_id, tenant_id, name, domain, token, created_at)
         VALUES ({tenant}, {tenant}, 'Site', 'site.test', '', 1);
         INSERT INTO mentions (mention_id, talent_id, tenant_id, platform_id, url, url_key, title,
           excerpt, author, media_type, match, verdict, verdict_reason, status, note, published_at,
           first_seen_at, last_seen_at, revision, version, content_digest)
         VALUES ({mention}, {talent}, {tenant}, {tenant}, 'https://site.test/1', 'site.test/1', 'T',
           'E', 'A', 'text', '{{}}', 'licensed', 'why', 'confirmed', 'note', 3, 4, 5, 6, 7, 'd');
         INSERT INTO scanned_items (platform_id, url_key, digest, listed_at, image_url, picture,
           first_seen_at, last_seen_at)
         VALUES ({tenant}, 'site.test/1', {bytes}, 2, 'https://site.test/a.png', {hashes}, 3, 4),
           ({tenant}, 'site.test/2', {bytes}, NULL, 'https://site.test/a.png', {hashes}, 3, 4),
           ({tenant}, 'site.test/3', {bytes}, NULL, 'https://site.test/b.png', NULL, 3, 4),
           ({tenant}, 'site.test/4', {bytes}, NULL, NULL, NULL, 3, 4);
         INSERT INTO feed_cursors (platform_id, url, etag, last_modified, digest, read_at)
         VALUES ({tenant}, 'https://site.test/rss', 'tag', 'then', {bytes}, 9);"
    );
    seed::run(&test.options, script).await;
    run(&test.store, NOW).await.unwrap();
}

#[db_test]
async fn mentions_stay_as_they_are(bare: Bare) {
    fill(&bare).await;
    let query = "SELECT p.name, m.url, m.url_key, m.title, m.excerpt, m.author, m.verdict,
           m.verdict_reason, m.status, m.note, CAST(m.published_at AS text),
           CAST(m.first_seen_at AS text), CAST(m.last_seen_at AS text), CAST(m.revision AS text),
           CAST(m.version AS text), m.content_digest, s.name
         FROM mentions m JOIN platforms p ON p.platform_id = m.platform_id
         LEFT JOIN sources s ON s.source_id = m.source_id";
    let expected = [[
        "Site",
        "https://site.test/1",
        "site.test/1",
        "T",
        "E",
        "A",
        "licensed",
        "why",
        "confirmed",
        "note",
        "3",
        "4",
        "5",
        "6",
        "7",
        "d",
        "NULL",
    ]];
    assert_eq!(seed::rows(&bare.0.options, query).await, expected);
}

/// Nothing is fetched again because of the upgrade.
#[db_test]
async fn what_pods_had_read_is_known(bare: Bare) {
    fill(&bare).await;
    let options = &bare.0.options;
    let items = "SELECT i.url_key, CAST(i.listed_at AS text), CAST(i.first_seen_at AS text),
           CAST(i.last_seen_at AS text)
         FROM scanned_items i JOIN platforms p ON p.platform_id = i.target_id ORDER BY i.url_key";
    let expected = [
        ["site.test/1", "2", "3", "4"],
        ["site.test/2", "NULL", "3", "4"],
        ["site.test/3", "NULL", "3", "4"],
        ["site.test/4", "NULL", "3", "4"],
    ];
    assert_eq!(seed::rows(options, items).await, expected);
    let images = "SELECT i.url, CAST(length(i.hashes) AS text), CAST(i.last_seen_at AS text)
         FROM scanned_images i JOIN platforms p ON p.platform_id = i.target_id";
    assert_eq!(seed::rows(options, images).await, [["https://site.test/a.png", "2", "4"]]);
    let cursors = "SELECT c.url, c.etag, c.last_modified, CAST(c.read_at AS text)
         FROM feed_cursors c JOIN platforms p ON p.platform_id = c.target_id";
    let expected = [["https://site.test/rss", "tag", "then", "9"]];
    assert_eq!(seed::rows(options, cursors).await, expected);
}
