//! Password hashing with Argon2id on blocking threads. Concurrency is limited and fair between
//! addresses: a flood of sign-ins from one address slows down only that address.

mod semaphore;

use std::net::IpAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use argon2::password_hash::phc::{Output, PasswordHash, Salt};
use argon2::password_hash::{self, PasswordHasher as _, PasswordVerifier as _};
use argon2::{ARGON2ID_IDENT, Algorithm, Argon2, Params, Version};
use grantor_domain::password::Password;
use grantor_domain::{Entropy, Error, Result};

use self::semaphore::{FairSemaphore, QueueKey};
use crate::operations::limit::Subject;

/// The maximum number of accounts with the same name that one password is compared with.
pub const MAX_NAMESAKES: usize = 20;

/// The log message for [`PasswordMatch::CorruptHash`].
pub(crate) const CORRUPT_HASH: &str = "a stored password hash is corrupt";

/// The cost of a hash.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strength {
    /// 19 MiB and two passes.
    Full,
    /// The minimum, for tests.
    Test,
}

/// The result of comparing a password with a stored hash.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PasswordMatch {
    /// The password is correct.
    Correct,
    /// The password is wrong, or there is none to compare with.
    Wrong,
    /// The stored hash is corrupt. The caller must log this: nobody can sign in with a password
    /// until it is reset.
    CorruptHash,
}

/// Hashes and checks passwords.
#[derive(Clone)]
pub struct Hasher {
    argon2: Argon2<'static>,
    entropy: Arc<dyn Entropy>,
    semaphore: FairSemaphore,
    /// A sign-in by name computes many hashes. All of those together get half of the permits.
    name_semaphore: FairSemaphore,
    /// The hash that a password is compared with if there is no account, to take the same time.
    dummy_hash: Arc<str>,
    hash_count: Arc<AtomicU64>,
}

impl Hasher {
    /// Creates a hasher that computes at most `at_once` hashes at the same time.
    #[must_use]
    pub fn new(entropy: Arc<dyn Entropy>, at_once: usize, strength: Strength) -> Self {
        let params = match strength {
            Strength::Full => Params::DEFAULT,
            Strength::Test => Params::new(8, 1, 1, None).unwrap_or(Params::DEFAULT),
        };
        let argon2 = Argon2::new(Algorithm::Argon2id, Version::V0x13, params);
        let dummy_hash = dummy_hash(argon2.params(), &*entropy).into();
        let (semaphore, name_semaphore) =
            (FairSemaphore::new(at_once), FairSemaphore::new(at_once / 2));
        let hash_count = Arc::default();
        Self { argon2, entropy, semaphore, name_semaphore, dummy_hash, hash_count }
    }

    /// Returns the number of hashes computed so far.
    #[must_use]
    pub fn hash_count(&self) -> u64 {
        self.hash_count.load(Ordering::Relaxed)
    }

    /// Hashes a new password.
    pub async fn hash(&self, password: Password, from: Option<IpAddr>) -> Result<String> {
        let (argon2, salt) = (self.argon2.clone(), self.entropy.bytes::<16>());
        let work = move || hash(&argon2, password.expose().as_bytes(), &salt);
        self.run(from.map(Subject::address), work).await?
    }

    /// Compares a password with a stored hash. Takes the same time if there is no hash.
    pub async fn verify(
        &self,
        password: Option<Password>,
        stored: Option<String>,
        from: Option<IpAddr>,
    ) -> Result<PasswordMatch> {
        self.compare(&Arc::new(password), stored, from.map(Subject::address)).await
    }

    /// Compares the password with each stored hash, in order. Always does [`MAX_NAMESAKES`]
    /// comparisons, so the time doesn't reveal the number of accounts.
    pub async fn verify_among(
        &self,
        password: Option<Password>,
        stored: Vec<Option<String>>,
        from: Option<IpAddr>,
    ) -> Result<Vec<PasswordMatch>> {
        let (password, key) = (Arc::new(password), from.map(Subject::address));
        let mut stored = stored.into_iter().take(MAX_NAMESAKES);
        let mut compared = Vec::with_capacity(MAX_NAMESAKES);
        for _ in 0..MAX_NAMESAKES {
            let _permit = self.name_semaphore.acquire(key).await?;
            compared.push(self.compare(&password, stored.next().flatten(), key).await?);
        }
        Ok(compared)
    }

    async fn compare(
        &self,
        password: &Arc<Option<Password>>,
        stored: Option<String>,
        key: QueueKey,
    ) -> Result<PasswordMatch> {
        let (argon2, password) = (self.argon2.clone(), Arc::clone(password));
        let dummy_hash = Arc::clone(&self.dummy_hash);
        let work = move || {
            let text = (*password).as_ref().map_or("", Password::expose).as_bytes();
            match stored.as_deref().map(|stored| matches(&argon2, text, stored)) {
                Some(Some(true)) if password.is_some() => PasswordMatch::Correct,
                Some(Some(_)) => PasswordMatch::Wrong,
                other => {
                    // There is no usable hash. Compare with the dummy to take the same time.
                    let _ = matches(&argon2, text, &dummy_hash);
                    if other.is_some() { PasswordMatch::CorruptHash } else { PasswordMatch::Wrong }
                }
            }
        };
        self.run(key, work).await
    }

    async fn run<T: Send + 'static>(
        &self,
        key: QueueKey,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T> {
        let permit = self.semaphore.acquire(key).await?;
        self.hash_count.fetch_add(1, Ordering::Relaxed);
        tokio::task::spawn_blocking(move || {
            let done = work();
            drop(permit);
            done
        })
        .await
        .map_err(|error| Error::internal(error.to_string()))
    }
}

/// Returns a well-formed hash that no password has: its output is the salt repeated. Comparing with
/// it takes as long as with a real one, and creating it costs nothing at startup.
fn dummy_hash(params: &Params, entropy: &dyn Entropy) -> String {
    let salt = entropy.bytes::<16>();
    let output = Output::new(&salt.repeat(2)).map(|it| it.to_string()).unwrap_or_default();
    let salt = Salt::new(&salt).map(|it| it.to_string()).unwrap_or_default();
    format!("${ARGON2ID_IDENT}$v={}${params}${salt}${output}", u32::from(Version::V0x13))
}

/// Whether the password is correct; `None` if the hash is corrupt.
fn matches(argon2: &Argon2<'_>, password: &[u8], stored: &str) -> Option<bool> {
    // A truncated hash may still parse, but without the output to compare with.
    let stored =
        PasswordHash::new(stored).ok().filter(|it| it.salt.is_some() && it.hash.is_some())?;
    match argon2.verify_password(password, &stored) {
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
    use super::PasswordMatch::{Correct, CorruptHash, Wrong};
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
        let stored = hasher.hash(password("Correct-horse-7").unwrap(), None).await.unwrap();
        assert!(stored.starts_with("$argon2id$v=19$m=8,t=1,p=1$"), "{stored}");
        let verify =
            |text, stored: Option<&String>| hasher.verify(password(text), stored.cloned(), None);
        assert_eq!(verify("Correct-horse-7", Some(&stored)).await, Ok(Correct));
        assert_eq!(verify("correct-horse-7", Some(&stored)).await, Ok(Wrong));
        assert_eq!(verify("nobody's password", None).await, Ok(Wrong), "there is no account");
        assert_eq!(hasher.verify(None, Some(stored), None).await, Ok(Wrong));
    }

    #[test]
    fn comparing_with_nobody_is_the_same_work() {
        for strength in [Strength::Full, Strength::Test] {
            let hasher = Hasher::new(Arc::new(Zeros), 1, strength);
            let dummy = PasswordHash::new(&hasher.dummy_hash).unwrap();
            let costs = |it: &Params| (it.m_cost(), it.t_cost(), it.p_cost());
            let own = costs(hasher.argon2.params());
            assert_eq!(costs(&Params::try_from(&dummy).unwrap()), own);
            assert_eq!(matches(&hasher.argon2, b"", &hasher.dummy_hash), Some(false));
        }
    }

    #[tokio::test]
    async fn a_hash_that_cannot_be_read_is_no_wrong_password() {
        let hasher = Hasher::new(Arc::new(Zeros), 1, Strength::Test);
        let stored =
            hasher.hash(Password::present("Correct-horse-7").unwrap(), None).await.unwrap();
        let cut_off = &stored[..stored.rfind('$').unwrap()];
        for corrupt in ["", "x", cut_off, &stored.replace("argon2id", "md5")] {
            for text in ["Correct-horse-7", "another", "nobody's password"] {
                let compared =
                    hasher.verify(Password::present(text), Some(corrupt.to_owned()), None);
                assert_eq!(compared.await, Ok(CorruptHash), "{corrupt:?}");
            }
        }
    }

    #[tokio::test]
    async fn of_many_accounts_those_are_found_that_have_the_password() {
        let hasher = Hasher::new(Arc::new(Zeros), 1, Strength::Test);
        let mut stored = vec![];
        for text in ["One-password-1", "Another-password-2", "One-password-1"] {
            stored.push(hasher.hash(Password::present(text).unwrap(), None).await.ok());
        }
        stored.push(None);
        let matching = async |text, stored: Vec<Option<String>>| {
            let compared =
                hasher.verify_among(Password::present(text), stored, None).await.unwrap();
            assert_eq!(compared.len(), MAX_NAMESAKES);
            let right = compared.iter().enumerate().filter(|it| *it.1 == Correct);
            right.map(|it| it.0).collect::<Vec<_>>()
        };
        assert_eq!(matching("Another-password-2", stored.clone()).await, [1]);
        assert_eq!(matching("One-password-1", stored.clone()).await, [0, 2]);
        assert_eq!(matching("nobody's password", stored.clone()).await, [0_usize; 0]);
        let beyond = [vec![None; MAX_NAMESAKES], stored].concat();
        let late = matching("One-password-1", beyond).await;
        assert_eq!(late, [0_usize; 0], "no more than the maximum are compared");
    }
}
