//! The form to make an offer on one's own license without being asked.

use axum::response::Response;
use grantor_domain::grant::Party;
use grantor_domain::id::LicenseId;
use grantor_domain::license::{KnownTerms, License};
use grantor_domain::{Error, Result, Timestamp};
use grantor_messages::text;
use grantor_service::licensing::grant::BlockingGrant;
use grantor_service::licensing::request::{self, Licensee, OfferDraft};
use grantor_service::organizations::party::FoundParty;
use maud::html;

use super::blocked::overlap_refused;
use super::terms::ceiling;
use super::{LIST, VisibleLicense, caller, find_license, offer, party_name, path};
use crate::frame::{Failure, FormData, Outcome, Person, Segment};
use crate::party::{self, ChosenParty, EnteredParty, PartyRefusal};
use crate::view::money::{amount_input, with_reading};
use crate::view::party::{Accepts, party_field};
use crate::view::rich::rich;
use crate::view::territory::territory_values;
use crate::view::time::to_exact_input;
use crate::view::{NavItem, card, form, head, notice};

/// The field of the licensee, and the start of the names in the service's errors.
const LICENSEE: &str = "licensee";

/// What the form shows besides the submitted values.
#[derive(Default)]
struct Hints {
    /// The parties that the name may stand for.
    choices: Vec<FoundParty>,
    /// The open request of the licensee.
    existing: Option<String>,
    /// The grant that the terms overlap with.
    overlap: Option<BlockingGrant>,
}

/// Shows the form with the terms of the license.
pub(crate) async fn license_offer_form(person: Person, Segment(id): Segment<LicenseId>) -> Outcome {
    let license = own_license(&person, id).await?;
    let entered = initial(person.now(), &license.record.license);
    Ok(draw(&person, &license, &Hints::default(), &entered))
}

/// Makes the offer.
pub(crate) async fn offer_on_license(
    person: Person,
    Segment(id): Segment<LicenseId>,
    entered: FormData,
) -> Outcome {
    let license = own_license(&person, id).await?;
    let made = async {
        let (party, draft) = read(&entered)?;
        let party = party::resolve(&person, party, Accepts::Everyone, LICENSEE, &entered).await?;
        let licensee = match party {
            ChosenParty::Email(email) => Licensee::Email(email),
            ChosenParty::Tenant(party) => Licensee::Tenant(party.id),
        };
        let (app, context, caller) = (person.app(), person.context(), caller(&person));
        let made = request::offer_on_license(app, context, caller, id, licensee, draft).await?;
        Ok::<_, PartyRefusal>(made)
    };
    match made.await {
        Ok(view) => {
            let message = text!("request-offer-sent-to", name = party_name(&view, Party::Asker));
            let message = with_reading(&message, &entered, offer::AMOUNT, offer::CURRENCY);
            Ok(person.redirect(path(view.record.request.id), &message))
        }
        Err(PartyRefusal { error, choices }) => {
            let overlap =
                offer::find_overlap(&person, &license.record.license, &entered, &error).await?;
            let existing = error.fields().get("request_id").cloned();
            let message = "This party already has an open request or offer for this license";
            let error = match existing {
                Some(_) => Error::conflict(message).at(LICENSEE),
                None => offer::in_page_words(error, &license.record.license),
            };
            let hints = Hints { choices, existing, overlap };
            Ok(person.redisplay(error, entered, |it| draw(&person, &license, &hints, it)))
        }
    }
}

/// Returns a license of the user's tenant that offers can be made on.
async fn own_license(person: &Person, id: LicenseId) -> Result<VisibleLicense, Failure> {
    let found = find_license(person, id).await?;
    let found = found.filter(|it| it.record.license.tenant == person.caller.tenant);
    let found = found.ok_or_else(Failure::not_found)?;
    let status = found.record.license.effective_status(person.now());
    if !status.is_live() {
        let message = format!("You can't make an offer on this license: its status is {status}");
        return Err(Error::conflict(message).into());
    }
    Ok(found)
}

/// The first values: everything that the license allows.
fn initial(now: Timestamp, license: &License) -> FormData {
    let first = license.valid_from.map(|it| Timestamp::from_secs(it.as_secs_ceil()));
    let starts_at = first.map_or(now, |it| it.max(now));
    let fee = license.fee;
    let known = KnownTerms::of(&license.terms);
    FormData::default()
        .with_all("terms.uses", license.uses.as_slice().iter().map(|it| it.key()))
        .with_all("terms.territories", territory_values(license.territories.as_slice()))
        .with("terms.starts_at", to_exact_input(starts_at))
        .with("terms.ends_at", license.expires_at.map(to_exact_input).unwrap_or_default())
        .with(offer::AMOUNT, fee.map(|it| amount_input(it.amount, it.currency)).unwrap_or_default())
        .with(offer::CURRENCY, fee.map(|it| it.currency.to_string()).unwrap_or_default())
        .with(offer::PER, fee.map(|it| it.per.name()).unwrap_or_default())
        .with("terms.exclusive", if known.exclusive == Some(true) { "true" } else { "" })
        .with("terms.channels", known.channels.join("\n"))
        .with("terms.conditions", known.offered_conditions())
        .with("terms.credit_line", known.credit_line.unwrap_or_default())
}

fn read(entered: &FormData) -> Result<(EnteredParty, OfferDraft)> {
    let mut fields = entered.fields();
    let party = party::read(entered, LICENSEE, &mut fields);
    let draft = fields.take_all(offer::read(entered));
    fields.finish()?;
    party.zip(draft).ok_or_else(|| Error::validation("Some fields are not valid"))
}

fn draw(person: &Person, license: &VisibleLicense, hints: &Hints, entered: &FormData) -> Response {
    let record = &license.record;
    let inside = html! {
        @if let Some(grant) = &hints.overlap { (overlap_refused(grant)) }
        (party_field(LICENSEE, text!("request-licensee"), Accepts::Everyone, &hints.choices, entered))
        (offer::fields(&record.license, entered))
    };
    let body = html! {
        (head(text!("request-make-offer"), record.license.title.as_str(), html! {
            a.button.plain href=(license.path) { (text!("request-back-to-license")) }
        }))
        @if let Some(id) = &hints.existing {
            (notice("warn", html! {
                p {
                    (rich!("request-one-per-party", link = html! {
                        a href={ (LIST) "/" (id) } { (text!("request-view-open-one")) }
                    }))
                }
            }))
        }
        div.split {
            (card(text!("request-offer"), form(&format!("{}/offer", license.path), entered, inside, text!("request-send-offer"))))
            (ceiling(license))
        }
    };
    person.page(text!("request-make-offer"), NavItem::Licenses, body)
}
