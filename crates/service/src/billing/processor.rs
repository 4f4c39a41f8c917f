//! The interface to payment processors. A payment is opened, its id at the processor is stored, and
//! only then it is collected: whatever fails in between, it is never collected twice.

use std::pin::Pin;

use grantor_domain::card::{Card, CardFace, CardToken};
use grantor_domain::id::{BillId, TenantId};
use grantor_domain::license::Amount;

/// The future of a processor call.
pub type ProcessorFuture<'a, T> =
    Pin<Box<dyn Future<Output = Result<T, ProcessorError>> + Send + 'a>>;

/// Why a processor call failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ProcessorError {
    /// The card or token was declined, with a short code.
    Declined(String),
    /// The processor could not be reached or did not respond properly. The reason is for the
    /// operator and contains no secrets.
    Unreachable(String),
}

/// A card attached to a customer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AttachedCard {
    /// The processor's id of the card.
    pub reference: String,
    /// Brand, last four digits and expiry.
    pub face: CardFace,
}

/// A payment of an invoice.
#[derive(Clone, Debug)]
pub struct Payment {
    /// The invoice.
    pub bill: BillId,
    /// The amount.
    pub amount: Amount,
    /// What it is for.
    pub description: String,
    /// The card to charge.
    pub card: Card,
    /// The number of the attempt, which increases.
    pub attempt: u32,
}

/// A payment processor.
pub trait Processor: Send + Sync + 'static {
    /// The processor's name in the database. Cards belong to one processor.
    fn name(&self) -> &'static str;

    /// Creates a customer for a tenant. A repeated call soon after returns the same one.
    fn make_customer(&self, tenant: TenantId) -> ProcessorFuture<'_, String>;

    /// Attaches the card that a token identifies to a customer.
    fn attach<'a>(
        &'a self,
        customer: &'a str,
        token: &'a CardToken,
    ) -> ProcessorFuture<'a, AttachedCard>;

    /// Detaches a card from its customer.
    fn detach<'a>(&'a self, card: &'a Card) -> ProcessorFuture<'a, ()>;

    /// Opens a payment and returns its id. Nothing is charged yet.
    fn open<'a>(&'a self, payment: &'a Payment) -> ProcessorFuture<'a, String>;

    /// Collects an opened payment. A payment id is collected at most once.
    fn collect<'a>(&'a self, name: &'a str, payment: &'a Payment) -> ProcessorFuture<'a, ()>;
}
