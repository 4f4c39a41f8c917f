//! Cards that stop paying: who hears of it, when it is tried again, how it ends.

use grantor_domain::organization::Plan as PaidPlan;
use grantor_testkit::{db_test, seed};
use http::Method;
use serde_json::Value;

use super::{DAY, MONTH, Till, message};

/// A subscription of Starter whose card has stopped paying by the end of the month.
async fn overdue(till: &mut Till) {
    let card = till.card_id("tok_visa").await;
    till.subscribe(PaidPlan::Starter, &card).await;
    let script = "UPDATE cards SET reference = 'tok_chargeCustomerFail'".to_owned();
    seed::run(&till.0.app.database.options, script).await;
    till.pass(MONTH).await;
    assert_eq!(till.work().await, 1);
}

#[db_test]
async fn a_card_that_does_not_pay_is_asked_for_a_week(mut till: Till) {
    overdue(&mut till).await;
    let (mut days, mut day) = (vec![], 0);
    while till.standing().await.starts_with("Starter past_due") {
        day += 1;
        till.pass(DAY).await;
        if till.work().await == 1 {
            days.push(day);
        }
    }
    assert_eq!(days, [1, 3, 5, 7]);
    assert_eq!(till.standing().await, "Free active never");
    assert_eq!(till.bills().await, ["49.99 paid 2026-01-01", "49.99 failed"]);
    assert_eq!(till.charges().await, ["1", "5"]);
}

#[db_test]
async fn whoever_looks_after_the_tenant_is_told(till: Till) {
    let card = till.card_id("tok_visa").await;
    till.subscribe(PaidPlan::Starter, &card).await;
    let script = "UPDATE cards SET reference = 'tok_chargeCustomerFail'".to_owned();
    seed::run(&till.0.app.database.options, script).await;
    till.0.app.clock.advance(MONTH);
    till.work().await;
    let mail = till.0.app.newest_mail("ada@example.com").await;
    assert!(mail.contains("Subject: Your Grantor payment was declined"), "{mail}");
    assert!(mail.contains("49.99 USD (Starter plan, one month from 2026-02-01)"), "{mail}");
    assert!(mail.contains("We'll try again on Feb 2, 2026."), "{mail}");
    for days in [1, 2, 2, 2] {
        till.0.app.clock.advance(DAY * days);
        till.work().await;
    }
    let mail = till.0.app.newest_mail("ada@example.com").await;
    assert!(mail.contains("Subject: Your Grantor subscription has ended"), "{mail}");
}

#[db_test]
async fn another_card_pays_what_is_due(mut till: Till) {
    overdue(&mut till).await;
    let card = till.card_id("tok_mastercard").await;
    assert_eq!(till.subscribe(PaidPlan::Starter, &card).await.status, 201);
    assert_eq!(till.standing().await, "Starter active 2026-03-01");
    let bills = till.bills().await;
    assert_eq!(bills.len(), 3);
    assert!(bills.contains(&"49.99 void".to_owned()), "{bills:?}");
    till.pass(DAY * 7).await;
    assert_eq!((till.work().await, till.charges().await[0].as_str()), (0, "2"));
}

#[db_test]
async fn a_purchase_that_fails_puts_nothing_off(mut till: Till) {
    overdue(&mut till).await;
    let card = till.card_id("tok_chargeCustomerFail").await;
    let refused = till.subscribe(PaidPlan::Pro, &card).await;
    let told = "RESOURCE_CONFLICT: The card was declined (generic_decline) {}";
    assert_eq!(message(&refused), (409, told.to_owned()));
    assert_eq!(till.standing().await, "Starter past_due 2026-02-01");
    till.pass(DAY).await;
    assert_eq!(till.work().await, 1, "the renewal is asked for on its day");
}

#[db_test]
async fn who_gives_up_is_free_at_once(mut till: Till) {
    overdue(&mut till).await;
    let path = "/v1.0.1/org/subscription";
    assert_eq!(till.send(Method::DELETE, path, &Value::Null).await.status, 204);
    assert_eq!(till.standing().await, "Free active never");
    assert_eq!(till.bills().await, ["49.99 paid 2026-01-01", "49.99 void"]);
    till.pass(DAY * 7).await;
    assert_eq!(till.work().await, 0);
}
