//! Messages, declining and withdrawing.

use grantor_domain::grant::Party;
use grantor_domain::id::RequestId;
use grantor_domain::request::{DECLINE_REASON, MESSAGE};
use grantor_domain::text::TextRule;
use grantor_domain::{Error, ErrorKind, Result};
use grantor_messages::text;
use grantor_service::licensing::request;

use super::thread::{Forms, redisplay, redisplay_refusal};
use super::{caller, path};
use crate::frame::{FormData, Outcome, Person, Segment};

/// Sends a message.
pub(crate) async fn send(
    person: Person,
    Segment(id): Segment<RequestId>,
    entered: FormData,
) -> Outcome {
    let sent = async {
        let message = read(&entered, "message", MESSAGE)?;
        request::send(person.app(), person.context(), caller(&person), id, message).await
    };
    match sent.await {
        Ok(_) => Ok(person.redirect(path(id), text!("request-message-sent"))),
        Err(error) => {
            let invalid = *error.kind() == ErrorKind::Validation;
            let forms = |entered: FormData| {
                if invalid {
                    return Forms { message: entered, ..Forms::default() };
                }
                let message = FormData::default().with("message", entered.get("message"));
                Forms { message, other: entered, ..Forms::default() }
            };
            redisplay(&person, id, error, entered, forms).await
        }
    }
}

/// Declines the request as its owner, or the open offer as its asker.
pub(crate) async fn decline(
    person: Person,
    Segment(id): Segment<RequestId>,
    entered: FormData,
) -> Outcome {
    let declined = async {
        let reason = read(&entered, "reason", DECLINE_REASON)?;
        request::decline(person.app(), person.context(), caller(&person), id, reason).await
    };
    match declined.await {
        Ok(view) => {
            let message = match view.party {
                Party::Owner => text!("request-declined"),
                Party::Asker => text!("request-offer-declined"),
            };
            Ok(person.redirect(path(id), message))
        }
        Err(error) if *error.kind() == ErrorKind::Validation => {
            let forms = |decline| Forms { decline, ..Forms::default() };
            redisplay(&person, id, error, entered, forms).await
        }
        Err(error) => redisplay_refusal(&person, id, &error).await,
    }
}

/// Withdraws the open offer as the owner, or the request as its asker.
pub(crate) async fn withdraw(person: Person, Segment(id): Segment<RequestId>) -> Outcome {
    match request::withdraw(person.app(), person.context(), caller(&person), id).await {
        Ok(view) => {
            let message = match view.party {
                Party::Owner => text!("request-offer-withdrawn"),
                Party::Asker => text!("request-withdrawn"),
            };
            Ok(person.redirect(path(id), message))
        }
        Err(error) => redisplay_refusal(&person, id, &error).await,
    }
}

/// Reads a required text.
fn read(entered: &FormData, name: &str, rule: TextRule) -> Result<String> {
    let mut fields = entered.fields();
    entered.required(&mut fields, name);
    let text = fields.take(name, rule.parse(entered.get(name)));
    fields.finish()?;
    text.ok_or_else(|| Error::field(name, "is required"))
}
