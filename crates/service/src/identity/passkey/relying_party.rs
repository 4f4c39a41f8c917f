//! What passkeys are bound to: the host and origin of the public URL.

use grantor_domain::passkey::CEREMONY_LIFE;
use grantor_domain::{Error, Result};
use url::{Host, Url};
use webauthn_rs::prelude::{Webauthn, WebauthnBuilder};

use crate::App;

const NAME: &str = "Grantor";

/// Whether passkeys can be used with the public URL. Browsers allow them for host names only, over
/// HTTPS or on localhost.
#[must_use]
pub fn is_available(app: &App) -> bool {
    host(&app.public_url).is_some()
}

/// Returns the verifier of ceremonies at the public URL.
pub(super) fn of(app: &App) -> Result<Webauthn> {
    let unavailable = || Error::conflict("Passkeys need a public URL with a host name and HTTPS");
    let (url, host) = host(&app.public_url).ok_or_else(unavailable)?;
    let builder = WebauthnBuilder::new(&host, &url);
    let built = builder.and_then(|it| it.rp_name(NAME).timeout(CEREMONY_LIFE).build());
    built.map_err(|error| Error::internal(format!("passkeys cannot be used: {error}")))
}

fn host(public_url: &str) -> Option<(Url, String)> {
    let url = Url::parse(public_url).ok()?;
    let Host::Domain(name) = url.host()? else { return None };
    let name = name.to_owned();
    let allowed = url.scheme() == "https" || name == "localhost" || name.ends_with(".localhost");
    allowed.then_some((url, name))
}

#[cfg(test)]
mod tests {
    use super::host;

    #[test]
    fn passkeys_belong_to_a_host_name() {
        for (url, name) in [
            ("https://grantor.example", Some("grantor.example")),
            ("https://grantor.example:8443", Some("grantor.example")),
            ("http://localhost:8080", Some("localhost")),
            ("http://127.0.0.1:8080", None),
            ("https://[::1]:8080", None),
            ("http://grantor.example", None),
        ] {
            assert_eq!(host(url).map(|it| it.1).as_deref(), name, "{url}");
        }
    }
}
