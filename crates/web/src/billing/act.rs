//! What can be done about plan and cards.

use grantor_domain::Error;
use grantor_domain::card::{CardToken, has_card_number};
use grantor_domain::id::{CardId, PlanId};
use grantor_domain::organization::Plan;
use grantor_domain::subscription::SubscriptionStatus;
use grantor_service::billing;

use super::{chosen, draw, look_again};
use crate::frame::{Entered, Outcome, Person, Segment};

/// Subscribes to a plan.
pub(crate) async fn subscribe(person: Person, entered: Entered) -> Outcome {
    let asked = async {
        let mut fields = entered.fields();
        let plan = entered.required(&mut fields, "subscriptionId");
        let plan = fields.take("subscriptionId", plan.parse::<PlanId>());
        let card = entered.optional("cardId").map(str::parse::<CardId>);
        let card = card.and_then(|it| fields.take("cardId", it));
        fields.finish()?;
        let plan = plan.and_then(Plan::from_id).ok_or_else(|| Error::not_found("Plan"))?;
        billing::subscribe(person.app(), person.context(), person.caller(), plan, card).await
    };
    match asked.await {
        Ok(paid) => {
            let said = match paid.next_plan {
                _ if paid.status == SubscriptionStatus::Canceled => {
                    "The plan ends with the time that is paid; then it is Free".to_owned()
                }
                Some(next) => format!("The plan {next} follows when the paid time ends"),
                None => format!("You are on the plan {}", paid.plan),
            };
            Ok(person.went("/app/billing", &said))
        }
        Err(error) => refuse_plan(&person, error, entered).await,
    }
}

/// Ends the plan with the time that is paid.
pub(crate) async fn cancel(person: Person) -> Outcome {
    match billing::cancel(person.app(), person.context(), person.caller()).await {
        Ok(()) => Ok(person.went("/app/billing", "The plan ends with the time that is paid")),
        Err(error) => {
            let chosen = chosen(&look_again(&person).await?);
            refuse_plan(&person, error, chosen).await
        }
    }
}

async fn refuse_plan(person: &Person, error: Error, entered: Entered) -> Outcome {
    let (seen, none) = (look_again(person).await?, Entered::default());
    Ok(person.again(error, entered, |entered| draw(person, &seen, entered, &none)))
}

/// Adds a card. A number in place of its token is not written into a page.
pub(crate) async fn add_card(person: Person, entered: Entered) -> Outcome {
    let added = async {
        let mut fields = entered.fields();
        let token = entered.required(&mut fields, "token");
        let token = fields.take("token", CardToken::parse(token));
        fields.finish()?;
        let token = token.ok_or_else(|| Error::field("token", "is required"))?;
        billing::add_card(person.app(), person.context(), person.caller(), token).await
    };
    match added.await {
        Ok(_) => Ok(person.went("/app/billing", "The card was added")),
        Err(error) => {
            let number = has_card_number(entered.get("token"));
            refuse_card(&person, error, if number { Entered::default() } else { entered }).await
        }
    }
}

/// Removes a card.
pub(crate) async fn remove_card(person: Person, Segment(id): Segment<CardId>) -> Outcome {
    match billing::remove_card(person.app(), person.context(), person.caller(), id).await {
        Ok(()) => Ok(person.went("/app/billing", "The card was removed")),
        Err(error) if *error.kind() == grantor_domain::ErrorKind::NotFound => Err(error.into()),
        Err(error) => refuse_card(&person, error, Entered::default()).await,
    }
}

async fn refuse_card(person: &Person, error: Error, entered: Entered) -> Outcome {
    let seen = look_again(person).await?;
    let plan = chosen(&seen);
    Ok(person.again(error, entered, |entered| draw(person, &seen, &plan, entered)))
}
