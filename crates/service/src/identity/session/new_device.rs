//! Tells people about sign-ins from devices that they have not used before.

use grantor_domain::sign_in::SETTLED_ACCOUNT;
use grantor_domain::template::MailKind;
use grantor_domain::{Result, device as devices_in_words};
use grantor_messages::Value;
use grantor_storage::device;
use grantor_storage::user::User;

use crate::act::UnitOfWork;
use crate::mail::compose;
use crate::mail::phrase::{MailValue, Phrase, message, moment, plain};

/// Mails a person who signs in from an unknown device. The first sign-in of a new account is no
/// news.
pub(super) fn notify(unit: &mut UnitOfWork<'_, '_>, user: &User, devices: &[String]) -> Result<()> {
    for it in devices {
        if device::is_known(unit.tx, it, user.id)? {
            return Ok(());
        }
    }
    let settled = unit.now.since(user.created_at) > SETTLED_ACCOUNT;
    if devices.is_empty() || !(settled || device::any_known(unit.tx, user.id)?) {
        return Ok(());
    }
    let named = devices_in_words::describe(unit.origin.user_agent.as_deref());
    let address = unit.origin.address.map(|it| it.to_string());
    let address = match &address {
        Some(known) => plain("address", known),
        None => message("address", "mail-address-unknown"),
    };
    let link = format!("{}/app/profile", unit.app.public_url);
    let values = [
        plain("email", &user.email),
        device_value(&named),
        address,
        moment("time", unit.now),
        plain("link", &link),
    ];
    let (kind, name) = (MailKind::NewDevice, Some(user.fullname.as_str()));
    let mail = compose::from_template(unit.tx, kind, &user.email, name, &values)?;
    unit.app.mailer.enqueue(unit.tx, kind.name(), &mail)?;
    Ok(())
}

/// A device such as `Firefox on Windows`.
fn device_value(named: &str) -> MailValue<'_> {
    match named.split_once(" on ") {
        Some((program, system)) => {
            let values = vec![("program", Value::from(program)), ("system", Value::from(system))];
            ("device", Phrase::Message("mail-device", values))
        }
        None if named == devices_in_words::describe(None) => {
            message("device", "mail-device-unknown")
        }
        None => plain("device", named),
    }
}
