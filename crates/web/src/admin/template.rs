//! `/app/admin/mail`: email templates.

use axum::response::{IntoResponse as _, Response};
use grantor_domain::Error;
use grantor_domain::admin::AdminRight;
use grantor_domain::template::{MailKind, Template, Variable};
use grantor_service::mail::template::{self, ActiveTemplate};
use http::StatusCode;
use maud::{Markup, html};

use crate::frame::{Failure, FormData, Outcome, Params, Segment, Staff};
use crate::view::field::error_summary;
use crate::view::{
    NavItem, Table, ago, area, badge, card, code, confirm, facts, field, head, mail, sentence_case,
};

/// Lists email templates.
pub(crate) async fn list(staff: Staff) -> Outcome {
    let all = template::list(staff.app()).await?;
    let table = Table::new("Email templates", &["Email", "Subject", "Text", "Updated"])
        .rows(&all, |it| row(&staff, it));
    let body = html! {
        (head("Email templates", "The text of every email this server sends.", html! {}))
        (table.show())
    };
    Ok(staff.page("Email templates", NavItem::AdminTemplates, body))
}

fn row(staff: &Staff, ActiveTemplate { template, written }: &ActiveTemplate) -> Vec<Markup> {
    let kind = template.kind();
    vec![
        html! {
            p { a href={ "/app/admin/mail/" (kind.name()) } { (title(kind)) } }
            p.quiet { (kind.purpose()) }
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
    let title = match kind.name() {
        "admin_invitation" => "Staff invitation",
        "admin_token" => "Staff sign-in token",
        "sign_in_warning" => "Sign-in warning",
        name => return sentence_case(name),
    };
    title.to_owned()
}

fn state(written: bool) -> Markup {
    if written {
        badge("customized")
    } else {
        html! { span.quiet { "built-in" } }
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
        (head(&title, kind.purpose(), html! { a.button.plain href="/app/admin/mail" { "All templates" } }))
        div.split {
            div {
                @if manages { (card("Text", text_form(kind, entered))) }
                @else { (card("Text", facts(&[
                    ("Subject", html! { (found.template.subject()) }),
                    ("Body", code("Body", found.template.body())),
                ]))) }
                (card("Preview", html! {
                    p.quiet { "With sample values. Subject: “" (sample.subject) "”." }
                    (mail::frame(&format!("/app/admin/mail/{}/preview", kind.name()), "Email preview"))
                }))
            }
            div {
                (card("Variables", values(kind)))
                @if manages { (revert(kind, found.written.is_some())) }
            }
        }
    };
    staff.page(&title, NavItem::AdminTemplates, body)
}

/// The two preview buttons show the text in the frame below without saving it.
fn text_form(kind: MailKind, entered: &FormData) -> Markup {
    let action = format!("/app/admin/mail/{}", kind.name());
    let hint = "Separate paragraphs with a blank line. A code, a token or [label]({{link}}) on its own line is emphasized.";
    html! {
        form.form method="post" action=(action) novalidate {
            (error_summary(entered))
            (field("subject", "Subject").required().max_length(200).of(entered))
            (area("body", "Body", Some(hint), 14, entered))
            div.actions {
                button { "Save changes" }
                button.plain formaction={ (action) "/preview" } formtarget=(mail::FRAME) { "Preview" }
                button.plain formaction={ (action) "/preview?part=text" } formtarget=(mail::FRAME) { "Preview as text" }
            }
        }
    }
}

fn values(kind: MailKind) -> Markup {
    html! {
        dl.facts {
            @for Variable { name, sample, needed } in kind.variables() {
                div {
                    dt { code { "{{" (name) "}}" } @if *needed { " required" } }
                    dd { (sample) }
                }
            }
        }
    }
}

fn revert(kind: MailKind, written: bool) -> Markup {
    card(
        "Built-in text",
        html! {
            @if written {
                p { "This template was customized by staff." }
                (confirm(&format!("/app/admin/mail/{}/revert", kind.name()), "Restore built-in text", "The customized text will be permanently deleted.", &[]))
            } @else {
                p { "This template uses the built-in text." }
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
            Ok(staff.redirect(format!("/app/admin/mail/{}", kind.name()), "Email template updated"))
        }
        Err(error) => Ok(staff.redisplay(error, entered, |entered| draw(&staff, &found, entered))),
    }
}

/// Restores the built-in text.
pub(crate) async fn revert_to_built_in(staff: Staff, Segment(kind): Segment<MailKind>) -> Outcome {
    if let Some(written) = in_use(&staff, kind).await?.written {
        template::delete(staff.app(), staff.context(), written.id).await?;
    }
    Ok(staff.redirect(format!("/app/admin/mail/{}", kind.name()), "Built-in text restored"))
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
            let lines = error.fields().iter().map(|(name, it)| format!("The {name} {it}.\n"));
            let text = format!("This template is not valid.\n\n{}", lines.collect::<String>());
            (StatusCode::UNPROCESSABLE_ENTITY, mail::text(text)).into_response()
        }
    }
}

fn framed(template: &Template, params: &Params) -> Response {
    let sample = template.sample();
    if params.get("part") == Some("text") {
        return mail::text(format!("Subject: {}\n\n{}", sample.subject, sample.text));
    }
    mail::html(sample.html)
}
