//! The purposes of outbound requests and their terms.

/// What a request is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Purpose {
    /// Delivering an event to a tenant's receiver.
    Webhook,
    /// Reading the page that proves a platform's domain.
    VerificationPage,
    /// Reading a feed, a sitemap or robots.txt.
    Feed,
    /// Reading an image.
    Image,
    /// Calling the payment processor.
    Payment,
    /// Subscribing to a WebSub hub.
    Hub,
    /// Posting a message to a tenant's chat.
    Chat,
    /// Calling a tenant's identity provider.
    Identity,
    /// Calling the official API of a hosted service with the operator's key.
    HostedApi,
    /// Sending traces and metrics to the operator's collector.
    Telemetry,
}

/// What happens to a body that is longer than its limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Overflow {
    /// The body is truncated, also if it ends early or takes too long: only the head matters.
    Truncate,
    /// The request fails: half a document is useless.
    Refuse,
}

/// The limits of a request (contract sections 6 and 7).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Terms {
    /// Maximum bytes of the response body.
    pub body: usize,
    /// What happens to a longer body.
    pub overflow: Overflow,
    /// Maximum redirects, on the same host only.
    pub redirects: u8,
}

const KIB: usize = 1024;
const MIB: usize = 1024 * KIB;

impl Purpose {
    /// Every purpose.
    pub const ALL: [Self; 10] = [
        Self::Webhook,
        Self::VerificationPage,
        Self::Feed,
        Self::Image,
        Self::Payment,
        Self::Hub,
        Self::Chat,
        Self::Identity,
        Self::HostedApi,
        Self::Telemetry,
    ];

    /// The terms of this purpose.
    #[must_use]
    pub const fn terms(self) -> Terms {
        let (body, overflow, redirects) = match self {
            Self::Webhook | Self::Hub | Self::Chat | Self::Telemetry => {
                (64 * KIB, Overflow::Truncate, 0)
            }
            Self::Payment | Self::Identity => (MIB, Overflow::Refuse, 0),
            Self::VerificationPage => (MIB, Overflow::Refuse, 3),
            Self::Feed | Self::Image => (10 * MIB, Overflow::Refuse, 3),
            // Nothing that has a key follows a redirect.
            Self::HostedApi => (10 * MIB, Overflow::Refuse, 0),
        };
        Terms { body, overflow, redirects }
    }
}
