//! Bills: what a tenant was asked to pay, and what became of it.

use crate::Timestamp;
use crate::id::{BillId, CardId, SubscriptionId, TenantId};
use crate::license::Amount;
use crate::named::named;
use crate::organization::Plan;

named!(BillStatus, BillKind);

/// What became of a bill.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BillStatus {
    /// It is to be paid.
    Open,
    /// It was.
    Paid,
    /// It was refused, and nobody asks again.
    Failed,
    /// It is not to be paid any more.
    Void,
}

impl BillStatus {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Open, Self::Paid, Self::Failed, Self::Void];

    /// Its name on the wire.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Paid => "paid",
            Self::Failed => "failed",
            Self::Void => "void",
        }
    }
}

/// What a bill is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BillKind {
    /// A plan that somebody asks for now; refused once, it is over.
    Purchase,
    /// Another month of a plan; refused, it is asked for again.
    Renewal,
}

impl BillKind {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Purchase, Self::Renewal];

    /// Its name in the store.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Purchase => "purchase",
            Self::Renewal => "renewal",
        }
    }
}

/// A bill.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bill {
    /// Its id.
    pub id: BillId,
    /// Who is to pay.
    pub tenant: TenantId,
    /// For which subscription.
    pub subscription: SubscriptionId,
    /// By which card.
    pub card: CardId,
    /// Which plan it pays for.
    pub plan: Plan,
    /// Why there is one.
    pub kind: BillKind,
    /// When the month begins that it pays for.
    pub period_start: Timestamp,
    /// How much.
    pub amount: Amount,
    /// What became of it.
    pub status: BillStatus,
    /// What the processor calls the payment, once it has heard of it.
    pub payment: Option<String>,
    /// How often the processor refused it.
    pub refusals: u32,
    /// When it was written.
    pub billing_date: Timestamp,
    /// When it was to be paid.
    pub due_date: Timestamp,
    /// When it was.
    pub paid_date: Option<Timestamp>,
}

impl Bill {
    /// What it says it is for.
    #[must_use]
    pub fn description(&self) -> String {
        format!("{} plan, one month from {}", self.plan, &self.period_start.to_string()[..10])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_the_same_on_every_way() {
        for status in BillStatus::ALL {
            assert_eq!(status.name().parse(), Ok(status));
        }
        for kind in BillKind::ALL {
            assert_eq!(kind.name().parse(), Ok(kind));
        }
    }
}
