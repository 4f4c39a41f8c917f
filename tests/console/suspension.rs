//! Suspended tenants and disabled accounts: what they hold stops at once, and comes back.

use grantor_domain::ErrorKind;
use grantor_domain::access::Actor;
use grantor_domain::id::{TenantId, UserId};
use grantor_domain::organization::OrganizationStatus;
use grantor_service::Context;
use grantor_service::organizations::suspension::{set_tenant_status, set_user_active};
use grantor_testkit::app::Answer;
use grantor_testkit::{Engine, Fixture, db_test, seed};
use http::Method;
use serde_json::{Value, json};

use super::{Home, PASSWORD, PROFILE, access, exchange, pair, probed, refused};

/// An app whose one person and one API client both hold tokens.
struct Held {
    home: Home,
    user: UserId,
    tenant: TenantId,
    client: Value,
    external: String,
    refresh: Value,
}

impl Fixture for Held {
    async fn on(engine: Engine) -> Self {
        let home = Home::on(engine).await;
        let client = home.any_client().await;
        let external = access(&exchange(&home.app, &client).await.json()["data"]);
        assert_eq!(probed(&home.app, &external).await.status, 200);
        let profile = home.send(Method::GET, PROFILE, None).await.json()["data"].clone();
        let [user, tenant] = ["id", "organizationId"].map(|it| profile[it].as_str().unwrap());
        let (user, tenant) = (user.parse().unwrap(), tenant.parse().unwrap());
        let login = home.app.sign_in("ada@example.com", PASSWORD).await;
        let refresh = json!({ "refreshToken": login["refreshToken"] });
        Self { home, user, tenant, client, external, refresh }
    }
}

impl Held {
    async fn set_tenant(&self, status: OrganizationStatus) {
        let app = &self.home.app.app;
        let context = Context::operator(app.clock.monotonic());
        set_tenant_status(app, &context, self.tenant, status).await.unwrap();
    }

    async fn set_user(&self, active: bool) {
        let app = &self.home.app.app;
        let context = Context::operator(app.clock.monotonic());
        set_user_active(app, &context, self.user, active).await.unwrap();
    }

    async fn login(&self) -> Answer {
        let body = json!({ "username": "ada@example.com", "password": PASSWORD });
        self.home.app.post("/v1.0.1/auth/login", &body).await
    }

    /// Statuses of: the console token, signing in, renewing, the external token, the exchange.
    async fn all(&self) -> [u16; 5] {
        let app = &self.home.app;
        let console = self.home.send(Method::GET, PROFILE, None).await;
        let renewed = app.post("/v1.0.1/auth/refresh/token", &self.refresh).await;
        let (external, exchanged) = (probed(app, &self.external), exchange(app, &self.client));
        let rest = [renewed, external.await, exchanged.await].map(|it| it.status.as_u16());
        let login = self.login().await.status.as_u16();
        [console.status.as_u16(), login, rest[0], rest[1], rest[2]]
    }

    async fn key_is_valid(&self) -> Value {
        let request = self.home.app.request(Method::POST, "/v1.0.1/external/validate/key");
        let answer = request.bearer(&pair(&self.client)[0]).send().await;
        answer.json()["data"]["valid"].clone()
    }
}

#[db_test]
async fn a_suspended_tenant_stops_at_once_and_goes_on_when_it_may(held: Held) {
    assert_eq!(held.all().await, [200, 201, 201, 200, 201]);
    held.set_tenant(OrganizationStatus::Suspended).await;
    assert_eq!(held.all().await, [403; 5]);
    assert_eq!(held.key_is_valid().await, false);
    held.set_tenant(OrganizationStatus::Active).await;
    assert_eq!(held.all().await, [200, 201, 201, 200, 201], "with the tokens of before");
    assert_eq!(held.key_is_valid().await, true);
}

#[db_test]
async fn a_suspended_tenant_hears_why(held: Held) {
    held.set_tenant(OrganizationStatus::Suspended).await;
    let message = "This account is suspended";
    let expected = (403, refused("FORBIDDEN", message));
    assert_eq!(held.home.send(Method::GET, PROFILE, None).await.whole(), expected);
    assert_eq!(held.login().await.whole(), expected);
    assert_eq!(exchange(&held.home.app, &held.client).await.whole(), expected);
    let external = probed(&held.home.app, &held.external).await;
    let id = external.header("x-request-id");
    let error = json!({ "code": "FORBIDDEN", "message": message, "request_id": id });
    assert_eq!(external.whole(), (403, json!({ "success": false, "error": error })));
}

#[db_test]
async fn a_disabled_account_loses_its_sessions_and_rests_its_clients(held: Held) {
    held.set_user(false).await;
    assert_eq!(held.all().await, [401, 403, 401, 401, 401]);
    assert_eq!(held.key_is_valid().await, false);
    held.set_user(true).await;
    assert_eq!(held.all().await, [401, 201, 401, 200, 201], "ended sessions stay ended");
    assert_eq!(held.key_is_valid().await, true);
}

#[db_test]
async fn only_staff_and_the_operator_stop_anybody(held: Held) {
    let app = &held.home.app.app;
    let user = Actor::User { id: held.user, tenant: held.tenant, name: "Ada Lovelace".into() };
    for actor in [Actor::Anonymous, Actor::System, user] {
        let context = Context { actor, ..Context::operator(app.clock.monotonic()) };
        let status = OrganizationStatus::Suspended;
        let stopped = set_tenant_status(app, &context, held.tenant, status).await.unwrap_err();
        let disabled = set_user_active(app, &context, held.user, false).await.unwrap_err();
        for error in [stopped, disabled] {
            assert_eq!(*error.kind(), ErrorKind::InsufficientPermissions);
        }
    }
    assert_eq!(held.all().await, [200, 201, 201, 200, 201]);
}

#[db_test]
async fn who_is_turned_away_for_it_is_logged(held: Held) {
    held.set_tenant(OrganizationStatus::Suspended).await;
    held.login().await;
    held.home.app.post("/v1.0.1/auth/refresh/token", &held.refresh).await;
    exchange(&held.home.app, &held.client).await;
    let query = "SELECT l.action FROM log_entries l
        JOIN tenants t ON t.tenant_id = l.tenant_id
        WHERE l.level = 'WARN' ORDER BY l.action";
    let rows = [["session.create"], ["session.renew"], ["token.create"]];
    assert_eq!(seed::rows(&held.home.app.database.options, query).await, rows);
}

#[db_test]
async fn every_stop_is_in_the_tenants_log(held: Held) {
    held.set_tenant(OrganizationStatus::Suspended).await;
    held.set_user(false).await;
    held.set_user(true).await;
    let query = "SELECT l.action, l.message, l.actor_kind, l.resource_name FROM log_entries l
        JOIN tenants t ON t.tenant_id = l.tenant_id
        WHERE l.action IN ('organization.change', 'user.set_status') ORDER BY l.action, l.message";
    let rows = [
        [
            "organization.change",
            "An organization's status was set to suspended",
            "operator",
            "Babbage Talent",
        ],
        ["user.set_status", "An account was disabled", "operator", "Ada Lovelace"],
        ["user.set_status", "An account was enabled", "operator", "Ada Lovelace"],
    ];
    assert_eq!(seed::rows(&held.home.app.database.options, query).await, rows);
}
