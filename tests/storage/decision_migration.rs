//! Decisions about mentions that were made before their history was kept.

use std::fmt::Write as _;

use grantor_storage::migrate::{MIGRATIONS, run, run_steps};
use grantor_testkit::{db_test, seed};

use super::NOW;
use super::migrations::Bare;

/// Of each mention, the last decision is known, but not what it was before.
#[db_test]
async fn the_last_decision_begins_the_history(bare: Bare) {
    let Bare(test) = &bare;
    let before = MIGRATIONS.iter().position(|it| it.name == "mention_decisions").unwrap();
    run_steps(&test.store, NOW, &MIGRATIONS[..before]).await.unwrap();
    seed::licenses_without_index(&test.options, 1).await;
    let id =
        |kind: u8| seed::id(&test.options, &format!("{kind}0000000-0000-0000-0000-000000000001"));
    let (tenant, talent) = (id(1), id(2));
    let mut script = format!(
        "INSERT INTO platforms (platform_id, tenant_id, name, domain, token, created_at)
         VALUES ({tenant}, {tenant}, 'Site', 'site.test', '', 1);"
    );
    let decisions = [(5, "'confirmed', 1 = 0", "'Ada', 9"), (6, "'new', NULL", "NULL, NULL")];
    for (kind, decided, by) in decisions {
        let (mention, user) = (id(kind), if kind == 5 { id(7) } else { "NULL".to_owned() });
        write!(
            script,
            "INSERT INTO mentions (mention_id, talent_id, tenant_id, platform_id, url, url_key,
               title, excerpt, media_type, match, verdict, verdict_reason, first_seen_at,
               last_seen_at, revision, status, allowed, decided_by, decided_by_name, decided_at)
             VALUES ({mention}, {talent}, {tenant}, {tenant}, 'https://site.test/{kind}',
               'site.test/{kind}', 'T', 'E', 'text', '{{}}', 'licensed', 'why', 1, 1, 1, {decided},
               {user}, {by});"
        )
        .unwrap();
    }
    seed::run(&test.options, script).await;
    run(&test.store, NOW).await.unwrap();
    let query = "SELECT m.url_key, CAST(d.number AS text), d.from_status, d.to_status,
           CASE WHEN d.to_allowed THEN 'allowed' ELSE 'not allowed' END, d.decided_by_name,
           CAST(d.decided_at AS text)
         FROM mention_decisions d JOIN mentions m ON m.mention_id = d.mention_id
           AND m.decided_by = d.decided_by";
    let expected = [["site.test/5", "1", "NULL", "confirmed", "not allowed", "Ada", "9"]];
    assert_eq!(seed::rows(&test.options, query).await, expected);
}
