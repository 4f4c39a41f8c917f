//! Whose account a username and a password mean. A full name may be that of several people; then
//! the password decides among them.

use grantor_domain::email::Email;
use grantor_domain::id::UserId;
use grantor_domain::password::Password;
use grantor_domain::person::FullName;
use grantor_domain::{Error, Result};
use grantor_storage::device;
use grantor_storage::user::{self, User};
use uuid::Uuid;

use crate::hasher::{Compared, MOST_NAMESAKES, UNREADABLE};
use crate::{App, Context};

/// What somebody typed to say who they are.
#[derive(Clone)]
pub(super) enum Username {
    Email(Email),
    Name(FullName),
    /// No account can have it.
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

    /// How many accounts may have it, whether they do or not.
    fn most(&self) -> usize {
        if matches!(self, Self::Name(_)) { MOST_NAMESAKES } else { 1 }
    }
}

/// The accounts of a username.
pub(super) async fn find(app: &App, username: &Username) -> Result<Vec<User>> {
    let username = username.clone();
    let found = app.store.read(move |tx| match &username {
        Username::Email(email) => Ok(user::find_by_email(tx, &email.key())?.into_iter().collect()),
        Username::Name(name) => {
            user::list_namesakes(tx, &name.key(), u32::try_from(username.most()).unwrap_or(1))
        }
        Username::Neither => Ok(vec![]),
    });
    found.await.map_err(Error::from)
}

/// Whether one of these people signed in from one of these devices before. Looks as often for
/// nobody as for as many as may share a username.
pub(super) async fn have_devices(
    app: &App,
    username: &Username,
    found: &[User],
    devices: Vec<String>,
) -> Result<bool> {
    let nobody = std::iter::repeat(UserId::from(Uuid::nil()));
    let people: Vec<UserId> =
        found.iter().map(|it| it.id).chain(nobody).take(username.most()).collect();
    app.store
        .read(move |tx| {
            let mut known = false;
            for device in &devices {
                for person in &people {
                    known |= device::is_known(tx, device, *person)?;
                }
            }
            Ok::<_, grantor_storage::Error>(known)
        })
        .await
        .map_err(Error::from)
}

/// The one of them whose password this is; nobody where it is that of two.
///
/// Nobody also where a stored hash cannot be read: whoever asks is a stranger, and an answer of its
/// own would tell that the account exists. The operator is told instead.
pub(super) async fn with_password(
    app: &App,
    context: &Context,
    username: &Username,
    found: &[User],
    password: &str,
) -> Result<Option<User>> {
    let (password, from) = (Password::present(password), context.origin.address);
    let mut kept = found.iter().map(|it| it.password_hash.clone());
    let compared = if matches!(username, Username::Name(_)) {
        app.hasher.verify_among(password, kept.collect(), from).await?
    } else {
        vec![app.hasher.verify(password, kept.next().flatten(), from).await?]
    };
    let mut fitting = Vec::new();
    for (user, compared) in found.iter().zip(compared) {
        match compared {
            Compared::Right => fitting.push(user),
            Compared::Wrong => {}
            Compared::Unreadable => tracing::error!(user = %user.id, "{UNREADABLE}"),
        }
    }
    let [only] = fitting[..] else { return Ok(None) };
    Ok(Some(only.clone()))
}
