//! Password hashing: Argon2id on threads of its own, a few at a time and in turns by address, so
//! that many sign-ins of one address slow each other down and nothing else.

mod turn;

use std::net::IpAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use argon2::password_hash::phc::{Output, PasswordHash, Salt};
use argon2::password_hash::{self, PasswordHasher as _, PasswordVerifier as _};
use argon2::{ARGON2ID_IDENT, Algorithm, Argon2, Params, Version};
use grantor_domain::password::Password;
use grantor_domain::{Entropy, Error, Result};

use self::turn::{Lane, Turns};
use crate::limit::Subject;

/// How many accounts one password is compared with at most: people who share a name.
pub const MOST_NAMESAKES: usize = 20;

/// What the operator is told of a [`Compared::Unreadable`].
pub(crate) const UNREADABLE: &str = "a stored password hash cannot be read";

/// How much work a hash is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strength {
    /// 19 MiB and two passes.
    Full,
    /// As little as there is, for tests that hash by the hundred.
    Test,
}

/// What comparing a password with a stored hash showed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compared {
    /// It is the password.
    Right,
    /// It is another one, or there is none.
    Wrong,
    /// The stored hash cannot be read: the row is corrupt. Whoever asked decides what to answer, but
    /// must log it, since no password can pass until it is reset.
    Unreadable,
}

/// Hashes and checks passwords.
#[derive(Clone)]
pub struct Hasher {
    argon2: Argon2<'static>,
    entropy: Arc<dyn Entropy>,
    turns: Turns,
    /// A sign-in by name takes many turns: all of those together have half of what there is.
    long_turns: Turns,
    /// What a password is compared with where there is no account, so that it takes as long.
    nobody: Arc<str>,
    done: Arc<AtomicU64>,
}

impl Hasher {
    /// A hasher that works on so many passwords at once.
    #[must_use]
    pub fn new(entropy: Arc<dyn Entropy>, at_once: usize, strength: Strength) -> Self {
        let params = match strength {
            Strength::Full => Params::DEFAULT,
            Strength::Test => Params::new(8, 1, 1, None).unwrap_or(Params::DEFAULT),
        };
        let argon2 = Argon2::new(Algorithm::Argon2id, Version::V0x13, params);
        let nobody = nobody(argon2.params(), &*entropy);
        let (turns, long_turns) = (Turns::new(at_once), Turns::new(at_once / 2));
        Self { argon2, entropy, turns, long_turns, nobody: nobody.into(), done: Arc::default() }
    }

    /// How many hashes were computed so far: the cost of everything that was asked.
    #[must_use]
    pub fn done(&self) -> u64 {
        self.done.load(Ordering::Relaxed)
    }

    /// The hash to be kept.
    pub async fn hash(&self, password: Password, from: Option<IpAddr>) -> Result<String> {
        let (argon2, salt) = (self.argon2.clone(), self.entropy.bytes::<16>());
        let work = move || hash(&argon2, password.expose().as_bytes(), &salt);
        self.run(from.map(Subject::address), work).await?
    }

    /// Whether this is the password. Takes as long where there is none to compare with.
    pub async fn verify(
        &self,
        password: Option<Password>,
        kept: Option<String>,
        from: Option<IpAddr>,
    ) -> Result<Compared> {
        self.compare(&Arc::new(password), kept, from.map(Subject::address)).await
    }

    /// Compares the password with each of these, in their order. Compares always as often, whether
    /// there are none or [`MOST_NAMESAKES`], so that the time does not tell how many there are.
    pub async fn verify_among(
        &self,
        password: Option<Password>,
        kept: Vec<Option<String>>,
        from: Option<IpAddr>,
    ) -> Result<Vec<Compared>> {
        let (password, lane) = (Arc::new(password), from.map(Subject::address));
        let mut kept = kept.into_iter().take(MOST_NAMESAKES);
        let mut compared = Vec::with_capacity(MOST_NAMESAKES);
        for _ in 0..MOST_NAMESAKES {
            let _turn = self.long_turns.take(lane).await?;
            compared.push(self.compare(&password, kept.next().flatten(), lane).await?);
        }
        Ok(compared)
    }

    async fn compare(
        &self,
        password: &Arc<Option<Password>>,
        kept: Option<String>,
        lane: Lane,
    ) -> Result<Compared> {
        let (argon2, password) = (self.argon2.clone(), Arc::clone(password));
        let nobody = Arc::clone(&self.nobody);
        let work = move || {
            let text = (*password).as_ref().map_or("", Password::expose).as_bytes();
            match kept.as_deref().map(|kept| matches(&argon2, text, kept)) {
                Some(Some(true)) if password.is_some() => Compared::Right,
                Some(Some(_)) => Compared::Wrong,
                nothing => {
                    // There is nothing to compare with: it takes as long all the same.
                    let _ = matches(&argon2, text, &nobody);
                    if nothing.is_some() { Compared::Unreadable } else { Compared::Wrong }
                }
            }
        };
        self.run(lane, work).await
    }

    async fn run<T: Send + 'static>(
        &self,
        lane: Lane,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T> {
        let turn = self.turns.take(lane).await?;
        self.done.fetch_add(1, Ordering::Relaxed);
        tokio::task::spawn_blocking(move || {
            let done = work();
            drop(turn);
            done
        })
        .await
        .map_err(|error| Error::internal(error.to_string()))
    }
}

/// What no password's hash is: its salt, twice, in place of one. Comparing with it takes as long as
/// with any other, and making it takes no time at the start.
fn nobody(params: &Params, entropy: &dyn Entropy) -> String {
    let salt = entropy.bytes::<16>();
    let output = Output::new(&salt.repeat(2)).map(|it| it.to_string()).unwrap_or_default();
    let salt = Salt::new(&salt).map(|it| it.to_string()).unwrap_or_default();
    format!("${ARGON2ID_IDENT}$v={}${params}${salt}${output}", u32::from(Version::V0x13))
}

/// Whether this is the password; nothing where the hash cannot be read.
fn matches(argon2: &Argon2<'_>, password: &[u8], kept: &str) -> Option<bool> {
    // One that was cut off may still be parsed, without what would be compared.
    let kept = PasswordHash::new(kept).ok().filter(|it| it.salt.is_some() && it.hash.is_some())?;
    match argon2.verify_password(password, &kept) {
        Ok(()) => Some(true),
        Err(password_hash::Error::PasswordInvalid) => Some(false),
        Err(_) => None,
    }
}

fn hash(argon2: &Argon2<'_>, password: &[u8], salt: &[u8; 16]) -> Result<String> {
    let hashed = argon2.hash_password_with_salt(password, salt);
    hashed.map(|it| it.to_string()).map_err(|error| Error::internal(error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::Compared::{Right, Unreadable, Wrong};
    use super::*;

    struct Zeros;

    impl Entropy for Zeros {
        fn fill(&self, buffer: &mut [u8]) {
            buffer.fill(0);
        }
    }

    #[tokio::test]
    async fn only_the_password_itself_passes() {
        let hasher = Hasher::new(Arc::new(Zeros), 1, Strength::Test);
        let password = |text| Password::present(text);
        let kept = hasher.hash(password("Correct-horse-7").unwrap(), None).await.unwrap();
        assert!(kept.starts_with("$argon2id$v=19$m=8,t=1,p=1$"), "{kept}");
        let verify =
            |text, kept: Option<&String>| hasher.verify(password(text), kept.cloned(), None);
        assert_eq!(verify("Correct-horse-7", Some(&kept)).await, Ok(Right));
        assert_eq!(verify("correct-horse-7", Some(&kept)).await, Ok(Wrong));
        assert_eq!(verify("nobody's password", None).await, Ok(Wrong), "there is no nobody");
        assert_eq!(hasher.verify(None, Some(kept), None).await, Ok(Wrong));
    }

    #[test]
    fn comparing_with_nobody_is_the_same_work() {
        for strength in [Strength::Full, Strength::Test] {
            let hasher = Hasher::new(Arc::new(Zeros), 1, strength);
            let nobody = PasswordHash::new(&hasher.nobody).unwrap();
            let costs = |it: &Params| (it.m_cost(), it.t_cost(), it.p_cost());
            let own = costs(hasher.argon2.params());
            assert_eq!(costs(&Params::try_from(&nobody).unwrap()), own);
            assert_eq!(matches(&hasher.argon2, b"", &hasher.nobody), Some(false));
        }
    }

    #[tokio::test]
    async fn a_hash_that_cannot_be_read_is_no_wrong_password() {
        let hasher = Hasher::new(Arc::new(Zeros), 1, Strength::Test);
        let kept = hasher.hash(Password::present("Correct-horse-7").unwrap(), None).await.unwrap();
        let cut_off = &kept[..kept.rfind('$').unwrap()];
        for corrupt in ["", "x", cut_off, &kept.replace("argon2id", "md5")] {
            for text in ["Correct-horse-7", "another", "nobody's password"] {
                let compared =
                    hasher.verify(Password::present(text), Some(corrupt.to_owned()), None);
                assert_eq!(compared.await, Ok(Unreadable), "{corrupt:?}");
            }
        }
    }

    #[tokio::test]
    async fn of_many_accounts_those_are_found_that_have_the_password() {
        let hasher = Hasher::new(Arc::new(Zeros), 1, Strength::Test);
        let mut kept = vec![];
        for text in ["One-password-1", "Another-password-2", "One-password-1"] {
            kept.push(hasher.hash(Password::present(text).unwrap(), None).await.ok());
        }
        kept.push(None);
        let fitting = async |text, kept: Vec<Option<String>>| {
            let compared = hasher.verify_among(Password::present(text), kept, None).await.unwrap();
            assert_eq!(compared.len(), MOST_NAMESAKES);
            let right = compared.iter().enumerate().filter(|it| *it.1 == Right);
            right.map(|it| it.0).collect::<Vec<_>>()
        };
        assert_eq!(fitting("Another-password-2", kept.clone()).await, [1]);
        assert_eq!(fitting("One-password-1", kept.clone()).await, [0, 2]);
        assert_eq!(fitting("nobody's password", kept.clone()).await, [0_usize; 0]);
        let beyond = [vec![None; MOST_NAMESAKES], kept].concat();
        let late = fitting("One-password-1", beyond).await;
        assert_eq!(late, [0_usize; 0], "no more are looked at than the rule says");
    }
}
