//! Composing mails from the built-in templates or the ones that staff wrote, in the language of the
//! recipient.

use grantor_domain::Result;
use grantor_domain::access::Actor;
use grantor_domain::mail::Mail;
use grantor_domain::template::{MailKind, Value};
use grantor_messages::Value as MessageValue;
use grantor_storage::template::StoredTemplate;
use grantor_storage::{Tx, template};

use super::built_in;
use super::phrase::{MailLocale, MailValue, message, plain};
use super::queue::address_key;
use crate::act::UnitOfWork;

/// Composes a mail in the language of the account that has the address, or in English. The name is
/// `None` while the address isn't verified, so that nobody can put their own text into a mail to
/// somebody else.
pub(crate) fn from_template(
    tx: &mut Tx<'_>,
    kind: MailKind,
    to: &str,
    name: Option<&str>,
    values: &[MailValue<'_>],
) -> Result<Mail> {
    let (written, locale) = template::find_for_address(tx, kind, &address_key(to))?;
    render(written, kind, &locale.into(), Recipient { to, name }, values)
}

/// Composes a mail in a language that is known.
pub(crate) fn in_locale(
    tx: &mut Tx<'_>,
    kind: MailKind,
    locale: &MailLocale,
    recipient: Recipient<'_>,
    values: &[MailValue<'_>],
) -> Result<Mail> {
    render(template::find_by_kind(tx, kind)?, kind, locale, recipient, values)
}

/// Composes a mail that a visitor asked for with a form: in the language of the page, so that the
/// mail and the page belong together.
pub(crate) fn for_visitor(
    unit: &mut UnitOfWork<'_, '_>,
    kind: MailKind,
    to: &str,
    name: Option<&str>,
    values: &[MailValue<'_>],
) -> Result<Mail> {
    match unit.language.filter(|_| *unit.actor == Actor::Anonymous) {
        Some(language) => {
            in_locale(unit.tx, kind, &language.into(), Recipient { to, name }, values)
        }
        None => from_template(unit.tx, kind, to, name, values),
    }
}

/// Whom a mail goes to.
#[derive(Clone, Copy)]
pub(crate) struct Recipient<'a> {
    /// The address.
    pub(crate) to: &'a str,
    /// The name, if the address is known to be theirs.
    pub(crate) name: Option<&'a str>,
}

fn render(
    written: Option<StoredTemplate>,
    kind: MailKind,
    locale: &MailLocale,
    Recipient { to, name }: Recipient<'_>,
    values: &[MailValue<'_>],
) -> Result<Mail> {
    let template = match written {
        Some(written) => written.template,
        None => built_in::template(kind, locale.language)?,
    };
    let greeting = match name {
        Some(name) => {
            let values = [("name", MessageValue::from(name))];
            locale.language.format("mail-greeting-named", &values)
        }
        None => locale.language.text("mail-greeting").to_owned(),
    };
    let said: Vec<_> = values.iter().map(|(name, phrase)| (*name, phrase.say(locale))).collect();
    let mut all: Vec<Value<'_>> = vec![("greeting", &*greeting)];
    all.extend(said.iter().map(|(name, value)| (*name, &**value)));
    let mail = template.render(&all);
    let (subject, text, html) = (mail.subject, mail.text, Some(mail.html));
    Ok(Mail { to: to.to_owned(), subject, text, html, unsubscribe: None, reply_to: None })
}

/// Composes the notice that a password was changed.
pub(crate) fn password_changed(tx: &mut Tx<'_>, to: &str, name: &str) -> Result<Mail> {
    from_template(tx, MailKind::PasswordChanged, to, Some(name), &[plain("email", to)])
}

/// Composes the notice that no account has this address, with a link to sign up. The API responds
/// as if there were one, so only the owner of the mailbox learns that there is none. The purpose is
/// the key of a message.
pub(crate) fn no_account(
    unit: &mut UnitOfWork<'_, '_>,
    to: &str,
    purpose: &'static str,
    link: &str,
) -> Result<Mail> {
    let values = [message("purpose", purpose), plain("link", link)];
    for_visitor(unit, MailKind::NoAccount, to, None, &values)
}
