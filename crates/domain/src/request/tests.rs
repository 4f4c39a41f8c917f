//! Tests of what each side may do with a request.

use super::*;

#[test]
fn each_party_may_exactly_this() {
    use RequestAct::{Accept, Decline, Message, Offer, Withdraw};
    let table = [Message, Offer, Accept, Decline, Withdraw].map(|act| {
        let cell = |(party, status)| match act.apply(party, status) {
            Ok(next) => next.name(),
            Err(error) if error.kind() == &ErrorKind::Forbidden => "forbidden",
            Err(error) if error.kind() == &ErrorKind::Conflict => "conflict",
            Err(error) => panic!("{error}"),
        };
        let [open, offered] = [RequestStatus::Open, RequestStatus::Offered];
        let cells = [Party::Asker, Party::Owner].map(|it| [(it, open), (it, offered)].map(cell));
        (act, cells.as_flattened().join(" "))
    });
    let expected = [
        (Message, "open offered open offered"),
        (Offer, "forbidden forbidden offered offered"),
        (Accept, "conflict accepted forbidden forbidden"),
        (Decline, "conflict declined declined conflict"),
        (Withdraw, "withdrawn withdrawn conflict open"),
    ];
    assert_eq!(table, expected.map(|(act, cells)| (act, cells.to_owned())));
}

#[test]
fn nothing_happens_after_the_end() {
    for status in RequestStatus::ALL.into_iter().filter(|it| !it.is_live()) {
        for party in Party::ALL {
            for act in [RequestAct::Message, RequestAct::Decline, RequestAct::Withdraw] {
                let error = act.apply(party, status).unwrap_err();
                assert_eq!(error.message(), format!("The request is already {status}"));
            }
        }
    }
}

#[test]
fn a_live_request_lapses_at_its_time() {
    let at = Timestamp::from_secs;
    assert_eq!(RequestStatus::Open.effective(at(10), at(9)), RequestStatus::Open);
    assert_eq!(RequestStatus::Offered.effective(at(10), at(10)), RequestStatus::Lapsed);
    assert_eq!(RequestStatus::Accepted.effective(at(10), at(11)), RequestStatus::Accepted);
}

#[test]
fn an_offer_is_open_for_up_to_90_days() {
    let now = Timestamp::from_secs(1_800_000_000);
    assert_eq!(offer_end(None, now), Ok(now.plus(OFFER_TIME)));
    let end = now.plus(MAX_OFFER_TIME);
    assert_eq!(offer_end(Some(end), now), Ok(end));
    assert_eq!(offer_end(Some(now), now), Err("must be in the future"));
    let late = end.plus(Duration::from_secs(1));
    assert_eq!(offer_end(Some(late), now), Err("must be at most 90 days from now"));
}

#[test]
fn every_invalid_member_of_a_request_is_named() {
    let input = RequestInput { budget: Some((Some("-1"), None)), ..RequestInput::default() };
    let error = NewRequest::parse(&input).unwrap_err();
    let named: Vec<_> = error.fields().iter().map(|(name, it)| format!("{name} {it}")).collect();
    assert_eq!(
        named,
        [
            "budget.amount must be a decimal number of at least 0 with at most 2 decimals",
            "budget.currency is required",
            "license_id is required",
            "purpose is required",
            "starts_at is required",
            "territories must contain at least one item",
            "uses must contain at least one item",
        ]
    );
}
