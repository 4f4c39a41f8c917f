//! Addresses that begin with `http://`. What is read for somebody must be encrypted, unless the operator
//! allowed the network.

use grantor_domain::network::Refusal;
use grantor_outbound::{OutboundError, Purpose};

use crate::App;

/// Whether an address is refused because it begins with `http://`. It is also if the operator allows
/// networks, unless its name resolves to them.
pub(super) async fn is_refused(app: &App, purpose: Purpose, url: &str) -> bool {
    let refused = Err(OutboundError::Refused(Refusal::PlainHttp));
    url.starts_with("http://") && app.outbound.vet_for(purpose, url).await == refused
}
