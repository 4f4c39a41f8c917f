//! Passkeys on pages: the form that asks the browser for one, and what the browser sends back.
//! Scripts are needed for that; where there are none, the forms stay hidden.

use grantor_domain::id::PasskeyId;
use grantor_domain::passkey::PasskeyName;
use grantor_domain::{Error, Result};
use grantor_messages::text;
use grantor_service::identity::passkey;
use grantor_service::identity::second_factor::Owner;
use http::HeaderMap;
use maud::{Markup, html};

use crate::asset;
use crate::frame::{
    Ceremony, Device, FormData, Guest, Outcome, PageContext, Person, Segment, form_token, json,
};
use crate::second_factor::{PAGE, page_with_name, security, set_up, sign_in_again};
use crate::sign_in::{self, welcome};
use crate::view::{field, hidden};

const SIGN_IN: &str = "/app/sign-in/passkey";
const CHECK: &str = "/app/sign-in/second-factor/passkey";
const SET_UP: &str = "/app/sign-in/set-up/passkey";
const ADD: &str = "/app/profile/security/passkeys";

/// A form that a script fills with what the browser's passkey says, and then sends. `kind` is what
/// the browser is asked for: `get` or `create`.
fn passkey_form(kind: &str, action: &str, fields: &Markup, button: &str) -> Markup {
    html! {
        form.form.passkey method="post" action=(action) data-passkey=(kind)
            data-start={ (action) "/start" } hidden {
            (fields)
            input type="hidden" name="credential" value="" autocomplete="off";
            p.wrong role="alert" data-passkey-error="" data-expired=(text!("view-passkey-expired"))
                data-known=(text!("view-passkey-known"))
                data-unused=(text!("view-passkey-unused"))
                data-failed=(text!("view-passkey-failed")) hidden {}
            div.actions { button.plain { (button) } }
        }
        script src=(asset::url("passkey.js")) defer {}
    }
}

/// The button that signs in with a passkey.
pub(crate) fn sign_in_form(ctx: &PageContext, next: &str) -> Markup {
    html! {
        @if passkey::is_available(ctx.app()) {
            (passkey_form("get", SIGN_IN, &hidden("next", next), text!("security-passkey-sign-in")))
        }
    }
}

/// The button that shows a passkey as second factor.
pub(crate) fn check_form(ctx: &PageContext, next: &str) -> Markup {
    html! {
        @if passkey::is_available(ctx.app()) {
            (passkey_form("get", CHECK, &hidden("next", next), text!("security-passkey-use")))
        }
    }
}

/// The form that creates a passkey while signing in.
pub(crate) fn set_up_form(ctx: &PageContext, next: &str, entered: &FormData) -> Markup {
    let fields = html! { (hidden("next", next)) (name_field(entered)) };
    html! {
        @if passkey::is_available(ctx.app()) {
            (passkey_form("create", SET_UP, &fields, text!("security-passkey-create")))
        }
    }
}

/// The form that adds a passkey to the profile.
pub(crate) fn add_form(ctx: &PageContext, entered: &FormData) -> Markup {
    let fields = html! { (form_token(ctx.app())) (name_field(entered)) };
    html! {
        @if passkey::is_available(ctx.app()) {
            (passkey_form("create", ADD, &fields, text!("security-passkey-add")))
            noscript { p.quiet { (text!("security-passkey-script")) } }
        } @else {
            p.quiet { (text!("security-passkey-https")) }
        }
    }
}

fn name_field(entered: &FormData) -> Markup {
    field("name", text!("security-passkey-name"))
        .required()
        .max_length(60)
        .placeholder(text!("security-passkey-name-example"))
        .hint(text!("security-passkey-name-hint"))
        .of(entered)
}

/// Asks for any passkey, to sign in with.
pub(crate) async fn start_sign_in(Guest(ctx): Guest) -> Outcome {
    let ceremony = Ceremony::begin(&ctx);
    let options = passkey::start_sign_in(ctx.app(), ceremony.secret()).await?;
    Ok(ceremony.keep(&ctx, json(options)))
}

/// Signs in with a passkey.
pub(crate) async fn finish_sign_in(
    Guest(mut ctx): Guest,
    headers: HeaderMap,
    entered: FormData,
) -> Outcome {
    let device = Device::of(&mut ctx, &headers);
    let signed_in = async {
        let ceremony = Ceremony::read(&ctx, &headers).ok_or_else(over)?;
        let signed = entered.get("credential");
        passkey::finish_sign_in(ctx.app(), &ctx.context, ceremony, signed).await
    };
    match signed_in.await {
        Ok(signed_in) => {
            let to = welcome(&ctx, &device, &signed_in, entered.get("next"));
            Ok(Ceremony::end(&ctx, to))
        }
        Err(error) => sign_in::redisplay(&ctx, error, entered).await,
    }
}

/// Asks for one of the person's passkeys, as second factor.
pub(crate) async fn start_check(Guest(ctx): Guest, headers: HeaderMap) -> Outcome {
    let ceremony = Ceremony::read(&ctx, &headers).ok_or_else(over)?;
    Ok(json(passkey::start_check(ctx.app(), ceremony).await?))
}

/// Finishes a sign-in with a passkey as second factor.
pub(crate) async fn finish_check(
    Guest(mut ctx): Guest,
    headers: HeaderMap,
    entered: FormData,
) -> Outcome {
    let device = Device::of(&mut ctx, &headers);
    let signed_in = async {
        let ceremony = Ceremony::read(&ctx, &headers).ok_or_else(over)?;
        let signed = entered.get("credential");
        passkey::finish_check(ctx.app(), &ctx.context, ceremony, signed).await
    };
    match signed_in.await {
        Ok(signed_in) => {
            let to = welcome(&ctx, &device, &signed_in, entered.get("next"));
            Ok(Ceremony::end(&ctx, to))
        }
        Err(error) => crate::second_factor::sign_in::refuse(&ctx, &headers, error, entered).await,
    }
}

/// Asks the browser to create a passkey, while signing in.
pub(crate) async fn start_set_up(Guest(ctx): Guest, headers: HeaderMap) -> Outcome {
    let waiting = Ceremony::read(&ctx, &headers).ok_or_else(over)?;
    // The sign-in that waits is the ceremony; another secret is not needed.
    let unused = Ceremony::begin(&ctx);
    let owner = Owner::Waiting(waiting);
    Ok(json(passkey::start_set_up(ctx.app(), owner, unused.secret()).await?))
}

/// Adds the created passkey and finishes the sign-in.
pub(crate) async fn finish_set_up(
    Guest(mut ctx): Guest,
    headers: HeaderMap,
    entered: FormData,
) -> Outcome {
    let device = Device::of(&mut ctx, &headers);
    let made = async {
        let waiting = Ceremony::read(&ctx, &headers).ok_or_else(over)?;
        let (owner, name) = (Owner::Waiting(waiting), read_name(&entered)?);
        let created = entered.get("credential");
        passkey::finish_set_up(ctx.app(), &ctx.context, owner, None, name, created).await
    };
    match made.await {
        Ok(made) => Ok(set_up::welcome(&ctx, &device, made, entered.get("next"))),
        Err(error) => set_up::refuse(&ctx, &headers, error, entered).await,
    }
}

/// Asks the browser to create a passkey for the profile.
pub(crate) async fn start_add(person: Person) -> Outcome {
    let ceremony = Ceremony::begin(&person);
    let owner = Owner::Caller(person.caller());
    let options = passkey::start_set_up(person.app(), owner, ceremony.secret()).await?;
    Ok(ceremony.keep(&person, json(options)))
}

/// Adds the created passkey to the profile.
pub(crate) async fn finish_add(person: Person, headers: HeaderMap, entered: FormData) -> Outcome {
    if let Some(to) = sign_in_again(&person, &page_with_name(entered.get("name"))) {
        return Ok(to);
    }
    let made = async {
        let ceremony = Ceremony::read(&person, &headers).ok_or_else(over)?;
        let (owner, name) = (Owner::Caller(person.caller()), read_name(&entered)?);
        let (app, context, created) = (person.app(), person.context(), entered.get("credential"));
        passkey::finish_set_up(app, context, owner, Some(ceremony), name, created).await
    };
    match made.await {
        Ok(made) => {
            let done = set_up::done(&person, &made, text!("security-passkey-added-message"));
            Ok(Ceremony::end(&person, done))
        }
        Err(error) => security::refuse(&person, error, entered).await,
    }
}

/// Removes a passkey.
pub(crate) async fn remove(person: Person, Segment(id): Segment<PasskeyId>) -> Outcome {
    if let Some(to) = sign_in_again(&person, PAGE) {
        return Ok(to);
    }
    match passkey::remove(person.app(), person.context(), person.caller(), id).await {
        Ok(()) => Ok(person.redirect(PAGE, text!("security-passkey-removed"))),
        // The page has what must be set up first.
        Err(error) => security::refuse(&person, error, FormData::default()).await,
    }
}

fn read_name(entered: &FormData) -> Result<PasskeyName> {
    let mut fields = entered.fields();
    let name = entered.required(&mut fields, "name");
    let name = fields.take("name", PasskeyName::parse(name));
    fields.finish()?;
    name.ok_or_else(|| Error::field("name", "is required"))
}

fn over() -> Error {
    crate::second_factor::over()
}
