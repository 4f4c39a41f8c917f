//! The form to create a license, and how both forms are read.

use axum::response::Response;
use grantor_domain::error::Fields;
use grantor_domain::id::{LicenseId, TalentId};
use grantor_domain::license::{
    FieldNames, LicenseStatus, LicenseTemplate, NewLicense, Terms, members_of_form,
};
use grantor_domain::{Error, Result};
use grantor_messages::text;
use grantor_service::licensing::license::{self, LicenseRecord};
use grantor_service::licensing::{license_template, talent};
use grantor_service::organizations::organization;
use maud::{Markup, html};
use serde_json::{Map, Value};
use uuid::Uuid;

use super::picture::Pictures;
use super::section::{Parts, sections};
use super::talent_field::{Roster, TALENT, TalentField, check_search, read_talent};
use super::term::{FIELDS as TERMS, read_terms};
use super::{status_label, template};
use crate::catalog;
use crate::frame::{Failure, FormData, Outcome, Params, Person};
use crate::view::field::error_summary;
use crate::view::marked::required_note;
use crate::view::money::{read_amount, with_reading};
use crate::view::rich::rich;
use crate::view::territory::chosen_territories;
use crate::view::time::from_input;
use crate::view::{NavItem, empty, head, notice};

/// The name of the buttons that do something else than saving the license, and their values.
pub(super) const ACT: &str = "act";
pub(super) const PREVIEW: &str = "preview";
pub(super) const FIND: &str = "find";
const SAVE_TEMPLATE: &str = "template";
pub(super) const USE_TEMPLATE: &str = "use";
/// The form of a new license, for controls outside of it.
pub(super) const NEW_FORM: &str = "new-license";

pub(super) const TERRITORIES: &str = "territories";
/// The fields of the fee.
pub(super) const FEE: [&str; 3] = ["appearanceFee", "currency", "feePer"];

/// What the form for a new license shows besides the entered values.
struct NewPage {
    talent: TalentField,
    templates: Vec<LicenseTemplate>,
    pictures: Pictures,
}

/// Shows the form for a new license, empty or with the values of a template. The talent is the one
/// of the link, or the only one that there is.
pub(crate) async fn new_form(person: Person, params: Params) -> Outcome {
    let entered = match params.get("template") {
        Some(key) => template::values(&person, key).await?,
        None => FormData::default()
            .with("status", LicenseStatus::Draft.name())
            .with("type", "advertising")
            .with("canCrawl", "true"),
    };
    let talent = match (params.get(TALENT), Roster::load(&person).await?) {
        (_, Roster::Nobody) => return Ok(without_talents(&person)),
        (Some(linked), _) => linked.to_owned(),
        (None, Roster::One(only)) => only.to_string(),
        (None, Roster::Several) => String::new(),
    };
    let entered = entered.with(TALENT, talent);
    let page = NewPage::load(&person, &entered, Pictures::default()).await?;
    Ok(page.draw(&person, &entered, &html! {}))
}

/// Creates a license, or shows the form again with a preview, after saving a template, or with
/// talents to choose from.
pub(crate) async fn create(person: Person, mut entered: FormData) -> Outcome {
    let files = entered.take_files();
    let pictures = Pictures::keep(&person, &entered, files).await?;
    if entered.get(ACT) == USE_TEMPLATE {
        entered = template::applied(&person, &entered).await?;
    }
    let done = match entered.get(ACT) {
        PREVIEW => preview_new(&person, &entered, &pictures).await,
        SAVE_TEMPLATE => save_template(&person, &entered, &pictures).await,
        USE_TEMPLATE => Ok(html! {}),
        FIND => check_search(&entered).map(|()| html! {}),
        _ => match make(&person, &entered, &pictures).await {
            Ok(response) => return Ok(response),
            Err(error) => Err(error),
        },
    };
    let page = NewPage::load(&person, &entered, pictures).await?;
    match done {
        Ok(note) => Ok(page.draw(&person, &entered, &note)),
        Err(error) => Ok(person.redisplay(error, entered, |it| page.draw(&person, it, &html! {}))),
    }
}

async fn make(person: &Person, entered: &FormData, pictures: &Pictures) -> Result<Response> {
    let (talent, new) = read(person, entered, pictures).await?;
    let (app, caller, kept) = (person.app(), person.caller(), pictures.ids());
    let made = license::create_with_kept(app, person.context(), caller, talent, new, kept).await?;
    let message = with_reading(text!("license-created"), entered, FEE[0], FEE[1]);
    let message = pictures.told(message);
    Ok(person.redirect(format!("/app/licenses/{}", made.shown.license.id), &message))
}

/// Shows the entered values as their catalog entry.
async fn preview_new(person: &Person, entered: &FormData, pictures: &Pictures) -> Result<Markup> {
    let (talent, new) = read(person, entered, pictures).await?;
    let talent = talent::get(person.app(), &person.caller, talent).await?.talent;
    let (owner, _) = organization::show(person.app(), &person.caller).await?;
    // The license has no ID yet.
    let id = LicenseId::from(Uuid::nil());
    let license = new.into_license(id, person.caller.tenant, talent.id, person.now());
    Ok(preview(&LicenseRecord {
        license,
        talent_name: talent.fullname.as_str().to_owned(),
        talent_aliases: talent.aliases.as_slice().to_vec(),
        owner_name: owner.name,
        owner_type: owner.kind,
    }))
}

/// An unsaved license as its catalog entry.
pub(super) fn preview(shown: &LicenseRecord) -> Markup {
    html! {
        (notice("", html! {
            p { (text!("license-preview-unsaved")) }
        }))
        (catalog::entry(shown))
    }
}

async fn save_template(person: &Person, entered: &FormData, pictures: &Pictures) -> Result<Markup> {
    let (_, new) = read(person, entered, pictures).await?;
    let saved = template::create(person, entered, &new).await?;
    Ok(notice(
        "good",
        html! {
            p {
                (rich!("license-template-saved-only", name = saved.name.as_str(), templates = html! {
                    a href="/app/licenses/templates" { (text!("license-templates-view")) }
                }))
            }
        },
    ))
}

async fn read(
    person: &Person,
    entered: &FormData,
    pictures: &Pictures,
) -> Result<(TalentId, NewLicense)> {
    let mut fields = entered.fields();
    let talent = read_talent(person, entered, &mut fields).await?;
    let members = members(entered, &Terms::default(), true, &mut fields);
    let new = fields.take_all(NewLicense::parse(&members, FieldNames::CONSOLE, person.now()));
    pictures.check(&mut fields)?;
    fields.finish()?;
    talent.zip(new).ok_or_else(|| Error::validation("Some fields are not valid"))
}

/// The page of an organization without anybody to license.
fn without_talents(person: &Person) -> Response {
    let add = html! { a.button href="/app/talents/new" { (text!("license-add-talent")) } };
    let body = html! {
        (head(text!("license-new"), text!("license-new-lead"), html! {}))
        (empty(text!("license-no-talent"), text!("license-no-talent-why"), add))
    };
    person.page(text!("license-new"), NavItem::Licenses, body)
}

impl NewPage {
    async fn load(
        person: &Person,
        entered: &FormData,
        pictures: Pictures,
    ) -> Result<Self, Failure> {
        let talent = TalentField::load(person, entered).await?;
        let templates = license_template::list(person.app(), &person.caller).await?;
        Ok(Self { talent, templates, pictures })
    }

    fn draw(&self, person: &Person, entered: &FormData, note: &Markup) -> Response {
        let first = LicenseStatus::FIRST.map(|it| (it.name(), status_label(it)));
        let pictures = || self.pictures.fields(entered);
        let parts = Parts { talent: Some(&self.talent), states: &first, pictures: &pictures };
        let body = html! {
            (head(text!("license-new"), text!("license-new-lead"), html! {}))
            (note)
            (template::picker(&self.templates))
            section.card { (new_license(&sections(&parts, entered), entered)) }
        };
        self.pictures.allow(person.page(text!("license-new"), NavItem::Licenses, body))
    }
}

/// The form of a new license. Enter presses its first button, which must not be the one that
/// searches for talents.
fn new_license(sections: &Markup, entered: &FormData) -> Markup {
    let wrong = entered.errors().iter().any(|it| it.name == "templateName");
    html! {
        form.form id=(NEW_FORM) method="post" action="/app/licenses/new" enctype="multipart/form-data" novalidate
            data-upload="" {
            button hidden { (text!("license-create")) }
            (error_summary(entered)) (required_note()) (sections)
            progress max="100" value="0" aria-label=(text!("license-upload-progress")) hidden data-progress="" {}
            div.actions { button { (text!("license-create")) } (preview_button()) }
            details.more open[wrong] {
                summary { (text!("license-template-save-as")) }
                (template::name_field(entered))
                div.actions { button.small.plain name=(ACT) value=(SAVE_TEMPLATE) { (text!("license-template-save")) } }
            }
        }
    }
}

/// The button that shows the form again with a preview.
pub(super) fn preview_button() -> Markup {
    html! { button.plain name=(ACT) value=(PREVIEW) { (text!("license-preview")) } }
}

/// Returns the form data as the members of an API request, with the fee if it is wanted.
pub(super) fn members(
    entered: &FormData,
    before: &Terms,
    with_fee: bool,
    errors: &mut Fields,
) -> Map<String, Value> {
    let of_fee = |name: &str| name == FEE[0] || (!with_fee && FEE.contains(&name));
    let own = |name: &str| name == TERRITORIES || TERMS.contains(&name) || of_fee(name);
    let pairs = entered.pairs().filter(|(name, _)| !own(name));
    let pairs = pairs.map(|(name, text)| match name {
        "validFrom" | "expiresAt" => (name, from_input(text.trim())),
        _ => (name, text.trim().to_owned()),
    });
    let pairs: Vec<_> = pairs.collect();
    let pairs = pairs.iter().map(|(name, text)| (*name, text.as_str()));
    let mut members = members_of_form(pairs, FieldNames::CONSOLE);
    let typed = with_fee.then(|| read_amount(entered, FEE[0], FEE[1], errors)).flatten();
    if let Some(typed) = typed {
        members.insert(FEE[0].to_owned(), typed.amount.to_string().into());
        if let Some(currency) = typed.currency {
            members.insert(FEE[1].to_owned(), currency.to_string().into());
        }
    }
    let territories = chosen_territories(entered, TERRITORIES);
    if !territories.is_empty() {
        members.insert(TERRITORIES.to_owned(), territories.into());
    }
    let terms = read_terms(entered, before, errors);
    if !terms.is_empty() {
        members.insert("terms".to_owned(), terms.into());
    }
    members
}
