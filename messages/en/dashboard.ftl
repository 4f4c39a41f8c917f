### The dashboard.
dashboard-title = Dashboard
dashboard-hello = Hello, { $name }
dashboard-lead = Here's what's happening with your licenses.
dashboard-new-license = New license

## First steps.

dashboard-all-set = You are all set
dashboard-all-set-why = All of the first steps are done. This is useful from here on:
dashboard-next-publish = Publish your license
dashboard-next-publish-why = A draft is not in the catalog, and nobody looks for its uses.
dashboard-next-mentions = Review mentions
dashboard-next-mentions-why = Say whether it is them, and whether the use is allowed.
dashboard-next-calendar = See what ends when
dashboard-next-calendar-why = The calendar has your grants and the licenses that expire.
dashboard-next-requests = Follow your requests
dashboard-next-requests-why = Offers and messages wait there for your answer.
dashboard-next-webhooks = Connect your systems
dashboard-next-webhooks-why = A webhook tells them about every change.
dashboard-next-keys = Work faster
dashboard-next-keys-why = Ctrl K finds everything, and other keys save clicks.
dashboard-steps = First steps
dashboard-steps-done = { $done } of { $total } done
dashboard-steps-hide = Hide{ $what }
dashboard-steps-hide-what = first steps
dashboard-steps-hidden = First steps hidden
dashboard-step-done = (done)
dashboard-step-talent = Add a talent
dashboard-step-talent-why = A license covers the likeness of a talent.
dashboard-step-license = Create a license with a picture
dashboard-step-license-why = Say what may be done. With a picture we recognize the face, not only the name.
dashboard-step-watch = Watch an address
dashboard-step-watch-why = Name a site, a feed or a profile, and we tell you who appears there.
dashboard-step-find = Find a license
dashboard-step-find-why = Browse the catalog and bookmark what fits your campaign.
dashboard-step-ask = Ask for it
dashboard-step-ask-why = Open a license and request the use, the place and the time you need.
dashboard-step-receipt = Verify a receipt
dashboard-step-receipt-why = Every grant has a signed receipt. See what anyone else sees of it.
dashboard-step-platform = Add your platform
dashboard-step-platform-why = Your site or app, by its domain.
dashboard-step-domain = Verify its domain
dashboard-step-domain-why = A DNS record, a tag or a file proves that the site is yours.
dashboard-step-scanner = Ask for a scanner
dashboard-step-scanner-why = A scanner reads your site and tells what is licensed.
dashboard-step-emails = Choose what to get by email
dashboard-step-emails-why = At once, once a day, or not at all.
dashboard-step-colleague = Invite a colleague
dashboard-step-colleague-why = Create a team and invite somebody to it.

## Figures.

dashboard-offers-waiting = { $count ->
    [one] { $count } offer waits for your answer
   *[other] { $count } offers wait for your answer
}
dashboard-requests-waiting = { $count ->
    [one] { $count } request waits for your answer
   *[other] { $count } requests wait for your answer
}
dashboard-new-mentions = New mentions
dashboard-new-mentions-more = or more. View all
dashboard-review = Review
dashboard-view = View
dashboard-unlicensed-week = Unlicensed, last 7 days
dashboard-active-licenses = Active licenses
dashboard-shared-licenses = Licenses shared with you
dashboard-browse-catalog = Browse the catalog
dashboard-deliveries-week = Webhook deliveries, last 7 days
dashboard-deliveries-none = No deliveries yet
dashboard-deliveries-failed = None delivered yet
dashboard-deliveries-share = { $share }% delivered
dashboard-deliveries-waiting = { $count } waiting to be sent
dashboard-usage = API requests this month
dashboard-usage-resets = Resets on { $date }.

## Charts.

dashboard-spans = Days in the charts
dashboard-days = { $days } days
dashboard-day = Day
dashboard-week = Week from
dashboard-month = Month
dashboard-mentions-by-verdict = Mentions in the last { $days } days, by verdict
dashboard-mentions-by-platform = Mentions in the last { $days } days, by platform
dashboard-deliveries-by-outcome = Webhook deliveries in the last { $days } days, by outcome
dashboard-endings = Grants and licenses that end, by month
dashboard-calendar = Open calendar
dashboard-licenses-by-status = Licenses by status
dashboard-platform = Platform
dashboard-mentions = Mentions
dashboard-mentions-other = Other
dashboard-mentions-none = No mentions in this time.
dashboard-licensed = licensed
dashboard-needs-review = needs review
dashboard-unlicensed = unlicensed
dashboard-grants-given = grants you gave
dashboard-grants-held = grants you hold
dashboard-licenses = licenses
dashboard-delivered = delivered
dashboard-failed = failed
dashboard-public = public
dashboard-private = private
dashboard-draft = draft
dashboard-expired = expired
