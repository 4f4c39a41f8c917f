//! An authenticator app on somebody's phone, and people who have one.

use std::time::Duration;

use grantor_domain::second_factor::AuthenticatorSecret;
use grantor_testkit::app::TestApp;

use super::kit::{Browser, Seen};
use crate::console::PASSWORD;

/// The page on which people manage their second factors.
pub(crate) const SECURITY: &str = "/app/profile/security";
/// The page that asks for a second factor.
pub(crate) const STEP: &str = "/app/sign-in/second-factor";

/// Long enough for the next code.
pub(crate) const NEXT_CODE: Duration = Duration::from_secs(30);

/// An authenticator app.
pub(crate) struct PhoneApp(AuthenticatorSecret);

impl PhoneApp {
    /// An app into which the key on the page was typed.
    pub(crate) fn read(seen: &Seen) -> Self {
        Self::with_key(&seen.between("aria-label=\"Key\"><code>", "<").expect("a key"))
    }

    /// An app into which this key was typed.
    pub(crate) fn with_key(key: &str) -> Self {
        Self(AuthenticatorSecret::from_bytes(&base32(key)).expect("a secret"))
    }

    /// The key that was typed, without spaces.
    pub(crate) fn key(&self) -> String {
        self.0.key().replace(' ', "")
    }

    /// The code that the app shows now.
    pub(crate) fn code(&self, app: &TestApp) -> String {
        self.0.code_at(app.app.clock.now()).unwrap()
    }

    /// A code that the app does not show now.
    pub(crate) fn wrong_code(&self, app: &TestApp) -> String {
        let right: u32 = self.code(app).parse().unwrap();
        format!("{:06}", (right + 1) % 1_000_000)
    }
}

/// Sets up an app for the person who is signed in. Returns it with the recovery codes.
pub(crate) async fn set_up(browser: &mut Browser<'_>, app: &TestApp) -> (PhoneApp, Vec<String>) {
    let seen = browser.follow("/app/profile/security/set-up", &[]).await;
    let phone = PhoneApp::read(seen.says(200, &["Set up an authenticator app", "Scan this code"]));
    let (code, once) = (phone.code(app), seen.once());
    let form = [("code", &*code), ("once", &*once)];
    let seen = browser.post("/app/profile/security/app", &form).await;
    seen.says(200, &["Save your recovery codes"]);
    (phone, recovery_codes(&seen))
}

/// Sets up an app for this account.
pub(crate) async fn give_app(app: &TestApp, email: &str) -> (PhoneApp, Vec<String>) {
    let mut browser = Browser::signed_in(app, email).await;
    set_up(&mut browser, app).await
}

/// Leaves an app, another one that was not confirmed, and a sign-in that waits.
pub(crate) async fn leave_some_of_each(app: &TestApp, email: &str) {
    let mut browser = Browser::signed_in(app, email).await;
    set_up(&mut browser, app).await;
    assert_eq!(browser.post("/app/profile/security/set-up", &[]).await.status, 303);
    enter_password(app, email).await;
}

/// The recovery codes on a page.
pub(crate) fn recovery_codes(seen: &Seen) -> Vec<String> {
    let text = seen.between("aria-label=\"Recovery codes\"><code>", "</code>").expect("codes");
    text.lines().map(str::to_owned).collect()
}

/// Enters the password of an account, after which a second factor is asked for.
pub(crate) async fn enter_password<'a>(app: &'a TestApp, email: &str) -> Browser<'a> {
    let mut browser = Browser::on(app);
    let form = [("username", email), ("password", PASSWORD)];
    let seen = browser.post("/app/sign-in", &form).await;
    assert_eq!((seen.status, seen.location.as_deref()), (303, Some(STEP)), "{}", seen.text);
    browser
}

fn base32(text: &str) -> Vec<u8> {
    let digits = text.bytes().filter(|it| *it != b' ').map(|it| match it {
        b'A'..=b'Z' => u32::from(it - b'A'),
        b'2'..=b'7' => u32::from(it - b'2') + 26,
        other => panic!("{other} in a key"),
    });
    let (mut bytes, mut held, mut bits) = (Vec::new(), 0_u32, 0);
    for digit in digits {
        (held, bits) = (held << 5 | digit, bits + 5);
        if bits >= 8 {
            bits -= 8;
            bytes.push(u8::try_from(held >> bits & 255).unwrap());
        }
        held &= (1 << bits) - 1;
    }
    bytes
}
