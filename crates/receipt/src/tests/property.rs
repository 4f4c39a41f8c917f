//! Receipts with any content, and texts that are no receipts.

use proptest::collection::vec;
use proptest::prelude::*;

use super::*;

fn any_receipt() -> impl Strategy<Value = NewReceipt> {
    let texts = || vec(".{0,40}", 0..5);
    let time = || 0..4_000_000_000_i64;
    (texts(), texts(), any::<[bool; 4]>(), (time(), time()), vec(any::<String>(), 6), texts())
        .prop_map(
            |(uses, territories, [exclusive, open, fee, id], (start, length), names, channels)| {
                let mut receipt = new_receipt();
                receipt.starts_at = at(start);
                receipt.ends_at = (!open).then_some(at(start + length + 1));
                receipt.fee = receipt.fee.filter(|_| fee);
                receipt.talent.id = receipt.talent.id.filter(|_| id);
                (receipt.uses, receipt.territories) = (uses, territories);
                (receipt.exclusive, receipt.channels) = (exclusive, channels);
                let mut names = names.into_iter();
                let mut next = || names.next().unwrap();
                (receipt.number, receipt.licensor.name) = (next(), next());
                (receipt.licensee.name, receipt.talent.name) = (next(), next());
                (receipt.license.title, receipt.conditions) = (next(), Some(next()));
                receipt
            },
        )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn every_receipt_verifies_as_issued(given in any_receipt(), chosen in any::<[bool; 6]>()) {
        let keys = keys();
        let receipt = issue(&given, ISSUER, &key(&keys), &*entropy()).unwrap();
        let which: Vec<_> = Disclosable::ALL.into_iter().zip(chosen).collect();
        let which: Vec<_> = which.into_iter().filter(|it| it.1).map(|it| it.0).collect();
        let shown = present(&receipt, &which).unwrap();
        let held = HeldStatusList::current(LIST, StatusList::default(), given.starts_at);
        let verified = verify(&shown, &keys, ISSUER, Some(&held), given.starts_at);
        prop_assert_eq!(verified.valid, Validity::Yes);
        let claims = verified.claims.unwrap();
        prop_assert_eq!(&claims.disclosed, &which);
        prop_assert_eq!(claims.licensor, given.licensor);
        prop_assert_eq!((claims.uses, claims.territories), (given.uses, given.territories));
        let licensee = which.contains(&Disclosable::Licensee).then_some(given.licensee);
        prop_assert_eq!(claims.licensee, licensee);
    }

    #[test]
    fn no_text_is_a_receipt_and_none_panics(text in ".{0,200}", shape in "[a-zA-Z0-9_.~-]{0,300}") {
        let keys = keys();
        for bad in [text, shape] {
            prop_assert_eq!(check(&keys, &bad).valid, Validity::No);
            prop_assert!(verify_status_list(&bad, &keys).is_err());
            let _ = present(&bad, &[]);
            let _ = StatusList::decode(&bad);
        }
    }

    #[test]
    fn lists_survive_encoding(bytes in vec(any::<u8>(), 0..=16_384)) {
        let list = StatusList::from_bytes(bytes).unwrap();
        prop_assert_eq!(StatusList::decode(&list.encode()), Ok(list));
    }
}
