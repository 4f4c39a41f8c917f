//! Password hashing: Argon2id on threads of its own, a few at a time and in turns by address, so
//! that many sign-ins of one address slow each other down and nothing else.

mod turn;

use std::net::IpAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use argon2::password_hash::phc::PasswordHash;
use argon2::password_hash::{PasswordHasher as _, PasswordVerifier as _};
use argon2::{Algorithm, Argon2, Params, Version};
use grantor_domain::password::Password;
use grantor_domain::{Entropy, Error, Result};

use self::turn::{Lane, Turns};
use crate::limit::Subject;

/// How many accounts one password is compared with at most: people who share a name.
pub const MOST_NAMESAKES: usize = 20;

/// How much work a hash is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strength {
    /// 19 MiB and two passes.
    Full,
    /// As little as there is, for tests that hash by the hundred.
    Test,
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
        let nobody = hash(&argon2, b"nobody's password", &entropy.bytes()).unwrap_or_default();
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
    ) -> Result<bool> {
        self.compare(&Arc::new(password), kept, from.map(Subject::address)).await
    }

    /// Which of these the password belongs to, by their places. Compares always as often, whether
    /// there are none or [`MOST_NAMESAKES`], so that the time does not tell how many there are.
    pub async fn verify_among(
        &self,
        password: Option<Password>,
        kept: Vec<Option<String>>,
        from: Option<IpAddr>,
    ) -> Result<Vec<usize>> {
        let (password, lane) = (Arc::new(password), from.map(Subject::address));
        let mut kept = kept.into_iter().take(MOST_NAMESAKES);
        let mut fitting = vec![];
        for place in 0..MOST_NAMESAKES {
            let _turn = self.long_turns.take(lane).await?;
            if self.compare(&password, kept.next().flatten(), lane).await? {
                fitting.push(place);
            }
        }
        Ok(fitting)
    }

    async fn compare(
        &self,
        password: &Arc<Option<Password>>,
        kept: Option<String>,
        lane: Lane,
    ) -> Result<bool> {
        let (argon2, password) = (self.argon2.clone(), Arc::clone(password));
        let possible = password.is_some() && kept.is_some();
        let kept = kept.unwrap_or_else(|| self.nobody.to_string());
        let work = move || {
            let text = (*password).as_ref().map_or("", Password::expose);
            let matches = PasswordHash::new(&kept)
                .is_ok_and(|kept| argon2.verify_password(text.as_bytes(), &kept).is_ok());
            matches && possible
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

fn hash(argon2: &Argon2<'_>, password: &[u8], salt: &[u8; 16]) -> Result<String> {
    let hashed = argon2.hash_password_with_salt(password, salt);
    hashed.map(|it| it.to_string()).map_err(|error| Error::internal(error.to_string()))
}

#[cfg(test)]
mod tests {
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
        assert_eq!(verify("Correct-horse-7", Some(&kept)).await, Ok(true));
        assert_eq!(verify("correct-horse-7", Some(&kept)).await, Ok(false));
        assert_eq!(verify("nobody's password", None).await, Ok(false), "there is no nobody");
        assert_eq!(hasher.verify(None, Some(kept), None).await, Ok(false));
    }

    #[tokio::test]
    async fn of_many_accounts_those_are_found_that_have_the_password() {
        let hasher = Hasher::new(Arc::new(Zeros), 1, Strength::Test);
        let mut kept = vec![];
        for text in ["One-password-1", "Another-password-2", "One-password-1"] {
            kept.push(hasher.hash(Password::present(text).unwrap(), None).await.ok());
        }
        kept.push(None);
        let fitting = |text| hasher.verify_among(Password::present(text), kept.clone(), None);
        assert_eq!(fitting("Another-password-2").await, Ok(vec![1]));
        assert_eq!(fitting("One-password-1").await, Ok(vec![0, 2]));
        assert_eq!(fitting("nobody's password").await, Ok(vec![]));
        let beyond = [vec![None; MOST_NAMESAKES], kept.clone()].concat();
        let late = hasher.verify_among(Password::present("One-password-1"), beyond, None).await;
        assert_eq!(late, Ok(vec![]), "no more are looked at than the rule says");
    }
}
