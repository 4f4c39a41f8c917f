//! Links to the receipt of a grant, which its licensee shares.

use grantor_domain::grant::Party;
use grantor_domain::id::{GrantId, SharedReceiptId};
use grantor_domain::role::Right;
use grantor_domain::{Error, Result};
use grantor_messages::text;
use grantor_service::licensing::grant::GrantView;
use grantor_service::licensing::receipt::Disclosable;
use grantor_service::licensing::receipt::share::{self, SharedLink};
use maud::{Markup, html};

use super::show::GrantPage;
use super::{caller, path};
use crate::frame::{FormData, Outcome, Params, Person, Segment, Segments};
use crate::view::rich::rich;
use crate::view::{ago, choices, code, confirm, form, hidden};

/// The field with what a new link discloses.
const DISCLOSED: &str = "disclosed";
/// The parameter with what a downloaded receipt discloses.
const INCLUDED: &str = "include";
/// The parameter that says that a receipt discloses only what is named.
const ONLY: &str = "only";
/// What is checked in a new form: who may use whose likeness.
const USUAL: [Disclosable; 3] = [Disclosable::License, Disclosable::Talent, Disclosable::Licensee];

/// Whether the user can share links to the receipt. Staff who view the page only look.
pub(super) fn may_share(person: &Person, view: &GrantView) -> bool {
    view.party == Party::Asker && person.acts(Right::RequestLicenses)
}

/// The links of a grant, and the form for a new one.
pub(super) fn section(
    person: &Person,
    view: &GrantView,
    links: &[SharedLink],
    entered: &FormData,
) -> Markup {
    let (id, shares) = (view.record.grant.id, may_share(person, view));
    html! {
        p.quiet { (text!("grant-links-about")) }
        @if links.is_empty() { p { (text!("grant-links-none")) } }
        ul.rows {
            @for (index, link) in links.iter().enumerate() {
                li { (row(person, id, (index + 1, link), shares)) }
            }
        }
        @if shares {
            details.more open[entered.message().is_some()] {
                summary { (text!("grant-link-share-one")) }
                (form(&format!("{}/links", path(id)), entered, fields(entered), text!("grant-link-share")))
            }
        }
    }
}

fn row(
    person: &Person,
    id: GrantId,
    (number, link): (usize, &SharedLink),
    withdraws: bool,
) -> Markup {
    let withdraw = format!("{}/links/{}/withdraw", path(id), link.id);
    let (number, shared) = (number.to_string(), ago(person.now(), link.created_at));
    let question = text!("grant-link-withdraw-question");
    html! {
        div {
            p {
                strong {
                    @if link.for_certificate { (text!("grant-certificate")) }
                    @else { (text!("grant-link-number", number = &number)) }
                }
            }
            p { (text!("grant-link-discloses", parts = disclosed_names(&link.disclosed))) }
            p.quiet { (rich!("grant-link-shared-by", when = shared, name = &link.author)) }
            @if link.for_certificate {
                p.quiet { (text!("grant-link-of-certificate")) }
            }
            (code(&text!("grant-link-address", number = &number), &link.url))
        }
        @if withdraws { (confirm(&withdraw, text!("grant-link-withdraw"), question, &[])) }
    }
}

fn label(claim: Disclosable) -> &'static str {
    match claim {
        Disclosable::License => text!("grant-license"),
        Disclosable::Talent => text!("grant-talent"),
        Disclosable::Licensee => text!("grant-licensee"),
        Disclosable::Fee => text!("grant-fee"),
        Disclosable::Conditions => text!("grant-conditions"),
        Disclosable::Channels => text!("grant-channels"),
    }
}

fn disclosed_names(claims: &[Disclosable]) -> String {
    let names: Vec<_> = claims.iter().map(|it| label(*it)).collect();
    if names.is_empty() { text!("grant-nothing-else").to_owned() } else { names.join(", ") }
}

fn fields(entered: &FormData) -> Markup {
    let usual = FormData::default().with_all(DISCLOSED, USUAL.map(Disclosable::name));
    // A refused form keeps what was checked, even if that is nothing.
    let entered = if entered.message().is_some() { entered } else { &usual };
    let all = Disclosable::ALL.map(|it| (it.name(), label(it)));
    let hint = text!("grant-link-disclose-hint");
    choices(DISCLOSED, text!("grant-link-disclose"), Some(hint), &all, entered)
}

/// The form to download the receipt with only what is chosen. Everything is checked at first.
pub(super) fn download_form(id: GrantId) -> Markup {
    let all = Disclosable::ALL.map(|it| (it.name(), label(it)));
    let whole = FormData::default().with_all(INCLUDED, Disclosable::ALL.map(Disclosable::name));
    let hint = text!("grant-receipt-include-hint");
    html! {
        details.more {
            summary { (text!("grant-receipt-download")) }
            form.form method="get" action={ (path(id)) "/receipt" } {
                (hidden(ONLY, "true"))
                (choices(INCLUDED, text!("grant-receipt-include"), Some(hint), &all, &whole))
                div.actions { button { (text!("action-download")) } }
            }
        }
    }
}

/// What the downloaded receipt discloses; `None` if everything.
pub(super) fn included(params: &Params) -> Result<Option<Vec<Disclosable>>> {
    if params.get(ONLY).is_none() {
        return Ok(None);
    }
    let chosen: Vec<_> = params.all(INCLUDED).map(Disclosable::named).collect();
    if chosen.contains(&None) {
        return Err(Error::field(INCLUDED, "must contain only the listed parts"));
    }
    Ok(Some(chosen.into_iter().flatten().collect()))
}

/// Shares a link.
pub(crate) async fn share(
    person: Person,
    Segment(id): Segment<GrantId>,
    entered: FormData,
) -> Outcome {
    let shared = async {
        let disclosed = read(&entered)?;
        share::create(person.app(), person.context(), caller(&person), id, disclosed).await
    };
    match shared.await {
        Ok(_) => Ok(person.redirect(path(id), text!("grant-link-was-shared"))),
        Err(error) => {
            let page = GrantPage::load(&person, id).await?;
            Ok(person.redisplay(error, entered, |it| page.draw(&person, it)))
        }
    }
}

fn read(entered: &FormData) -> Result<Vec<Disclosable>> {
    let mut fields = entered.fields();
    let chosen: Vec<_> = entered.all(DISCLOSED).map(Disclosable::named).collect();
    if chosen.contains(&None) {
        fields.add(DISCLOSED, "must contain only the listed parts");
    }
    fields.finish()?;
    Ok(chosen.into_iter().flatten().collect())
}

/// Withdraws a link.
pub(crate) async fn withdraw_link(
    person: Person,
    Segments(id, link): Segments<GrantId, SharedReceiptId>,
) -> Outcome {
    share::withdraw(person.app(), person.context(), caller(&person), id, link).await?;
    Ok(person.redirect(path(id), text!("grant-link-withdrawn")))
}
