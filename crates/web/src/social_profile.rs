//! `/app/profiles`: profiles on hosted services that the user's account proves to be its own.

use axum::response::Response;
use grantor_domain::ErrorKind;
use grantor_domain::id::ProfileId;
use grantor_domain::role::Right;
use grantor_domain::source::Profile;
use grantor_service::watching::profile;
use maud::{Markup, html};

use crate::frame::{FormData, Outcome, Person, Segment};
use crate::view::{
    NavItem, ago, badge, card, code, confirm, empty, field, form, head, post_button, steps,
};

const PAGE: &str = "/app/profiles";

/// Lists profiles.
pub(crate) async fn list(person: Person) -> Outcome {
    let profiles = profile::list(person.app(), person.caller.tenant).await?;
    Ok(draw(&person, &profiles, &FormData::default()))
}

fn draw(person: &Person, profiles: &[Profile], entered: &FormData) -> Response {
    let manages = person.may(Right::ManageProfiles);
    let lead = "Where you publish on Mastodon, Bluesky and other services. What appears on a \
                verified profile counts as published by you.";
    let body = html! {
        (head("Social profiles", lead, html! {}))
        @if profiles.is_empty() {
            (empty("No social profiles yet", "Add the address of a profile, put a code into its description, and verify it.", html! {}))
        }
        @for it in profiles { (profile_card(person, it, manages)) }
        @if manages { (card("Add a profile", add_form(entered))) }
    };
    person.page("Social profiles", NavItem::Profiles, body)
}

fn add_form(entered: &FormData) -> Markup {
    let inside = html! {
        (field("url", "Address of the profile").required().inputmode("url").max_length(2_048)
            .placeholder("https://mastodon.social/@name").of(entered))
    };
    form(PAGE, entered, inside, "Add profile")
}

fn profile_card(person: &Person, it: &Profile, manages: bool) -> Markup {
    let question = "What appears there will no longer count as published by you.";
    let body = html! {
        p {
            (it.service.title()) " "
            @match it.proved_at {
                Some(at) => { (badge("verified")) " " (ago(person.now(), at)) }
                None => (badge("pending_verification")),
            }
        }
        @if it.proved_at.is_none() && manages { (how_to_prove(it)) }
        @if manages { (confirm(&format!("{PAGE}/{}/delete", it.id), "Remove", question, &[])) }
    };
    card(&it.url, body)
}

fn how_to_prove(it: &Profile) -> Markup {
    let label = format!("Code for {}", it.url);
    let verify = format!("{PAGE}/{}/verify", it.id);
    steps(
        &[
            ("Put this code into the description of the profile", code(&label, it.code.as_str())),
            (
                "Verify",
                html! {
                    p { "Once the profile is verified, you can remove the code." }
                    (post_button(&verify, "Verify profile", &[]))
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
        Ok(_) => {
            Ok(person.redirect(PAGE, "Profile added. Put the code into its description next."))
        }
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
        Ok(_) => "Profile verified".to_owned(),
        // The code was not found, or somebody else proved the profile.
        Err(error) if *error.kind() == ErrorKind::Conflict => error.message().to_owned(),
        Err(error) => return Err(error.into()),
    };
    Ok(person.redirect(PAGE, &message))
}

/// Removes a profile.
pub(crate) async fn delete(person: Person, Segment(id): Segment<ProfileId>) -> Outcome {
    let caller = (&*person.caller).into();
    profile::delete(person.app(), person.context(), caller, id).await?;
    Ok(person.redirect(PAGE, "Profile removed"))
}
