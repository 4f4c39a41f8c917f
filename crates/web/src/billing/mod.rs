//! `/app/billing`: the plan, the cards that pay for it, and the bills.

mod act;

use axum::response::Response;
use grantor_domain::Error;
use grantor_domain::bill::Bill;
use grantor_domain::card::Card;
use grantor_domain::organization::Plan;
use grantor_domain::page::Listing;
use grantor_domain::plan::{CURRENCY, Plans, Terms, storage};
use grantor_domain::subscription::SubscriptionStatus;
use grantor_domain::usage::Bounded;
use grantor_service::billing::{self, Overview, Sandbox};
use maud::{Markup, html};

use crate::frame::{Asked, Entered, Outcome, Person};
use crate::view::chart::{meter, meter_of};
use crate::view::{
    Place, Table, badge, card, confirm, day, empty, facts, field, form, head, notice, pager, select,
};

pub(crate) use self::act::{add_card, cancel, remove_card, subscribe};

/// What the page shows beside its forms.
struct Seen {
    overview: Overview,
    cards: Vec<Card>,
    bills: Listing<Bill>,
    /// The address of this page of the bills.
    here: String,
}

/// The page.
pub(crate) async fn show(person: Person, asked: Asked) -> Outcome {
    let seen = look(&person, &asked, person.here.clone()).await?;
    Ok(draw(&person, &seen, &chosen(&seen), &Entered::default()))
}

/// The plan and the card that the form begins with: those in force.
fn chosen(seen: &Seen) -> Entered {
    let paying = seen.overview.subscription.as_ref().map(|it| it.card);
    let card = paying.or_else(|| seen.cards.first().map(|it| it.id));
    Entered::default()
        .with("subscriptionId", seen.overview.plan.id().to_string())
        .with("cardId", card.map(|it| it.to_string()).unwrap_or_default())
}

async fn look(person: &Person, asked: &Asked, here: String) -> Result<Seen, Error> {
    let (app, caller) = (person.app(), &person.caller);
    let bills = asked.within(billing::bills(app, caller, asked.page()?).await?)?;
    let overview = billing::overview(app, caller).await?;
    let cards = billing::cards(app, caller).await?;
    Ok(Seen { overview, cards, bills, here })
}

/// The page as one finds it, after a form was sent from it.
async fn look_again(person: &Person) -> Result<Seen, Error> {
    look(person, &Asked::default(), "/app/billing".to_owned()).await
}

fn draw(person: &Person, seen: &Seen, chosen: &Entered, new_card: &Entered) -> Response {
    let plans = &person.app().plans;
    let body = html! {
        (head("Plan and bills", "What you have, what you use, and what you pay.", html! {}))
        (card("Your plan", standing(&seen.overview, plans)))
        h2 { "Plans" }
        div.tiles { @for (plan, terms) in plans.offers() { (offered(plan, terms, seen.overview.plan)) } }
        @if seen.overview.plan != Plan::Enterprise { (card("Change the plan", choice(&seen.cards, seen.overview.plan, chosen))) }
        (card("Cards", cards(person, &seen.cards, new_card)))
        section id="bills" {
            h2 { "Bills" }
            @if seen.bills.items.is_empty() {
                (empty("No bills yet", "A bill is written for every month of a plan that costs something.", html! {}))
            } @else { (bills(&seen.bills)) (pager(&seen.bills, &seen.here)) }
        }
    };
    person.page("Plan and bills", Place::Billing, body)
}

fn standing(overview: &Overview, plans: &Plans) -> Markup {
    let Overview { plan, subscription, usage, used } = overview;
    let bound = |what| plans.of(*plan).bound(what);
    let mut all = vec![("Plan", html! { strong { (plan.name()) } })];
    if let Some(paid) = subscription {
        all.push(("Status", badge(paid.status.name())));
        all.push(("Paid until", day(paid.period_end)));
        if let Some(next) = paid.next_plan {
            all.push(("Then", html! { (next.name()) }));
        }
    }
    all.push(("Counted anew", day(usage.resets_at)));
    let runs = subscription.as_ref().is_some_and(|it| it.status != SubscriptionStatus::Canceled);
    html! {
        div.stack {
            (facts(&all))
            (meter("Requests this month", usage.used, usage.limit))
            (meter("Talents", used.talents, bound(Bounded::Talents)))
            (meter("Licenses", used.licenses, bound(Bounded::Licenses)))
            (meter("Webhooks", used.webhooks, bound(Bounded::Webhooks)))
            (meter_of("Image storage", used.image_bytes, bound(Bounded::ImageBytes), storage_words))
            @if runs {
                div.right { (confirm("/app/billing/cancel", "Cancel the plan", "You keep it until the paid time ends; then the plan is Free.", &[])) }
            }
        }
    }
}

/// Bytes in words: small sums are rounded to a tenth of the largest unit that fits.
fn storage_words(bytes: u64) -> String {
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

fn offered(plan: Plan, terms: &Terms, current: Plan) -> Markup {
    let price = match plan {
        Plan::Free => "Free of charge".to_owned(),
        Plan::Enterprise => "By arrangement".to_owned(),
        Plan::Starter | Plan::Pro => format!("{} {CURRENCY} a month", terms.price),
    };
    html! {
        section.card {
            h3 { (plan.name()) @if plan == current { " " (badge("yours")) } }
            p { strong { (price) } }
            p.quiet { (terms.description) }
            ul { @for feature in terms.features(plan) { li { (feature) } } }
        }
    }
}

fn choice(cards: &[Card], current: Plan, entered: &Entered) -> Markup {
    let plans: Vec<_> = Plan::ALL
        .into_iter()
        .filter(|it| *it != Plan::Enterprise && *it != current)
        .map(|it| (it.id().to_string(), it.name()))
        .collect();
    let none = (String::new(), "No card".to_owned());
    let cards: Vec<_> =
        cards.iter().map(|it| (it.id.to_string(), face(it))).chain(std::iter::once(none)).collect();
    let inside = html! {
        div.two {
            (select("subscriptionId", "Plan", None, &plans, entered))
            (select("cardId", "Paid with", Some("A plan that costs something needs a card."), &cards, entered))
        }
        p.quiet { "A larger plan is paid and yours at once. A smaller one follows when the paid time ends." }
    };
    form("/app/billing/subscribe", entered, inside, "Subscribe")
}

fn face(it: &Card) -> String {
    format!("{} ending in {}", it.face.brand, it.face.last4)
}

fn cards(person: &Person, all: &[Card], entered: &Entered) -> Markup {
    let sandbox = person.app().processor.name() == Sandbox::NAME;
    let table = Table::new("Cards", &["Card", "Valid until", ""]).rows(all, |it: &Card| {
        vec![
            html! { (face(it)) },
            html! { (format!("{:02}/{}", it.face.expiry_month, it.face.expiry_year)) },
            confirm(
                &format!("/app/billing/cards/{}/remove", it.id),
                "Remove",
                "It pays nothing any more.",
                &[],
            ),
        ]
    });
    let inside = field("token", "Token of the card")
        .required()
        .autocomplete("off")
        .placeholder(if sandbox { "tok_visa" } else { "tok_…" })
        .hint("From the payment processor. Never a card number.")
        .of(entered);
    html! {
        @if all.is_empty() { p.quiet { "No card yet." } } @else { (table.show()) }
        h3 { "Add a card" }
        @if sandbox {
            (notice("", html! {
                p { "This server takes payments in its sandbox: no money moves. Use the processor's test tokens: "
                    code { "tok_visa" } " pays, " code { "tok_chargeCustomerFail" } " fails when it is charged, and "
                    code { "tok_chargeDeclined" } " is refused." }
            }))
        } @else {
            p { "Card numbers never reach this server: the payment processor keeps the card and gives a token that stands for it." }
        }
        (form("/app/billing/cards", entered, inside, "Add the card"))
    }
}

fn bills(found: &Listing<Bill>) -> Markup {
    let heads = ["Date", "For", "Amount", "Status", "Paid"];
    let table = Table::new("Bills", &heads).rows(&found.items, |it: &Bill| {
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
