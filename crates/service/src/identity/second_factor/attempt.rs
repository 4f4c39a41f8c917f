//! Limits on wrong codes (docs/decisions/0040). An attempt counts as wrong until it proves right, so
//! that concurrent attempts can't exceed the limits.

use grantor_domain::id::UserId;
use grantor_domain::limit::LimitName;
use grantor_domain::second_factor::PresentedCode;
use grantor_domain::{Error, ErrorKind, Result};
use grantor_storage::device;

use crate::identity::session::guard;
use crate::operations::limit::Subject;
use crate::{App, Context};

/// An attempt to show a second factor after a right first one.
pub(crate) struct SecondFactorAttempt {
    counted: Vec<(LimitName, Subject)>,
    /// Whether the limits allow it. Over the limits a code is rejected like a wrong one.
    pub(crate) allowed: bool,
}

impl SecondFactorAttempt {
    /// Counts an attempt of this caller. Codes of an app also count for the account, those from the
    /// owner's devices apart, so that whoever knows the password can't lock the owner out. Recovery
    /// codes have too many bits to be guessed.
    pub(crate) async fn begin(
        app: &App,
        context: &Context,
        user: UserId,
        code: &PresentedCode,
    ) -> Result<Self> {
        let mut limits = Vec::new();
        limits.extend(context.origin.address.map(|it| (LimitName::Codes, Subject::address(it))));
        if matches!(code, PresentedCode::App(_)) {
            let device = if is_known(app, context, user).await? { "known" } else { "other" };
            let subject = Subject::text(&format!("{device} device of {user}"));
            limits.push((LimitName::SecondFactor, subject));
        }
        let mut attempt = Self { counted: vec![], allowed: true };
        for (limit, subject) in limits {
            attempt.allowed = app.limiter.hit(limit, &subject).await.is_ok();
            if !attempt.allowed {
                break;
            }
            attempt.counted.push((limit, subject));
        }
        Ok(attempt)
    }

    /// Refunds the attempt unless the code was wrong.
    pub(crate) async fn end<T>(self, app: &App, outcome: &Result<T>) {
        let kind = outcome.as_ref().err().map(Error::kind);
        if kind == Some(&ErrorKind::InvalidOtp) {
            return;
        }
        for (limit, subject) in self.counted {
            app.limiter.refund(limit, &subject).await;
        }
    }
}

/// Whether the person has signed in from this device before.
async fn is_known(app: &App, context: &Context, user: UserId) -> Result<bool> {
    let devices = guard::devices(context);
    app.store
        .read(move |tx| {
            for device in &devices {
                if device::is_known(tx, device, user)? {
                    return Ok(true);
                }
            }
            Ok(false)
        })
        .await
}
