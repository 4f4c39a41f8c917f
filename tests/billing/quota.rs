//! The month's requests: counted exactly, kept over restarts, shared by nodes.

use std::time::Duration;

use grantor_domain::id::TenantId;
use grantor_domain::organization::Plan as PaidPlan;
use grantor_service::billing::quota;
use grantor_service::{App, billing};
use grantor_testkit::app::Answer;
use grantor_testkit::{Engine, Fixture, db_test, seed};
use http::Method;
use serde_json::{Value, json};
use tokio::task::JoinSet;

use super::{MONTH, Till};
use crate::external::refused;

const ALL: u64 = 100_000;

impl Till {
    async fn tenant(&self) -> TenantId {
        let query = match self.0.app.app.store.engine() {
            Engine::Sqlite => "SELECT lower(hex(tenant_id)) FROM tenants",
            Engine::Postgres => "SELECT replace(CAST(tenant_id AS text), '-', '') FROM tenants",
        };
        let rows = seed::rows(&self.0.app.database.options, query).await;
        TenantId::from(uuid::Uuid::try_parse(&rows[0][0]).unwrap())
    }

    /// As if so many requests were made before.
    async fn used_before(&self, used: u64) {
        let script = format!(
            "INSERT INTO quotas SELECT tenant_id, 202601, {used} FROM tenants WHERE true
             ON CONFLICT (tenant_id, month) DO UPDATE SET taken = {used}"
        );
        seed::run(&self.0.app.database.options, script).await;
    }

    async fn usage(&self) -> Value {
        let answer = self.send(Method::GET, "/v1.0.1/org/subscriptions", &Value::Null).await;
        answer.json()["data"]["subscription"]["usage"].clone()
    }
}

/// How many of so many requests of a tenant, made together on these nodes, pass.
async fn passed(nodes: &[App], tenant: TenantId, requests: usize) -> u64 {
    let mut calls = JoinSet::new();
    for node in nodes.iter().cycle().take(requests) {
        let node = node.clone();
        calls.spawn(async move { quota::take(&node, tenant, PaidPlan::Free).await.is_ok() });
    }
    calls.join_all().await.into_iter().map(u64::from).sum()
}

#[db_test]
async fn exactly_the_rest_of_the_month_passes_of_200_at_once(till: Till) {
    for left in [0, 1, 7, 150, 199] {
        let fresh = Till::on(till.0.app.app.store.engine()).await;
        fresh.used_before(ALL - left).await;
        let token = fresh.0.tokens().await["access_token"].clone();
        let probes = (0..200).map(|_| fresh.0.probe(&token));
        let answers = futures_util::future::join_all(probes).await;
        let passed = answers.iter().filter(|it| it.status == 200).count() as u64;
        assert_eq!(passed, left);
        assert!(answers.iter().all(|it| it.status == 200 || it.status == 429));
    }
}

#[db_test]
async fn a_used_up_month_says_when_the_next_begins(till: Till) {
    till.used_before(ALL).await;
    let token = till.0.tokens().await["access_token"].clone();
    till.0.app.clock.advance(Duration::from_mins(30));
    let answer = till.0.probe(&token).await;
    let message = "This month's request quota is used up; upgrade your plan for more";
    assert_eq!(answer.whole(), (429, refused("QUOTA_EXCEEDED", message)));
    assert_eq!(answer.header("retry-after"), Some("2676600"));
    let again = till.0.probe(&token).await;
    let left = |it: &Answer| it.header("x-ratelimit-remaining").map(str::to_owned);
    assert_eq!(left(&again), left(&answer), "a refused request does not count");
    let usage = json!({ "used": ALL, "limit": ALL, "resetsAt": "2026-02-01T00:00:00.000000Z" });
    assert_eq!(till.usage().await, usage);
    till.0.app.clock.advance(MONTH);
    let token = till.0.tokens().await["access_token"].clone();
    assert_eq!(till.0.probe(&token).await.status, 200, "a new month");
}

#[db_test]
async fn a_larger_plan_lets_go_on_at_once(till: Till) {
    till.used_before(ALL).await;
    let token = till.0.tokens().await["access_token"].clone();
    assert_eq!(till.0.probe(&token).await.status, 429);
    let card = till.card_id("tok_visa").await;
    assert_eq!(till.subscribe(PaidPlan::Starter, &card).await.status, 201);
    assert_eq!(till.0.probe(&token).await.status, 200);
    assert_eq!(till.usage().await["used"], ALL + 1);
}

#[db_test]
async fn only_what_was_let_in_counts(till: Till) {
    let token = till.0.tokens().await["access_token"].clone();
    till.0.app.get("/metadata").await;
    till.0.probe(&json!("nonsense")).await;
    assert_eq!(till.usage().await["used"], 0);
    till.0.probe(&token).await;
    till.0.probe(&token).await;
    assert_eq!(till.usage().await["used"], 2);
}

#[db_test]
async fn a_clean_stop_gives_back_and_a_crash_loses_a_block(till: Till) {
    let tenant = till.tenant().await;
    let [stopped, killed] = [till.0.app.another_node(11).await, till.0.app.another_node(12).await];
    assert_eq!(passed(std::slice::from_ref(&stopped), tenant, 30).await, 30);
    quota::release(&stopped).await.unwrap();
    assert_eq!(till.usage().await["used"], 30);
    assert_eq!(passed(std::slice::from_ref(&killed), tenant, 30).await, 30);
    drop(killed);
    assert_eq!(till.usage().await["used"], 1_029, "999 of what was left");
}

/// Each with connections of its own.
#[db_test]
async fn three_nodes_never_pass_more_than_there_is(till: Till) {
    let tenant = till.tenant().await;
    till.used_before(ALL - 400).await;
    let app = &till.0.app;
    let nodes =
        [app.another_node(11).await, app.another_node(12).await, app.another_node(13).await];
    let passed = passed(&nodes, tenant, 600).await;
    // Blocks are of 4 at most here: so much may be left in the hands of each.
    assert!((388..=400).contains(&passed), "{passed}");
    assert_eq!(till.usage().await["used"], ALL);
}

/// The control: nodes that do not share the store's count pass more.
#[tokio::test]
async fn nodes_that_count_alone_would_be_noticed() {
    let one = Till::on(Engine::Sqlite).await;
    let other = Till::on(Engine::Sqlite).await;
    let mut passed_in_all = 0;
    for till in [&one, &other] {
        till.used_before(ALL - 40).await;
        let nodes = [till.0.app.app.clone()];
        passed_in_all += passed(&nodes, till.tenant().await, 60).await;
    }
    assert_eq!(passed_in_all, 80);
}

#[db_test]
async fn no_plan_by_arrangement_ends(till: Till) {
    till.used_before(5_000_000).await;
    let tenant = till.tenant().await;
    let app = &till.0.app.app;
    assert!(quota::take(app, tenant, PaidPlan::Enterprise).await.is_ok());
    assert!(quota::take(app, tenant, PaidPlan::Enterprise).await.is_ok());
    assert_eq!(quota::usage(app, tenant, PaidPlan::Enterprise).await.unwrap().used, 5_000_002);
}

#[db_test]
async fn staff_puts_a_tenant_on_a_plan(till: Till) {
    let card = till.card_id("tok_visa").await;
    till.subscribe(PaidPlan::Pro, &card).await;
    let (app, tenant) = (&till.0.app.app, till.tenant().await);
    let context = grantor_service::Context::operator(app.clock.monotonic());
    app.act(&context, Arrange(tenant)).await.unwrap();
    assert_eq!(till.standing().await, "Enterprise active never");
    let refused = till.subscribe(PaidPlan::Pro, &card).await;
    assert_eq!(refused.status, 409);
    till.0.app.clock.advance(MONTH);
    assert_eq!(till.work().await, 0, "nothing is charged any more");
}

/// What an admin's change of a plan does.
struct Arrange(TenantId);

impl grantor_service::act::Act for Arrange {
    type Permit = ();
    type Output = ();
    const ACTION: &'static str = "organization.set_plan";

    fn authorize(
        &self,
        _: &mut grantor_service::act::UnitOfWork<'_, '_>,
    ) -> grantor_domain::Result<()> {
        Ok(())
    }

    fn carry_out(
        &self,
        unit: &mut grantor_service::act::UnitOfWork<'_, '_>,
        (): (),
    ) -> grantor_domain::Result<grantor_service::act::Done<()>> {
        billing::set_plan(unit, self.0, PaidPlan::Enterprise)?;
        let resource =
            grantor_domain::audit::Resource { kind: "organization", id: None, name: None };
        Ok(grantor_service::act::Done::new((), resource, "A plan was set"))
    }
}
