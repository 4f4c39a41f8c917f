//! Every change of a receipt is refused, wherever it is.

use super::*;

/// Characters of the alphabet, the separators, and others.
const OTHERS: [char; 14] = ['A', 'B', 'Q', 'g', 'w', 'z', '0', '9', '-', '_', '.', '~', '=', ' '];

#[test]
fn every_changed_character_is_refused() {
    let keys = keys();
    let receipt = issued(&keys);
    assert_eq!(check(&keys, &receipt).valid, Validity::Yes, "the control");
    let mut tried = 0;
    for (index, old) in receipt.char_indices() {
        let next = char::from(receipt.as_bytes()[index].wrapping_add(1) & 0x7f);
        for new in OTHERS.into_iter().chain([next, '\u{e9}']).filter(|it| *it != old) {
            let mut changed = receipt.clone();
            changed.replace_range(index..=index, new.encode_utf8(&mut [0; 4]));
            let verified = check(&keys, &changed);
            assert_eq!(verified.valid, Validity::No, "{new:?} at {index}");
            assert_eq!(verified.claims, None, "{new:?} at {index}");
            tried += 1;
        }
    }
    assert!(tried > 15 * receipt.len() - 2 * receipt.len(), "{tried} of {}", receipt.len());
}

#[test]
fn every_missing_or_additional_character_is_refused() {
    let keys = keys();
    let receipt = issued(&keys);
    for index in 0..receipt.len() {
        let mut shorter = receipt.clone();
        shorter.remove(index);
        assert_eq!(check(&keys, &shorter).valid, Validity::No, "without {index}");
        for new in ['A', '~', '.', '=', '\n'] {
            let mut longer = receipt.clone();
            longer.insert(index, new);
            assert_eq!(check(&keys, &longer).valid, Validity::No, "{new:?} before {index}");
        }
        let shown = check(&keys, &receipt[..index]);
        let cut_between_disclosures = receipt[..index].ends_with('~');
        assert_eq!(shown.valid == Validity::Yes, cut_between_disclosures, "the first {index}");
    }
}

#[test]
fn every_changed_character_of_a_status_list_is_refused() {
    let keys = keys();
    let mut list = StatusList::default();
    list.revoke(3).unwrap();
    let token = sign_status_list(&list, LIST, &key(&keys), at(NOW)).unwrap();
    assert!(verify_status_list(&token, &keys).is_ok(), "the control");
    for (index, old) in token.char_indices() {
        for new in OTHERS.into_iter().filter(|it| *it != old) {
            let mut changed = token.clone();
            changed.replace_range(index..=index, new.encode_utf8(&mut [0; 4]));
            let refused = verify_status_list(&changed, &keys).unwrap_err();
            let expected = [InvalidStatusList::Form, InvalidStatusList::Signature];
            assert!(expected.contains(&refused), "{new:?} at {index}: {refused}");
        }
    }
}
