//! `/org/subscriptions`, `/org/subscribe`, `/org/subscription`, `/org/bill/history`.

use grantor_testkit::app::Answer;
use grantor_testkit::{db_test, seed};
use http::Method;
use serde_json::{Value, json};

use super::{Home, faults, refused};

const PLANS: &str = "/v1.0.1/org/subscriptions";
const SUBSCRIBE: &str = "/v1.0.1/org/subscribe";
const SUBSCRIPTION: &str = "/v1.0.1/org/subscription";
const BILLS: &str = "/v1.0.1/org/bill/history";
const FREE: &str = "019b76da-a800-7000-8000-000000000001";
const STARTER: &str = "019b76da-a800-7000-8000-000000000002";
const PRO: &str = "019b76da-a800-7000-8000-000000000003";
const ENTERPRISE: &str = "019b76da-a800-7000-8000-000000000004";
const UNKNOWN: &str = "018f3f9e-0000-7000-8000-000000000001";

impl Home {
    async fn new_card(&self, token: &str) -> Value {
        let body = json!({ "token": token });
        let added = self.send(Method::POST, "/v1.0.1/org/card", Some(body)).await;
        added.json()["data"]["cardId"].clone()
    }

    async fn subscribe(&self, plan: &str, card: &Value) -> Answer {
        let body = json!({ "subscriptionId": plan, "cardId": card });
        self.send(Method::POST, SUBSCRIBE, Some(body)).await
    }

    async fn standing(&self) -> Value {
        self.send(Method::GET, PLANS, None).await.json()["data"]["subscription"].clone()
    }
}

fn conflict(message: &str) -> (u16, Value) {
    (409, refused("RESOURCE_CONFLICT", message))
}

#[db_test]
async fn the_plans_and_where_one_stands(home: Home) {
    let answer = home.send(Method::GET, PLANS, None).await;
    let body = answer.json();
    let starter = json!({
        "planId": STARTER, "name": "Starter", "description": "For a first integration",
        "price": 49.99, "currency": "USD", "billingPeriod": "monthly",
        "features": [
            "300 requests per minute for each API client", "1,000,000 requests per month",
            "10,000 talents", "100,000 licenses", "50 sources", "10 GiB of image storage",
        ],
    });
    assert_eq!((answer.status.as_u16(), &body["data"]["plans"][1]), (200, &starter));
    let rows = body["data"]["plans"].as_array().unwrap().iter();
    let rows: Vec<_> = rows.map(|it| json!([it["name"], it["price"], it["features"][0]])).collect();
    let minute = |count: &str| format!("{count} requests per minute for each API client");
    let expected = json!([
        ["Free", 0.0, minute("100")],
        ["Starter", 49.99, minute("300")],
        ["Pro", 99.99, minute("1,000")],
        ["Enterprise", 0.0, "Custom pricing"],
    ]);
    assert_eq!(json!(rows), expected);
    let usage = json!({ "used": 0, "limit": 100_000, "resetsAt": "2026-02-01T00:00:00.000000Z" });
    let standing = json!({
        "subscriptionId": null, "planId": FREE, "status": "active", "currentPeriodEnd": null,
        "cardId": null, "nextPlanId": null, "usage": usage,
    });
    assert_eq!(body["data"]["subscription"], standing);
    assert_eq!((&body["message"], &body["status"]), (&json!("The plans"), &json!("success")));
}

#[db_test]
async fn a_plan_is_subscribed_to_and_billed(home: Home) {
    let card = home.new_card("tok_visa").await;
    let answer = home.subscribe(STARTER, &card).await;
    let id = answer.json()["data"]["subscriptionId"].clone();
    let paid = json!({
        "subscriptionId": id, "planId": STARTER, "status": "active",
        "currentPeriodEnd": "2026-02-01T00:00:00.000000Z", "cardId": card,
    });
    let shown = json!({ "data": paid, "message": "Subscription created", "status": "success" });
    assert_eq!(answer.whole(), (201, shown));
    let standing = home.standing().await;
    assert_eq!(
        (&standing["subscriptionId"], &standing["usage"]["limit"]),
        (&id, &json!(1_000_000))
    );
    let bills = home.send(Method::GET, BILLS, None).await;
    let now = "2026-01-01T00:00:00.000000Z";
    let bill = json!({
        "billId": bills.json()["data"]["bills"][0]["billId"], "amount": 49.99, "currency": "USD",
        "status": "paid", "billingDate": now, "dueDate": now, "paidDate": now,
        "description": "Starter plan, one month from 2026-01-01",
    });
    let pages = json!({ "page": 1, "limit": 10, "total": 1, "totalPages": 1 });
    let data = json!({ "bills": [bill], "pagination": pages });
    let shown = json!({ "data": data, "message": "Your invoices", "status": "success" });
    assert_eq!(bills.whole(), (200, shown));
}

#[db_test]
async fn what_cannot_be_subscribed_to(home: Home) {
    let card = home.new_card("tok_visa").await;
    let arranged = "The Enterprise plan has custom pricing: contact the server's operator";
    assert_eq!(home.subscribe(ENTERPRISE, &card).await.whole(), conflict(arranged));
    let already = "You are already on the Free plan";
    assert_eq!(home.subscribe(FREE, &Value::Null).await.whole(), conflict(already));
    let unknown = home.subscribe(UNKNOWN, &card).await;
    assert_eq!(unknown.whole(), (404, refused("NOT_FOUND", "Plan not found")));
    let nobodys = home.subscribe(STARTER, &json!(UNKNOWN)).await;
    assert_eq!(nobodys.whole(), (404, refused("NOT_FOUND", "Card not found")));
    let without = home.subscribe(STARTER, &Value::Null).await;
    assert_eq!(faults(&without), (400, json!({ "cardId": "is required" })));
    let odd = json!({ "subscriptionId": "Starter", "cardId": "mine" });
    let odd = home.send(Method::POST, SUBSCRIBE, Some(odd)).await;
    let told = json!({ "cardId": "must be a UUID", "subscriptionId": "must be a UUID" });
    assert_eq!(faults(&odd), (400, told));
    let missing = home.send(Method::POST, SUBSCRIBE, Some(json!({}))).await;
    assert_eq!(faults(&missing), (400, json!({ "subscriptionId": "is required" })));
}

#[db_test]
async fn a_declined_card_changes_nothing(home: Home) {
    let card = home.new_card("tok_chargeCustomerFail").await;
    let told = "The card was declined (generic_decline)";
    assert_eq!(home.subscribe(PRO, &card).await.whole(), conflict(told));
    assert_eq!(home.standing().await["planId"], FREE);
    let bills = home.send(Method::GET, BILLS, None).await.json();
    assert_eq!(bills["data"]["bills"][0]["status"], "failed");
    let good = home.new_card("tok_visa").await;
    assert_eq!(home.subscribe(PRO, &good).await.status, 201);
}

#[db_test]
async fn the_same_plan_again_changes_at_most_the_card(home: Home) {
    let [one, other] = [home.new_card("tok_visa").await, home.new_card("tok_amex").await];
    home.subscribe(STARTER, &one).await;
    let already = "You are already on the Starter plan";
    assert_eq!(home.subscribe(STARTER, &one).await.whole(), conflict(already));
    assert_eq!(home.subscribe(STARTER, &other).await.status, 201);
    assert_eq!(home.standing().await["cardId"], other);
    let bills = home.send(Method::GET, BILLS, None).await.json();
    assert_eq!(bills["data"]["pagination"]["total"], 1);
}

#[db_test]
async fn free_is_the_end_of_a_subscription(home: Home) {
    let card = home.new_card("tok_visa").await;
    home.subscribe(PRO, &card).await;
    let answer = home.subscribe(FREE, &Value::Null).await;
    let data = &answer.json()["data"];
    assert_eq!((answer.status.as_u16(), &data["planId"]), (201, &json!(PRO)));
    assert_eq!(data["status"], "canceled");
    assert_eq!(home.standing().await["status"], "canceled");
}

#[db_test]
async fn canceling_needs_a_subscription(home: Home) {
    let nothing = home.send(Method::DELETE, SUBSCRIPTION, None).await;
    assert_eq!(nothing.whole(), (404, refused("NOT_FOUND", "Subscription not found")));
    let card = home.new_card("tok_visa").await;
    home.subscribe(STARTER, &card).await;
    for _ in 0..2 {
        let ended = home.send(Method::DELETE, SUBSCRIPTION, None).await;
        assert_eq!((ended.status.as_u16(), ended.body.len()), (204, 0));
    }
    let standing = home.standing().await;
    assert_eq!((&standing["planId"], &standing["status"]), (&json!(STARTER), &json!("canceled")));
}

#[db_test]
async fn bills_come_in_pages(home: Home) {
    let card = home.new_card("tok_chargeCustomerFail").await;
    for _ in 0..3 {
        home.subscribe(PRO, &card).await;
    }
    let page = home.send(Method::GET, &format!("{BILLS}?page=2&limit=2"), None).await.json();
    let pages = json!({ "page": 2, "limit": 2, "total": 3, "totalPages": 2 });
    assert_eq!(page["data"]["pagination"], pages);
    assert_eq!(page["data"]["bills"].as_array().unwrap().len(), 1);
    let bad = home.send(Method::GET, &format!("{BILLS}?limit=101"), None).await;
    assert_eq!(faults(&bad), (400, json!({ "limit": "must be a whole number from 1 to 100" })));
}

#[db_test]
async fn billing_is_the_admins(home: Home) {
    let colleague = home.colleague("Organization_User").await;
    let id = format!("/v1.0.1/org/card/{UNKNOWN}");
    for (method, path) in [
        (Method::GET, PLANS),
        (Method::POST, SUBSCRIBE),
        (Method::DELETE, SUBSCRIPTION),
        (Method::GET, BILLS),
        (Method::POST, "/v1.0.1/org/card"),
        (Method::GET, "/v1.0.1/org/cards"),
        (Method::DELETE, &id),
    ] {
        let body = (method == Method::POST).then(|| json!({}));
        let answer = home.send_as(&colleague, method, path, body).await;
        let told = "The role Organization_User does not allow you to manage billing";
        assert_eq!(answer.whole(), (403, refused("INSUFFICIENT_PERMISSIONS", told)), "{path}");
    }
}

#[db_test]
async fn the_log_tells_what_was_done(home: Home) {
    let card = home.new_card("tok_visa").await;
    home.subscribe(STARTER, &card).await;
    home.send(Method::DELETE, SUBSCRIPTION, None).await;
    let query = "SELECT action FROM log_entries WHERE action LIKE 'card.%' OR action LIKE 'bill.%'
         OR action LIKE 'subscription.%' ORDER BY log_id";
    let rows = seed::rows(&home.app.database.options, query).await.concat();
    let expected = ["card.create", "subscription.create", "bill.settle", "subscription.cancel"];
    assert_eq!(rows.iter().filter(|it| expected.contains(&it.as_str())).count(), 4, "{rows:?}");
}
