//! The table of pages.

use std::time::Duration;

use grantor_domain::limit::LimitName;
use grantor_domain::role::Right;

use crate::frame::Entry::{Counted, Open, Person};
use crate::frame::{Row, get, post};
use crate::{client, pax, platform, sign_in, talent, webhook};

/// How much longer the look for a proof may take: three ways, one after another.
const PROOF: Duration = Duration::from_secs(15);

/// The table.
pub(crate) fn routes() -> Vec<Row> {
    [ways_in(), talents(), clients(), webhooks(), platforms()].into_iter().flatten().collect()
}

/// Ways in and out.
#[rustfmt::skip]
fn ways_in() -> Vec<Row> {
    vec![
        get("/app/sign-in", Open, sign_in::ask, "Asks for address and password"),
        post("/app/sign-in", Counted(LimitName::Login), sign_in::enter, "Signs a person in"),
        post("/app/sign-out", Open, sign_in::leave, "Signs a person out"),
        post("/app/theme", Open, sign_in::theme, "Chooses light or dark"),
    ]
}

/// Talents.
#[rustfmt::skip]
fn talents() -> Vec<Row> {
    vec![
        get("/app/talents", Person(Right::ReadTalents), talent::list, "Lists the roster"),
        get("/app/talents/new", Person(Right::ManageTalents), talent::blank, "Asks for a new talent"),
        post("/app/talents/new", Person(Right::ManageTalents), talent::create, "Adds a talent to the roster"),
        get("/app/talents/{talent}", Person(Right::Read), talent::show, "Shows a talent"),
        get("/app/talents/{talent}/edit", Person(Right::ManageTalents), talent::edit, "Asks for changes of a talent"),
        post("/app/talents/{talent}/edit", Person(Right::ManageTalents), talent::change, "Changes a talent"),
        get("/app/talents/invite", Person(Right::ManageTalents), talent::invitation, "Asks whom to invite"),
        post("/app/talents/invite", Person(Right::ManageTalents), talent::invite, "Invites a talent to take up their record"),
    ]
}

/// Key pairs for programs.
#[rustfmt::skip]
fn clients() -> Vec<Row> {
    let manage = Person(Right::ManageClients);
    vec![
        get("/app/clients", manage, client::list, "Lists the API clients"),
        get("/app/clients/new", manage, client::blank, "Asks for a new API client"),
        post("/app/clients/new", manage, client::create, "Makes an API client and shows its secret once"),
        get("/app/clients/{client}", manage, client::show, "Shows an API client"),
        post("/app/clients/{client}", manage, client::change, "Changes an API client"),
        post("/app/clients/{client}/secret", manage, client::rotate, "Gives an API client another secret"),
        post("/app/clients/{client}/delete", manage, client::delete, "Deletes an API client"),
    ]
}

/// Receivers of events.
#[rustfmt::skip]
fn webhooks() -> Vec<Row> {
    let manage = Person(Right::ManageWebhooks);
    vec![
        get("/app/webhooks", manage, webhook::list, "Lists the webhooks"),
        get("/app/webhooks/new", manage, webhook::blank, "Asks for a new webhook"),
        post("/app/webhooks/new", manage, webhook::create, "Makes a webhook and shows its secret once"),
        get("/app/webhooks/{webhook}", manage, webhook::show, "Shows a webhook and its deliveries"),
        get("/app/webhooks/{webhook}/edit", manage, webhook::edit, "Asks for changes of a webhook"),
        post("/app/webhooks/{webhook}/edit", manage, webhook::change, "Changes a webhook"),
        post("/app/webhooks/{webhook}/status", manage, webhook::switch, "Switches a webhook on or off"),
        post("/app/webhooks/{webhook}/secret", manage, webhook::rotate, "Gives a webhook another secret"),
        post("/app/webhooks/{webhook}/test", manage, webhook::test, "Sends a test and shows the answer"),
        post("/app/webhooks/{webhook}/replay", manage, webhook::replay, "Sends events once more"),
        post("/app/webhooks/{webhook}/deliveries/{delivery}", manage, webhook::retry, "Tries a delivery once more"),
        post("/app/webhooks/{webhook}/delete", manage, webhook::delete, "Deletes a webhook"),
    ]
}

/// Platforms, and access to them.
#[rustfmt::skip]
fn platforms() -> Vec<Row> {
    let (read, manage) = (Person(Right::ReadPlatforms), Person(Right::ManagePlatforms));
    vec![
        get("/app/platforms", read, platform::list, "Lists the platforms"),
        get("/app/platforms/new", manage, platform::blank, "Asks for a new platform"),
        post("/app/platforms/new", manage, platform::create, "Adds a platform, whose domain is to be proved"),
        get("/app/platforms/{platform}", read, platform::show, "Shows a platform and how to prove its domain"),
        get("/app/platforms/{platform}/edit", manage, platform::edit, "Asks for changes of a platform"),
        post("/app/platforms/{platform}/edit", manage, platform::change, "Changes a platform"),
        post("/app/platforms/{platform}/verify", manage, platform::verify, "Looks for the proof of a domain").patience(PROOF),
        post("/app/platforms/{platform}/delete", manage, platform::delete, "Deletes a platform"),
        get("/app/pax", read, pax::list, "Lists the access extensions"),
        get("/app/pax/new", manage, pax::blank, "Asks for a new access extension"),
        post("/app/pax/new", manage, pax::create, "Grants access to a platform"),
        get("/app/pax/{pax}", read, pax::show, "Shows an access extension"),
        post("/app/pax/{pax}/revoke", manage, pax::revoke, "Revokes an access extension for good"),
    ]
}
