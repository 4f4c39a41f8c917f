//! Composing mails from the default templates or the ones that staff wrote.

use grantor_domain::Result;
use grantor_domain::mail::Mail;
use grantor_domain::template::{MailKind, Template, Value};
use grantor_storage::{Tx, template};

/// Composes a mail. The name is `None` while the address isn't verified, so that nobody can put
/// their own text into a mail to somebody else.
pub(crate) fn from_template(
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
    let (subject, text, html) = (mail.subject, mail.text, Some(mail.html));
    Ok(Mail { to: to.to_owned(), subject, text, html, unsubscribe: None, reply_to: None })
}

/// Composes the notice that a password was changed.
pub(crate) fn password_changed(tx: &mut Tx<'_>, to: &str, name: &str) -> Result<Mail> {
    from_template(tx, MailKind::PasswordChanged, to, Some(name), &[("email", to)])
}

/// Composes the notice that no account has this address, with a link to sign up. The API responds as if there were one, so
/// only the owner of the mailbox learns that there is none.
pub(crate) fn no_account(tx: &mut Tx<'_>, to: &str, purpose: &str, link: &str) -> Result<Mail> {
    let values = [("purpose", purpose), ("link", link)];
    from_template(tx, MailKind::NoAccount, to, None, &values)
}
