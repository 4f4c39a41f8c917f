//! `/app/admin/mail`: the mails that are sent, and what they say.

use axum::response::{IntoResponse as _, Response};
use grantor_domain::Error;
use grantor_domain::admin::AdminRight;
use grantor_domain::template::{MailKind, Template, Variable};
use grantor_service::template::{self, InUse};
use http::StatusCode;
use maud::{Markup, html};

use super::capital;
use crate::frame::{Asked, Entered, Failure, Outcome, Segment, Staff};
use crate::view::field::wrongs;
use crate::view::{
    Place, Table, ago, area, badge, card, code, confirm, facts, field, head, letter,
};

/// Every kind of mail.
pub(crate) async fn list(staff: Staff) -> Outcome {
    let all = template::list(staff.app()).await?;
    let table = Table::new("Mails", &["Mail", "Subject", "Text", "Changed"])
        .rows(&all, |it| row(&staff, it));
    let body = html! {
        (head("Mail templates", "Every mail that is sent, and what it says.", html! {}))
        (table.show())
    };
    Ok(staff.page("Mail templates", Place::AdminTemplates, body))
}

fn row(staff: &Staff, InUse { template, written }: &InUse) -> Vec<Markup> {
    let kind = template.kind();
    vec![
        html! {
            p { a href={ "/app/admin/mail/" (kind.name()) } { (capital(&super::words(kind.name()))) } }
            p.quiet { (kind.purpose()) }
        },
        html! { (template.subject()) },
        state(written.is_some()),
        written
            .as_ref()
            .map_or_else(|| html! { span.quiet { "–" } }, |it| ago(staff.now(), it.updated_at)),
    ]
}

fn state(written: bool) -> Markup {
    if written {
        badge("rewritten")
    } else {
        html! { span.quiet { "built in" } }
    }
}

/// The mail in use of this kind.
async fn in_use(staff: &Staff, kind: MailKind) -> Result<InUse, Failure> {
    let all = template::list(staff.app()).await?;
    all.into_iter().find(|it| it.template.kind() == kind).ok_or_else(Failure::nothing)
}

/// One kind, to be read or changed.
pub(crate) async fn show(staff: Staff, Segment(kind): Segment<MailKind>) -> Outcome {
    let found = in_use(&staff, kind).await?;
    let entered = Entered::default()
        .with("subject", found.template.subject())
        .with("body", found.template.body());
    Ok(draw(&staff, &found, &entered))
}

fn draw(staff: &Staff, found: &InUse, entered: &Entered) -> Response {
    let kind = found.template.kind();
    let (title, sample) = (capital(&super::words(kind.name())), found.template.sample());
    let manages = staff.may(AdminRight::ManageTemplates);
    let body = html! {
        (head(&title, kind.purpose(), html! { a.button.plain href="/app/admin/mail" { "All mails" } }))
        div.split {
            div {
                @if manages { (card("Text", text_form(kind, entered))) }
                @else { (card("Text", facts(&[
                    ("Subject", html! { (found.template.subject()) }),
                    ("Body", code("Body", found.template.body())),
                ]))) }
                (card("Preview", html! {
                    p.quiet { "With samples for its values; the subject is now “" (sample.subject) "”." }
                    (letter::frame(&format!("/app/admin/mail/{}/preview", kind.name()), "Preview of the mail"))
                }))
            }
            div {
                (card("Values", values(kind)))
                @if manages { (revert(kind, found.written.is_some())) }
            }
        }
    };
    staff.page(&title, Place::AdminTemplates, body)
}

/// Two of its buttons only show the text, in the frame below.
fn text_form(kind: MailKind, entered: &Entered) -> Markup {
    let action = format!("/app/admin/mail/{}", kind.name());
    let hint = "Paragraphs with an empty line between them. A line of its own with a code, a token or [label]({{link}}) is shown large.";
    html! {
        form.form method="post" action=(action) novalidate {
            (wrongs(entered))
            (field("subject", "Subject").required().longest(200).of(entered))
            (area("body", "Body", Some(hint), 14, entered))
            div.actions {
                button { "Save" }
                button.plain formaction={ (action) "/preview" } formtarget=(letter::FRAME) { "Preview" }
                button.plain formaction={ (action) "/preview?part=text" } formtarget=(letter::FRAME) { "Preview as text" }
            }
        }
    }
}

fn values(kind: MailKind) -> Markup {
    html! {
        dl.facts {
            @for Variable { name, sample, needed } in kind.variables() {
                div {
                    dt { code { "{{" (name) "}}" } @if *needed { " needed" } }
                    dd { (sample) }
                }
            }
        }
    }
}

fn revert(kind: MailKind, written: bool) -> Markup {
    card(
        "Origin",
        html! {
            @if written {
                p { "This text was written by staff." }
                (confirm(&format!("/app/admin/mail/{}/revert", kind.name()), "Use the built-in text", "What you wrote is gone then.", &[]))
            } @else {
                p { "This is the built-in text." }
            }
        },
    )
}

fn read(kind: MailKind, entered: &Entered) -> Result<Template, Error> {
    let mut fields = entered.fields();
    let subject = entered.required(&mut fields, "subject");
    let body = entered.required(&mut fields, "body");
    fields.finish()?;
    Template::parse(kind, subject, body)
}

/// Writes the text.
pub(crate) async fn write(
    staff: Staff,
    Segment(kind): Segment<MailKind>,
    entered: Entered,
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
            Ok(staff.went(format!("/app/admin/mail/{}", kind.name()), "The mail has this text now"))
        }
        Err(error) => Ok(staff.again(error, entered, |entered| draw(&staff, &found, entered))),
    }
}

/// Goes back to the text that is built in.
pub(crate) async fn revert_to_built_in(staff: Staff, Segment(kind): Segment<MailKind>) -> Outcome {
    if let Some(written) = in_use(&staff, kind).await?.written {
        template::delete(staff.app(), staff.context(), written.id).await?;
    }
    Ok(staff
        .went(format!("/app/admin/mail/{}", kind.name()), "The mail has its built-in text again"))
}

/// What is sent now, for the frame.
pub(crate) async fn preview(
    staff: Staff,
    Segment(kind): Segment<MailKind>,
    asked: Asked,
) -> Outcome {
    let found = in_use(&staff, kind).await?;
    Ok(framed(&found.template, &asked))
}

/// What would be sent, for the frame. Nothing is kept.
pub(crate) async fn try_out(
    _: Staff,
    Segment(kind): Segment<MailKind>,
    asked: Asked,
    entered: Entered,
) -> Response {
    match read(kind, &entered) {
        Ok(template) => framed(&template, &asked),
        Err(error) => {
            let lines = error.fields().iter().map(|(name, it)| format!("The {name} {it}.\n"));
            let text = format!("This text cannot be sent.\n\n{}", lines.collect::<String>());
            (StatusCode::UNPROCESSABLE_ENTITY, letter::text(text)).into_response()
        }
    }
}

fn framed(template: &Template, asked: &Asked) -> Response {
    let sample = template.sample();
    if asked.get("part") == Some("text") {
        return letter::text(format!("Subject: {}\n\n{}", sample.subject, sample.text));
    }
    letter::html(sample.html)
}
