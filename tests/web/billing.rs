//! `/app/billing`.

use grantor_domain::organization::Plan;
use grantor_testkit::db_test;

use super::kit::{Browser, WebFixture};

const CARDS: &str = "/app/billing/cards";
const SUBSCRIBE: &str = "/app/billing/subscribe";

/// Adds a card; gives its id.
async fn card(browser: &mut Browser<'_>) -> String {
    let seen = browser.follow(CARDS, &[("token", "tok_visa")]).await;
    seen.says(200, &["Card added", "Visa ending in 4242"]);
    seen.between("action=\"/app/billing/cards/", "/").unwrap()
}

#[db_test]
async fn a_plan_is_paid_with_a_card_and_canceled(fixture: WebFixture) {
    let mut ada = fixture.ada().await;
    let seen = ada.get("/app/billing").await;
    seen.says(
        200,
        &[
            "Free current",
            "49.99 USD per month",
            "0 of 100,000",
            "0 of 1,000",
            "0 bytes of 1 GiB",
            "No invoices yet",
            "Visa: payments succeed",
        ],
    );
    let (card, plan) = (card(&mut ada).await, Plan::Starter.id().to_string());
    let form = [("subscriptionId", &*plan), ("cardId", &*card)];
    let seen = ada.follow(SUBSCRIBE, &form).await;
    seen.says(200, &["You're now on the Starter plan", "Starter current", "paid", "49.99 USD"]);
    let twice = ada.post(SUBSCRIBE, &form).await;
    twice.says(409, &[]).refuses("subscriptionId", "You are already on the Starter plan.");
    let seen = ada.follow("/app/billing/cancel", &[]).await;
    seen.says(200, &["ends when the paid period ends", "canceled"]).hides("/app/billing/cancel");
}

#[db_test]
async fn a_plan_that_costs_needs_a_card(fixture: WebFixture) {
    let mut ada = fixture.ada().await;
    let plan = Plan::Pro.id().to_string();
    let seen = ada.post(SUBSCRIBE, &[("subscriptionId", &plan)]).await;
    seen.says(422, &[]).refuses("cardId", "Is required.");
    let seen = ada.post(SUBSCRIBE, &[("subscriptionId", "x"), ("cardId", "y")]).await;
    assert!(seen.says(422, &[]).page.contains("id=\"subscriptionId-wrong\""), "{}", seen.text);
    ada.post("/app/billing/cancel", &[]).await.says(404, &[]);
}

#[db_test]
async fn a_card_number_is_never_written_into_a_page(fixture: WebFixture) {
    let mut ada = fixture.ada().await;
    let seen = ada.post(CARDS, &[("token", "4242 4242 4242 4242")]).await;
    assert!(seen.says(422, &[]).hides("4242 4242").page.contains("id=\"token-wrong\""));
    let seen = ada.post(CARDS, &[("token", "tok_nothing")]).await;
    assert!(seen.status >= 400, "{}", seen.text);
    assert!(seen.page.contains("<option value=\"tok_nothing\" selected>"), "{}", seen.page);
    ada.post(CARDS, &[]).await.refuses("token", "Is required.");
}

#[db_test]
async fn the_card_of_a_subscription_stays(fixture: WebFixture) {
    let mut ada = fixture.ada().await;
    let (card, plan) = (card(&mut ada).await, Plan::Starter.id().to_string());
    let remove = format!("{CARDS}/{card}/remove");
    fixture.stranger().await.post(&remove, &[]).await.says(404, &[]);
    ada.follow(SUBSCRIBE, &[("subscriptionId", &*plan), ("cardId", &*card)]).await;
    ada.post(&remove, &[]).await.says(409, &["Visa ending in 4242"]);
    fixture.colleague("Organization_User").await.get("/app/billing").await.says(403, &[]);
}
