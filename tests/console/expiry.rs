//! What happens to API clients by themselves: uses are noted, ends are told of ahead.

use std::time::Duration;

use grantor_service::Context;
use grantor_service::identity::client::{save_uses, warn_expiring};
use grantor_testkit::clock::MockClock;
use grantor_testkit::{db_test, seed};
use http::Method;
use serde_json::{Value, json};

use super::{Home, PASSWORD, access, exchange, probed, refusal};

const DAY: Duration = Duration::from_hours(24);
const MICRO: Duration = Duration::from_micros(1);

impl Home {
    /// A client that ends after so many days.
    async fn client_for(&self, days: u32) -> Value {
        let expires_at = MockClock::START.plus(DAY * days).to_string();
        let body = json!({ "name": "Importer", "environment": "staging", "expiresAt": expires_at });
        self.client(body).await
    }

    /// Looks for ends at an instant after the start; gives how many were told.
    async fn warn_at(&self, after: Duration) -> u64 {
        self.app.clock.set_wall(MockClock::START.plus(after));
        warn_expiring(&self.app.app, &Context::system(Duration::ZERO)).await.unwrap()
    }

    /// What the tenant's feed holds.
    async fn told(&self) -> Vec<[String; 3]> {
        let query = "SELECT t.name, CAST(f.sequence AS text), e.data FROM events e
            JOIN feed_entries f ON f.event_id = e.event_id
            JOIN tenants t ON t.tenant_id = f.feed_id AND t.tenant_id = e.owner_id
            WHERE e.type = 'client.expiring' ORDER BY f.sequence";
        let rows = seed::rows(&self.app.database.options, query).await;
        rows.into_iter().map(|row| row.try_into().unwrap()).collect()
    }

    /// How many days ahead the tenant was told, in order.
    async fn days_told(&self) -> Vec<Value> {
        let days = |data: &str| serde_json::from_str::<Value>(data).unwrap()["client"].take();
        self.told().await.iter().map(|row| days(&row[2])["expires_in_days"].clone()).collect()
    }
}

#[db_test]
async fn a_tenant_is_told_30_7_and_1_days_ahead(home: Home) {
    home.client_for(40).await;
    let mut told = vec![];
    for days in [10, 33, 39] {
        told.push(home.warn_at((DAY * days).saturating_sub(MICRO)).await);
        told.push(home.warn_at(DAY * days).await);
        told.push(home.warn_at(DAY * days + MICRO).await);
    }
    assert_eq!(told, [0, 1, 0, 0, 1, 0, 0, 1, 0], "each once, and not before");
    assert_eq!(home.days_told().await, [30, 7, 1]);
    assert_eq!(home.warn_at(DAY * 40).await, 0, "it has ended");
}

#[db_test]
async fn the_word_names_the_client_and_goes_to_its_tenant(home: Home) {
    let client = home.client_for(40).await;
    home.warn_at(DAY * 10).await;
    let [[tenant, sequence, data]] = home.told().await.try_into().unwrap();
    let expected = json!({ "client": {
        "id": client["clientId"],
        "name": "Importer",
        "environment": "staging",
        "api_key": client["credentials"]["clientId"],
        "expires_at": client["expiresAt"],
        "expires_in_days": 30,
    }});
    assert_eq!((tenant.as_str(), sequence.as_str()), ("Babbage Talent", "1"));
    assert_eq!(serde_json::from_str::<Value>(&data).unwrap(), expected);
}

#[db_test]
async fn who_made_a_client_for_5_days_is_told_only_on_the_last(home: Home) {
    home.client_for(5).await;
    for hours in 0..(5 * 24) {
        home.warn_at(Duration::from_hours(hours)).await;
    }
    assert_eq!(home.days_told().await, [1]);
}

#[db_test]
async fn of_what_was_missed_only_the_last_is_told(home: Home) {
    home.client_for(40).await;
    assert_eq!(home.warn_at(DAY * 39 + MICRO).await, 1);
    assert_eq!((home.warn_at(DAY * 39 + MICRO * 2).await, home.days_told().await.len()), (0, 1));
    assert_eq!(home.days_told().await, [1]);
}

#[db_test]
async fn what_does_not_work_needs_no_word(home: Home) {
    for status in ["inactive", "revoked"] {
        let client = home.client_for(40).await;
        let path = format!("/v1.0.1/org/client/{}", client["clientId"].as_str().unwrap());
        home.send(Method::PATCH, &path, Some(json!({ "status": status }))).await;
    }
    home.any_client().await;
    assert_eq!(home.warn_at(DAY * 10).await, 0);
    assert_eq!(home.warn_at(DAY * 39).await, 0);
}

#[db_test]
async fn another_end_is_told_of_anew(mut home: Home) {
    let client = home.client_for(40).await;
    assert_eq!(home.warn_at(DAY * 39).await, 1);
    home.token = access(&home.app.sign_in("ada@example.com", PASSWORD).await);
    let expires_at = MockClock::START.plus(DAY * 100).to_string();
    let path = format!("/v1.0.1/org/client/{}", client["clientId"].as_str().unwrap());
    let changed = home.send(Method::PATCH, &path, Some(json!({ "expiresAt": expires_at }))).await;
    assert_eq!(changed.status, 200);
    assert_eq!((home.warn_at(DAY * 69).await, home.warn_at(DAY * 70).await), (0, 1));
    assert_eq!(home.days_told().await, [1, 30]);
}

#[db_test]
async fn many_who_look_at_once_tell_once(home: Home) {
    home.client_for(40).await;
    home.client_for(40).await;
    let told = futures_util::future::join_all((0..16).map(|_| home.warn_at(DAY * 10))).await;
    assert_eq!((told.iter().sum::<u64>(), home.days_told().await.len()), (2, 2));
}

#[db_test]
async fn at_its_end_a_client_and_its_tokens_stop(home: Home) {
    let expires_at = MockClock::START.plus(Duration::from_mins(30)).to_string();
    let body = json!({ "name": "Importer", "environment": "staging", "expiresAt": expires_at });
    let client = home.client(body).await;
    home.app.clock.advance(Duration::from_mins(30).saturating_sub(Duration::from_secs(1)));
    let token = access(&exchange(&home.app, &client).await.json()["data"]);
    assert_eq!(probed(&home.app, &token).await.status, 200);
    home.app.clock.advance(Duration::from_secs(1));
    assert_eq!(refusal(&exchange(&home.app, &client).await), (401, "INVALID_CREDENTIALS".into()));
    assert_eq!(refusal(&probed(&home.app, &token).await), (401, "UNAUTHORIZED".into()));
}

#[db_test]
async fn the_last_use_is_shown(home: Home) {
    let client = home.any_client().await;
    home.app.clock.advance(Duration::from_secs(5));
    let token = access(&exchange(&home.app, &client).await.json()["data"]);
    assert_eq!(home.clients().await[0]["lastUsed"], Value::Null, "written down from time to time");
    assert_eq!(save_uses(&home.app.app).await.unwrap(), 1);
    assert_eq!(home.clients().await[0]["lastUsed"], "2026-01-01T00:00:05.000000Z");
    home.app.clock.advance(Duration::from_secs(5));
    probed(&home.app, &token).await;
    assert_eq!(save_uses(&home.app.app).await.unwrap(), 1);
    assert_eq!(home.clients().await[0]["lastUsed"], "2026-01-01T00:00:10.000000Z");
    assert_eq!(save_uses(&home.app.app).await.unwrap(), 0, "each use once");
}
