//! Records that are written to the database, because no request of their owner makes them.

use grantor_testkit::{Engine, seed};

use super::super::records::Records;
use super::{Maker, send, well};

/// What a request asks for, as it is stored.
const COVERAGE: &str = r#"{"uses":["voice"],"territories":["US"],"starts_at":"2027-01-15T08:00:00.000000Z","ends_at":null}"#;
/// The terms of a grant, as they are stored.
const TERMS: &str = r#"{"uses":["voice"],"territories":["US"],"starts_at":"2027-01-15T08:00:00.000000Z","ends_at":null,"fee":null,"exclusive":false,"channels":[],"conditions":"","credit_line":null}"#;

impl Maker<'_> {
    /// A sighting, which only scanning makes.
    pub(super) async fn mention(&self, of: &Records, number: u32) -> String {
        let options = &self.app.database.options;
        let id = format!("0190a5e4-7b3c-7def-8123-{number:012}");
        let [mention, license, platform] =
            [&id, of.id("license"), of.id("platform")].map(|it| seed::id(options, it));
        let (word, listed) = (self.word, seed::list_all_mentions(options, of.id("license")));
        let marked = seed::MARK_MENTIONS;
        let script = format!(
            "{listed}
             INSERT INTO mentions (mention_id, talent_id, tenant_id, platform_id, url, url_key, title,
               excerpt, author, media_type, match, verdict, verdict_reason, status, allowed, note,
               published_at, first_seen_at, last_seen_at, revision)
             SELECT {mention}, talent_id, tenant_id, {platform}, 'https://{word}.example/',
               '{number}', '{word}', '{word}', NULL, 'text',
               '{{\"kind\":\"name\",\"term\":\"{word}\",\"confidence\":0.97}}', 'unlicensed',
               'Strong match', 'confirmed', FALSE, NULL, 0, 0, 0, 1
             FROM licenses WHERE license_id = {license};
             {marked}
             INSERT INTO evidence (evidence_id, mention_id, tenant_id, revision, captured_at, method,
               content_url, url, headers, body_sha256, excerpt, marks, match_kind, match_term, bytes,
               sha256)
             SELECT {mention}, {mention}, tenant_id, 1, 0, 'pushed', 'https://{word}.example/',
               'https://{word}.example/', '{{}}', 'x', '{word}', '[]', 'name', '{word}', 0, 'x'
             FROM licenses WHERE license_id = {license}"
        );
        seed::run(options, script).await;
        let open = format!("POST /mentions/{id}/case");
        well("case", &send(self.app, self.external, &open, None).await);
        id
    }

    /// A source that is limited to the maker's talent, so that leads of its team may manage it.
    pub(super) async fn source(&self, of: &Records, number: u32) -> String {
        let options = &self.app.database.options;
        let id = format!("0190a5e4-7b3c-7def-8126-{number:012}");
        let feed = format!("0190a5e4-7b3c-7def-8127-{number:012}");
        let [source, feed, talent] = [&id, &feed, of.id("talent")].map(|it| seed::id(options, it));
        let (word, no) = (self.word, self.no());
        let script = format!(
            "INSERT INTO watched_feeds (feed_id, url, kind, title, push_only, fetch_wanted, failures,
               changed_at, created_at)
             VALUES ({feed}, 'https://{word}.example/{number}', 'feed', '{word}', {no}, {no}, 0, 0, 0);
             INSERT INTO sources (source_id, tenant_id, feed_id, url, name, frequency, status,
               all_talents, mention_count, created_by, created_at, updated_at, version)
             SELECT {source}, tenant_id, {feed}, 'https://{word}.example/{number}', '{word}', 'daily',
               'running', {no}, 0, {source}, 0, 0, 1
             FROM talents WHERE talent_id = {talent};
             INSERT INTO source_talents VALUES ({source}, {talent});
             UPDATE tenant_usage SET sources = sources + 1
             WHERE tenant_id = (SELECT tenant_id FROM talents WHERE talent_id = {talent})"
        );
        seed::run(options, script).await;
        id
    }

    /// A request that another tenant made for the maker's license.
    pub(super) async fn request(&self, of: &Records, number: u32) -> String {
        let options = &self.app.database.options;
        let id = format!("0190a5e4-7b3c-7def-8124-{number:012}");
        let [request, license] = [&id, of.id("license")].map(|it| seed::id(options, it));
        let word = self.word;
        let script = format!(
            "INSERT INTO requests (request_id, license_id, talent_id, owner_id, email, email_key,
               status, begun_by, coverage, purpose, channels, unread_by_asker, unread_by_owner,
               lapses_at, version, created_by, created_at, updated_at)
             SELECT {request}, license_id, talent_id, tenant_id, '{word}{number}@example.com',
               '{word}{number}@example.com', 'open', 'owner', '{COVERAGE}', '{word}', '[]', 0, 0,
               9000000000000000, 1, {request}, 0, 0
             FROM licenses WHERE license_id = {license}"
        );
        seed::run(options, script).await;
        id
    }

    /// A grant under the maker's license, held by the maker too.
    pub(super) async fn grant(&self, of: &Records, number: u32) -> String {
        let options = &self.app.database.options;
        let id = format!("0190a5e4-7b3c-7def-8125-{number:012}");
        let request = self.request(of, number).await;
        let [grant, request, license] =
            [&id, &request, of.id("license")].map(|it| seed::id(options, it));
        let no = self.no();
        let script = format!(
            "INSERT INTO grants (grant_id, request_id, license_id, license_version, talent_id,
               licensor_id, licensee_id, year, serial, status, terms, terms_hash, exclusive,
               starts_at, ends_at, accepted_by, accepted_by_name, status_list, status_index,
               remind_at, created_at, revoked_at, revoke_reason)
             SELECT {grant}, {request}, license_id, 1, talent_id, tenant_id, tenant_id, 2026,
               {number}, 'scheduled', '{TERMS}', 'sha256:x', {no}, 1800000000000000, NULL, {grant},
               '{}', 1, {number}, NULL, 0, NULL, NULL
             FROM licenses WHERE license_id = {license}",
            self.word
        );
        seed::run(options, script).await;
        id
    }

    /// How the engine writes false.
    fn no(&self) -> &'static str {
        match self.app.database.store.engine() {
            Engine::Sqlite => "0",
            Engine::Postgres => "FALSE",
        }
    }
}
