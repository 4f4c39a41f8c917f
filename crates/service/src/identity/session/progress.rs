//! How far a sign-in got.

use grantor_domain::Result;
use grantor_domain::second_factor::Need;
use grantor_storage::user::User;

use super::SignedIn;
use super::issued::Issued;
use crate::App;
use crate::identity::second_factor;
use crate::organizations::membership::TenantMembership;

/// What a sign-in on a page leads to.
pub enum Entered {
    /// The person is signed in.
    SignedIn(Box<SignedIn>),
    /// The first factor was right; the ceremony waits for this.
    Waiting(Need),
}

impl Entered {
    /// Returns the signed-in person. A request that has no page to go on with is refused.
    pub(crate) fn signed_in(self) -> Result<SignedIn> {
        match self {
            Self::SignedIn(signed_in) => Ok(*signed_in),
            Self::Waiting(_) => Err(second_factor::required()),
        }
    }
}

/// Like [`Entered`], while the access token isn't signed yet.
pub(crate) enum Progress {
    Admitted(Box<Admitted>),
    Waiting(Need),
}

/// A person for whom a session was started.
pub(crate) struct Admitted {
    pub(crate) issued: Issued,
    pub(crate) user: User,
    pub(crate) membership: TenantMembership,
}

impl Admitted {
    /// Signs the access token.
    pub(crate) fn sign(self, app: &App) -> Result<SignedIn> {
        let Self { issued, user, membership } = self;
        Ok(SignedIn { tokens: issued.sign(app)?, user, membership })
    }
}

impl Progress {
    pub(crate) fn admitted(issued: Issued, user: User, membership: TenantMembership) -> Self {
        Self::Admitted(Box::new(Admitted { issued, user, membership }))
    }

    /// Signs the access token, if there is one.
    pub(crate) fn finish(self, app: &App) -> Result<Entered> {
        match self {
            Self::Admitted(admitted) => Ok(Entered::SignedIn(Box::new(admitted.sign(app)?))),
            Self::Waiting(need) => Ok(Entered::Waiting(need)),
        }
    }
}
