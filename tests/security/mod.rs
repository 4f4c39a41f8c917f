//! Attacks and their failure, each with a control that shows that the test could detect a success.

mod anonymous;
mod assignment;
mod binding;
mod codes;
mod enumeration;
mod flood;
mod forgery;
mod guessing;
mod mail_bound;
mod matrix;
mod refusals;
mod secrets;
mod theft;
mod timing;

use grantor_domain::Entropy;
use grantor_testkit::app::TestApp;
use grantor_testkit::entropy::SeededEntropy;
use serde_json::{Value, json};

use crate::external::post;

const PASSWORD: &str = "Analytical-Engine-1843";

/// Deterministic choices, so that a failed run fails again.
struct Dice(SeededEntropy);

impl Dice {
    fn new(seed: u64) -> Self {
        Self(SeededEntropy::new(seed))
    }

    /// A number less than this one.
    fn below(&mut self, limit: usize) -> usize {
        let mut drawn = [0; 8];
        self.0.fill(&mut drawn);
        let drawn = u64::from_le_bytes(drawn);
        usize::try_from(drawn % limit as u64).unwrap()
    }

    fn pick<'a, T>(&mut self, among: &'a [T]) -> &'a T {
        &among[self.below(among.len())]
    }
}

/// Prints a figure, which is part of the result.
#[expect(clippy::print_stderr, reason = "figures are part of the result")]
fn print_figure(figures: &str) {
    eprintln!("{figures}");
}

/// Registers a user with a password and verifies the address.
async fn register(app: &TestApp, email: &str) {
    let body = json!({ "fullname": "Ada Lovelace", "email": email, "password": PASSWORD });
    let begun = post(app, "/v1.0.1/auth/m/register", &body).await;
    let code = app.mailed_code(email).await;
    let body = json!({ "otpSession": begun.json()["data"]["otpSession"], "otp": code });
    let proved = post(app, "/v1.0.1/auth/validate/registration", &body).await;
    assert_eq!(proved.status, 201, "{}", proved.json());
}

/// Signs that user in and returns the response.
async fn sign_in(app: &TestApp, email: &str, password: &str) -> Value {
    let body = json!({ "username": email, "password": password });
    let answer = post(app, "/v1.0.1/auth/login", &body).await;
    assert_eq!(answer.status, 201, "{}", answer.json());
    answer.json()["data"].clone()
}
