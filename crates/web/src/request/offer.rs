//! The form to make an offer.

use axum::response::Response;
use grantor_domain::error::Fields;
use grantor_domain::grant::{CoverageInput, GrantTerms, Party, TermsInput};
use grantor_domain::id::RequestId;
use grantor_domain::license::{Amount, Currency, FeePer, License, LicenseFee};
use grantor_domain::request::{Offer, OfferStatus};
use grantor_domain::{Error, ErrorKind, Result, Timestamp};
use grantor_service::licensing::request::{self, OfferDraft, RequestThread};
use maud::{Markup, html};

use super::form::use_choices;
use super::terms::{ceiling, channel_names, of_coverage};
use super::{VisibleLicense, caller, find_license, is_owner, open_offer, party_name, path};
use crate::frame::{FormData, Outcome, Person, Segment};
use crate::view::field::group;
use crate::view::money::{currency_choices, money};
use crate::view::territory::required_territories;
use crate::view::time::{exact, from_input, to_exact_input};
use crate::view::{
    NavItem, area, card, checkbox, facts, field, form, head, required_choices, select,
    sentence_case,
};

/// What the form is about.
struct Composer {
    thread: RequestThread,
    license: VisibleLicense,
}

/// Shows the form with the terms of the open or withdrawn offer, or else of the request.
pub(crate) async fn offer_form(person: Person, Segment(id): Segment<RequestId>) -> Outcome {
    let composer = load(&person, id).await?;
    let entered = initial(&composer, person.now());
    Ok(draw(&person, &composer, &entered))
}

/// Makes the offer, which replaces an open one.
pub(crate) async fn make_offer(
    person: Person,
    Segment(id): Segment<RequestId>,
    entered: FormData,
) -> Outcome {
    let composer = load(&person, id).await?;
    let made = async {
        let draft = read(&entered)?;
        request::offer(person.app(), person.context(), caller(&person), id, draft).await
    };
    match made.await {
        Ok(_) => Ok(person.redirect(path(id), "Offer sent")),
        Err(error) => {
            let error = with_limits(error, &composer.license.record.license);
            Ok(person.redisplay(error, entered, |it| draw(&person, &composer, it)))
        }
    }
}

/// Names the dates of the license where terms go beyond them.
pub(super) fn with_limits(error: Error, license: &License) -> Error {
    let limits = [
        ("terms.starts_at", license.valid_from, "or later, when the license starts"),
        ("terms.ends_at", license.expires_at, "or earlier, when the license ends"),
    ];
    let is_wide = *error.kind() == ErrorKind::Conflict;
    limits.into_iter().fold(error, |error, (name, limit, words)| match limit {
        Some(at) if is_wide && error.fields().contains_key(name) => {
            error.with_detail(name, format!("must be {} {words}", exact(at)))
        }
        _ => error,
    })
}

async fn load(person: &Person, id: RequestId) -> Result<Composer> {
    let thread = request::get(person.app(), caller(person), id).await?;
    if !is_owner(person, &thread.view) {
        let message = "Only the owner of the license can make offers";
        return Err(Error::new(ErrorKind::Forbidden, message));
    }
    if !thread.view.status.is_live() {
        return Err(Error::conflict(format!("The request is already {}", thread.view.status)));
    }
    let license = find_license(person, thread.view.record.request.license).await?;
    let license = license.ok_or_else(|| Error::conflict("The license was deleted"))?;
    Ok(Composer { thread, license })
}

/// The offer whose terms the next one begins with: the open one, or the last one if it was withdrawn.
fn previous(thread: &RequestThread) -> Option<&Offer> {
    let withdrawn = thread.offers.last().filter(|it| it.status == OfferStatus::Withdrawn);
    open_offer(thread).or(withdrawn)
}

/// The first values, within the dates of the license.
fn initial(composer: &Composer, now: Timestamp) -> FormData {
    let request = &composer.thread.view.record.request;
    let license = &composer.license.record.license;
    let previous = previous(&composer.thread);
    let terms = previous.map(|it| &it.terms);
    let coverage = terms.map_or(&request.coverage, |it| &it.coverage);
    let territories = coverage.territories.as_slice().iter();
    let channels = terms.map_or(&request.channels, |it| &it.channels);
    let fee = terms.map_or(license.fee, |it| it.fee);
    let first = license.valid_from.map(|it| Timestamp::from_secs(it.as_secs_ceil()));
    let starts_at = first.map_or(coverage.starts_at, |it| it.max(coverage.starts_at));
    let ends_at = match (coverage.ends_at, license.expires_at) {
        (Some(end), Some(last)) => Some(end.min(last)),
        (end, last) => end.or(last),
    };
    let input = |at: Option<Timestamp>| at.map(to_exact_input).unwrap_or_default();
    let exclusive = terms.is_some_and(|it| it.exclusive);
    let credit = terms.and_then(|it| it.credit_line.clone()).unwrap_or_default();
    FormData::default()
        .with_all("terms.uses", coverage.uses.as_slice().iter().map(|it| it.key()))
        .with_all("terms.territories", territories.map(ToString::to_string))
        .with("terms.starts_at", to_exact_input(starts_at))
        .with("terms.ends_at", input(ends_at))
        .with("terms.fee.amount", fee.map(|it| it.amount.to_string()).unwrap_or_default())
        .with("terms.fee.currency", fee.map(|it| it.currency.to_string()).unwrap_or_default())
        .with("terms.fee.per", fee.map(|it| it.per.name()).unwrap_or_default())
        .with("terms.exclusive", if exclusive { "true" } else { "" })
        .with("terms.channels", channels.join("\n"))
        .with("terms.conditions", terms.map(|it| it.conditions.clone()).unwrap_or_default())
        .with("terms.credit_line", credit)
        .with("expires_at", input(previous.map(|it| it.expires_at).filter(|it| *it > now)))
}

/// Reads the form. Its fields have the names of the service's errors.
pub(super) fn read(entered: &FormData) -> Result<OfferDraft> {
    let mut fields = entered.fields();
    let list = |name: &'static str| entered.all(name).map(str::to_owned).collect::<Vec<_>>();
    let (uses, territories) = (list("terms.uses"), list("terms.territories"));
    let channels: Vec<_> = entered.lines("terms.channels").map(str::to_owned).collect();
    let starts_at = entered.optional("terms.starts_at").map(from_input);
    let ends_at = entered.optional("terms.ends_at").map(from_input);
    let fee = read_fee(entered, &mut fields);
    let input = TermsInput {
        coverage: CoverageInput {
            uses: &uses,
            territories: &territories,
            starts_at: starts_at.as_deref(),
            ends_at: ends_at.as_deref(),
        },
        fee,
        exclusive: entered.has("terms.exclusive", "true"),
        channels: &channels,
        conditions: entered.get("terms.conditions"),
        credit_line: entered.optional("terms.credit_line"),
    };
    let terms = GrantTerms::parse(&input, "terms.", &mut fields);
    let expires_at = entered.optional("expires_at").map(|it| Timestamp::parse(&from_input(it)));
    let expires_at = fields.take("expires_at", expires_at.transpose());
    fields.finish()?;
    let draft = terms.zip(expires_at).map(|(terms, expires_at)| OfferDraft { terms, expires_at });
    draft.ok_or_else(|| Error::validation("Some fields are not valid"))
}

/// Reads the fee: none without an amount.
fn read_fee(entered: &FormData, fields: &mut Fields) -> Option<LicenseFee> {
    let amount = entered.optional("terms.fee.amount")?;
    let amount = fields.take("terms.fee.amount", Amount::parse(amount));
    let currency = entered.required(fields, "terms.fee.currency");
    let currency = fields.take("terms.fee.currency", Currency::parse(currency));
    let per = entered.required(fields, "terms.fee.per");
    let per = fields.take("terms.fee.per", per.parse::<FeePer>());
    Some(LicenseFee { amount: amount?, currency: currency?, per: per? })
}

fn draw(person: &Person, composer: &Composer, entered: &FormData) -> Response {
    let (thread, license) = (&composer.thread, &composer.license);
    let view = &thread.view;
    let path = path(view.record.request.id);
    let replaces = open_offer(thread).is_some();
    let title = if replaces { "Replace the offer" } else { "Make an offer" };
    let asker = party_name(view, Party::Asker);
    let lead = format!("{} for {asker}", view.record.license_title);
    let inside = fields(&license.record.license, entered);
    let body = html! {
        (head(title, &lead, html! { a.button.plain href=(path) { "Back to request" } }))
        div.split {
            (card("Offer", form(&format!("{path}/offer"), entered, inside, "Send offer")))
            div { (ceiling(license)) (requested(thread)) }
        }
    };
    person.page(title, NavItem::Requests, body)
}

/// What was asked for.
fn requested(thread: &RequestThread) -> Markup {
    let request = &thread.view.record.request;
    let coverage = of_coverage(&request.coverage).into_iter();
    let mut all: Vec<_> = coverage.map(|(name, text)| (name, html! { (text) })).collect();
    if !request.purpose.is_empty() {
        all.push(("Purpose", html! { span.lines { (request.purpose) } }));
    }
    all.push(("Channels", html! { (channel_names(&request.channels)) }));
    if let Some(budget) = request.budget {
        all.push(("Budget", html! { (money(budget.amount, budget.currency)) }));
    }
    card("Requested", facts(&all))
}

/// The fields of the terms and of the end of the offer.
pub(super) fn fields(license: &License, entered: &FormData) -> Markup {
    let within = "Only what the license allows can be chosen.";
    let per = FeePer::ALL.map(|it| (it.name(), sentence_case(it.name())));
    let per: Vec<_> = [("", "–".to_owned())].into_iter().chain(per).collect();
    let exclusive = "Nobody else can get a grant for the same talent, use, territory and time.";
    let ends = match license.expires_at {
        Some(end) => format!("In UTC. At the latest {}, when the license ends.", exact(end)),
        None => "In UTC. Leave blank for no end date.".to_owned(),
    };
    html! {
        (required_choices("terms.uses", "Uses", Some(within), &use_choices(license), entered))
        (required_territories("terms.territories", "Territories", Some(within), &license.territories, entered))
        div.two {
            (field("terms.starts_at", "Starts").kind("datetime-local").required().hint("In UTC.").of(entered))
            (field("terms.ends_at", "Ends").kind("datetime-local").hint(&ends).of(entered))
        }
        (group("terms.fee", "Fee", entered, html! {
            div.three {
                (field("terms.fee.amount", "Amount").inputmode("decimal").placeholder("1500.00").hint("Leave blank for no fee.").of(entered))
                (select("terms.fee.currency", "Currency", None, &currency_choices(), entered))
                (select("terms.fee.per", "Per", None, &per, entered))
            }
        }))
        (checkbox("terms.exclusive", "Exclusive", Some(exclusive), entered))
        (area("terms.channels", "Channels", Some("Where the likeness may appear. One per line, up to 10. Leave blank for no limit."), 3, entered))
        (area("terms.conditions", "Conditions", Some("Further conditions in plain language. Up to 5,000 characters."), 6, entered))
        (field("terms.credit_line", "Credit line").max_length(200).hint("How the talent is credited.").of(entered))
        (field("expires_at", "Offer ends").kind("datetime-local").hint("In UTC, within 90 days. Leave blank for 14 days.").of(entered))
    }
}
