//! Who comes in with an access token. A token is checked once, then remembered by its hash; what it
//! rests on is looked up again after a second, so that what any node ends is over within that time,
//! and at once on the node that ended it.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use aws_lc_rs::digest;
use grantor_domain::access::Actor;
use grantor_domain::id::{SessionId, TenantId, UserId};
use grantor_domain::organization::OrganizationStatus;
use grantor_domain::role::{Role, TenantType};
use grantor_domain::{Error, ErrorKind, Result};
use grantor_storage::{Tx, session, tenant, user};
use quick_cache::sync::Cache;

use crate::App;
use crate::keys::{Audience, Claims, InvalidToken};

/// How long what a token rests on is believed without looking.
const BELIEVED: Duration = Duration::from_millis(900);
/// Tokens remembered at once; the least used are forgotten first.
const REMEMBERED: usize = 10_000;

/// A person who came in by the console.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Caller {
    /// The account.
    pub user: UserId,
    /// The person's name.
    pub name: String,
    /// What the person may do.
    pub role: Role,
    /// Where the person acts.
    pub tenant: TenantId,
    /// What kind of tenant that is.
    pub tenant_type: TenantType,
    /// The sign-in the token belongs to.
    pub session: SessionId,
}

impl Caller {
    /// The caller as acts and the log know them.
    #[must_use]
    pub fn actor(&self) -> Actor {
        Actor::User { id: self.user, tenant: self.tenant, name: self.name.clone() }
    }
}

/// What is remembered of tokens.
#[derive(Debug)]
pub struct Access {
    tokens: Cache<[u8; 32], Remembered>,
    /// Raised whenever something ends here: nothing believed before is believed after.
    epoch: AtomicU64,
}

#[derive(Clone, Debug)]
struct Remembered {
    claims: Arc<Claims>,
    caller: Arc<Caller>,
    looked_at: Duration,
    /// When its hour is over on the clock that nobody sets back.
    dies_at: Duration,
    epoch: u64,
}

impl Default for Access {
    fn default() -> Self {
        Self { tokens: Cache::new(REMEMBERED), epoch: AtomicU64::new(0) }
    }
}

impl Access {
    /// Something ended: every token is looked at again.
    pub fn doubt_all(&self) {
        self.epoch.fetch_add(1, Ordering::SeqCst);
    }
}

/// The person a console token stands for, if it still does.
pub async fn console(app: &App, token: &str) -> Result<Arc<Caller>> {
    let mut key = [0; 32];
    key.copy_from_slice(digest::digest(&digest::SHA256, token.as_bytes()).as_ref());
    let (now, epoch) = (app.clock.monotonic(), app.access.epoch.load(Ordering::SeqCst));
    let known = app.access.tokens.get(&key);
    let wall = app.clock.now().as_secs();
    if let Some(known) = &known {
        if now >= known.dies_at || wall >= known.claims.exp {
            return Err(refuse(InvalidToken::Expired));
        }
        if known.epoch == epoch && now.saturating_sub(known.looked_at) < BELIEVED {
            return Ok(Arc::clone(&known.caller));
        }
    }
    let (claims, dies_at) = if let Some(known) = known {
        (known.claims, known.dies_at)
    } else {
        let claims = app.keys.verify(token, &app.public_url, Audience::Console);
        let claims = Arc::new(claims.map_err(refuse)?);
        let left = u64::try_from(claims.exp - wall).unwrap_or(0);
        (claims, now + Duration::from_secs(left))
    };
    let (subject, sid) = (claims.sub.parse::<UserId>(), claims.sid);
    let (Ok(subject), Some(sid)) = (subject, sid) else {
        return Err(refuse(InvalidToken::Invalid));
    };
    let found = app.store.read(move |tx| look_up(tx, subject, sid)).await;
    if found.is_err() {
        app.access.tokens.remove(&key);
    }
    let caller = Arc::new(found?);
    let remembered =
        Remembered { claims, caller: Arc::clone(&caller), looked_at: now, dies_at, epoch };
    app.access.tokens.insert(key, remembered);
    Ok(caller)
}

fn look_up(tx: &mut Tx<'_>, id: UserId, sid: SessionId) -> Result<Caller> {
    let ended = || refuse(InvalidToken::Invalid);
    let session = session::find(tx, sid)?.ok_or_else(ended)?;
    let user = user::find(tx, id)?.ok_or_else(ended)?;
    if session.revoked_at.is_some() || session.subject != id.as_uuid() || !user.active {
        return Err(ended());
    }
    let tenant = tenant::find(tx, user.tenant)?.ok_or_else(ended)?;
    if tenant.status == OrganizationStatus::Suspended {
        return Err(Error::new(ErrorKind::Forbidden, "This account is suspended"));
    }
    Ok(Caller {
        user: user.id,
        name: user.fullname,
        role: user.role,
        tenant: tenant.id,
        tenant_type: tenant.kind,
        session: sid,
    })
}

fn refuse(reason: InvalidToken) -> Error {
    let kind = match reason {
        InvalidToken::Invalid => ErrorKind::Unauthorized,
        InvalidToken::Expired => ErrorKind::TokenExpired,
    };
    Error::new(kind, reason.to_string())
}
