//! Subscriptions: the plan a tenant pays for, its period, and the effects of successful and failed
//! payments.

use std::time::Duration;

use strum::{VariantArray, VariantNames};

use crate::bill::{Bill, BillKind};
use crate::enum_names::enum_names;
use crate::id::{CardId, SubscriptionId, TenantId};
use crate::organization::Plan;
use crate::{Error, Result, Timestamp};

enum_names!(SubscriptionStatus);

const DAY: Duration = Duration::from_hours(24);

/// The waits after each declined renewal: retries are on days 1, 3, 5 and 7. The subscription ends
/// after the last.
pub const RETRIES: [Duration; 4] =
    [DAY, DAY.saturating_mul(2), DAY.saturating_mul(2), DAY.saturating_mul(2)];

/// The status of a subscription.
#[derive(Clone, Copy, Debug, PartialEq, Eq, VariantArray, VariantNames)]
#[strum(serialize_all = "snake_case")]
pub enum SubscriptionStatus {
    /// The first payment is in progress; the plan is not active yet.
    Pending,
    /// Paid, and renewed at the end of the period.
    Active,
    /// The renewal was declined and will be retried.
    PastDue,
    /// Paid, and not renewed at the end of the period.
    Canceled,
}

/// A tenant's subscription.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Subscription {
    /// The unique ID.
    pub id: SubscriptionId,
    /// The tenant.
    pub tenant: TenantId,
    /// The current plan.
    pub plan: Plan,
    /// The plan from the next period on, if different.
    pub next_plan: Option<Plan>,
    /// The card that is charged.
    pub card: CardId,
    /// The status.
    pub status: SubscriptionStatus,
    /// The start of the first period.
    pub anchored_at: Timestamp,
    /// The number of paid periods.
    pub periods: u32,
    /// The end of the paid period.
    pub period_end: Timestamp,
    /// The number of consecutive declined renewals.
    pub failures: u32,
    /// When the next action is due.
    pub due_at: Timestamp,
    /// Until when a worker has claimed it to collect a payment.
    pub leased_until: Option<Timestamp>,
    /// Incremented with every claim.
    pub claim: i64,
    /// When it was created.
    pub created_at: Timestamp,
}

/// The effect of selecting a plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// The plan is charged now and a new period starts.
    Pay,
    /// The subscription continues unchanged, with this card.
    Keep,
    /// The plan changes at the end of the paid period.
    Follow,
    /// The subscription ends with the paid period.
    End,
}

impl Subscription {
    /// Creates a subscription whose first payment is in progress.
    #[must_use]
    pub fn begin(
        id: SubscriptionId,
        tenant: TenantId,
        plan: Plan,
        card: CardId,
        now: Timestamp,
    ) -> Self {
        Self {
            id,
            tenant,
            plan,
            next_plan: None,
            card,
            status: SubscriptionStatus::Pending,
            anchored_at: now,
            periods: 0,
            period_end: now,
            failures: 0,
            due_at: now,
            leased_until: None,
            claim: 0,
            created_at: now,
        }
    }

    /// Refuses changes while a payment is in progress.
    pub fn ensure_no_pending_payment(&self, now: Timestamp) -> Result<()> {
        let leased = self.leased_until.is_some_and(|until| until > now);
        if leased || self.status == SubscriptionStatus::Pending {
            let message = "A payment is in progress; check the billing history shortly";
            return Err(Error::conflict(message));
        }
        Ok(())
    }

    /// Decides the effect of selecting a plan and a card.
    pub fn select(&self, wanted: Plan, card: Option<CardId>) -> Result<Step> {
        use SubscriptionStatus as S;
        if !wanted.is_paid() {
            return Ok(Step::End);
        }
        // The current period is unpaid, so a new one starts with this payment.
        if matches!(self.status, S::PastDue | S::Pending) {
            return Ok(Step::Pay);
        }
        if wanted > self.plan {
            return Ok(Step::Pay);
        }
        if wanted < self.plan {
            if self.next_plan == Some(wanted) && self.is_kept_by(card) {
                let message = format!("The {wanted} plan is already scheduled");
                return Err(Error::conflict(message).at("subscriptionId"));
            }
            return Ok(Step::Follow);
        }
        if self.status == S::Active && self.next_plan.is_none() && self.is_kept_by(card) {
            let message = format!("You are already on the {wanted} plan");
            return Err(Error::conflict(message).at("subscriptionId"));
        }
        Ok(Step::Keep)
    }

    fn is_kept_by(&self, card: Option<CardId>) -> bool {
        self.status == SubscriptionStatus::Active && card.is_none_or(|it| it == self.card)
    }

    /// The plan of the next period.
    #[must_use]
    pub fn renewed_plan(&self) -> Plan {
        self.next_plan.unwrap_or(self.plan)
    }

    /// Records the payment of a bill.
    pub fn pay(&mut self, bill: &Bill) {
        match bill.kind {
            BillKind::Purchase => (self.anchored_at, self.periods) = (bill.period_start, 1),
            BillKind::Renewal => self.periods += 1,
        }
        self.plan = bill.plan;
        self.card = bill.card;
        self.next_plan = None;
        self.status = SubscriptionStatus::Active;
        self.failures = 0;
        self.period_end = months_after(self.anchored_at, self.periods);
        self.due_at = self.period_end;
        self.leased_until = None;
    }

    /// Records a declined renewal. Returns false if it will not be retried.
    pub fn record_decline(&mut self, now: Timestamp) -> bool {
        let wait = usize::try_from(self.failures).ok().and_then(|it| RETRIES.get(it));
        self.failures += 1;
        self.leased_until = None;
        let Some(wait) = wait else { return false };
        self.status = SubscriptionStatus::PastDue;
        self.due_at = now.plus(*wait);
        true
    }

    /// When it needs attention: when it is due, or when the current claim ends.
    #[must_use]
    pub fn wakes_at(&self) -> Timestamp {
        self.leased_until.unwrap_or(self.due_at)
    }
}

/// Adds calendar months to a time, using the last day of a month that is too short.
#[must_use]
pub fn months_after(start: Timestamp, months: u32) -> Timestamp {
    let later = jiff::Timestamp::from_microsecond(start.as_micros()).ok().and_then(|it| {
        let span = jiff::Span::new().try_months(i64::from(months)).ok()?;
        it.to_zoned(jiff::tz::TimeZone::UTC).checked_add(span).ok()
    });
    later.map_or(start.plus(DAY * 30 * months), |it| {
        Timestamp::from_micros(it.timestamp().as_microsecond())
    })
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;
    use crate::bill::BillStatus;
    use crate::id::BillId;
    use crate::plan::Plans;

    fn at(text: &str) -> Timestamp {
        Timestamp::parse(text).unwrap()
    }

    fn card(number: u128) -> CardId {
        CardId::from(Uuid::from_u128(number))
    }

    fn bill(kind: BillKind, plan: Plan, start: &str) -> Bill {
        Bill {
            id: BillId::from(Uuid::nil()),
            tenant: TenantId::from(Uuid::nil()),
            subscription: SubscriptionId::from(Uuid::nil()),
            card: card(1),
            plan,
            kind,
            period_start: at(start),
            amount: Plans::default().of(plan).price,
            status: BillStatus::Open,
            payment: None,
            refusals: 0,
            billing_date: at(start),
            due_date: at(start),
            paid_date: None,
        }
    }

    fn paid(plan: Plan) -> Subscription {
        let (id, tenant) = (SubscriptionId::from(Uuid::nil()), TenantId::from(Uuid::nil()));
        let start = "2026-01-31T10:00:00Z";
        let mut subscription = Subscription::begin(id, tenant, plan, card(1), at(start));
        subscription.pay(&bill(BillKind::Purchase, plan, start));
        subscription
    }

    #[test]
    fn months_keep_their_day_where_they_can() {
        let mut subscription = paid(Plan::Starter);
        let mut ends = vec![];
        for _ in 0..4 {
            ends.push(subscription.period_end.to_string()[..10].to_owned());
            subscription.pay(&bill(BillKind::Renewal, Plan::Starter, "2026-01-31T10:00:00Z"));
        }
        assert_eq!(ends, ["2026-02-28", "2026-03-31", "2026-04-30", "2026-05-31"]);
    }

    #[test]
    fn what_asking_for_a_plan_leads_to() {
        use SubscriptionStatus as S;
        let word = |plan, status, next_plan, wanted, by| {
            let subscription = Subscription { next_plan, status, ..paid(plan) };
            match subscription.select(wanted, Some(card(by))) {
                Ok(step) => format!("{step:?}"),
                Err(error) => error.message().to_owned(),
            }
        };
        let (none, starter, pro) = (None, Plan::Starter, Plan::Pro);
        for (plan, status, next, wanted, by, expected) in [
            (starter, S::Active, none, pro, 1, "Pay"),
            (starter, S::Canceled, none, pro, 1, "Pay"),
            (starter, S::PastDue, none, starter, 1, "Pay"),
            (pro, S::PastDue, none, starter, 1, "Pay"),
            (starter, S::Active, none, starter, 1, "You are already on the Starter plan"),
            (starter, S::Active, none, starter, 2, "Keep"),
            (starter, S::Canceled, none, starter, 1, "Keep"),
            (pro, S::Active, Some(starter), pro, 1, "Keep"),
            (pro, S::Active, none, starter, 1, "Follow"),
            (pro, S::Canceled, none, starter, 1, "Follow"),
            (pro, S::Active, Some(starter), starter, 1, "The Starter plan is already scheduled"),
            (pro, S::Active, none, Plan::Free, 1, "End"),
            (pro, S::PastDue, none, Plan::Free, 1, "End"),
        ] {
            assert_eq!(word(plan, status, next, wanted, by), expected, "{plan} {status} {wanted}");
        }
    }

    #[test]
    fn a_refused_renewal_is_asked_for_on_the_days_1_3_5_and_7() {
        let mut subscription = paid(Plan::Pro);
        let (mut now, mut days) = (subscription.period_end, vec![]);
        while subscription.record_decline(now) {
            now = subscription.due_at;
            days.push(now.since(subscription.period_end).as_secs() / 86_400);
            assert_eq!(subscription.status, SubscriptionStatus::PastDue);
        }
        assert_eq!((days, subscription.failures), (vec![1, 3, 5, 7], 5));
    }

    #[test]
    fn nobody_steps_in_while_a_payment_is_under_way() {
        let now = at("2026-02-01T00:00:00Z");
        let mut subscription = paid(Plan::Pro);
        assert_eq!(subscription.ensure_no_pending_payment(now), Ok(()));
        subscription.leased_until = Some(now.plus(DAY));
        assert!(subscription.ensure_no_pending_payment(now).is_err());
        subscription.leased_until = Some(now);
        assert_eq!(subscription.ensure_no_pending_payment(now), Ok(()), "a lease ends");
        subscription.status = SubscriptionStatus::Pending;
        assert!(subscription.ensure_no_pending_payment(now).is_err());
    }

    #[test]
    fn names_are_the_same_on_every_way() {
        for status in SubscriptionStatus::ALL {
            assert_eq!(status.name().parse(), Ok(status));
        }
    }
}
