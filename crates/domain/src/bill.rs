//! Bills: amounts charged to a tenant, and their status. The APIs and pages call them invoices.

use strum::{VariantArray, VariantNames};

use crate::Timestamp;
use crate::enum_names::enum_names;
use crate::id::{BillId, CardId, SubscriptionId, TenantId};
use crate::license::Amount;
use crate::organization::Plan;

enum_names!(BillStatus, BillKind);

/// The status of a bill.
#[derive(Clone, Copy, Debug, PartialEq, Eq, VariantArray, VariantNames)]
#[strum(serialize_all = "lowercase")]
pub enum BillStatus {
    /// Waiting for payment.
    Open,
    /// Paid.
    Paid,
    /// Declined for good.
    Failed,
    /// No longer payable.
    Void,
}

/// What a bill is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, VariantArray, VariantNames)]
#[strum(serialize_all = "lowercase")]
pub enum BillKind {
    /// A plan purchase. A declined payment is not retried.
    Purchase,
    /// Another month of a plan. A declined payment is retried.
    Renewal,
}

/// A bill.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bill {
    /// The unique ID.
    pub id: BillId,
    /// The tenant that pays.
    pub tenant: TenantId,
    /// The subscription it belongs to.
    pub subscription: SubscriptionId,
    /// The card it is charged to.
    pub card: CardId,
    /// The plan it pays for.
    pub plan: Plan,
    /// What it is for.
    pub kind: BillKind,
    /// The start of the month it pays for.
    pub period_start: Timestamp,
    /// The amount.
    pub amount: Amount,
    /// The status.
    pub status: BillStatus,
    /// The processor's ID for the payment, once there is one.
    pub payment: Option<String>,
    /// How often the processor declined the payment.
    pub refusals: u32,
    /// When it was created.
    pub billing_date: Timestamp,
    /// When payment is due.
    pub due_date: Timestamp,
    /// When it was paid.
    pub paid_date: Option<Timestamp>,
}

impl Bill {
    /// The description shown on the bill.
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
