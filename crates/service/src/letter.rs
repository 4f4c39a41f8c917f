//! The mails people get, in the words that are built in or that staff wrote instead.

use grantor_domain::Result;
use grantor_domain::mail::Mail;
use grantor_domain::template::{MailKind, Template, Value};
use grantor_storage::{Tx, template};

/// Writes a mail. Who has not proved the address is greeted without a name: a stranger could write
/// whatever they like into the mail of another.
pub(crate) fn write(
    tx: &mut Tx<'_>,
    kind: MailKind,
    to: &str,
    name: Option<&str>,
    values: &[Value<'_>],
) -> Result<Mail> {
    let written = template::find_by_kind(tx, kind)?;
    let template = written.map_or_else(|| Template::built_in(kind), |it| it.template);
    let greeting = name.map_or_else(|| "Hello,".to_owned(), |name| format!("Hello {name},"));
    let mut all = vec![("greeting", &*greeting)];
    all.extend_from_slice(values);
    let mail = template.render(&all);
    Ok(Mail { to: to.to_owned(), subject: mail.subject, text: mail.text, html: Some(mail.html) })
}

/// To the owner of an account whose password was changed.
pub(crate) fn password_changed(tx: &mut Tx<'_>, to: &str, name: &str) -> Result<Mail> {
    write(tx, MailKind::PasswordChanged, to, Some(name), &[("email", to)])
}

/// To an address somebody asked to come in with, and that no account has. Whoever asked hears the
/// same as if there were one; only the owner of the mailbox learns that there is none.
pub(crate) fn no_account(tx: &mut Tx<'_>, to: &str, purpose: &str, origin: &str) -> Result<Mail> {
    let link = format!("{origin}/app/sign-up");
    let values = [("purpose", purpose), ("link", &*link)];
    write(tx, MailKind::NoAccount, to, None, &values)
}
