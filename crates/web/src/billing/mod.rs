//! `/app/billing`: plan, cards and invoices.

mod actions;
mod plan;

use axum::response::Response;
use grantor_domain::Error;
use grantor_domain::bill::Bill;
use grantor_domain::card::Card;
use grantor_domain::license::Amount;
use grantor_domain::organization::Plan;
use grantor_domain::page::Listing;
use grantor_domain::plan::{CURRENCY, Plans};
use grantor_domain::subscription::SubscriptionStatus;
use grantor_domain::usage::LimitedResource;
use grantor_messages::text;
use grantor_service::billing::{self, Overview, Sandbox};
use maud::{Markup, html};

use crate::frame::{FormData, Outcome, Params, Person};
use crate::view::chart::{meter, meter_with};
use crate::view::marked::{Mark, marked_select};
use crate::view::rich::rich;
use crate::view::{
    NavItem, Table, badge, card, confirm, day, empty, facts, field, form, head, notice, pager,
    select, sentence_case,
};

pub(crate) use self::actions::{add_card, cancel, remove_card, subscribe};
use self::plan::{format_storage, plan_card};

/// The data of the page.
struct BillingPage {
    overview: Overview,
    cards: Vec<Card>,
    bills: Listing<Bill>,
    /// The URL of this page of invoices.
    here: String,
}

/// Shows the billing page.
pub(crate) async fn show(person: Person, params: Params) -> Outcome {
    let page = load(&person, &params, person.here.clone()).await?;
    Ok(draw(&person, &page, &chosen(&page), &FormData::default()))
}

/// Preselects the current plan and card in the form.
fn chosen(page: &BillingPage) -> FormData {
    let paying = page.overview.subscription.as_ref().map(|it| it.card);
    let card = paying.or_else(|| page.cards.first().map(|it| it.id));
    FormData::default()
        .with("subscriptionId", page.overview.plan.id().to_string())
        .with("cardId", card.map(|it| it.to_string()).unwrap_or_default())
}

async fn load(person: &Person, params: &Params, here: String) -> Result<BillingPage, Error> {
    let (app, caller) = (person.app(), &person.caller);
    let bills = params.in_range(billing::bills(app, caller, params.page()?).await?)?;
    let overview = billing::overview(app, caller).await?;
    let cards = billing::cards(app, caller).await?;
    Ok(BillingPage { overview, cards, bills, here })
}

/// Loads the page after one of its forms was submitted.
async fn reload(person: &Person) -> Result<BillingPage, Error> {
    load(person, &Params::default(), "/app/billing".to_owned()).await
}

fn draw(person: &Person, page: &BillingPage, chosen: &FormData, new_card: &FormData) -> Response {
    let (plans, acts) = (&person.app().plans, !person.is_viewed());
    let body = html! {
        (head(text!("billing-title"), text!("billing-lead"), html! {}))
        (card(text!("billing-plan-current"), plan_summary(&page.overview, plans, acts)))
        h2 { (text!("billing-plans")) }
        div.tiles { @for (plan, terms) in plans.all() { (plan_card(plan, terms, page.overview.plan)) } }
        @if acts && page.overview.plan != Plan::Enterprise { (card(text!("billing-plan-change"), plan_form(&page.cards, page.overview.plan, chosen))) }
        (card(text!("billing-cards"), cards(person, &page.cards, new_card)))
        section id="bills" {
            h2 { (text!("billing-invoices")) }
            @if page.bills.items.is_empty() {
                (empty(text!("billing-invoices-none"), text!("billing-invoices-none-why"), html! {}))
            } @else { (bills(&page.bills)) (pager(&page.bills, &page.here)) }
        }
    };
    person.page(text!("billing-title"), NavItem::Billing, body)
}

/// The current plan and its usage. `acts` is whether to offer to cancel it.
fn plan_summary(overview: &Overview, plans: &Plans, acts: bool) -> Markup {
    let Overview { plan, subscription, usage, used } = overview;
    let bound = |what| plans.of(*plan).bound(what);
    let mut all = vec![(text!("billing-plan"), html! { strong { (plan.name()) } })];
    if let Some(paid) = subscription {
        all.push((text!("word-status"), badge(paid.status.name())));
        all.push((text!("billing-plan-paid-until"), day(paid.period_end)));
        if let Some(next) = paid.next_plan {
            all.push((text!("billing-plan-next"), html! { (next.name()) }));
        }
    }
    all.push((text!("billing-usage-resets"), day(usage.resets_at)));
    let runs = subscription.as_ref().is_some_and(|it| it.status != SubscriptionStatus::Canceled);
    html! {
        div.stack {
            (facts(&all))
            (meter(text!("billing-usage-requests"), usage.used, usage.limit))
            (meter(text!("billing-usage-talents"), used.talents, bound(LimitedResource::Talents)))
            (meter(text!("billing-usage-licenses"), used.licenses, bound(LimitedResource::Licenses)))
            (meter(text!("billing-usage-webhooks"), used.webhooks, bound(LimitedResource::Webhooks)))
            (meter(text!("billing-usage-sources"), used.sources, bound(LimitedResource::Sources)))
            (meter_with(text!("billing-usage-storage"), used.image_bytes, bound(LimitedResource::ImageBytes), format_storage))
            @if runs && acts {
                div.right { (confirm("/app/billing/cancel", text!("billing-plan-cancel"), text!("billing-plan-cancel-question"), &[])) }
            }
        }
    }
}

fn plan_form(cards: &[Card], current: Plan, entered: &FormData) -> Markup {
    let plans: Vec<_> = Plan::ALL
        .into_iter()
        .filter(|it| *it != Plan::Enterprise && *it != current)
        .map(|it| (it.id().to_string(), it.name()))
        .collect();
    let none = (String::new(), text!("billing-card-none").to_owned());
    let cards: Vec<_> = cards
        .iter()
        .map(|it| (it.id.to_string(), card_label(it)))
        .chain(std::iter::once(none))
        .collect();
    let inside = html! {
        div.two {
            (select("subscriptionId", text!("billing-plan"), None, &plans, entered))
            (marked_select(Mark::RequiredIf(text!("billing-card-required")), "cardId", text!("billing-card"), None, &cards, entered))
        }
        p.quiet { (text!("billing-plan-change-note")) }
    };
    form("/app/billing/subscribe", entered, inside, text!("billing-plan-change"))
}

/// The cards of the sandbox, by token.
fn test_cards() -> [(&'static str, &'static str); 3] {
    [
        ("tok_visa", text!("billing-sandbox-succeeds")),
        ("tok_chargeCustomerFail", text!("billing-sandbox-fails")),
        ("tok_chargeDeclined", text!("billing-sandbox-declined")),
    ]
}

fn card_label(it: &Card) -> String {
    let brand = sentence_case(&it.face.brand);
    text!("billing-card-ending", brand = brand, digits = &it.face.last4)
}

fn cards(person: &Person, all: &[Card], entered: &FormData) -> Markup {
    let acts = !person.is_viewed();
    let heads = [text!("billing-card"), text!("billing-card-expires"), ""];
    let table = Table::new(text!("billing-cards"), &heads).rows(all, |it: &Card| {
        vec![
            html! { (card_label(it)) },
            html! { (format!("{:02}/{}", it.face.expiry_month, it.face.expiry_year)) },
            html! { @if acts { (confirm(&format!("/app/billing/cards/{}/remove", it.id), text!("action-remove"), text!("billing-card-remove-question"), &[])) } },
        ]
    });
    html! {
        @if all.is_empty() { p.quiet { (text!("billing-cards-none")) } } @else { (table.show()) }
        @if acts { (new_card(person, entered)) }
    }
}

fn new_card(person: &Person, entered: &FormData) -> Markup {
    let sandbox = person.app().processor.name() == Sandbox::NAME;
    let inside = if sandbox {
        select("token", text!("billing-sandbox-card"), None, &test_cards(), entered)
    } else {
        field("token", text!("billing-card-token"))
            .required()
            .autocomplete("off")
            .placeholder("tok_…")
            .hint(text!("billing-card-token-hint"))
            .of(entered)
    };
    html! {
        h3 { (text!("billing-card-add")) }
        @if sandbox {
            (notice("", html! { p { (text!("billing-sandbox-note")) } }))
        } @else {
            p { (text!("billing-card-note")) }
        }
        (form("/app/billing/cards", entered, inside, text!("billing-card-add")))
    }
}

fn bills(found: &Listing<Bill>) -> Markup {
    let heads = [
        text!("word-date"),
        text!("word-description"),
        text!("billing-invoice-amount"),
        text!("word-status"),
        text!("billing-invoice-paid"),
    ];
    let table = Table::new(text!("billing-invoices"), &heads).rows(&found.items, |it: &Bill| {
        vec![
            day(it.billing_date),
            html! { (bill_description(it)) },
            html! { (price(it.amount)) },
            badge(it.status.name()),
            it.paid_date.map_or_else(|| rich!("billing-invoice-due", date = day(it.due_date)), day),
        ]
    });
    table.show()
}

/// What a bill is for.
fn bill_description(bill: &Bill) -> String {
    let start = bill.period_start.to_string();
    text!(
        "billing-invoice-description",
        plan = bill.plan.name(),
        year = &start[..4],
        month = &start[5..7],
        day = &start[8..10],
    )
}

/// An amount in the currency of the plans.
fn price(amount: Amount) -> String {
    let amount = amount.to_string();
    let (whole, cents) = amount.split_once('.').unwrap_or((amount.as_str(), "00"));
    text!("billing-amount", whole = whole, cents = cents, currency = CURRENCY)
}
