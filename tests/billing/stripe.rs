//! Stripe by its HTTP API: what is sent, how errors are told, and that no lost answer charges twice.

use std::sync::Arc;
use std::time::Duration;

use grantor_domain::organization::Plan as PaidPlan;
use grantor_testkit::app::TestConfig;
use grantor_testkit::stripe::{FakeStripe, Fault, KEY};
use grantor_testkit::{Engine, Fixture, db_test};
use http::Method;
use serde_json::{Value, json};

use super::{DAY, MONTH, Till, message};

/// A till whose money goes to Stripe.
struct Shop {
    till: Till,
    stripe: FakeStripe,
}

impl Fixture for Shop {
    async fn on(engine: Engine) -> Self {
        Self::with_key(engine, KEY).await
    }
}

impl Shop {
    async fn with_key(engine: Engine, key: &str) -> Self {
        let stripe = FakeStripe::start().await;
        let processor = Some(stripe.processor(key) as Arc<_>);
        let till =
            Till::with_config(engine, TestConfig { processor, ..TestConfig::default() }).await;
        Self { till, stripe }
    }

    /// What was asked of it: method and path of each request.
    fn asked(&self) -> Vec<String> {
        let calls = self.stripe.calls();
        calls.iter().map(|it| format!("{} {}", it.method, it.path)).collect()
    }

    async fn cards(&self) -> usize {
        let answer = self.till.send(Method::GET, "/v1.0.1/org/cards", &Value::Null).await;
        answer.json()["data"]["cards"].as_array().unwrap().len()
    }
}

fn form(body: &[u8]) -> Vec<(String, String)> {
    let text = String::from_utf8(body.to_vec()).unwrap();
    let pairs = text.split('&').filter_map(|it| it.split_once('='));
    pairs.map(|(name, value)| (name.to_owned(), value.to_owned())).collect()
}

#[db_test]
async fn a_card_is_attached_and_a_plan_is_charged(shop: Shop) {
    let added = shop.till.card("tok_visa").await;
    let mut body = added.json()["data"].clone();
    let card = body["cardId"].take();
    let shown = json!({
        "cardId": null, "last4": "4242", "brand": "visa", "expiryMonth": 8, "expiryYear": 2027,
    });
    assert_eq!((added.status.as_u16(), body), (201, shown));
    assert_eq!(shop.till.subscribe(PaidPlan::Starter, &card).await.status, 201);
    assert_eq!(shop.stripe.charges(), [("pi_3".to_owned(), 4_999)]);
    assert_eq!(
        shop.asked(),
        [
            "POST /v1/customers",
            "POST /v1/payment_methods",
            "POST /v1/payment_methods/pm_2/attach",
            "POST /v1/payment_intents",
            "POST /v1/payment_intents/pi_3/confirm",
        ]
    );
    let intent = &shop.stripe.calls()[3];
    assert_eq!(intent.header("content-type"), Some("application/x-www-form-urlencoded"));
    assert_eq!(intent.header("stripe-version"), Some("2024-06-20"));
    let sent = form(&intent.body);
    assert_eq!(sent[0], ("amount".to_owned(), "4999".to_owned()));
    let bill = &sent.last().unwrap().1;
    assert_eq!(intent.header("idempotency-key"), Some(format!("grantor-{bill}").as_str()));
}

#[db_test]
async fn a_tenant_is_one_customer(shop: Shop) {
    for token in ["tok_visa", "tok_mastercard"] {
        shop.till.card_id(token).await;
    }
    let customers = shop.asked().iter().filter(|it| it.ends_with("/customers")).count();
    assert_eq!((customers, shop.cards().await), (1, 2));
}

#[db_test]
async fn what_stripe_refuses_is_told_without_its_words(shop: Shop) {
    for (token, reason) in
        [("tok_chargeDeclined", "generic_decline"), ("tok_unknown", "resource_missing")]
    {
        let refused = shop.till.card(token).await;
        let told = format!(
            "VALIDATION_ERROR: Some fields are not valid {{\"token\":\"was declined ({reason})\"}}"
        );
        assert_eq!(message(&refused), (400, told));
    }
    let card = shop.till.card_id("tok_chargeCustomerFail").await;
    let declined = shop.till.subscribe(PaidPlan::Pro, &card).await;
    let told = "RESOURCE_CONFLICT: The card was declined (insufficient_funds) {}";
    assert_eq!(message(&declined), (409, told.to_owned()));
    assert_eq!(shop.till.standing().await, "Free active never");
    assert_eq!(shop.till.bills().await, ["99.99 failed"]);
}

#[db_test]
async fn a_removed_card_is_detached(shop: Shop) {
    let card = shop.till.card_id("tok_visa").await;
    let path = format!("/v1.0.1/org/card/{}", card.as_str().unwrap());
    assert_eq!(shop.till.send(Method::DELETE, &path, &Value::Null).await.status, 204);
    assert_eq!(shop.asked().last().unwrap(), "POST /v1/payment_methods/pm_2/detach");
    shop.stripe.fail("detach", Fault::Broken);
    let card = shop.till.card_id("tok_visa").await;
    let path = format!("/v1.0.1/org/card/{}", card.as_str().unwrap());
    assert_eq!(shop.till.send(Method::DELETE, &path, &Value::Null).await.status, 204);
}

#[db_test]
async fn a_payment_whose_answer_is_lost_is_charged_once(mut shop: Shop) {
    let card = shop.till.card_id("tok_visa").await;
    shop.stripe.fail("confirm", Fault::Lost);
    let lost = shop.till.subscribe(PaidPlan::Starter, &card).await;
    assert_eq!(message(&lost).0, 503);
    assert_eq!(shop.till.bills().await, ["49.99 open"]);
    assert_eq!(shop.till.subscribe(PaidPlan::Starter, &card).await.status, 409);
    // Even after Stripe has forgotten the key: the payment knows itself.
    shop.stripe.forget_keys();
    shop.till.pass(DAY * 2).await;
    assert_eq!(shop.till.work().await, 1);
    assert_eq!(shop.till.standing().await, "Starter active 2026-02-01");
    assert_eq!(shop.stripe.charges().len(), 1);
}

#[db_test]
async fn a_payment_that_was_not_made_is_made_later(mut shop: Shop) {
    let card = shop.till.card_id("tok_visa").await;
    shop.stripe.fail("confirm", Fault::Broken);
    assert_eq!(shop.till.subscribe(PaidPlan::Starter, &card).await.status, 503);
    assert_eq!(shop.stripe.charges(), []);
    shop.till.pass(Duration::from_mins(3)).await;
    assert_eq!((shop.till.work().await, shop.stripe.charges().len()), (1, 1));
    assert_eq!(shop.till.standing().await, "Starter active 2026-02-01");
}

#[db_test]
async fn a_payment_that_could_not_begin_is_void(shop: Shop) {
    for fault in [Fault::Broken, Fault::Lost] {
        let card = shop.till.card_id("tok_visa").await;
        shop.stripe.fail("payment_intents", fault);
        assert_eq!(shop.till.subscribe(PaidPlan::Starter, &card).await.status, 503);
    }
    assert_eq!(shop.till.bills().await, ["49.99 void", "49.99 void"]);
    let card = shop.till.card_id("tok_visa").await;
    assert_eq!(shop.till.subscribe(PaidPlan::Starter, &card).await.status, 201);
    assert_eq!(shop.stripe.charges().len(), 1, "and nobody waits to try again");
}

#[db_test]
async fn a_renewal_waits_for_stripe(mut shop: Shop) {
    let card = shop.till.card_id("tok_visa").await;
    shop.till.subscribe(PaidPlan::Pro, &card).await;
    shop.till.pass(MONTH).await;
    shop.stripe.fail("payment_intents", Fault::Lost);
    shop.till.work().await;
    assert_eq!(shop.till.standing().await, "Pro active 2026-02-01", "not the card's fault");
    shop.till.pass(Duration::from_mins(3)).await;
    shop.till.work().await;
    assert_eq!(shop.till.standing().await, "Pro active 2026-03-01");
    assert_eq!(shop.stripe.charges().len(), 2);
}

#[db_test]
async fn a_card_of_the_sandbox_pays_nothing_at_stripe(shop: Shop) {
    let card = shop.till.card_id("tok_visa").await;
    let script = "UPDATE cards SET processor = 'sandbox'".to_owned();
    grantor_testkit::seed::run(&shop.till.0.app.database.options, script).await;
    let declined = shop.till.subscribe(PaidPlan::Pro, &card).await;
    let told = "RESOURCE_CONFLICT: The card was declined (card_not_usable) {}";
    assert_eq!(message(&declined), (409, told.to_owned()));
    assert_eq!(shop.stripe.charges(), []);
}

#[tokio::test]
async fn a_wrong_key_is_the_operators_fault_and_is_not_told() {
    let shop = Shop::with_key(Engine::Sqlite, "sk_test_wrong").await;
    let refused = shop.till.card("tok_visa").await;
    assert_eq!(message(&refused).0, 503);
    assert!(!String::from_utf8_lossy(&refused.body).contains("sk_test"));
}
