//! `/app/billing`: plan, cards and invoices.

mod actions;

use axum::response::Response;
use grantor_domain::Error;
use grantor_domain::bill::Bill;
use grantor_domain::card::Card;
use grantor_domain::organization::Plan;
use grantor_domain::page::Listing;
use grantor_domain::plan::{CURRENCY, PlanTerms, Plans, storage};
use grantor_domain::subscription::SubscriptionStatus;
use grantor_domain::usage::LimitedResource;
use grantor_service::billing::{self, Overview, Sandbox};
use maud::{Markup, html};

use crate::frame::{FormData, Outcome, Params, Person};
use crate::view::chart::{meter, meter_with};
use crate::view::{
    NavItem, Table, badge, card, confirm, day, empty, facts, field, form, head, notice, pager,
    select, sentence_case,
};

pub(crate) use self::actions::{add_card, cancel, remove_card, subscribe};

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
    let plans = &person.app().plans;
    let body = html! {
        (head("Billing", "Your plan, usage and invoices.", html! {}))
        (card("Current plan", plan_summary(&page.overview, plans)))
        h2 { "Plans" }
        div.tiles { @for (plan, terms) in plans.all() { (plan_card(plan, terms, page.overview.plan)) } }
        @if page.overview.plan != Plan::Enterprise { (card("Change plan", plan_form(&page.cards, page.overview.plan, chosen))) }
        (card("Cards", cards(person, &page.cards, new_card)))
        section id="bills" {
            h2 { "Invoices" }
            @if page.bills.items.is_empty() {
                (empty("No invoices yet", "You'll get an invoice for each month of a paid plan.", html! {}))
            } @else { (bills(&page.bills)) (pager(&page.bills, &page.here)) }
        }
    };
    person.page("Billing", NavItem::Billing, body)
}

fn plan_summary(overview: &Overview, plans: &Plans) -> Markup {
    let Overview { plan, subscription, usage, used } = overview;
    let bound = |what| plans.of(*plan).bound(what);
    let mut all = vec![("Plan", html! { strong { (plan.name()) } })];
    if let Some(paid) = subscription {
        all.push(("Status", badge(paid.status.name())));
        all.push(("Paid until", day(paid.period_end)));
        if let Some(next) = paid.next_plan {
            all.push(("Next plan", html! { (next.name()) }));
        }
    }
    all.push(("Usage resets on", day(usage.resets_at)));
    let runs = subscription.as_ref().is_some_and(|it| it.status != SubscriptionStatus::Canceled);
    html! {
        div.stack {
            (facts(&all))
            (meter("API requests this month", usage.used, usage.limit))
            (meter("Talents", used.talents, bound(LimitedResource::Talents)))
            (meter("Licenses", used.licenses, bound(LimitedResource::Licenses)))
            (meter("Webhooks", used.webhooks, bound(LimitedResource::Webhooks)))
            (meter("Sources", used.sources, bound(LimitedResource::Sources)))
            (meter_with("Image storage", used.image_bytes, bound(LimitedResource::ImageBytes), format_storage))
            @if runs {
                div.right { (confirm("/app/billing/cancel", "Cancel plan", "You'll keep the plan until the end of the paid period, then move to Free.", &[])) }
            }
        }
    }
}

/// Formats bytes, rounded down to a tenth of the largest unit that fits.
fn format_storage(bytes: u64) -> String {
    let units = [(40, "TiB"), (30, "GiB"), (20, "MiB"), (10, "KiB")];
    match units.into_iter().find(|(bits, _)| bytes >= 1 << bits) {
        Some((bits, _)) if bytes.is_multiple_of(1 << bits) => storage(bytes),
        Some((bits, unit)) => {
            let tenths = (bytes >> (bits - 10)) * 10 / 1_024;
            format!("{}.{} {unit}", tenths / 10, tenths % 10)
        }
        None => storage(bytes),
    }
}

fn plan_card(plan: Plan, terms: &PlanTerms, current: Plan) -> Markup {
    let price = match plan {
        Plan::Free => "Free".to_owned(),
        Plan::Enterprise => "Contact us".to_owned(),
        Plan::Starter | Plan::Pro => format!("{} {CURRENCY} per month", terms.price),
    };
    html! {
        section.card {
            h3 { (plan.name()) @if plan == current { " " (badge("current")) } }
            p { strong { (price) } }
            p.quiet { (terms.description) }
            ul { @for feature in terms.features(plan) { li { (feature) } } }
        }
    }
}

fn plan_form(cards: &[Card], current: Plan, entered: &FormData) -> Markup {
    let plans: Vec<_> = Plan::ALL
        .into_iter()
        .filter(|it| *it != Plan::Enterprise && *it != current)
        .map(|it| (it.id().to_string(), it.name()))
        .collect();
    let none = (String::new(), "No card".to_owned());
    let cards: Vec<_> = cards
        .iter()
        .map(|it| (it.id.to_string(), card_label(it)))
        .chain(std::iter::once(none))
        .collect();
    let inside = html! {
        div.two {
            (select("subscriptionId", "Plan", None, &plans, entered))
            (select("cardId", "Card", Some("Required for paid plans."), &cards, entered))
        }
        p.quiet { "Upgrades are charged and start immediately. Downgrades start when the paid period ends." }
    };
    form("/app/billing/subscribe", entered, inside, "Change plan")
}

/// The cards of the sandbox, by token.
const TEST_CARDS: [(&str, &str); 3] = [
    ("tok_visa", "Visa: payments succeed"),
    ("tok_chargeCustomerFail", "Visa: payments fail"),
    ("tok_chargeDeclined", "Declined when added"),
];

fn card_label(it: &Card) -> String {
    format!("{} ending in {}", sentence_case(&it.face.brand), it.face.last4)
}

fn cards(person: &Person, all: &[Card], entered: &FormData) -> Markup {
    let sandbox = person.app().processor.name() == Sandbox::NAME;
    let table = Table::new("Cards", &["Card", "Expires", ""]).rows(all, |it: &Card| {
        vec![
            html! { (card_label(it)) },
            html! { (format!("{:02}/{}", it.face.expiry_month, it.face.expiry_year)) },
            confirm(
                &format!("/app/billing/cards/{}/remove", it.id),
                "Remove",
                "This card will no longer be charged.",
                &[],
            ),
        ]
    });
    let inside = if sandbox {
        select("token", "Test card", None, &TEST_CARDS, entered)
    } else {
        field("token", "Card token")
            .required()
            .autocomplete("off")
            .placeholder("tok_…")
            .hint("From the payment processor. Never enter a card number.")
            .of(entered)
    };
    html! {
        @if all.is_empty() { p.quiet { "No cards yet." } } @else { (table.show()) }
        h3 { "Add card" }
        @if sandbox {
            (notice("", html! {
                p { "This server uses a sandbox: no real payments are made. Choose a test card." }
            }))
        } @else {
            p { "Card numbers never reach this server. The payment processor stores the card and issues a token for it." }
        }
        (form("/app/billing/cards", entered, inside, "Add card"))
    }
}

fn bills(found: &Listing<Bill>) -> Markup {
    let heads = ["Date", "Description", "Amount", "Status", "Paid"];
    let table = Table::new("Invoices", &heads).rows(&found.items, |it: &Bill| {
        vec![
            day(it.billing_date),
            html! { (it.description()) },
            html! { (it.amount.to_string()) " " (CURRENCY) },
            badge(it.status.name()),
            it.paid_date.map_or_else(|| html! { "due " (day(it.due_date)) }, day),
        ]
    });
    table.show()
}
