//! `/app/admin/mail`: email templates.

use axum::response::{IntoResponse as _, Response};
use grantor_domain::Error;
use grantor_domain::admin::AdminRight;
use grantor_domain::template::{MailKind, Template, Variable};
use grantor_messages::{named, text};
use grantor_service::mail::template::{self, ActiveTemplate};
use http::StatusCode;
use maud::{Markup, html};

use super::label;
use crate::frame::{Failure, FormData, Outcome, Params, Segment, Staff};
use crate::view::field::error_summary;
use crate::view::marked::{Mark, marked_area};
use crate::view::{NavItem, Table, ago, badge, card, code, confirm, facts, field, head, mail};

/// Lists email templates.
pub(crate) async fn list(staff: Staff) -> Outcome {
    let all = template::list(staff.app()).await?;
    let name = text!("admin-templates");
    let heads = [
        text!("word-email"),
        text!("admin-template-subject"),
        text!("admin-template-text"),
        text!("word-updated"),
    ];
    let table = Table::new(name, &heads).rows(&all, |it| row(&staff, it));
    let body = html! {
        (head(name, text!("admin-templates-lead"), html! {}))
        (table.show())
    };
    Ok(staff.page(name, NavItem::AdminTemplates, body))
}

fn row(staff: &Staff, ActiveTemplate { template, written }: &ActiveTemplate) -> Vec<Markup> {
    let kind = template.kind();
    vec![
        html! {
            p { a href={ "/app/admin/mail/" (kind.name()) } { (title(kind)) } }
            p.quiet { (purpose(kind)) }
        },
        html! { (template.subject()) },
        state(written.is_some()),
        written
            .as_ref()
            .map_or_else(|| html! { span.quiet { "–" } }, |it| ago(staff.now(), it.updated_at)),
    ]
}

/// Returns the display name of a kind of email.
fn title(kind: MailKind) -> String {
    let title = match kind {
        MailKind::AdminInvitation => text!("admin-template-staff-invitation"),
        MailKind::AdminToken => text!("admin-template-staff-token"),
        MailKind::SignInWarning => text!("admin-template-sign-in-warning"),
        kind => return label("admin-mail", kind.name()),
    };
    title.to_owned()
}

/// What a kind of email is for.
fn purpose(kind: MailKind) -> &'static str {
    named("admin-mail-purpose", kind.name()).unwrap_or(kind.purpose())
}

fn state(written: bool) -> Markup {
    if written {
        badge("customized")
    } else {
        html! { span.quiet { (text!("admin-template-built-in")) } }
    }
}

/// Returns the template in use for a kind of mail.
async fn in_use(staff: &Staff, kind: MailKind) -> Result<ActiveTemplate, Failure> {
    let all = template::list(staff.app()).await?;
    all.into_iter().find(|it| it.template.kind() == kind).ok_or_else(Failure::not_found)
}

/// Shows an email template.
pub(crate) async fn show(staff: Staff, Segment(kind): Segment<MailKind>) -> Outcome {
    let found = in_use(&staff, kind).await?;
    let entered = FormData::default()
        .with("subject", found.template.subject())
        .with("body", found.template.body());
    Ok(draw(&staff, &found, &entered))
}

fn draw(staff: &Staff, found: &ActiveTemplate, entered: &FormData) -> Response {
    let kind = found.template.kind();
    let (title, sample) = (title(kind), found.template.sample());
    let manages = staff.may(AdminRight::ManageTemplates);
    let body = html! {
        (head(&title, purpose(kind), html! {
            a.button.plain href="/app/admin/mail" { (text!("admin-templates-all")) }
        }))
        div.split {
            div {
                @if manages { (card(text!("admin-template-text"), text_form(kind, entered))) }
                @else { (card(text!("admin-template-text"), facts(&[
                    (text!("admin-template-subject"), html! { (found.template.subject()) }),
                    (text!("admin-template-body"), code(text!("admin-template-body"), found.template.body())),
                ]))) }
                (card(text!("admin-template-preview"), html! {
                    p.quiet { (text!("admin-template-preview-note", subject = &sample.subject)) }
                    (mail::frame(&format!("/app/admin/mail/{}/preview", kind.name()), text!("admin-template-preview-frame")))
                }))
            }
            div {
                (card(text!("admin-template-variables"), values(kind)))
                @if manages { (revert(kind, found.written.is_some())) }
            }
        }
    };
    staff.page(&title, NavItem::AdminTemplates, body)
}

/// The two preview buttons show the text in the frame below without saving it.
fn text_form(kind: MailKind, entered: &FormData) -> Markup {
    let action = format!("/app/admin/mail/{}", kind.name());
    let hint = text!("admin-template-hint");
    html! {
        form.form method="post" action=(action) novalidate {
            (error_summary(entered))
            (field("subject", text!("admin-template-subject")).required().max_length(200).of(entered))
            (marked_area(Mark::Required, "body", text!("admin-template-body"), Some(hint), 14, entered))
            div.actions {
                button { (text!("admin-template-save")) }
                button.plain formaction={ (action) "/preview" } formtarget=(mail::FRAME) { (text!("admin-template-preview")) }
                button.plain formaction={ (action) "/preview?part=text" } formtarget=(mail::FRAME) { (text!("admin-template-preview-text")) }
            }
        }
    }
}

fn values(kind: MailKind) -> Markup {
    html! {
        dl.facts {
            @for Variable { name, sample, needed } in kind.variables() {
                div {
                    dt { code { "{{" (name) "}}" } @if *needed { " " (text!("admin-template-required")) } }
                    dd { (sample) }
                }
            }
        }
    }
}

fn revert(kind: MailKind, written: bool) -> Markup {
    card(
        text!("admin-template-original"),
        html! {
            @if written {
                p { (text!("admin-template-customized")) }
                (confirm(&format!("/app/admin/mail/{}/revert", kind.name()), text!("admin-template-restore"), text!("admin-template-restore-question"), &[]))
            } @else {
                p { (text!("admin-template-uses-original")) }
            }
        },
    )
}

fn read(kind: MailKind, entered: &FormData) -> Result<Template, Error> {
    let mut fields = entered.fields();
    let subject = entered.required(&mut fields, "subject");
    let body = entered.required(&mut fields, "body");
    fields.finish()?;
    Template::parse(kind, subject, body)
}

/// Saves the text.
pub(crate) async fn save(
    staff: Staff,
    Segment(kind): Segment<MailKind>,
    entered: FormData,
) -> Outcome {
    let found = in_use(&staff, kind).await?;
    let (app, context) = (staff.app(), staff.context());
    let written = async {
        let template = read(kind, &entered)?;
        let (subject, body) = (template.subject().to_owned(), template.body().to_owned());
        match &found.written {
            Some(written) => template::replace(app, context, written.id, subject, body).await,
            None => template::create(app, context, template).await,
        }
    };
    match written.await {
        Ok(_) => {
            let to = format!("/app/admin/mail/{}", kind.name());
            Ok(staff.redirect(to, text!("admin-template-saved")))
        }
        Err(error) => Ok(staff.redisplay(error, entered, |entered| draw(&staff, &found, entered))),
    }
}

/// Restores the built-in text.
pub(crate) async fn revert_to_built_in(staff: Staff, Segment(kind): Segment<MailKind>) -> Outcome {
    if let Some(written) = in_use(&staff, kind).await?.written {
        template::delete(staff.app(), staff.context(), written.id).await?;
    }
    let to = format!("/app/admin/mail/{}", kind.name());
    Ok(staff.redirect(to, text!("admin-template-restored")))
}

/// Shows the template in use, for the frame.
pub(crate) async fn preview(
    staff: Staff,
    Segment(kind): Segment<MailKind>,
    params: Params,
) -> Outcome {
    let found = in_use(&staff, kind).await?;
    Ok(framed(&found.template, &params))
}

/// Shows an unsaved template, for the frame.
pub(crate) async fn preview_unsaved(
    _: Staff,
    Segment(kind): Segment<MailKind>,
    params: Params,
    entered: FormData,
) -> Response {
    match read(kind, &entered) {
        Ok(template) => framed(&template, &params),
        Err(error) => {
            let problem = |(name, it): (&String, &String)| {
                let problem = grantor_messages::error(it);
                text!("admin-template-problem", field = name, problem = problem) + "\n"
            };
            let problems: String = error.fields().iter().map(problem).collect();
            let shown = format!("{}\n\n{problems}", text!("admin-template-invalid"));
            (StatusCode::UNPROCESSABLE_ENTITY, mail::text(shown)).into_response()
        }
    }
}

fn framed(template: &Template, params: &Params) -> Response {
    let sample = template.sample();
    if params.get("part") == Some("text") {
        let subject = text!("admin-template-preview-subject", subject = &sample.subject);
        return mail::text(format!("{subject}\n\n{}", sample.text));
    }
    mail::html(sample.html)
}
