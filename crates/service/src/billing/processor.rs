//! Who takes the money. A payment is opened, kept under the processor's own name for it, and only then
//! collected: whatever dies in between, it is never collected twice.

use std::pin::Pin;

use grantor_domain::card::{Card, CardFace, CardToken};
use grantor_domain::id::{BillId, TenantId};
use grantor_domain::license::Amount;

/// A call of a processor under way.
pub type Calling<'a, T> = Pin<Box<dyn Future<Output = Result<T, Trouble>> + Send + 'a>>;

/// Why a processor did not do what it was asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Trouble {
    /// The card, or the token that stands for it, is refused. The reason is a short code.
    Refused(String),
    /// It was not asked, or its answer did not come; the reason is for the operator, without secrets.
    Unreachable(String),
}

/// A card as a processor attached it to a customer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attached {
    /// What the processor calls it.
    pub reference: String,
    /// What people recognize it by.
    pub face: CardFace,
}

/// What is to be paid.
#[derive(Clone, Debug)]
pub struct Payment {
    /// The bill.
    pub bill: BillId,
    /// How much.
    pub amount: Amount,
    /// What for.
    pub description: String,
    /// The card that pays.
    pub card: Card,
    /// Which attempt this is; a later one has a higher number.
    pub attempt: u32,
}

/// A payment processor.
pub trait Processor: Send + Sync + 'static {
    /// Its name in the store: a card of one means nothing to another.
    fn name(&self) -> &'static str;

    /// Makes a customer of a tenant; the same one when it is asked again soon.
    fn make_customer(&self, tenant: TenantId) -> Calling<'_, String>;

    /// Attaches the card that a token stands for to a customer.
    fn attach<'a>(&'a self, customer: &'a str, token: &'a CardToken) -> Calling<'a, Attached>;

    /// Forgets a card.
    fn detach<'a>(&'a self, card: &'a Card) -> Calling<'a, ()>;

    /// Opens a payment and gives its name; nothing is charged yet.
    fn open<'a>(&'a self, payment: &'a Payment) -> Calling<'a, String>;

    /// Collects an opened payment. One that was collected before is not collected again: that is
    /// what its name is for.
    fn collect<'a>(&'a self, name: &'a str, payment: &'a Payment) -> Calling<'a, ()>;
}
