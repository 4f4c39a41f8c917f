//! The form to make an offer.

use axum::response::Response;
use grantor_domain::error::Fields;
use grantor_domain::grant::{CoverageInput, GrantTerms, Party, TermsInput};
use grantor_domain::id::RequestId;
use grantor_domain::license::{Currency, FeePer, KnownTerms, License, LicenseFee};
use grantor_domain::request::{Offer, OfferStatus};
use grantor_domain::{Error, ErrorKind, Result, Timestamp};
use grantor_messages::text;
use grantor_service::licensing::grant::BlockingGrant;
use grantor_service::licensing::request::{self, OfferDraft, RequestThread};
use maud::{Markup, html};

use super::blocked::overlap_refused;
use super::form::{require_choices, use_choices};
use super::terms::{ceiling, channel_names, of_coverage};
use super::{
    VisibleLicense, caller, find_license, is_owner, open_offer, party_name, path, without_details,
};
use crate::frame::{FormData, Outcome, Person, Segment};
use crate::view::field::group;
use crate::view::label::fee_per;
use crate::view::marked::{Mark, marked_choices, marked_select, required_note};
use crate::view::money::{amount_input, currency_choices, money, read_amount, with_reading};
use crate::view::territory::{chosen_territories, territory_choices, territory_values};
use crate::view::time::{exact, from_input, to_exact_input, zone_name};
use crate::view::{NavItem, area, card, checkbox, facts, field, form, head};

/// The fields of the fee.
pub(super) const AMOUNT: &str = "terms.fee.amount";
pub(super) const CURRENCY: &str = "terms.fee.currency";
pub(super) const PER: &str = "terms.fee.per";

/// The detail of an error that names the grant in the way.
const GRANT_NUMBER: &str = "grant_number";

/// What the form is about.
struct Composer {
    thread: RequestThread,
    license: VisibleLicense,
}

/// Shows the form with the terms of the open or withdrawn offer, or else of the request.
pub(crate) async fn offer_form(person: Person, Segment(id): Segment<RequestId>) -> Outcome {
    let composer = load(&person, id).await?;
    let entered = initial(&composer, person.now());
    Ok(draw(&person, &composer, None, &entered))
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
        Ok(_) => {
            let message = with_reading(text!("request-offer-sent"), &entered, AMOUNT, CURRENCY);
            Ok(person.redirect(path(id), &message))
        }
        Err(error) => {
            let license = &composer.license.record.license;
            let overlap = find_overlap(&person, license, &entered, &error).await?;
            let error = in_page_words(error, license);
            let draw = |it: &FormData| draw(&person, &composer, overlap.as_ref(), it);
            Ok(person.redisplay(error, entered, draw))
        }
    }
}

/// Returns the grant that the terms overlap with, if they were refused because of it.
pub(super) async fn find_overlap(
    person: &Person,
    license: &License,
    entered: &FormData,
    error: &Error,
) -> Result<Option<BlockingGrant>> {
    if !error.fields().contains_key(GRANT_NUMBER) {
        return Ok(None);
    }
    let terms = read(entered)?.terms;
    request::find_overlap(person.app(), license.talent, terms).await
}

/// Names the dates of the license where terms go beyond them, and the number of a grant only once.
pub(super) fn in_page_words(error: Error, license: &License) -> Error {
    if error.fields().contains_key(GRANT_NUMBER) {
        return without_details(&error);
    }
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
    let territories = territory_values(coverage.territories.as_slice());
    // What the license says counts where the request says nothing.
    let known = KnownTerms::of(&license.terms);
    let asked = Some(&request.channels).filter(|it| !it.is_empty()).unwrap_or(&known.channels);
    let channels = terms.map_or(asked, |it| &it.channels);
    let fee = terms.map_or(license.fee, |it| it.fee);
    let first = license.valid_from.map(|it| Timestamp::from_secs(it.as_secs_ceil()));
    let starts_at = first.map_or(coverage.starts_at, |it| it.max(coverage.starts_at));
    let ends_at = match (coverage.ends_at, license.expires_at) {
        (Some(end), Some(last)) => Some(end.min(last)),
        (end, last) => end.or(last),
    };
    let input = |at: Option<Timestamp>| at.map(to_exact_input).unwrap_or_default();
    let exclusive = terms.map_or(known.exclusive == Some(true), |it| it.exclusive);
    let credit = terms.map_or(&known.credit_line, |it| &it.credit_line);
    let conditions = terms.map_or_else(|| known.offered_conditions(), |it| it.conditions.clone());
    FormData::default()
        .with_all("terms.uses", coverage.uses.as_slice().iter().map(|it| it.key()))
        .with_all("terms.territories", territories)
        .with("terms.starts_at", to_exact_input(starts_at))
        .with("terms.ends_at", input(ends_at))
        .with(AMOUNT, fee.map(|it| amount_input(it.amount, it.currency)).unwrap_or_default())
        .with(CURRENCY, fee.map(|it| it.currency.to_string()).unwrap_or_default())
        .with(PER, fee.map(|it| it.per.name()).unwrap_or_default())
        .with("terms.exclusive", if exclusive { "true" } else { "" })
        .with("terms.channels", channels.join("\n"))
        .with("terms.conditions", conditions)
        .with("terms.credit_line", credit.clone().unwrap_or_default())
        .with("expires_at", input(previous.map(|it| it.expires_at).filter(|it| *it > now)))
}

/// Reads the form. Its fields have the names of the service's errors.
pub(super) fn read(entered: &FormData) -> Result<OfferDraft> {
    let mut fields = entered.fields();
    let uses: Vec<_> = entered.all("terms.uses").map(str::to_owned).collect();
    let territories = chosen_territories(entered, "terms.territories");
    let channels: Vec<_> = entered.lines("terms.channels").map(str::to_owned).collect();
    let starts_at = entered.optional("terms.starts_at").map(from_input);
    let ends_at = entered.optional("terms.ends_at").map(from_input);
    require_choices(&mut fields, ("terms.uses", &uses), ("terms.territories", &territories));
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
    entered.optional(AMOUNT)?;
    let typed = read_amount(entered, AMOUNT, CURRENCY, fields);
    let unchosen = LicenseFee::unchosen(typed.map(|it| it.amount));
    let currency = typed.and_then(|it| it.currency).or_else(|| {
        if let (Some(free), None) = (unchosen, entered.optional(CURRENCY)) {
            return Some(free.currency);
        }
        let selected = entered.required(fields, CURRENCY);
        fields.take(CURRENCY, Currency::parse(selected))
    });
    let per = if let (Some(free), None) = (unchosen, entered.optional(PER)) {
        Some(free.per)
    } else {
        let per = entered.required(fields, PER);
        fields.take(PER, per.parse::<FeePer>())
    };
    Some(LicenseFee { amount: typed?.amount, currency: currency?, per: per? })
}

fn draw(
    person: &Person,
    composer: &Composer,
    overlap: Option<&BlockingGrant>,
    entered: &FormData,
) -> Response {
    let (thread, license) = (&composer.thread, &composer.license);
    let view = &thread.view;
    let path = path(view.record.request.id);
    let replaces = open_offer(thread).is_some();
    let title = if replaces { text!("request-replace-offer") } else { text!("request-make-offer") };
    let asker = party_name(view, Party::Asker);
    let lead = text!("request-offer-lead", license = &view.record.license_title, name = asker);
    let inside = html! {
        @if let Some(grant) = overlap { (overlap_refused(grant)) }
        (fields(&license.record.license, entered))
    };
    let body = html! {
        (head(title, &lead, html! { a.button.plain href=(path) { (text!("request-back")) } }))
        div.split {
            (card(text!("request-offer"), form(&format!("{path}/offer"), entered, inside, text!("request-send-offer"))))
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
        all.push((text!("request-purpose"), html! { span.lines { (request.purpose) } }));
    }
    all.push((text!("request-term-channels"), html! { (channel_names(&request.channels)) }));
    if let Some(budget) = request.budget {
        all.push((text!("request-budget"), html! { (money(budget.amount, budget.currency)) }));
    }
    card(text!("request-requested"), facts(&all))
}

/// The fields of the terms and of the end of the offer.
pub(super) fn fields(license: &License, entered: &FormData) -> Markup {
    let within = text!("request-within-license");
    let per = FeePer::ALL.map(|it| (it.name(), fee_per(it)));
    let per: Vec<_> = [("", "–")].into_iter().chain(per).collect();
    let (must, with_fee) = (Mark::Required, Mark::RequiredIf(text!("request-with-fee")));
    let zone = zone_name();
    let in_zone = text!("request-in-zone", zone = &zone);
    let expires = text!("request-offer-expires-hint", zone = &zone);
    let ends = match license.expires_at {
        Some(end) => text!("request-offer-ends-with-license-hint", zone = &zone, time = exact(end)),
        None => text!("request-ends-hint", zone = &zone),
    };
    html! {
        (required_note())
        (marked_choices(must, "terms.uses", text!("request-term-uses"), Some(within), &use_choices(license), entered))
        (territory_choices(must, "terms.territories", text!("request-term-territories"), Some(within), &license.territories, entered))
        div.two {
            (field("terms.starts_at", text!("request-term-starts")).kind("datetime-local").required().hint(&in_zone).of(entered))
            (field("terms.ends_at", text!("request-term-ends")).kind("datetime-local").hint(&ends).of(entered))
        }
        (group("terms.fee", text!("request-term-fee"), entered, html! {
            div.three {
                (field(AMOUNT, text!("request-amount")).inputmode("decimal").placeholder(text!("request-amount-example")).hint(text!("request-fee-hint")).of(entered))
                (marked_select(with_fee, CURRENCY, text!("request-currency"), None, &currency_choices(), entered))
                (marked_select(with_fee, PER, text!("request-fee-per"), None, &per, entered))
            }
        }))
        (checkbox("terms.exclusive", text!("request-term-exclusive"), Some(text!("request-exclusive-hint")), entered))
        (area("terms.channels", text!("request-term-channels"), Some(text!("request-offer-channels-hint")), 3, entered))
        (area("terms.conditions", text!("request-term-conditions"), Some(text!("request-conditions-hint")), 6, entered))
        (field("terms.credit_line", text!("request-term-credit-line")).max_length(200).hint(text!("request-credit-line-hint")).of(entered))
        (field("expires_at", text!("request-offer-ends")).kind("datetime-local").hint(&expires).of(entered))
    }
}
