//! Months that follow each other, plans that change, and workers that are many or die.

use grantor_domain::organization::Plan as PaidPlan;
use grantor_testkit::{db_test, seed};
use http::Method;
use serde_json::Value;

use super::{DAY, MONTH, Till, message, work};

#[db_test]
async fn every_month_is_charged_once(mut till: Till) {
    let card = till.card_id("tok_visa").await;
    assert_eq!(till.subscribe(PaidPlan::Starter, &card).await.status, 201);
    assert_eq!(till.work().await, 0, "nothing is due before the month ends");
    till.pass(MONTH).await;
    assert_eq!((till.work().await, till.work().await), (1, 0));
    assert_eq!(till.standing().await, "Starter active 2026-03-01");
    till.pass(DAY * 28).await;
    till.work().await;
    assert_eq!(till.standing().await, "Starter active 2026-04-01");
    assert_eq!(
        till.bills().await,
        ["49.99 paid 2026-01-01", "49.99 paid 2026-02-01", "49.99 paid 2026-03-01"]
    );
    assert_eq!(till.charges().await, ["3", "0"]);
}

#[db_test]
async fn of_many_workers_one_charges(till: Till) {
    let card = till.card_id("tok_visa").await;
    till.subscribe(PaidPlan::Starter, &card).await;
    till.0.app.clock.advance(MONTH);
    let nodes = [till.0.app.another_node(11).await, till.0.app.another_node(12).await];
    let own = till.0.app.app.clone();
    let (a, b, c, d) = tokio::join!(work(&nodes[0]), work(&nodes[1]), work(&own), work(&nodes[0]));
    assert_eq!((a + b + c + d, till.charges().await), (1, ["2".to_owned(), "0".to_owned()]));
}

/// What a worker leaves that dies at each moment: the lease runs on, the bill is open.
#[db_test]
async fn what_a_crash_left_is_finished_and_charged_once(mut till: Till) {
    let card = till.card_id("tok_visa").await;
    till.subscribe(PaidPlan::Starter, &card).await;
    let before = "UPDATE subscriptions SET status = 'pending', leased_until = 1767225720000000,
           wakes_at = 1767225720000000;
         UPDATE tenants SET plan = 'Free';
         UPDATE bills SET status = 'open', paid_date = NULL";
    seed::run(&till.0.app.database.options, before.to_owned()).await;
    assert_eq!(till.standing().await, "Free active never");
    let again = till.subscribe(PaidPlan::Starter, &card).await;
    let told = "RESOURCE_CONFLICT: A payment is in progress; check the billing history shortly {}";
    assert_eq!(message(&again), (409, told.to_owned()));
    assert_eq!(till.work().await, 0, "whoever holds it may yet come back");
    till.pass(std::time::Duration::from_mins(3)).await;
    assert_eq!(till.work().await, 1);
    assert_eq!(till.standing().await, "Starter active 2026-02-01");
    assert_eq!((till.bills().await.len(), till.charges().await[0].as_str()), (1, "1"));
}

/// The control of the one before: where the sandbox has not charged yet, the worker does.
#[db_test]
async fn what_a_crash_left_uncharged_is_charged(mut till: Till) {
    let card = till.card_id("tok_visa").await;
    till.subscribe(PaidPlan::Starter, &card).await;
    let before = "UPDATE subscriptions SET status = 'pending', leased_until = 1767225720000000,
           wakes_at = 1767225720000000;
         UPDATE bills SET status = 'open', paid_date = NULL, payment = NULL;
         DELETE FROM sandbox_charges";
    seed::run(&till.0.app.database.options, before.to_owned()).await;
    till.pass(std::time::Duration::from_mins(3)).await;
    assert_eq!((till.work().await, till.charges().await[0].as_str()), (1, "1"));
    assert_eq!(till.bills().await, ["49.99 paid 2026-01-01"]);
}

#[db_test]
async fn a_larger_plan_is_paid_at_once_and_a_smaller_one_follows(mut till: Till) {
    let card = till.card_id("tok_visa").await;
    till.subscribe(PaidPlan::Starter, &card).await;
    till.pass(DAY * 10).await;
    assert_eq!(till.subscribe(PaidPlan::Pro, &card).await.status, 201);
    assert_eq!(till.standing().await, "Pro active 2026-02-11");
    assert_eq!(till.subscribe(PaidPlan::Starter, &card).await.status, 201);
    assert_eq!(till.standing().await, "Pro active 2026-02-11, then Starter");
    till.pass(MONTH).await;
    till.work().await;
    assert_eq!(till.standing().await, "Starter active 2026-03-11");
    assert_eq!(
        till.bills().await,
        ["49.99 paid 2026-01-01", "99.99 paid 2026-01-11", "49.99 paid 2026-02-11"]
    );
}

#[db_test]
async fn a_canceled_subscription_ends_with_its_month(mut till: Till) {
    let card = till.card_id("tok_visa").await;
    till.subscribe(PaidPlan::Pro, &card).await;
    let path = "/v1.0.1/org/subscription";
    assert_eq!(till.send(Method::DELETE, path, &Value::Null).await.status, 204);
    assert_eq!(till.standing().await, "Pro canceled 2026-02-01");
    till.pass(MONTH).await;
    assert_eq!((till.work().await, till.work().await), (1, 0));
    assert_eq!(till.standing().await, "Free active never");
    assert_eq!(till.charges().await, ["1", "0"]);
    assert_eq!(till.send(Method::DELETE, path, &Value::Null).await.status, 404);
}

#[db_test]
async fn who_comes_back_before_the_end_goes_on_without_paying_twice(mut till: Till) {
    let card = till.card_id("tok_visa").await;
    till.subscribe(PaidPlan::Pro, &card).await;
    till.send(Method::DELETE, "/v1.0.1/org/subscription", &Value::Null).await;
    assert_eq!(till.subscribe(PaidPlan::Pro, &card).await.status, 201);
    assert_eq!(till.standing().await, "Pro active 2026-02-01");
    assert_eq!(till.charges().await, ["1", "0"]);
    till.pass(MONTH).await;
    till.work().await;
    assert_eq!(till.standing().await, "Pro active 2026-03-01");
}
