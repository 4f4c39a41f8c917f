//! `/app/profiles`: profiles on hosted services that the user's account proves to be its own.

use axum::response::Response;
use grantor_domain::ErrorKind;
use grantor_domain::id::ProfileId;
use grantor_domain::role::Right;
use grantor_domain::source::Profile;
use grantor_messages::text;
use grantor_service::watching::profile;
use maud::{Markup, html};

use crate::export;
use crate::frame::{FormData, Outcome, Person, Segment};
use crate::view::{
    NavItem, ago, badge, card, code, field, form, head, lesson, post_button, steps, undoable,
};

const PAGE: &str = "/app/profiles";

/// Lists profiles.
pub(crate) async fn list(person: Person) -> Outcome {
    let profiles = profile::list(person.app(), person.caller.tenant).await?;
    Ok(draw(&person, &profiles, &FormData::default()))
}

fn draw(person: &Person, profiles: &[Profile], entered: &FormData) -> Response {
    let manages = person.acts(Right::ManageProfiles);
    let body = html! {
        (head(text!("source-profile-list"), text!("source-profile-lead"), export::links(person, "profiles")))
        @if profiles.is_empty() {
            (lesson(text!("source-profile-none"), text!("source-profile-none-why"), &[
                text!("source-profile-lesson-address"),
                text!("source-profile-lesson-code"),
                text!("source-profile-lesson-verify"),
            ], html! {}))
        }
        @for it in profiles { (profile_card(person, it, manages)) }
        @if manages { (card(text!("source-profile-add-title"), add_form(entered))) }
    };
    person.page(text!("source-profile-list"), NavItem::Profiles, body)
}

fn add_form(entered: &FormData) -> Markup {
    let inside = html! {
        (field("url", text!("source-profile-address")).required().inputmode("url").max_length(2_048)
            .placeholder("https://mastodon.social/@name").of(entered))
    };
    form(PAGE, entered, inside, text!("source-profile-add"))
}

fn profile_card(person: &Person, it: &Profile, manages: bool) -> Markup {
    let body = html! {
        p {
            (it.service.title()) " "
            @match it.proved_at {
                Some(at) => { (badge("verified")) " " (ago(person.now(), at)) }
                None => (badge("pending_verification")),
            }
        }
        @if it.proved_at.is_none() && manages { (how_to_prove(it)) }
        @if manages { (undoable(&format!("{PAGE}/{}/delete", it.id), text!("action-remove"), &[])) }
    };
    card(&it.url, body)
}

fn how_to_prove(it: &Profile) -> Markup {
    let label = text!("source-profile-code", address = &it.url);
    let verify = format!("{PAGE}/{}/verify", it.id);
    steps(
        &[
            (text!("source-profile-put-code"), code(&label, it.code.as_str())),
            (
                text!("source-profile-verify"),
                html! {
                    p { (text!("source-profile-remove-code")) }
                    (post_button(&verify, text!("source-profile-verify-button"), &[]))
                },
            ),
        ],
        0,
    )
}

/// Adds a profile.
pub(crate) async fn claim(person: Person, entered: FormData) -> Outcome {
    let made = async {
        let mut fields = entered.fields();
        let url = entered.required(&mut fields, "url").to_owned();
        fields.finish()?;
        let caller = (&*person.caller).into();
        profile::claim(person.app(), person.context(), caller, &url).await
    };
    match made.await {
        Ok(_) => Ok(person.redirect(PAGE, text!("source-profile-added"))),
        Err(error) => {
            let profiles = profile::list(person.app(), person.caller.tenant).await?;
            Ok(person.redisplay(error, entered, |entered| draw(&person, &profiles, entered)))
        }
    }
}

/// Looks for the code in the description of a profile.
pub(crate) async fn verify(person: Person, Segment(id): Segment<ProfileId>) -> Outcome {
    let caller = (&*person.caller).into();
    let message = match profile::verify(person.app(), person.context(), caller, id).await {
        Ok(_) => text!("source-profile-verified").to_owned(),
        // The code was not found, or somebody else proved the profile.
        Err(error) if *error.kind() == ErrorKind::Conflict => {
            grantor_messages::error(error.message()).into_owned()
        }
        Err(error) => return Err(error.into()),
    };
    Ok(person.redirect(PAGE, &message))
}

/// Removes a profile.
pub(crate) async fn delete(person: Person, Segment(id): Segment<ProfileId>) -> Outcome {
    let caller = (&*person.caller).into();
    profile::delete(person.app(), person.context(), caller, id).await?;
    Ok(person.redirect(PAGE, text!("source-profile-removed")))
}
