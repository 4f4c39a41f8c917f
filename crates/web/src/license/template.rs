//! `/app/licenses/templates`: what new licenses start with.

use axum::response::Response;
use grantor_domain::id::{LicenseId, LicenseTemplateId};
use grantor_domain::license::{
    BuiltInTemplate, Length, LicenseStatus, LicenseTemplate, NewLicense, TemplateContent,
    TemplateName,
};
use grantor_domain::{Error, Result};
use grantor_messages::{named, text};
use grantor_service::licensing::license_template;
use maud::{Markup, html};

use super::form::{ACT, NEW_FORM, USE_TEMPLATE};
use super::term::with_terms;
use super::type_label;
use crate::frame::{Failure, FormData, Outcome, Person, Segment};
use crate::view::field::error_summary;
use crate::view::money::{amount_input, fee};
use crate::view::territory::{region_names, territory_values};
use crate::view::time::to_input;
use crate::view::{NavItem, Table, field, head, undoable};

const LIST: &str = "/app/licenses/templates";

/// The field of a template's name, as the service's errors name it.
const NAME: &str = "templateName";

/// The field with the template to use.
const CHOSEN: &str = "template";

/// The boxes of the form, which a template checks or clears.
const SWITCHES: [&str; 2] = ["canCrawl", "exclusive"];

/// A rename that was refused.
type Refused<'a> = Option<(LicenseTemplateId, &'a FormData)>;

/// Lists the templates.
pub(crate) async fn templates(person: Person) -> Outcome {
    let own = license_template::list(person.app(), &person.caller).await?;
    Ok(draw(&person, &own, None))
}

/// Renames a template.
pub(crate) async fn rename_template(
    person: Person,
    Segment(id): Segment<LicenseTemplateId>,
    entered: FormData,
) -> Outcome {
    let renamed = async {
        let name = read_name(&entered)?;
        let (app, caller) = (person.app(), person.caller());
        license_template::rename(app, person.context(), caller, id, name).await
    };
    match renamed.await {
        Ok(()) => Ok(person.redirect(LIST, text!("license-template-renamed"))),
        Err(error) => {
            let own = license_template::list(person.app(), &person.caller).await?;
            if !own.iter().any(|it| it.id == id) {
                return Err(error.into());
            }
            Ok(person.redisplay(error, entered, |it| draw(&person, &own, Some((id, it)))))
        }
    }
}

/// Deletes a template.
pub(crate) async fn delete_template(
    person: Person,
    Segment(id): Segment<LicenseTemplateId>,
) -> Outcome {
    license_template::delete(person.app(), person.context(), person.caller(), id).await?;
    Ok(person.redirect(LIST, text!("license-template-deleted")))
}

fn draw(person: &Person, own: &[LicenseTemplate], refused: Refused<'_>) -> Response {
    let (built_in, acts) = (BuiltInTemplate::ALL, !person.is_viewed());
    let own_rows = own.iter().map(|it| {
        let refused = refused.filter(|(id, _)| *id == it.id);
        row(it, html! { @if acts { (actions(it, refused)) } })
    });
    let built_in_rows = built_in.iter().map(|it| {
        let (name, what) = (built_in_name(it), summary(&it.content()));
        let source = html! { (text!("license-template-built-in")) };
        vec![html! { (name) }, what, source, html! { @if acts { (use_button(it.key, name)) } }]
    });
    let heads = [
        text!("word-name"),
        text!("license-template-content"),
        text!("license-template-source"),
        "",
    ];
    let table = Table::new(text!("license-templates"), &heads);
    let table = table.rows(own_rows.chain(built_in_rows), |it| it);
    let body = html! {
        (head(text!("license-templates"), text!("license-templates-lead"), html! {
            @if acts { a.button href="/app/licenses/new" { (text!("license-new")) } }
        }))
        @if let Some((_, entered)) = refused { (error_summary(entered)) }
        (table.show())
        p.quiet { (text!("license-templates-how")) }
    };
    person.page(text!("license-templates"), NavItem::Licenses, body)
}

/// The name of a built-in template in the language of the page.
fn built_in_name(template: &BuiltInTemplate) -> &'static str {
    named("license-built-in", template.key).unwrap_or(template.name)
}

fn row(template: &LicenseTemplate, actions: Markup) -> Vec<Markup> {
    let source = html! { (text!("license-template-own")) };
    vec![html! { (template.name.as_str()) }, summary(&template.content), source, actions]
}

/// What can be done with a template, with the rename that was refused.
fn actions(template: &LicenseTemplate, refused: Refused<'_>) -> Markup {
    let path = format!("{LIST}/{}", template.id);
    let name = template.name.as_str();
    let shown = refused.map_or(name, |(_, entered)| entered.raw(NAME));
    html! {
        div.row {
            (use_button(&template.id.to_string(), name))
            (undoable(&format!("{path}/delete"), text!("action-delete"), &[]))
        }
        details.more open[refused.is_some()] {
            summary { (text!("license-template-rename")) }
            form.row method="post" action={ (path) "/rename" } {
                input.picker type="text" name=(NAME) value=(shown) maxlength="100" required
                    aria-label=(text!("license-template-new-name", name = name)) aria-invalid=[refused.map(|_| "true")];
                button.small { (text!("license-template-rename")) }
            }
        }
    }
}

fn use_button(key: &str, name: &str) -> Markup {
    html! {
        a.button.small.plain href={ "/app/licenses/new?template=" (key) } {
            (text!("license-template-use")) span.hidden { " " (name) }
        }
    }
}

/// What a template contains, in a few words.
fn summary(content: &TemplateContent) -> Markup {
    let parts = [
        Some(type_label(content.license_type).to_owned()),
        region_names(content.territories.as_slice()),
        content.length.map(length),
        content.fee.map(fee),
    ];
    let parts: Vec<_> = parts.into_iter().flatten().collect();
    html! { (parts.join(" · ")) }
}

/// How long a license is valid, such as `1 year` or `45 days`.
fn length(length: Length) -> String {
    match length {
        Length::Months(months) if months % 12 == 0 => {
            text!("license-length-years", count = months / 12)
        }
        Length::Months(months) => text!("license-length-months", count = months),
        Length::Days(days) => text!("license-length-days", count = days),
    }
}

/// The card of the new license form in which a template is chosen. Its controls belong to that form, so
/// that using a template keeps what was entered.
pub(super) fn picker(own: &[LicenseTemplate]) -> Markup {
    html! {
        section.card {
            h2 { (text!("license-template-start")) }
            // Enter in the form presses its first button.
            button hidden form=(NEW_FORM) { (text!("license-create")) }
            div.row {
                select.picker name=(CHOSEN) form=(NEW_FORM) aria-label=(text!("license-template")) {
                    @if !own.is_empty() {
                        optgroup label=(text!("license-template-own")) {
                            @for it in own { option value=(it.id) { (it.name) } }
                        }
                    }
                    optgroup label=(text!("license-template-built-in")) {
                        @for it in &BuiltInTemplate::ALL {
                            option value=(it.key) { (built_in_name(it)) }
                        }
                    }
                }
                button.small.plain form=(NEW_FORM) name=(ACT) value=(USE_TEMPLATE) {
                    (text!("license-template-use-chosen"))
                }
                a href=(LIST) { (text!("license-templates-manage")) }
            }
        }
    }
}

/// The field to name a template.
pub(super) fn name_field(entered: &FormData) -> Markup {
    field(NAME, text!("license-template-name"))
        .max_length(100)
        .hint(text!("license-template-name-hint"))
        .of(entered)
}

fn read_name(entered: &FormData) -> Result<TemplateName> {
    let mut fields = entered.fields();
    let name = entered.required(&mut fields, NAME);
    let name = fields.take(NAME, TemplateName::parse(name));
    fields.finish()?;
    name.ok_or_else(|| Error::validation("Some fields are not valid"))
}

/// Saves the values of the new license form as a template.
pub(super) async fn create(
    person: &Person,
    entered: &FormData,
    new: &NewLicense,
) -> Result<LicenseTemplate> {
    let (name, content) = (read_name(entered)?, TemplateContent::of_new(new, person.now()));
    let (app, caller) = (person.app(), person.caller());
    license_template::create(app, person.context(), caller, name, content).await
}

/// Saves a license as a template.
pub(super) async fn create_from(
    person: &Person,
    entered: &FormData,
    id: LicenseId,
) -> Result<LicenseTemplate> {
    let name = read_name(entered)?;
    let (app, caller) = (person.app(), person.caller());
    license_template::create_from(app, person.context(), caller, name, id).await
}

/// The values of the new license form with those of the chosen template. What the template does not
/// say stays as it was entered, and so does the name.
pub(super) async fn applied(person: &Person, entered: &FormData) -> Result<FormData, Failure> {
    let own = license_template::list(person.app(), &person.caller).await?;
    let mut names = own.iter().map(|it| it.name.as_str());
    let name = entered.get("name");
    let is_of_template = names.any(|it| it == name)
        || BuiltInTemplate::ALL.iter().any(|it| built_in_name(it) == name);
    let kept = if name.is_empty() || is_of_template { "" } else { name };
    let first = FormData::default().with("name", kept);
    let template = values(person, entered.get(CHOSEN)).await?;
    Ok(first.or(&template, &[]).or(entered, &SWITCHES))
}

/// The values of the new license form that a template has: a built-in one by its key, or one of the
/// tenant by its ID.
pub(super) async fn values(person: &Person, key: &str) -> Result<FormData, Failure> {
    if let Some(built_in) = BuiltInTemplate::find(key) {
        return Ok(filled(person, built_in_name(&built_in), &built_in.content()));
    }
    let id = key.parse::<LicenseTemplateId>().map_err(|_| Failure::not_found())?;
    let found = license_template::get(person.app(), &person.caller, id).await?;
    Ok(filled(person, found.name.as_str(), &found.content))
}

fn filled(person: &Person, name: &str, content: &TemplateContent) -> FormData {
    let end = content.length.map(|it| to_input(it.after(person.now())));
    let fee = content.fee;
    let amount = fee.map(|it| amount_input(it.amount, it.currency)).unwrap_or_default();
    let entered = FormData::default()
        .with("name", name)
        .with("type", content.license_type.key())
        .with("description", content.description.as_str())
        .with("status", LicenseStatus::Draft.name())
        .with("appearanceFee", amount)
        .with("currency", fee.map(|it| it.currency.to_string()).unwrap_or_default())
        .with("feePer", fee.map(|it| it.per.name()).unwrap_or_default())
        .with_all("uses", content.uses.as_slice().iter().map(|it| it.key()))
        .with_all("territories", territory_values(content.territories.as_slice()))
        .with("expiresAt", end.unwrap_or_default())
        .with("canCrawl", if content.can_crawl { "true" } else { "" });
    with_terms(entered, &content.terms)
}
