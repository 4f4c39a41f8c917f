//! `/org/subscriptions`, `/org/subscribe`, `/org/subscription`, `/org/bill/history`.

use std::str::FromStr;

use axum::extract::State;
use grantor_domain::bill::Bill;
use grantor_domain::card::refuse_card_number;
use grantor_domain::error::Fields;
use grantor_domain::id::{CardId, InvalidId, PlanId};
use grantor_domain::license::Amount;
use grantor_domain::organization::Plan;
use grantor_domain::plan::{BILLING_PERIOD, CURRENCY, Terms};
use grantor_domain::subscription::Subscription;
use grantor_domain::{Error, Timestamp};
use grantor_service::billing::{self, Overview};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa::ToSchema;

use super::card::{refuse_numbers, text};
use super::envelope::{Created, Fine, Gone, Listed, Plural};
use super::paging::Paging;
use super::required;
use crate::describe::value;
use crate::frame::caller::SignedIn;
use crate::frame::extract::{Json, Query};
use crate::frame::problem::Problem;
use crate::frame::settings::ApiState;

/// Which plan, and who pays.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct SubscribeInput {
    /// The id of a plan.
    #[schema(required, nullable = false, inline, value_type = value::Id)]
    subscription_id: Option<Value>,
    /// One of the tenant's cards; a plan without a price needs none.
    #[schema(inline, value_type = Option<value::Id>)]
    card_id: Option<Value>,
    /// Looked at only to refuse card numbers.
    #[serde(flatten)]
    #[schema(ignore)]
    rest: Map<String, Value>,
}

/// A plan one can subscribe to.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct PlanBody {
    #[schema(format = "uuid")]
    plan_id: String,
    name: &'static str,
    description: String,
    price: f64,
    currency: &'static str,
    billing_period: &'static str,
    features: Vec<String>,
}

/// A subscription.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct SubscriptionBody {
    #[schema(format = "uuid")]
    subscription_id: String,
    #[schema(format = "uuid")]
    plan_id: String,
    /// active, `past_due` or canceled.
    #[schema(inline, value_type = value::SubscriptionStatusName)]
    status: &'static str,
    #[schema(value_type = String, format = DateTime)]
    current_period_end: Timestamp,
    #[schema(format = "uuid")]
    card_id: String,
    /// The plan that follows then, where it is another.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(inline, nullable = false, value_type = Option<value::Id>)]
    next_plan_id: Option<String>,
}

/// What the organization has and uses. Where no card pays, there is no subscription id.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct StandingBody {
    #[schema(inline, value_type = Option<value::Id>)]
    subscription_id: Option<String>,
    #[schema(format = "uuid")]
    plan_id: String,
    /// active, `past_due` or canceled.
    #[schema(inline, value_type = value::SubscriptionStatusName)]
    status: &'static str,
    #[schema(value_type = Option<String>, format = DateTime)]
    current_period_end: Option<Timestamp>,
    #[schema(inline, value_type = Option<value::Id>)]
    card_id: Option<String>,
    #[schema(inline, value_type = Option<value::Id>)]
    next_plan_id: Option<String>,
    usage: UsageBody,
}

/// How much of the month's requests is used.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct UsageBody {
    used: u64,
    /// Null where there is no end.
    limit: Option<u64>,
    #[schema(value_type = String, format = DateTime)]
    resets_at: Timestamp,
}

/// The plans, and where the organization stands.
#[derive(Serialize, ToSchema)]
pub(super) struct Plans {
    plans: Vec<PlanBody>,
    subscription: StandingBody,
}

/// A bill.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct BillBody {
    #[schema(format = "uuid")]
    bill_id: String,
    amount: f64,
    currency: &'static str,
    /// open, paid, failed or void.
    #[schema(inline, value_type = value::BillStatusName)]
    status: &'static str,
    #[schema(value_type = String, format = DateTime)]
    billing_date: Timestamp,
    #[schema(value_type = String, format = DateTime)]
    due_date: Timestamp,
    #[schema(value_type = Option<String>, format = DateTime)]
    paid_date: Option<Timestamp>,
    description: String,
}

impl Plural for BillBody {
    const PLURAL: &'static str = "bills";
}

impl From<(Plan, &Terms)> for PlanBody {
    fn from((plan, terms): (Plan, &Terms)) -> Self {
        Self {
            plan_id: plan.id().to_string(),
            name: plan.name(),
            description: terms.description.clone(),
            price: number(terms.price),
            currency: CURRENCY,
            billing_period: BILLING_PERIOD,
            features: terms.features(plan),
        }
    }
}

impl From<Subscription> for SubscriptionBody {
    fn from(paid: Subscription) -> Self {
        Self {
            subscription_id: paid.id.to_string(),
            plan_id: paid.plan.id().to_string(),
            status: paid.status.name(),
            current_period_end: paid.period_end,
            card_id: paid.card.to_string(),
            next_plan_id: paid.next_plan.map(|it| it.id().to_string()),
        }
    }
}

impl From<Overview> for StandingBody {
    fn from(overview: Overview) -> Self {
        let usage = UsageBody {
            used: overview.usage.used,
            limit: overview.usage.limit,
            resets_at: overview.usage.resets_at,
        };
        let paid = overview.subscription.as_ref();
        Self {
            subscription_id: paid.map(|it| it.id.to_string()),
            plan_id: overview.plan.id().to_string(),
            status: paid.map_or("active", |it| it.status.name()),
            current_period_end: paid.map(|it| it.period_end),
            card_id: paid.map(|it| it.card.to_string()),
            next_plan_id: paid.and_then(|it| it.next_plan).map(|it| it.id().to_string()),
            usage,
        }
    }
}

impl From<Bill> for BillBody {
    fn from(bill: Bill) -> Self {
        Self {
            bill_id: bill.id.to_string(),
            amount: number(bill.amount),
            currency: CURRENCY,
            status: bill.status.name(),
            billing_date: bill.billing_date,
            due_date: bill.due_date,
            paid_date: bill.paid_date,
            description: bill.description(),
        }
    }
}

/// The document's prices are numbers; two places are exact in the shortest text of one.
#[expect(clippy::cast_precision_loss, reason = "sums stay far below what a double holds exactly")]
fn number(amount: Amount) -> f64 {
    amount.hundredths() as f64 / 100.0
}

pub(super) async fn plans(
    State(state): State<ApiState>,
    SignedIn { caller, .. }: SignedIn,
) -> Result<Fine<Plans>, Problem> {
    let overview = billing::overview(&state.app, &caller).await?;
    let plans = state.app.plans.offers().map(PlanBody::from).collect();
    Ok(Fine(Plans { plans, subscription: overview.into() }, "The plans"))
}

pub(super) async fn subscribe(
    State(state): State<ApiState>,
    SignedIn { context, caller }: SignedIn,
    Json(sent): Json<SubscribeInput>,
) -> Result<Created<SubscriptionBody>, Problem> {
    let mut fields = Fields::default();
    refuse_numbers(&mut fields, &sent.rest);
    let plan = text(&mut fields, "subscriptionId", sent.subscription_id.as_ref());
    let plan = required(&mut fields, "subscriptionId", plan);
    let plan: Option<PlanId> = fields.take("subscriptionId", read_id(plan));
    let card = text(&mut fields, "cardId", sent.card_id.as_ref()).map(read_id::<CardId>);
    let card = card.and_then(|it| fields.take("cardId", it));
    fields.finish()?;
    let plan = plan.and_then(Plan::from_id).ok_or_else(|| Error::not_found("Plan"))?;
    let paid = billing::subscribe(&state.app, &context, caller, plan, card).await?;
    Ok(Created(paid.into(), "You are subscribed"))
}

/// An id, or why it is none; a card number is told so.
fn read_id<T: FromStr<Err = InvalidId>>(text: &str) -> Result<T, String> {
    text.parse().or_else(|invalid: InvalidId| {
        refuse_card_number(text)?;
        Err(invalid.to_string())
    })
}

pub(super) async fn cancel(
    State(state): State<ApiState>,
    SignedIn { context, caller }: SignedIn,
) -> Result<Gone, Problem> {
    billing::cancel(&state.app, &context, caller).await?;
    Ok(Gone)
}

pub(super) async fn bills(
    State(state): State<ApiState>,
    SignedIn { caller, .. }: SignedIn,
    Query(paging): Query<Paging>,
) -> Result<Listed<BillBody>, Problem> {
    let found = billing::bills(&state.app, &caller, paging.read()?).await?;
    Ok(Listed(found.map(BillBody::from), "Your bills"))
}
