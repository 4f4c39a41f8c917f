//! Mentions from when there was one for each license, made one for each talent.

use grantor_storage::migrate::{MIGRATIONS, run, run_steps};
use grantor_testkit::{db_test, seed};

use super::NOW;
use super::migrations::Bare;

/// What a row of before held that counts.
struct Before {
    number: u8,
    license: u8,
    url: &'static str,
    verdict: &'static str,
    status: &'static str,
    note: &'static str,
    seen: (i64, i64),
    version: u8,
}

const DAY: i64 = 86_400_000_000;

/// Three licenses of a talent saw one page, and the third was deleted; another page was seen once.
const ROWS: [Before; 4] = [
    Before {
        number: 1,
        license: 1,
        url: "a",
        verdict: "unlicensed",
        status: "dismissed",
        note: "newest",
        seen: (3 * DAY, 4 * DAY),
        version: 3,
    },
    Before {
        number: 2,
        license: 2,
        url: "a",
        verdict: "needs_review",
        status: "confirmed",
        note: "older",
        seen: (DAY, 2 * DAY),
        version: 2,
    },
    Before {
        number: 3,
        license: 3,
        url: "a",
        verdict: "licensed",
        status: "new",
        note: "",
        seen: (2 * DAY, 5 * DAY),
        version: 9,
    },
    Before {
        number: 4,
        license: 2,
        url: "b",
        verdict: "unlicensed",
        status: "new",
        note: "",
        seen: (7 * DAY, 7 * DAY),
        version: 1,
    },
];

/// A store of before with these rows, and bookmarks of the first two by one person and of the second by
/// another.
async fn fill(Bare(test): &Bare) {
    let before = MIGRATIONS.iter().position(|it| it.name == "mentions_of_talents").unwrap();
    run_steps(&test.store, NOW, &MIGRATIONS[..before]).await.unwrap();
    seed::licenses_without_index(&test.options, 10).await;
    let id = |kind: u8, number: u8| {
        seed::id(&test.options, &format!("{kind}0000000-0000-0000-0000-{number:012x}"))
    };
    let tenant = id(1, 1);
    let mention = |it: &Before| {
        let Before { number, license, url, verdict, status, note, seen: (first, last), version } =
            it;
        let owner = if *license == 3 { "NULL" } else { &tenant };
        format!(
            "INSERT INTO mentions (mention_id, license_id, platform_id, url, url_key, title, excerpt,
               media_type, match, verdict, verdict_reason, status, note, first_seen_at, last_seen_at,
               revision, version, tenant_id)
             VALUES ({}, {}, {tenant}, 'https://{url}', '{url}', '', '', 'text', '{{}}', '{verdict}',
               'by {number}', '{status}', '{note}', {first}, {last}, 1, {version}, {owner});",
            id(5, *number),
            id(3, *license),
        )
    };
    let bookmark = |number: u8, user: u8, target: u8| {
        format!(
            "INSERT INTO bookmarks VALUES ({}, {}, 'mention', {}, NULL, '[]', {number});",
            id(7, number),
            id(6, user),
            id(5, target)
        )
    };
    let script = format!(
        "UPDATE licenses SET talent_id = {talent};
         UPDATE licenses SET can_crawl = {yes} WHERE license_id = {first};
         UPDATE licenses SET deleted_at = 1 WHERE license_id = {third};
         INSERT INTO permissions (permission_id, license_id, grantee_kind, grantee_id, role,
           granted_by, created_at)
         VALUES ({first}, {first}, 'organization', {tenant}, 'viewer', {tenant}, 1);
         INSERT INTO platforms (platform_id, tenant_id, name, domain, token, created_at)
         VALUES ({tenant}, {tenant}, 'Site', 'site.test', '', 1);
         INSERT INTO users (user_id, last_tenant_id, email, email_key, fullname, fullname_key,
           created_at, updated_at)
         VALUES ({one}, {tenant}, '1', '1', '', '', 1, 1), ({two}, {tenant}, '2', '2', '', '', 1, 1);
         {}{}{}{}",
        ROWS.iter().map(mention).collect::<String>(),
        bookmark(1, 1, 2),
        bookmark(2, 1, 1),
        bookmark(3, 2, 2),
        one = id(6, 1),
        two = id(6, 2),
        talent = id(2, 1),
        yes = if test.store.engine() == grantor_testkit::Engine::Sqlite { "1" } else { "true" },
        first = id(3, 1),
        third = id(3, 3),
    );
    seed::run(&test.options, script).await;
    run(&test.store, NOW).await.unwrap();
}

#[db_test]
async fn the_newest_decision_and_the_best_verdict_stay(bare: Bare) {
    fill(&bare).await;
    let query = "SELECT m.url_key, m.status, m.note, m.verdict, m.verdict_reason,
           CAST(m.first_seen_at / 86400000000 AS text), CAST(m.last_seen_at / 86400000000 AS text),
           CAST(m.version AS text), t.fullname, o.name
         FROM mentions m JOIN talents t ON t.talent_id = m.talent_id
         JOIN tenants o ON o.tenant_id = m.tenant_id ORDER BY m.url_key";
    let agency = "Sample Agency";
    let expected = [
        ["a", "dismissed", "newest", "needs_review", "by 2", "1", "5", "9", "Talent 1", agency],
        ["b", "new", "", "unlicensed", "by 4", "7", "7", "1", "Talent 1", agency],
    ];
    assert_eq!(seed::rows(&bare.0.options, query).await, expected);
    let days = "SELECT CAST(day AS text), verdict, status, CAST(total AS text) FROM mention_days
         ORDER BY day";
    let expected = [["1", "needs_review", "dismissed", "1"], ["7", "unlicensed", "new", "1"]];
    assert_eq!(seed::rows(&bare.0.options, days).await, expected);
}

#[db_test]
async fn bookmarks_lead_to_what_stays(bare: Bare) {
    fill(&bare).await;
    let query = "SELECT CAST(b.created_at AS text), m.note
         FROM bookmarks b JOIN mentions m ON m.mention_id = b.target_id ORDER BY b.created_at";
    let kept = seed::rows(&bare.0.options, query).await;
    assert_eq!(kept, [["1", "newest"], ["3", "newest"]], "the first of each person");
}

#[db_test]
async fn licenses_list_what_they_listed_before(bare: Bare) {
    fill(&bare).await;
    let query = "SELECT title, CAST(watched_since AS text), CAST(watched_until AS text)
         FROM licenses WHERE watched_since IS NOT NULL AND deleted_at IS NULL ORDER BY title";
    let days = |count: i64| (count * DAY).to_string();
    let expected = [
        ["License 1".to_owned(), "1000000".to_owned(), "NULL".to_owned()],
        ["License 2".to_owned(), days(1), days(7)],
    ];
    assert_eq!(seed::rows(&bare.0.options, query).await, expected);
    let held = "SELECT t.fullname FROM permissions p JOIN talents t ON t.talent_id = p.talent_id";
    assert_eq!(seed::rows(&bare.0.options, held).await, [["Talent 1"]]);
}
