//! Finding the account for a username and password. Several users may share a full name; the
//! password then decides between them.

use grantor_domain::email::Email;
use grantor_domain::id::UserId;
use grantor_domain::password::Password;
use grantor_domain::person::FullName;
use grantor_domain::{Error, Result};
use grantor_storage::device;
use grantor_storage::user::{self, User};
use uuid::Uuid;

use crate::identity::hasher::{CORRUPT_HASH, MAX_NAMESAKES, PasswordMatch};
use crate::{App, Context};

/// The entered username.
#[derive(Clone)]
pub(super) enum Username {
    Email(Email),
    Name(FullName),
    /// Neither an email address nor a name; no account has it.
    Neither,
}

impl Username {
    pub(super) fn parse(text: &str) -> Self {
        match (Email::parse(text), FullName::parse(text)) {
            (Ok(email), _) => Self::Email(email),
            (Err(_), Ok(name)) => Self::Name(name),
            (Err(_), Err(_)) => Self::Neither,
        }
    }

    /// The maximum number of accounts with this username.
    fn max_accounts(&self) -> usize {
        if matches!(self, Self::Name(_)) { MAX_NAMESAKES } else { 1 }
    }
}

/// Returns the accounts with a username.
pub(super) async fn find_users(app: &App, username: &Username) -> Result<Vec<User>> {
    let username = username.clone();
    let found = app.store.read(move |tx| match &username {
        Username::Email(email) => Ok(user::find_by_email(tx, &email.key())?.into_iter().collect()),
        Username::Name(name) => {
            let at_most = u32::try_from(username.max_accounts()).unwrap_or(1);
            user::list_namesakes(tx, &name.key(), at_most)
        }
        Username::Neither => Ok(vec![]),
    });
    found.await.map_err(Error::from)
}

/// Whether one of these users has signed in from one of these devices before. The number of queries
/// doesn't depend on the number of users, so the timing doesn't reveal it.
pub(super) async fn is_known_device(
    app: &App,
    username: &Username,
    found: &[User],
    devices: Vec<String>,
) -> Result<bool> {
    let padding = std::iter::repeat(UserId::from(Uuid::nil()));
    let users: Vec<UserId> =
        found.iter().map(|it| it.id).chain(padding).take(username.max_accounts()).collect();
    app.store
        .read(move |tx| {
            let mut known = false;
            for device in &devices {
                for user in &users {
                    known |= device::is_known(tx, device, *user)?;
                }
            }
            Ok::<_, grantor_storage::Error>(known)
        })
        .await
        .map_err(Error::from)
}

/// Returns the user with this password, or `None` if two users have it.
///
/// A corrupt hash also gives `None`, since a different response would reveal that the account
/// exists. It is logged for the operator instead.
pub(super) async fn find_by_password(
    app: &App,
    context: &Context,
    username: &Username,
    found: &[User],
    password: &str,
) -> Result<Option<User>> {
    let (password, from) = (Password::present(password), context.origin.address);
    let mut stored = found.iter().map(|it| it.password_hash.clone());
    let compared = if matches!(username, Username::Name(_)) {
        app.hasher.verify_among(password, stored.collect(), from).await?
    } else {
        vec![app.hasher.verify(password, stored.next().flatten(), from).await?]
    };
    let mut matching = Vec::new();
    for (user, compared) in found.iter().zip(compared) {
        match compared {
            PasswordMatch::Correct => matching.push(user),
            PasswordMatch::Wrong => {}
            PasswordMatch::CorruptHash => tracing::error!(user = %user.id, "{CORRUPT_HASH}"),
        }
    }
    let [only] = matching[..] else { return Ok(None) };
    Ok(Some(only.clone()))
}
