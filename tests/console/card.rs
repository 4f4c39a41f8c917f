//! `/org/card`, `/org/cards`: cards by token, never by number.

use grantor_testkit::app::Answer;
use grantor_testkit::{db_test, seed};
use http::Method;
use serde_json::{Value, json};

use super::{Home, PASSWORD, access, account, faults, refused};

const CARD: &str = "/v1.0.1/org/card";
const CARDS: &str = "/v1.0.1/org/cards";
const STARTER: &str = "019b76da-a800-7000-8000-000000000002";
const NUMBER: &str = "4242424242424242";

impl Home {
    async fn add_card(&self, token: &str) -> Answer {
        self.send(Method::POST, CARD, Some(json!({ "token": token }))).await
    }

    async fn card_id(&self, token: &str) -> String {
        let added = self.add_card(token).await;
        assert_eq!(added.status, 201, "{}", added.json());
        added.json()["data"]["cardId"].as_str().unwrap().to_owned()
    }

    async fn cards(&self) -> Vec<Value> {
        let answer = self.send(Method::GET, CARDS, None).await;
        answer.json()["data"]["cards"].as_array().unwrap().clone()
    }

    async fn remove_card(&self, id: &str) -> Answer {
        self.send(Method::DELETE, &format!("{CARD}/{id}"), None).await
    }

    async fn subscribe_to_starter(&self, card: &str) -> Answer {
        let body = json!({ "subscriptionId": STARTER, "cardId": card });
        self.send(Method::POST, "/v1.0.1/org/subscribe", Some(body)).await
    }
}

#[db_test]
async fn a_card_is_added_listed_and_removed(home: Home) {
    let added = home.add_card("tok_visa").await;
    let id = added.json()["data"]["cardId"].clone();
    let card = json!({
        "cardId": id, "last4": "4242", "brand": "visa", "expiryMonth": 12, "expiryYear": 2027,
    });
    let shown = json!({ "data": card, "message": "Card added", "status": "success" });
    assert_eq!(added.whole(), (201, shown));
    let listed = home.send(Method::GET, CARDS, None).await;
    let data = json!({ "cards": [card] });
    let shown = json!({ "data": data, "message": "Your payment cards", "status": "success" });
    assert_eq!(listed.whole(), (200, shown));
    let id = id.as_str().unwrap();
    let removed = home.remove_card(id).await;
    assert_eq!((removed.status.as_u16(), removed.body.len()), (204, 0));
    assert_eq!(home.cards().await, Vec::<Value>::new());
    let again = home.remove_card(id).await;
    assert_eq!(again.whole(), (404, refused("NOT_FOUND", "Card not found")));
}

#[db_test]
async fn test_tokens_do_what_stripe_says_of_them(home: Home) {
    for (token, outcome) in [
        ("tok_mastercard", json!("mastercard 4444")),
        ("tok_amex", json!("amex 0005")),
        ("pm_card_visa", json!("visa 4242")),
        ("tok_chargeCustomerFail", json!("visa 0341")),
        ("tok_chargeDeclined", json!({ "token": "was declined (generic_decline)" })),
        ("tok_visa_chargeDeclined", json!({ "token": "was declined (generic_decline)" })),
        (
            "tok_chargeDeclinedInsufficientFunds",
            json!({ "token": "was declined (insufficient_funds)" }),
        ),
        ("tok_chargeDeclinedStolenCard", json!({ "token": "was declined (generic_decline)" })),
        ("tok_nobody", json!({ "token": "was declined (unknown_token)" })),
    ] {
        let answer = home.add_card(token).await;
        let told = if answer.status == 201 {
            let card = &answer.json()["data"];
            json!(format!(
                "{} {}",
                card["brand"].as_str().unwrap(),
                card["last4"].as_str().unwrap()
            ))
        } else {
            faults(&answer).1
        };
        assert_eq!(told, outcome, "{token}");
    }
}

#[db_test]
async fn what_is_no_token_is_refused(home: Home) {
    let shape = json!({ "token": "must be a token from the payment processor, such as tok_visa" });
    for token in ["tok visa", "tok/../visa", &"t".repeat(256)] {
        assert_eq!(faults(&home.add_card(token).await), (400, shape.clone()), "{token}");
    }
    let odd = home.send(Method::POST, CARD, Some(json!({ "token": ["tok_visa"] }))).await;
    assert_eq!(faults(&odd), (400, json!({ "token": "must be a string" })));
    let missing = home.send(Method::POST, CARD, Some(json!({}))).await;
    assert_eq!(faults(&missing), (400, json!({ "token": "is required" })));
}

#[db_test]
async fn a_card_number_is_refused_wherever_it_stands_and_kept_nowhere(home: Home) {
    let told = "must not contain a card number; send a token from the payment processor";
    let spaced = "4242 4242 4242 4242";
    let subscribe = "/v1.0.1/org/subscribe";
    for (path, body, field) in [
        (CARD, json!({ "token": NUMBER }), "token"),
        (CARD, json!({ "token": spaced }), "token"),
        (CARD, json!({ "token": "4242-4242-4242-4242" }), "token"),
        (CARD, json!({ "token": 4_242_424_242_424_242_u64 }), "token"),
        (CARD, json!({ "token": "tok_visa", "number": NUMBER }), "number"),
        (CARD, json!({ "token": "tok_visa", "number": 4_242_424_242_424_242_u64 }), "number"),
        (CARD, json!({ "token": "tok_visa", "card": { "no": [spaced] } }), "card"),
        (CARD, json!({ "token": "tok_visa", NUMBER: true }), "body"),
        (subscribe, json!({ "subscriptionId": STARTER, "cardId": NUMBER }), "cardId"),
        (subscribe, json!({ "subscriptionId": spaced }), "subscriptionId"),
        (subscribe, json!({ "subscriptionId": STARTER, "note": spaced }), "note"),
    ] {
        let answer = home.send(Method::POST, path, Some(body.clone())).await;
        assert_eq!(faults(&answer), (400, json!({ field: told })), "{body}");
        assert!(!String::from_utf8_lossy(&answer.body).contains("4242"), "{body}");
    }
    assert_eq!(home.cards().await.len(), 0);
    let logged = "SELECT message || details || coalesce(resource_name, '') FROM log_entries";
    let logged = seed::rows(&home.app.database.options, logged).await;
    assert!(!logged.iter().any(|row| row[0].contains("4242")));
    home.card_id("tok_visa").await;
    let logged = "SELECT coalesce(resource_name, '') FROM log_entries";
    let logged = seed::rows(&home.app.database.options, logged).await;
    assert!(logged.iter().any(|row| row[0] == "visa 4242"), "the search finds what is there");
}

#[db_test]
async fn there_are_ten_cards_at_most(home: Home) {
    for _ in 0..10 {
        home.card_id("tok_visa").await;
    }
    let full = home.add_card("tok_visa").await;
    let told = refused("RESOURCE_CONFLICT", "You can have at most 10 cards; remove one first");
    assert_eq!(full.whole(), (409, told));
}

#[db_test]
async fn the_only_card_of_a_subscription_stays(home: Home) {
    let first = home.card_id("tok_visa").await;
    assert_eq!(home.subscribe_to_starter(&first).await.status, 201);
    let told = "The only card of a subscription cannot be removed: add another first, or cancel \
                the subscription";
    let kept = home.remove_card(&first).await;
    assert_eq!(kept.whole(), (409, refused("RESOURCE_CONFLICT", told)));
    let second = home.card_id("tok_mastercard").await;
    assert_eq!(home.remove_card(&first).await.status, 204);
    let plans = home.send(Method::GET, "/v1.0.1/org/subscriptions", None).await;
    assert_eq!(plans.json()["data"]["subscription"]["cardId"], json!(second), "the other pays now");
    assert_eq!(home.remove_card(&second).await.status, 409);
    home.send(Method::DELETE, "/v1.0.1/org/subscription", None).await;
    assert_eq!(home.remove_card(&second).await.status, 204, "nothing more is charged");
}

#[db_test]
async fn a_foreign_card_is_not_there(home: Home) {
    account(&home.app, "eve@example.com", "Other Talent").await;
    let stranger = access(&home.app.sign_in("eve@example.com", PASSWORD).await);
    let card = home.card_id("tok_visa").await;
    let path = format!("{CARD}/{card}");
    let removed = home.send_as(&stranger, Method::DELETE, &path, None).await;
    assert_eq!(removed.whole(), (404, refused("NOT_FOUND", "Card not found")));
    let body = json!({ "subscriptionId": STARTER, "cardId": card });
    let path = "/v1.0.1/org/subscribe";
    let paid = home.send_as(&stranger, Method::POST, path, Some(body)).await;
    assert_eq!(paid.whole(), (404, refused("NOT_FOUND", "Card not found")));
    assert_eq!(home.cards().await.len(), 1);
    let odd = home.remove_card(NUMBER).await;
    assert_eq!(odd.whole(), (400, refused("INVALID_FORMAT", "The card ID is not a UUID")));
}

#[db_test]
async fn the_same_request_adds_one_card(home: Home) {
    let add = || {
        let request = home.app.request(Method::POST, CARD).console(&home.token);
        request.header("idempotency-key", "k-1").json(&json!({ "token": "tok_visa" })).send()
    };
    let (first, second) = (add().await, add().await);
    assert_eq!((first.whole(), home.cards().await.len()), (second.whole(), 1));
}
