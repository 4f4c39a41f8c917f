//! What sources and cases have from before each showed its own.

use std::fmt::Write as _;

use grantor_storage::migrate::{MIGRATIONS, run, run_steps};
use grantor_testkit::{Engine, db_test, seed};

use super::NOW;
use super::migrations::Bare;

/// A store of before, with a source, two runs of its feed, and mentions with and without a case.
async fn fill(Bare(test): &Bare) {
    let before = MIGRATIONS.iter().position(|it| it.name == "source_runs").unwrap();
    run_steps(&test.store, NOW, &MIGRATIONS[..before]).await.unwrap();
    seed::licenses_without_index(&test.options, 1).await;
    let id =
        |kind: u8| seed::id(&test.options, &format!("{kind}0000000-0000-0000-0000-000000000001"));
    let (tenant, talent, it, second) = (id(1), id(2), id(4), id(8));
    let bytes = match test.store.engine() {
        Engine::Sqlite => "unhex('00ff')",
        Engine::Postgres => "decode('00ff', 'hex')",
    };
    let mut script = format!(
        "INSERT INTO watched_feeds (feed_id, url, kind, title, push_only, fetch_wanted, failures,
           changed_at, created_at)
         VALUES ({it}, 'https://site.test/rss', 'feed', 'Site', FALSE, FALSE, 0, 0, 0);
         INSERT INTO sources (source_id, tenant_id, feed_id, url, name, frequency, status,
           all_talents, mention_count, created_by, created_at, updated_at, version)
         VALUES ({it}, {tenant}, {it}, 'https://site.test', 'Site', 'daily', 'running', TRUE, 2, {it},
           0, 0, 1);
         INSERT INTO feed_runs (run_id, feed_id, started_at, ended_at, outcome, request_count,
           error_count, item_count, new_item_count, mention_count, skipped)
         VALUES ({it}, {it}, 10, 19, 'ok', 1, 0, 1, 1, 7, '[]'),
           ({second}, {it}, 20, 29, 'ok', 1, 0, 1, 1, 8, '[]');"
    );
    for (kind, seen, status) in [(5, 11, "confirmed"), (6, 12, "confirmed"), (7, 25, "new")] {
        write!(
            script,
            "INSERT INTO mentions (mention_id, talent_id, tenant_id, source_id, url, url_key, title,
               excerpt, media_type, match, verdict, verdict_reason, first_seen_at, last_seen_at,
               revision, status)
             VALUES ({}, {talent}, {tenant}, {it}, 'https://site.test/{kind}', 'site.test/{kind}', 'T',
               'E', 'text', '{{}}', 'unlicensed', 'why', {seen}, {seen}, 1, '{status}');",
            id(kind)
        )
        .unwrap();
    }
    write!(
        script,
        "INSERT INTO cases (mention_id, tenant_id, status, code_hash, sealed_code, misses, opened_by,
           opened_at, updated_at, version)
         VALUES ({}, {tenant}, 'open', {bytes}, {bytes}, 0, {it}, 1, 1, 1);",
        id(5)
    )
    .unwrap();
    seed::run(&test.options, script).await;
    run(&test.store, NOW).await.unwrap();
}

#[db_test]
async fn the_mentions_of_a_source_are_counted_for_each_run(bare: Bare) {
    fill(&bare).await;
    let query = "SELECT CAST(r.started_at AS text), CAST(c.mention_count AS text)
         FROM source_runs c JOIN feed_runs r ON r.run_id = c.run_id
         JOIN sources s ON s.source_id = c.source_id ORDER BY r.started_at";
    assert_eq!(seed::rows(&bare.0.options, query).await, [["10", "2"], ["20", "1"]]);
}

/// Whoever opened a case did not allow the use.
#[db_test]
async fn a_use_with_a_case_is_not_allowed(bare: Bare) {
    fill(&bare).await;
    let query = "SELECT m.url_key, CASE WHEN m.allowed IS NULL THEN 'undecided'
           WHEN m.allowed THEN 'allowed' ELSE 'not allowed' END, c.opened_by_name
         FROM mentions m LEFT JOIN cases c ON c.mention_id = m.mention_id ORDER BY m.url_key";
    let expected = [
        ["site.test/5", "not allowed", ""],
        ["site.test/6", "undecided", "NULL"],
        ["site.test/7", "undecided", "NULL"],
    ];
    assert_eq!(seed::rows(&bare.0.options, query).await, expected);
}
