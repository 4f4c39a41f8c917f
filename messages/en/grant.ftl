### Grants, with their receipts, certificates and shared links.

## Lists of grants.

grant-list = Grants
grant-list-lead = Accepted offers: who may use which likeness, where and until when.
grant-list-more = There may be more. Of the grants in force on this day, those that end first are listed.
grant-views = Views of grants
grant-view-list = List
grant-view-calendar = Calendar
grant-view-map = Map
grant-view-all = View all grants
grant-number = Number
grant-talent = Talent
grant-with = With
grant-uses = Uses
grant-territories = Territories
grant-period-head = Period
grant-period = { $start } to { $end }
grant-period-open = { $start }, no end date
grant-period-revoked = { $period }, revoked { $date }
grant-no-end-date = No end date
grant-licensor = Licensor
grant-licensee = Licensee
grant-license = License
grant-sort-newest = Newest first
grant-sort-oldest = Oldest first
grant-sort-ends-first = Ends soonest
grant-sort-ends-last = Ends latest
grant-search = Search talent, license, party or number
grant-any-status = Any status
grant-any-talent = Any talent
grant-use = Use
grant-any-use = Any use
grant-country = Country
grant-any-country = Any country
grant-starts-from = Starts from
grant-starts-to = Starts to
grant-ends-from = Ends from
grant-ends-to = Ends to
grant-ends-before = Ends before
grant-in-force-on = In force on
grant-selected-license = The selected license
grant-sides = Grants by direction
grant-held = Held
grant-given = Given
grant-none-found = No grants found
grant-none-found-why = No grants match your filters.
grant-none = No grants yet
grant-none-why = A grant is made when an offer is accepted.
grant-step-1 = Somebody requests a license.
grant-step-2 = The owner offers exact terms, and the other side accepts them.
grant-step-3 = The grant gets a number and a signed receipt that anyone can verify.
grant-view-requests = View requests
grant-browse-catalog = Browse catalog
grant-count = { $count ->
    [one] { $count } grant
   *[other] { $count } grants
}
grant-count-more = { $count }+ grants
grant-count-exclusive = { $grants }, { $exclusive } exclusive

## Status of a grant.

grant-status-scheduled = Scheduled
grant-status-active = Active
grant-status-ended = Ended
grant-status-revoked = Revoked

## The calendar.

grant-calendar-title = Grants calendar
grant-calendar-lead = What is granted until when, and what ends.
grant-calendar-more = Not all grants of these months are shown, only those that end first. Filter by talent to see others.
grant-calendar-months = Months
grant-calendar-previous = Previous 12 months
grant-calendar-current = This month
grant-calendar-next = Next 12 months
grant-calendar-empty = No grants in these months
grant-calendar-empty-why = Choose other months or change your filters.
grant-calendar-today = Today
grant-calendar-caption = Grants from { $months }
grant-months = { $first } to { $last }
grant-exclusive = Exclusive
grant-ending = What ends when
grant-license-count = { $count ->
    [one] { $count } license
   *[other] { $count } licenses
}
grant-expiring-licenses = Licenses that expire
grant-expiring-newest = Only the newest { $shown } of { $total } licenses are shown.
grant-expiring-all = View all
grant-expiring-caption = Licenses that expire from { $months }

## The map.

grant-map = Map
grant-map-title = Grants map
grant-map-lead = What is granted where on { $date }.
grant-map-on = On
grant-map-empty = No grants on this day
grant-map-empty-why = Choose another day to see where grants are in effect.
grant-worldwide = Worldwide
grant-map-granted = { $granted } of { $all }
grant-map-step-1 = 1
grant-map-step-2 = 2 to 4
grant-map-step-5 = 5 to 9
grant-map-step-10 = 10 or more
grant-map-exclusive = With exclusive grants
grant-map-caption = Grants by territory
grant-map-worldwide-included = The number of each country includes worldwide grants.
grant-territory = Territory
grant-exclusive-until = Exclusive until

## One grant.

grant-grant = Grant
grant-back = Back to grants
grant-terms = Terms
grant-accepted-by = Accepted by
grant-accepted = Accepted
grant-request = Request
grant-view-request = View the request
grant-receipt = Receipt
grant-receipt-about = The signed proof of this grant. Anyone can { $verify }, without an account.
grant-receipt-verify = verify it
grant-receipt-show = Show the text of the receipt
grant-receipt-download = Download receipt
grant-receipt-include = Include
grant-receipt-include-hint = Uses, territories, dates, the licensor and the number are always included.
grant-certificate = Certificate
grant-certificate-none = A revoked grant has no certificate.
grant-certificate-download = Download certificate
grant-certificate-shares = A PDF to print, without the fee. Its QR code leads to a shared link, which the first download creates. If you withdraw that link, the QR code of printed certificates leads nowhere.
grant-certificate-shared = A PDF to print, without the fee. Its QR code leads to the shared link for certificates. If there is none, it has no QR code, and the receipt attached to it proves the grant.
grant-certificate-without-code = A PDF to print, without the fee. It has no QR code, because only the licensee shares links. The receipt attached to it proves the grant.

## Shared links.

grant-links = Shared links
grant-links-about = Anyone who has a link can see whether the grant is valid, and what the link discloses. Uses, territories, dates and the licensor are always shown.
grant-links-none = No links are shared.
grant-link-share-one = Share a link
grant-link-share = Share link
grant-link-was-shared = Link shared. Copy its address below.
grant-link-number = Link { $number }
grant-link-address = Address of link { $number }
grant-link-discloses = Discloses: { $parts }
grant-link-shared-by = Shared { $when } by { $name }
grant-link-of-certificate = The QR code of the certificate leads to this link.
grant-link-disclose = Disclose
grant-link-disclose-hint = Everything else stays hidden. To change it later, withdraw the link and share another.
grant-link-withdraw = Withdraw
grant-link-withdraw-question = The link will stop working.
grant-link-withdrawn = Link withdrawn
grant-nothing-else = Nothing else
grant-fee = Fee
grant-conditions = Conditions
grant-channels = Channels

## Revoking a grant.

grant-revoke = Revoke grant
grant-revoke-about = The grant ends immediately. Anyone who verifies its receipt or opens one of its shared links sees that the grant was revoked. Its certificate can no longer be downloaded.
grant-revoke-reason = Reason
grant-revoke-reason-hint = The licensee can read it. Up to 2,000 characters.
grant-revoke-confirm = I understand that a revoked grant can't be restored
grant-revoked = Grant { $number } revoked
grant-was-revoked = This grant was revoked.
grant-revoked-by = This grant was revoked { $when } by { $name }.
grant-revoked-because = Reason: { $reason }
