//! Password hashing: Argon2id on threads of its own, a few at a time, so that many sign-ins slow
//! each other down and nothing else.

use std::sync::Arc;

use argon2::password_hash::phc::PasswordHash;
use argon2::password_hash::{PasswordHasher as _, PasswordVerifier as _};
use argon2::{Algorithm, Argon2, Params, Version};
use grantor_domain::password::Password;
use grantor_domain::{Entropy, Error, Result};
use tokio::sync::Semaphore;

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
    slots: Arc<Semaphore>,
    /// What a password is compared with where there is no account, so that it takes as long.
    nobody: Arc<str>,
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
        Self { argon2, entropy, slots: Arc::new(Semaphore::new(at_once)), nobody: nobody.into() }
    }

    /// The hash to be kept.
    pub async fn hash(&self, password: Password) -> Result<String> {
        let (argon2, salt) = (self.argon2.clone(), self.entropy.bytes::<16>());
        self.run(move || hash(&argon2, password.expose().as_bytes(), &salt)).await?
    }

    /// Whether this is the password. Takes as long where there is none to compare with.
    pub async fn verify(&self, password: Option<Password>, kept: Option<String>) -> Result<bool> {
        let argon2 = self.argon2.clone();
        let possible = password.is_some() && kept.is_some();
        let kept = kept.unwrap_or_else(|| self.nobody.to_string());
        self.run(move || {
            let text = password.as_ref().map_or("", Password::expose);
            let matches = PasswordHash::new(&kept)
                .is_ok_and(|kept| argon2.verify_password(text.as_bytes(), &kept).is_ok());
            matches && possible
        })
        .await
    }

    async fn run<T: Send + 'static>(&self, work: impl FnOnce() -> T + Send + 'static) -> Result<T> {
        let slot = Arc::clone(&self.slots).acquire_owned().await;
        let slot = slot.map_err(|error| Error::internal(error.to_string()))?;
        tokio::task::spawn_blocking(move || {
            let done = work();
            drop(slot);
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
        let kept = hasher.hash(password("Correct-horse-7").unwrap()).await.unwrap();
        assert!(kept.starts_with("$argon2id$v=19$m=8,t=1,p=1$"), "{kept}");
        let verify = |text, kept: Option<&String>| hasher.verify(password(text), kept.cloned());
        assert_eq!(verify("Correct-horse-7", Some(&kept)).await, Ok(true));
        assert_eq!(verify("correct-horse-7", Some(&kept)).await, Ok(false));
        assert_eq!(verify("nobody's password", None).await, Ok(false), "there is no nobody");
        assert_eq!(hasher.verify(None, Some(kept)).await, Ok(false));
    }
}
