//! Sample requests, offers and grants with every status, made by the parties' own acts.

use grantor_domain::error::Fields;
use grantor_domain::grant::{
    CoverageInput, GrantStatus, GrantTerms, Party, REVOKE_REASON, TermsInput,
};
use grantor_domain::id::{GrantId, LicenseId, RequestId, TenantId};
use grantor_domain::license::{Amount, Currency, FeePer, LicenseFee};
use grantor_domain::request::{MESSAGE, NewRequest, RequestInput, RequestStatus};
use grantor_domain::{Result, Timestamp};

use super::grant_rows::{Extent, NEGOTIATIONS, Row, Step, Terms, Wish};
use super::invalid;
use super::licenses::{SampleLicense, in_days, named};
use super::people::{AGENCY, Account};
use grantor_service::identity::access::TenantCaller;
use grantor_service::licensing::request::{Licensee, OfferDraft};
use grantor_service::licensing::{grant, request};
use grantor_service::{App, Context};

/// A sample request.
pub struct SampleRequest {
    /// Its ID.
    pub id: RequestId,
    /// The license.
    pub license: LicenseId,
    /// The tenant that asks.
    pub asker: TenantId,
    /// Its status.
    pub status: RequestStatus,
    /// The grant that it led to.
    pub grant: Option<SampleGrant>,
}

/// A sample grant.
pub struct SampleGrant {
    /// Its ID.
    pub id: GrantId,
    /// Its number.
    pub number: String,
    /// Its status.
    pub status: GrantStatus,
}

/// Lets the parties negotiate.
pub(super) async fn negotiate(
    app: &App,
    accounts: &[Account],
    licenses: &[SampleLicense],
) -> Result<Vec<SampleRequest>> {
    let today = midnight(app.clock.now());
    let mut made = Vec::with_capacity(NEGOTIATIONS.len());
    for Row { license, asker, steps } in &NEGOTIATIONS {
        let (asker, owner) = (&accounts[*asker], &accounts[AGENCY]);
        let license = named(licenses, license)?.id;
        let (request, grant) = (None, None);
        let mut talks = Negotiation { app, asker, owner, license, today, request, grant };
        for step in *steps {
            talks.take(step).await?;
        }
        made.push(talks.result().await?);
    }
    Ok(made)
}

/// The start of a day: terms contain whole seconds.
fn midnight(now: Timestamp) -> Timestamp {
    const DAY: i64 = 24 * 60 * 60;
    Timestamp::from_secs(now.as_secs() - now.as_secs().rem_euclid(DAY))
}

/// A negotiation with what it has led to so far.
struct Negotiation<'a> {
    app: &'a App,
    asker: &'a Account,
    owner: &'a Account,
    license: LicenseId,
    today: Timestamp,
    request: Option<RequestId>,
    grant: Option<GrantId>,
}

impl Negotiation<'_> {
    async fn take(&mut self, step: &Step) -> Result<()> {
        match step {
            Step::Ask(wish) => {
                let (context, caller) = self.party(Party::Asker);
                let new = wish.parse(self.license, self.today)?;
                let view = request::create(self.app, &context, caller, new).await?;
                self.request = Some(view.record.request.id);
            }
            Step::Offer(terms) => self.offer(terms.parse(self.today)?).await?,
            Step::Message(party, text) => {
                let (context, caller) = self.party(*party);
                let (id, text) = (self.id()?, MESSAGE.parse(text).map_err(invalid)?);
                request::send(self.app, &context, caller, id, text).await?;
            }
            Step::Read(party) => {
                let (context, caller) = self.party(*party);
                request::mark_read(self.app, &context, caller, self.id()?).await?;
            }
            Step::Accept => self.accept().await?,
            Step::Revoke(reason) => {
                let (context, caller) = self.party(Party::Owner);
                let id =
                    self.grant.ok_or_else(|| invalid("a grant is revoked before it exists"))?;
                let reason = REVOKE_REASON.parse(reason).map_err(invalid)?;
                grant::revoke(self.app, &context, caller, id, reason).await?;
            }
        }
        Ok(())
    }

    async fn offer(&mut self, terms: GrantTerms) -> Result<()> {
        let (context, caller) = self.party(Party::Owner);
        let draft = OfferDraft { terms, expires_at: None };
        let view = if let Some(id) = self.request {
            request::offer(self.app, &context, caller, id, draft).await?
        } else {
            let (license, to) = (self.license, Licensee::Tenant(self.asker.tenant));
            request::offer_on_license(self.app, &context, caller, license, to, draft).await?
        };
        self.request = Some(view.record.request.id);
        Ok(())
    }

    /// Accepts the terms that the asker reads in the thread.
    async fn accept(&mut self) -> Result<()> {
        let (context, caller) = self.party(Party::Asker);
        let thread = request::get(self.app, caller, self.id()?).await?;
        let offer = thread.offers.last().ok_or_else(|| invalid("there is no offer to accept"))?;
        let hash = offer.terms_hash.clone();
        let view = request::accept(self.app, &context, caller, self.id()?, hash).await?;
        self.grant = Some(view.record.grant.id);
        Ok(())
    }

    async fn result(&self) -> Result<SampleRequest> {
        let (_, caller) = self.party(Party::Owner);
        let (id, license, asker) = (self.id()?, self.license, self.asker.tenant);
        let status = request::get(self.app, caller, id).await?.view.status;
        let grant = match self.grant {
            Some(id) => {
                let view = grant::get(self.app, caller, id).await?;
                let number = view.record.grant.number.to_string();
                Some(SampleGrant { id, number, status: view.status })
            }
            None => None,
        };
        Ok(SampleRequest { id, license, asker, status, grant })
    }

    fn party(&self, party: Party) -> (Context, TenantCaller) {
        let account = match party {
            Party::Asker => self.asker,
            Party::Owner => self.owner,
        };
        (account.context(self.app), TenantCaller::from(&*account.caller))
    }

    fn id(&self) -> Result<RequestId> {
        self.request.ok_or_else(|| invalid("a negotiation does not begin with a request or offer"))
    }
}

/// An [`Extent`] as a caller would send it.
struct ExtentTexts {
    uses: Vec<String>,
    territories: Vec<String>,
    starts_at: String,
    ends_at: Option<String>,
}

impl ExtentTexts {
    fn input(&self) -> CoverageInput<'_> {
        CoverageInput {
            uses: &self.uses,
            territories: &self.territories,
            starts_at: Some(&self.starts_at),
            ends_at: self.ends_at.as_deref(),
        }
    }
}

impl Extent {
    fn texts(&self, today: Timestamp) -> ExtentTexts {
        let (start, end) = self.days;
        ExtentTexts {
            uses: owned(self.uses),
            territories: owned(self.territories),
            starts_at: in_days(today, start).to_string(),
            ends_at: end.map(|it| in_days(today, it).to_string()),
        }
    }
}

impl Wish {
    fn parse(&self, license: LicenseId, today: Timestamp) -> Result<NewRequest> {
        NewRequest::parse(&RequestInput {
            license_id: Some(&license.to_string()),
            coverage: self.extent.texts(today).input(),
            purpose: Some(self.purpose),
            channels: &owned(self.channels),
            budget: self.budget.map(|(amount, currency)| (Some(amount), Some(currency))),
        })
    }
}

impl Terms {
    fn parse(&self, today: Timestamp) -> Result<GrantTerms> {
        let mut fields = Fields::default();
        let terms = GrantTerms::parse(
            &TermsInput {
                coverage: self.extent.texts(today).input(),
                fee: self.fee.map(fee).transpose()?,
                exclusive: self.exclusive,
                channels: &owned(self.channels),
                conditions: self.conditions,
                credit_line: self.credit_line,
            },
            "",
            &mut fields,
        );
        fields.finish()?;
        terms.ok_or_else(|| invalid("terms"))
    }
}

fn fee([amount, currency, per]: [&str; 3]) -> Result<LicenseFee> {
    Ok(LicenseFee {
        amount: Amount::parse(amount).map_err(invalid)?,
        currency: Currency::parse(currency).map_err(invalid)?,
        per: per.parse::<FeePer>().map_err(invalid)?,
    })
}

fn owned(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|it| (*it).to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Timestamp = Timestamp::from_secs(1_800_000_000);

    #[test]
    fn every_step_is_one_that_a_caller_could_send() {
        for row in &NEGOTIATIONS {
            for step in row.steps {
                match step {
                    Step::Ask(wish) => {
                        let license = uuid::Uuid::nil().into();
                        drop(wish.parse(license, midnight(NOW)).unwrap());
                    }
                    Step::Offer(terms) => drop(terms.parse(midnight(NOW)).unwrap()),
                    Step::Message(_, text) => assert_eq!(MESSAGE.parse(text).unwrap(), *text),
                    Step::Revoke(text) => assert_eq!(REVOKE_REASON.parse(text).unwrap(), *text),
                    Step::Read(_) | Step::Accept => {}
                }
            }
        }
    }

    #[test]
    fn an_exclusive_grant_ends_soon() {
        let ends_soon = |step: &Step| {
            let Step::Offer(terms) = step else { return false };
            terms.exclusive && terms.extent.days.1 == Some(20)
        };
        assert!(NEGOTIATIONS.iter().any(|row| row.steps.iter().any(ends_soon)));
    }
}
