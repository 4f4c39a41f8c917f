//! A row in every table, so that backups are tested with all of them.

use grantor_storage::idempotency::ClaimTimes;
use grantor_storage::{Result, audit, event, idempotency, mail, meta};
use grantor_testkit::store::TestStore;
use grantor_testkit::{Engine, seed};

use crate::storage::{NOW, id};

/// SHA-256 of "a picture".
const PICTURE_SUM: &str = "92b2fa58028958317e408bd84ecfa70f5ee35b121991dbc232c49d166353708b";

/// Something in every table, with the values that are easily mangled on the way.
pub(in crate::storage) async fn fill(test: &TestStore) {
    seed::public_licenses(&test.options, 2_500).await;
    let filled: Result<()> = test
        .store
        .write(|tx| {
            meta::put(tx, "strange", "tab\t quote\" slash\\ é 日本 \u{1f600} line\nbreak")?;
            meta::put(tx, "", "")?;
            audit::insert(tx, &crate::storage::units::entry(1))?;
            for number in 1..=2_000 {
                event::insert(tx, &crate::storage::event::event(number, &[1, 2]))?;
            }
            mail::insert(tx, id(1), "otp", &[0, 1, 127, 128, 255], NOW)?;
            mail::insert(tx, id(2), "otp", &[], NOW)?;
            let sent = mail::ClaimedMail { id: id(2), sealed: vec![], attempts: 0 };
            mail::mark_sent(tx, &sent, NOW)?;
            let run = crate::storage::idempotency::run_of(1);
            let moments = ClaimTimes { now: NOW, until: NOW, forget_before: NOW };
            idempotency::claim(tx, &run, b"\x00hash", moments)?;
            crate::storage::people::fill(tx)
        })
        .await;
    filled.unwrap();
    fill_sources(test).await;
    fill_by_hand(test).await;
    fill_websub(test).await;
}

/// The tables of WebSub.
async fn fill_websub(test: &TestStore) {
    let it = seed::id(&test.options, "00000000-0000-0000-0000-000000000083");
    let bytes = match test.store.engine() {
        Engine::Sqlite => "unhex('00ff')",
        Engine::Postgres => "decode('00ff', 'hex')",
    };
    let script = format!(
        "INSERT INTO websub_subscriptions VALUES ({it}, {it}, 'https://hub.test',
           'https://site.test', {bytes}, {bytes}, 'active', 0, 5, 9, NULL, 1, NULL);
         INSERT INTO websub_pushes VALUES ({it}, {it}, NULL, 2, 1, {bytes});"
    );
    seed::run(&test.options, script).await;
}

/// The tables of sources.
async fn fill_sources(test: &TestStore) {
    let id =
        |number: u8| seed::id(&test.options, &format!("00000000-0000-0000-0000-{number:012x}"));
    let license = seed::id(&test.options, "30000000-0000-0000-0000-000000000001");
    let (bytes, no) = match test.store.engine() {
        Engine::Sqlite => ("unhex('00ff')", "0"),
        Engine::Postgres => ("decode('00ff', 'hex')", "FALSE"),
    };
    let (tenant, user, it) = (id(71), id(72), id(83));
    let script = format!(
        "INSERT INTO watched_feeds VALUES ({it}, 'https://site.test/rss', 'feed', 'mastodon',
           'https://site.test/@a', 'Site', {no}, 9, NULL, 1, {no}, 1, 1, NULL, 0, 1, NULL, 1, NULL,
           NULL, 5);
         INSERT INTO sources VALUES ({it}, {tenant}, {it}, 'https://site.test', 'Site', 'daily',
           'running', NULL, {no}, 1, 1, NULL, {user}, 1, 1, 1, {no}, 5, 1);
         INSERT INTO source_talents SELECT {it}, talent_id FROM licenses
           WHERE license_id = {license};
         INSERT INTO feed_runs VALUES ({it}, {it}, 1, 2, 'ok', NULL, 1, 0, 1, 1, 0, '[]', {no});
         INSERT INTO source_runs VALUES ({it}, {it}, 1, {no});
         INSERT INTO profiles VALUES ({it}, {tenant}, 'mastodon', 'https://site.test/@a', 'code', 2,
           1);
         INSERT INTO scanned_images VALUES ({it}, 'https://site.test/a.png', {bytes}, 1, '[]', 1);"
    );
    seed::run(&test.options, script).await;
}

/// The tables that take a person and a license first.
async fn fill_by_hand(test: &TestStore) {
    let id =
        |number: u8| seed::id(&test.options, &format!("00000000-0000-0000-0000-{number:012x}"));
    let license = seed::id(&test.options, "30000000-0000-0000-0000-000000000001");
    let secret = match test.store.engine() {
        Engine::Sqlite => "unhex('00ff')",
        Engine::Postgres => "decode('00ff', 'hex')",
    };
    let (tenant, user, it, webhook) = (id(71), id(72), id(83), id(86));
    let script = format!(
        "INSERT INTO permissions VALUES ({it}, {license}, 'user', {user}, 'viewer', {user}, 1,
           'a@b.example', 'a@b.example', NULL, NULL);
         INSERT INTO images VALUES ({it}, {license}, 'image/png', 1, 1, 9, '{PICTURE_SUM}', 1,
           {tenant});
         INSERT INTO image_hashes VALUES ({it}, NULL, 0, 1);
         INSERT INTO platforms (platform_id, tenant_id, name, domain, created_at)
           VALUES ({it}, {tenant}, 'Site', 'site.test', 1);
         INSERT INTO teams VALUES ({it}, {tenant}, 'Web', 'web', 1, 1);
         INSERT INTO team_members VALUES ({it}, {tenant}, {user}, 1);
         INSERT INTO pax VALUES ({it}, {tenant}, {it}, 'Feed', 'read', 'active', 0, NULL, 1, 1);
         INSERT INTO pods VALUES ({it}, {it}, 'crawl', 'stopped', NULL, NULL, 0, 0, 0, 1, 1, NULL,
           NULL);
         INSERT INTO pod_runs VALUES ({it}, {it}, 1, 2, 'ok', NULL, 1, 0, 1, 1, 0);
         INSERT INTO scanner_requests VALUES ({it}, 1);
         INSERT INTO scan_hosts VALUES ('site.test', NULL, 1, 2, NULL);
         INSERT INTO chores VALUES ({it}, {tenant}, '{{}}', 3, 4, NULL, NULL);
         INSERT INTO feed_cursors VALUES ({it}, 'https://site.test/rss', NULL, NULL, {secret}, 1);
         INSERT INTO scanned_items VALUES ({it}, 'site.test/1', {secret}, NULL, 1, 1);
         INSERT INTO mentions SELECT {it}, talent_id, {tenant}, {it}, 'https://site.test',
           'site.test', 'T', 'E', NULL, 'text', '{{}}', 'licensed', 'why', 'new', NULL, NULL, 1, 1, 1,
           1, 'digest', NULL, {it}, NULL, {user}, 'Ada', 1 FROM licenses WHERE license_id = {license};
         INSERT INTO evidence VALUES ({it}, {it}, {tenant}, 1, 1, 'fetched', 'https://site.test',
           'https://site.test/rss', 'https://site.test/rss', 200, '{{}}', 'x', 'E', '[]', 'image', 'x',
           3, 'https://site.test/a', NULL, 200, '{{}}', 'x', 'image/png', NULL, '{PICTURE_SUM}', 9,
           {it}, 'x', '{PICTURE_SUM}', 9, 18, NULL, 'x', 'local_features', NULL);
         INSERT INTO mention_decisions VALUES ({it}, 1, 'new', NULL, 'confirmed', NULL, {user},
           'Ada', 1);
         INSERT INTO cases VALUES ({it}, {tenant}, NULL, 'open', {user}, {secret}, {secret}, 1, NULL,
           NULL, 0, NULL, NULL, NULL, {user}, 1, 1, 1, 'Ada', NULL);
         INSERT INTO case_comments VALUES ({it}, {it}, {user}, 'Ada', 'Called', 1);
         INSERT INTO case_letters VALUES ({it}, {it}, 'a@b.example', 'S', 'B', {user}, 'Ada', 1, NULL);
         INSERT INTO letter_templates VALUES ({tenant}, 'takedown', 'S', 'B', 1);
         INSERT INTO mention_days VALUES ({tenant}, 0, 'licensed', 'new', 1);
         INSERT INTO bookmarks VALUES ({it}, {user}, 'license', {license}, NULL, '[]', 1);
         INSERT INTO webhooks (webhook_id, tenant_id, user_id, url, description, events, status,
             secret, created_at, updated_at)
           VALUES ({webhook}, {tenant}, {user}, 'https://site.test', '', 1, 'active', {secret}, 1, 1);
         INSERT INTO deliveries (delivery_id, webhook_id, event_id, sequence, status, attempts,
             failed, tries, due_at, created_at)
           SELECT {it}, {webhook}, event_id, 1, 'pending', 0, 0, '[]', 1, 1
           FROM events ORDER BY event_id LIMIT 1;
         INSERT INTO delivery_days VALUES ({webhook}, 0, 1, 0);"
    );
    seed::run(&test.options, script).await;
    fill_billing(test, &tenant, &it, secret).await;
    fill_licensing(test, &[tenant, user, it, license], secret).await;
}

/// The tables of billing and of a tenant's own settings.
async fn fill_billing(test: &TestStore, tenant: &str, it: &str, secret: &str) {
    let script = format!(
        "INSERT INTO tenant_information VALUES ({tenant}, '{{}}', 1);
         INSERT INTO license_templates VALUES ({it}, {tenant}, 'T', 't', '{{}}', 1, 1);
         INSERT INTO log_exports VALUES ({it}, {tenant}, 'csv', '{{}}', 1, 1, 2);
         INSERT INTO mail_templates VALUES ({it}, 'registration', 'S', 'B', 1, 1);
         INSERT INTO processor_customers VALUES ({tenant}, 'sandbox', 'customer', 1);
         INSERT INTO cards VALUES ({it}, {tenant}, 'sandbox', 'c', 'r', 'visa', '4242', 1, 2030, 1);
         INSERT INTO subscriptions VALUES ({it}, {tenant}, 'Starter', NULL, {it}, 'active', 1, 1, 2,
           0, 2, NULL, 2, 1, 1, NULL);
         INSERT INTO bills VALUES ({it}, {tenant}, {it}, {it}, 'Starter', 'purchase', 1, 4999, 'USD',
           'paid', 'Starter', NULL, 0, 1, 1, 1);
         INSERT INTO sandbox_charges VALUES ('p', 1, 'c', 4999, 'succeeded', 1);
         INSERT INTO quotas VALUES ({tenant}, 202601, 7);
         INSERT INTO tenant_usage VALUES ({tenant}, 9, 1, 1, 1, 1);
         INSERT INTO expired_tokens VALUES ({secret}, 1);"
    );
    seed::run(&test.options, script).await;
}

/// The tables of requests and grants.
async fn fill_licensing(test: &TestStore, [tenant, user, it, license]: &[String; 4], secret: &str) {
    let no = match test.store.engine() {
        Engine::Sqlite => "0",
        Engine::Postgres => "FALSE",
    };
    let script = format!(
        "INSERT INTO license_versions VALUES ({license}, 9, NULL, 'T', '', 'private', 'voice', '[]',
           '[]', NULL, {no}, '{{}}', NULL, NULL, 0, 1, {no}, 'user', {user}, 'Ada');
         INSERT INTO past_permissions VALUES ({it}, {license}, {user}, 'viewer', 1, 2, {no}, {it});
         INSERT INTO saved_views VALUES ({it}, {user}, {tenant}, 'licenses', 'Public', 'public',
           'status=public', {no}, 1, 1);
         INSERT INTO requests SELECT {it}, {license}, talent_id, {tenant}, {tenant}, 'a@b.example',
           'a@b.example', 'open', 'asker', '{{}}', 'why', '[]', NULL, NULL, 0, 1, 9, 1, {user}, 1, 1,
           'Ada', 2, 1, {no} FROM licenses WHERE license_id = {license};
         INSERT INTO offers VALUES ({it}, {it}, 1, '{{}}', 'sha256:x', 'open', 9, {user}, 'Ada', 1,
           NULL, 'owner');
         INSERT INTO request_messages VALUES ({it}, {it}, 'asker', {user}, 'Ada', 'Hello', 1);
         INSERT INTO grants SELECT {it}, {it}, {license}, 1, talent_id, {tenant}, {tenant}, 2026, 1,
           'active', '{{}}', 'sha256:x', {no}, 1, 9, {user}, 'Ada', 1, 77, NULL, 1, NULL, NULL,
           'Ada' FROM licenses WHERE license_id = {license};
         INSERT INTO status_lists VALUES (1);
         INSERT INTO shared_receipts VALUES ({it}, {it}, {secret}, {secret}, '[]', {no}, {user},
           'Ada', 1);
         INSERT INTO grant_territories
           VALUES ({tenant}, 'owner', 'WORLD', {it}, {no}, 1, 9, {it}, 'active');
         INSERT INTO grant_numbers VALUES ({tenant}, 2026, 1);
         INSERT INTO party_counts VALUES ({tenant}, 'grants_held', 'active', 1);
         INSERT INTO party_names VALUES ('acme', {tenant});
         INSERT INTO known_parties VALUES ({tenant}, {tenant}, 2);
         INSERT INTO catalog_pictures VALUES ({it}, {license}, 1, 1, 9, '{PICTURE_SUM}', 1);
         INSERT INTO catalog_addresses VALUES ({it}, 1, 'talent', 'ada', 1);
         INSERT INTO known_names VALUES ({tenant}, 'acme', {tenant});"
    );
    seed::run(&test.options, script).await;
    fill_notices(test, [tenant, user, it], secret).await;
    fill_trust(test, [tenant, user, it], secret).await;
    fill_bulk(test, [tenant, user, it, license], no).await;
    fill_overview(test, [tenant, user, it]).await;
}

/// The tables of first steps, of help and of what staff see.
async fn fill_overview(test: &TestStore, [tenant, user, it]: [&String; 3]) {
    let script = format!(
        "INSERT INTO staff_views SELECT {it}, a.admin_id, s.session_id, {tenant}, {user},
           'They asked for help', 1, 9, NULL FROM admins a, sessions s LIMIT 1;
         INSERT INTO onboarding VALUES ({user}, {tenant}, 1, NULL);
         INSERT INTO help_requests VALUES ({it}, {tenant}, {user}, 'How?', 1, NULL, NULL, NULL);
         INSERT INTO growth_days VALUES ('people', 20000, 2);
         INSERT INTO growth_marks VALUES ('people', {it}, 2);"
    );
    seed::run(&test.options, script).await;
}

/// The tables of tags, bulk actions and imports.
async fn fill_bulk(test: &TestStore, [tenant, user, it, license]: [&String; 4], no: &str) {
    let script = format!(
        "INSERT INTO tags VALUES ({it}, {tenant}, 'VIP', 'vip', 1);
         INSERT INTO record_tags VALUES ('license', {license}, {it});
         INSERT INTO talent_external_ids SELECT talent_id, {tenant}, 'T-1' FROM licenses
           WHERE license_id = {license};
         INSERT INTO batches VALUES ({it}, {tenant}, {user}, '{{}}', 'finished', 1, 2, 1, 0, 0, 0, 0,
           NULL, NULL, NULL, 1, 2, 3);
         INSERT INTO batch_undos VALUES ({it}, 0, '{{}}');
         INSERT INTO batch_parts VALUES ({it}, 0, '[]');
         INSERT INTO batch_problems VALUES ({it}, 0, 'Winter', 'Why');
         INSERT INTO batch_records VALUES ({it}, 0, {license}, {no});"
    );
    seed::run(&test.options, script).await;
}

/// The tables of second factors and single sign-on.
async fn fill_trust(test: &TestStore, [tenant, user, it]: [&String; 3], secret: &str) {
    let yes = match test.store.engine() {
        Engine::Sqlite => "1",
        Engine::Postgres => "TRUE",
    };
    let script = format!(
        "INSERT INTO authenticator_apps VALUES ({user}, {secret}, 58907520, 1);
         INSERT INTO pending_apps VALUES ({user}, {secret}, 9);
         INSERT INTO recovery_codes VALUES ({user}, {secret}, 1);
         INSERT INTO passkeys VALUES ({it}, {user}, {secret}, 'Laptop', '{{}}', NULL, 1);
         INSERT INTO ceremonies VALUES ({secret}, 'sign_in', {user}, {secret}, 1, 9, 1);
         INSERT INTO single_sign_on VALUES ({tenant}, 'https://login.example', 'client', {secret},
           '{{}}', {yes}, 'Team_Member', 1, 1);
         INSERT INTO single_sign_on_domains VALUES ({tenant}, 'site.test', 'token', 2, 1);
         INSERT INTO single_sign_on_subjects VALUES ({tenant}, 'ada', {user}, 1);"
    );
    seed::run(&test.options, script).await;
}

/// The tables of notices and chats.
async fn fill_notices(test: &TestStore, [tenant, user, it]: [&String; 3], secret: &str) {
    let script = format!(
        "INSERT INTO notices VALUES ({it}, {user}, {tenant}, 'request', 'request_received', '{{}}',
           'Asked', '/app', 'now', 1, NULL, 1);
         INSERT INTO notice_preferences VALUES ({user}, 'request', 'digest');
         INSERT INTO notice_settings VALUES ({user}, 8, 'Europe/Berlin', 1, 'de', 'en');
         INSERT INTO refused_addresses VALUES ('a@b.example', 'no such user', 1);
         INSERT INTO told_states VALUES ({it}, 'card_expiring', 1, 1);
         INSERT INTO chat_addresses VALUES ({it}, {tenant}, 'Team', {secret}, 'chat.example', 'wxyz',
           '[]', 'active', NULL, NULL, NULL, 1, 1);
         INSERT INTO chat_messages VALUES ({it}, {it}, 'Hello', 0, 1, 1, NULL);"
    );
    seed::run(&test.options, script).await;
}
