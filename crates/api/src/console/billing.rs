//! `/org/subscriptions`, `/org/subscribe`, `/org/subscription`, `/org/bill/history`.

use std::str::FromStr;

use axum::extract::State;
use grantor_domain::bill::Bill;
use grantor_domain::card::refuse_card_number;
use grantor_domain::error::Fields;
use grantor_domain::id::{CardId, InvalidId, PlanId};
use grantor_domain::license::Amount;
use grantor_domain::organization::Plan;
use grantor_domain::plan::{BILLING_PERIOD, CURRENCY, PlanTerms};
use grantor_domain::subscription::Subscription;
use grantor_domain::{Error, Timestamp};
use grantor_service::billing::{self, Overview};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa::ToSchema;

use super::card::{refuse_numbers, text};
use super::envelope::{Created, Data, NoContent, PageOf, Plural};
use super::paging::Paging;
use super::required;
use crate::frame::caller::SignedIn;
use crate::frame::describe::value;
use crate::frame::extract::{Json, Query};
use crate::frame::problem::Problem;
use crate::frame::state::ApiState;

/// The plan to subscribe to.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct SubscribeInput {
    /// The plan's ID.
    #[schema(required, nullable = false, inline, value_type = value::Id)]
    subscription_id: Option<Value>,
    /// The ID of the card to charge. Not required for a free plan.
    #[schema(inline, value_type = Option<value::Id>)]
    card_id: Option<Value>,
    /// Other fields, checked only to reject card numbers.
    #[serde(flatten)]
    #[schema(ignore)]
    rest: Map<String, Value>,
}

/// A subscription plan.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct PlanBody {
    /// The plan's ID.
    #[schema(format = "uuid")]
    plan_id: String,
    /// The plan's name.
    #[schema(inline, value_type = value::PlanName)]
    name: &'static str,
    /// The plan's description.
    description: String,
    /// The price per billing period.
    price: f64,
    /// The ISO 4217 currency code.
    #[schema(inline, value_type = value::PlanCurrency)]
    currency: &'static str,
    /// The billing period.
    #[schema(inline, value_type = value::BillingPeriodName)]
    billing_period: &'static str,
    /// The plan's features.
    features: Vec<String>,
}

/// A subscription.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct SubscriptionBody {
    /// The subscription's ID.
    #[schema(format = "uuid")]
    subscription_id: String,
    /// The plan's ID.
    #[schema(format = "uuid")]
    plan_id: String,
    /// The subscription's status: `active`, `past_due` or `canceled`.
    #[schema(inline, value_type = value::SubscriptionStatusName)]
    status: &'static str,
    /// When the current billing period ends.
    #[schema(value_type = String, format = DateTime)]
    current_period_end: Timestamp,
    /// The ID of the charged card.
    #[schema(format = "uuid")]
    card_id: String,
    /// The plan of the next billing period, if it changes.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(inline, nullable = false, value_type = Option<value::Id>)]
    next_plan_id: Option<String>,
}

/// The organization's current plan and usage.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = StandingBody)]
struct CurrentSubscription {
    /// The subscription's ID. Null without a paid subscription.
    #[schema(inline, value_type = Option<value::Id>)]
    subscription_id: Option<String>,
    /// The plan's ID.
    #[schema(format = "uuid")]
    plan_id: String,
    /// The subscription's status: `active`, `past_due` or `canceled`.
    #[schema(inline, value_type = value::SubscriptionStatusName)]
    status: &'static str,
    /// When the current billing period ends.
    #[schema(value_type = Option<String>, format = DateTime)]
    current_period_end: Option<Timestamp>,
    /// The ID of the charged card.
    #[schema(inline, value_type = Option<value::Id>)]
    card_id: Option<String>,
    /// The plan of the next billing period, if it changes.
    #[schema(inline, value_type = Option<value::Id>)]
    next_plan_id: Option<String>,
    usage: UsageBody,
}

/// The API requests of the current month.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct UsageBody {
    /// The number of requests used.
    used: u64,
    /// The maximum number of requests. Null if unlimited.
    limit: Option<u64>,
    /// When the usage resets.
    #[schema(value_type = String, format = DateTime)]
    resets_at: Timestamp,
}

/// The available plans and the organization's subscription.
#[derive(Serialize, ToSchema)]
pub(super) struct Plans {
    /// The available plans.
    plans: Vec<PlanBody>,
    subscription: CurrentSubscription,
}

/// An invoice.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct BillBody {
    /// The invoice's ID.
    #[schema(format = "uuid")]
    bill_id: String,
    /// The amount.
    amount: f64,
    /// The ISO 4217 currency code.
    currency: &'static str,
    /// The invoice's status: `open`, `paid`, `failed` or `void`.
    #[schema(inline, value_type = value::BillStatusName)]
    status: &'static str,
    /// When the invoice was issued.
    #[schema(value_type = String, format = DateTime)]
    billing_date: Timestamp,
    /// When the invoice is due.
    #[schema(value_type = String, format = DateTime)]
    due_date: Timestamp,
    /// When the invoice was paid.
    #[schema(value_type = Option<String>, format = DateTime)]
    paid_date: Option<Timestamp>,
    /// The invoice's description.
    description: String,
}

impl Plural for BillBody {
    const PLURAL: &'static str = "bills";
}

impl From<(Plan, &PlanTerms)> for PlanBody {
    fn from((plan, terms): (Plan, &PlanTerms)) -> Self {
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

impl From<Overview> for CurrentSubscription {
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

/// Converts an amount to a JSON number, as the API defines prices. Two decimal places stay exact
/// when the number is printed.
#[expect(clippy::cast_precision_loss, reason = "amounts are far below the exact range of f64")]
fn number(amount: Amount) -> f64 {
    amount.hundredths() as f64 / 100.0
}

pub(super) async fn plans(
    State(state): State<ApiState>,
    SignedIn { caller, .. }: SignedIn,
) -> Result<Data<Plans>, Problem> {
    let overview = billing::overview(&state.app, &caller).await?;
    let plans = state.app.plans.all().map(PlanBody::from).collect();
    Ok(Data(Plans { plans, subscription: overview.into() }, "The plans"))
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
    Ok(Created(paid.into(), "Subscription created"))
}

/// Parses an ID. A card number gets its own error message.
fn read_id<T: FromStr<Err = InvalidId>>(text: &str) -> Result<T, String> {
    text.parse().or_else(|invalid: InvalidId| {
        refuse_card_number(text)?;
        Err(invalid.to_string())
    })
}

pub(super) async fn cancel(
    State(state): State<ApiState>,
    SignedIn { context, caller }: SignedIn,
) -> Result<NoContent, Problem> {
    billing::cancel(&state.app, &context, caller).await?;
    Ok(NoContent)
}

pub(super) async fn bills(
    State(state): State<ApiState>,
    SignedIn { caller, .. }: SignedIn,
    Query(paging): Query<Paging>,
) -> Result<PageOf<BillBody>, Problem> {
    let found = billing::bills(&state.app, &caller, paging.read()?).await?;
    Ok(PageOf(found.map(BillBody::from), "Your invoices"))
}
