### Pages that verify receipts.

verify-title = Verify a receipt
verify-lead = See whether a grant is valid today. You don't need an account.
verify-another = Verify another receipt
verify-file = Receipt file
verify-file-hint = The file ends with .sd-jwt. If you have a certificate, scan its QR code instead.
verify-receipt = Receipt or shared link
verify-receipt-hint = If you have no file, paste the whole text of the receipt, which starts with “ey”, or the address of a link.
verify-submit = Verify
verify-about = About receipts
verify-about-receipts = A receipt is the signed proof that a licensor allowed somebody to use a person's name, image or likeness. Its holder decides which parts to disclose. We check the signature, the dates, and whether the grant was revoked.
verify-about-privacy = We don't keep the receipts that you verify.

## Shared links.

verify-receipt-title = Receipt { $number }
verify-shared = Shared by the licensee.
verify-download = Download receipt
verify-not-found = Page not found
verify-not-found-why = The link is wrong or incomplete, or the licensee withdrew it. If you have the receipt itself, you can still verify it.

## The result.

verify-result = Result
verify-valid = Valid
verify-valid-meaning = The receipt is authentic, and the grant is in effect.
verify-not-valid = Not valid
verify-not-valid-meaning = Do not rely on this receipt.
verify-over-meaning = The receipt is authentic, but the grant is not in effect.
verify-not-yet = Not valid yet: starts { $date }
verify-not-yet-meaning = The receipt is authentic, but it allows nothing before then.
verify-unknown = Unknown
verify-unknown-meaning = The receipt is authentic, but we couldn't check whether it is still valid.
verify-checked = Checked { $time }.
verify-reason-SIGNATURE = It is not signed by this issuer. It may be incomplete, altered or not a receipt at all.
verify-reason-ISSUER = Another server issued it. Verify it on that server.
verify-reason-DISCLOSURE = A disclosed part was altered, or does not belong to this receipt.
verify-reason-NOT-STARTED = The grant has not started yet.
verify-reason-ENDED = The grant has ended.
verify-reason-REVOKED = The licensor revoked the grant.
verify-reason-STATUS-STALE = Without a recent status list, it is not known whether the grant was revoked.

## What the receipt says.

verify-grant = Grant
verify-licensee = Licensee
verify-may-use = May use the likeness of
verify-was-allowed = Was allowed to use the likeness of
verify-granted-by = Granted by
verify-uses = Uses
verify-territories = Territories
verify-starts = Starts
verify-ends = Ends
verify-no-end-date = No end date
verify-exclusive = Exclusive
verify-channels = Channels
verify-conditions = Conditions
verify-fee = Fee
verify-license = License
verify-number = Number
verify-issued = Receipt issued
verify-not-disclosed = Not disclosed
verify-not-limited = Not limited
