//! Looking for a proof reaches nobody whom the operator does not allow.

use grantor_testkit::listener::Script;
use grantor_testkit::{Engine, Fixture, db_test};
use http::Method;
use serde_json::Value;

use super::platform::{managed, text};
use super::verification::{Estate, FILE};

/// Where nothing but the internet may be reached.
struct Walled(Estate);

impl Fixture for Walled {
    async fn on(engine: Engine) -> Self {
        Self(Estate::allowing(engine, "").await)
    }
}

/// Every way to write this machine, and names that lead to it.
const INWARD: [&str; 8] = [
    "127.0.0.1",
    "0.0.0.0",
    "[::1]",
    "[::ffff:127.0.0.1]",
    "localhost",
    "LOCALHOST.",
    "printer",
    "wire.example",
];

#[db_test]
async fn nobody_on_this_machine_is_reached(estate: Walled) {
    let Walled(estate) = estate;
    for host in INWARD {
        let platform = estate.platform(host).await;
        for method in ["metaTag", "file"] {
            let reason = text(&estate.missing(&platform, method).await);
            assert!(reason.contains("could not be read: the URL must "), "{host}: {reason}");
        }
        assert_eq!(estate.status(&platform).await, "pending_verification");
        estate.grounds.home.send(Method::DELETE, &managed(&platform), None).await;
    }
    assert_eq!(estate.site.connections(), 0);
}

/// The control: where the operator allows this machine, the same domains are reached and proved.
#[db_test]
async fn an_allowed_network_is_reached_by_the_same_domains(estate: Estate) {
    for host in INWARD.into_iter().filter(|it| !it.contains(':')) {
        let before = estate.site.connections();
        let platform = estate.platform(host).await;
        estate.put_file(&platform);
        assert_eq!(estate.missing(&platform, "file").await, Value::Null, "{host}");
        assert_eq!(estate.site.connections(), before + 1, "{host}");
        estate.grounds.home.send(Method::DELETE, &managed(&platform), None).await;
    }
}

#[db_test]
async fn a_redirect_inward_is_not_followed(estate: Estate) {
    let platform = estate.platform("wire.example").await;
    for target in
        ["http://169.254.169.254/", "http://10.0.0.1/", "file:///etc/passwd", "//localhost/"]
    {
        estate.put(FILE, Script::redirect(302, target));
        let reason = text(&estate.missing(&platform, "file").await);
        assert!(reason.contains("could not be read: the URL must "), "{target}: {reason}");
    }
}
