//! The forms of the billing page.

use grantor_domain::Error;
use grantor_domain::card::{CardToken, has_card_number};
use grantor_domain::id::{CardId, PlanId};
use grantor_domain::organization::Plan;
use grantor_domain::subscription::SubscriptionStatus;
use grantor_messages::text;
use grantor_service::billing;

use super::{chosen, draw, reload};
use crate::frame::{FormData, Outcome, Person, Segment};

/// Subscribes to a plan.
pub(crate) async fn subscribe(person: Person, entered: FormData) -> Outcome {
    let subscribed = async {
        let mut fields = entered.fields();
        let plan = entered.required(&mut fields, "subscriptionId");
        let plan = fields.take("subscriptionId", plan.parse::<PlanId>());
        let card = entered.optional("cardId").map(str::parse::<CardId>);
        let card = card.and_then(|it| fields.take("cardId", it));
        fields.finish()?;
        let plan = plan.and_then(Plan::from_id).ok_or_else(|| Error::not_found("Plan"))?;
        billing::subscribe(person.app(), person.context(), person.caller(), plan, card).await
    };
    match subscribed.await {
        Ok(paid) => {
            let message = match paid.next_plan {
                _ if paid.status == SubscriptionStatus::Canceled => {
                    text!("billing-plan-changes", plan = Plan::Free.name())
                }
                Some(next) => text!("billing-plan-changes", plan = next.name()),
                None => text!("billing-plan-changed", plan = paid.plan.name()),
            };
            Ok(person.redirect("/app/billing", &message))
        }
        Err(error) => refuse_plan(&person, error, entered).await,
    }
}

/// Cancels the plan at the end of the paid period.
pub(crate) async fn cancel(person: Person) -> Outcome {
    match billing::cancel(person.app(), person.context(), person.caller()).await {
        Ok(()) => Ok(person.redirect("/app/billing", text!("billing-plan-canceled"))),
        Err(error) => {
            let chosen = chosen(&reload(&person).await?);
            refuse_plan(&person, error, chosen).await
        }
    }
}

async fn refuse_plan(person: &Person, error: Error, entered: FormData) -> Outcome {
    let (page, none) = (reload(person).await?, FormData::default());
    Ok(person.redisplay(error, entered, |entered| draw(person, &page, entered, &none)))
}

/// Adds a card. A card number entered instead of a token is never redisplayed.
pub(crate) async fn add_card(person: Person, entered: FormData) -> Outcome {
    let added = async {
        let mut fields = entered.fields();
        let token = entered.required(&mut fields, "token");
        let token = fields.take("token", CardToken::parse(token));
        fields.finish()?;
        let token = token.ok_or_else(|| Error::field("token", "is required"))?;
        billing::add_card(person.app(), person.context(), person.caller(), token).await
    };
    match added.await {
        Ok(_) => Ok(person.redirect("/app/billing", text!("billing-card-added"))),
        Err(error) => {
            let number = has_card_number(entered.get("token"));
            refuse_card(&person, error, if number { FormData::default() } else { entered }).await
        }
    }
}

/// Removes a card.
pub(crate) async fn remove_card(person: Person, Segment(id): Segment<CardId>) -> Outcome {
    match billing::remove_card(person.app(), person.context(), person.caller(), id).await {
        Ok(()) => Ok(person.redirect("/app/billing", text!("billing-card-removed"))),
        Err(error) if *error.kind() == grantor_domain::ErrorKind::NotFound => Err(error.into()),
        Err(error) => refuse_card(&person, error, FormData::default()).await,
    }
}

async fn refuse_card(person: &Person, error: Error, entered: FormData) -> Outcome {
    let page = reload(person).await?;
    let plan = chosen(&page);
    Ok(person.redisplay(error, entered, |entered| draw(person, &page, &plan, entered)))
}
