### The pages of staff.
admin-organization = Organization
admin-organizations = Organizations
admin-organizations-all = All organizations
admin-organizations-view = View organizations
admin-one-organization = Showing one organization.
admin-licenses = Licenses
admin-platform = Platform
admin-platforms = Platforms
admin-logs = Logs
admin-scanners = Scanners
admin-sources = Sources
admin-staff = Staff
admin-overview = Overview
admin-role = Role
admin-plan = Plan
admin-reason = Reason
admin-details = Details
admin-added = Added
admin-never = never
admin-any-type = Any type
admin-any-status = Any status
admin-search-name = Search by name
admin-organizations-search = Name, or a member's email address
admin-fewer-filters = Try another name or fewer filters.
admin-clear-filters = Clear filters
admin-suspend = Suspend
admin-reactivate = Reactivate
admin-percent = { $whole }.{ $tenths }%

## The overview.

admin-overview-lead = How this server grows, what fails, and what waits for you.
admin-growth-organizations = Organizations
admin-growth-people = People
admin-growth-licenses = Licenses
admin-growth-grants = Grants
admin-growth-mentions = Mentions
admin-growth-recent = +{ $count } in 30 days
admin-fails = What fails
admin-fails-nothing = Nothing fails.
admin-fails-scanners = Scanners whose last scan failed
admin-fails-sources = Sources that can't be read
admin-fails-emails = Emails not sent, last 7 days
admin-fails-webhooks = Webhooks that fail
admin-fails-payments = Declined cards
admin-waits = What waits
admin-waits-nothing = Nothing waits for you.
admin-waits-platforms = Platforms that asked for a scanner
admin-waits-help = Requests for help
admin-chart-created = Created in the last 30 days
admin-chart-mentions = Mentions and grants in the last 30 days
admin-series-organizations = organizations
admin-series-people = people
admin-series-licenses = licenses
admin-series-mentions = mentions
admin-series-grants = grants

## What fails.

admin-failure-times = { $count ->
    [one] { $count } time
   *[other] { $count } times
}
admin-failed-emails = Failed emails
admin-failed-emails-lead = Emails of the last 7 days that could not be sent. Their text and their recipients are erased.
admin-failed-emails-none = No failed emails
admin-failed-emails-none-why = Emails appear here when the mail server refuses them or stays unreachable.
admin-failed-email-tried = Tried
admin-failed-email-queued = Queued
admin-failed-email-given-up = Given up
admin-failed-email-unknown = Unknown
admin-failing-webhooks = Failing webhooks
admin-failing-webhooks-lead = Webhooks whose deliveries all fail. After 5 days they are disabled.
admin-failing-webhooks-none = No failing webhooks
admin-failing-webhooks-none-why = Webhooks appear here while their receivers refuse deliveries or can't be reached.
admin-failing-webhook-receiver = Receiver
admin-failing-webhook-since = Failing since
admin-failing-webhook-success = Last success
admin-declined-payments = Declined payments
admin-declined-payments-lead = Organizations whose card was declined. They are told by email.
admin-declined-payments-none = No declined payments
admin-declined-payments-none-why = Organizations appear here while their card is declined.
admin-declined-payment-count = Declined
admin-declined-payment-next = Next attempt

## Requests for help.

admin-help = Requests for help
admin-help-lead = What people ask from the console. Your answer goes to them by email.
admin-help-tabs = Requests
admin-help-waiting = Waiting
admin-help-none = No requests for help
admin-help-none-why = People ask for help on their help page. Their requests appear here.
admin-help-question = Question
admin-help-person = Person
admin-help-asked = Asked
admin-help-request = Request of { $name }
admin-help-all = All requests
admin-help-answer = Answer
admin-help-sent = Sent { $when }
admin-help-your-answer = Your answer
admin-help-your-answer-hint = Goes to the person by email. Up to 5,000 characters.
admin-help-send = Send answer
admin-help-answered = Answer sent

## Licenses.

admin-licenses-lead = All licenses on this server. Terms and fees are hidden.
admin-licenses-none-found = No licenses found
admin-licenses-none = No licenses yet
admin-licenses-none-why = Licenses appear here when agencies and talents create them.
admin-license-talent = Talent
admin-license-images = Images
admin-license-ends = Ends

## Logs.

admin-logs-lead = All activity on this server.
admin-logs-none = No log entries found
admin-logs-none-why = Try fewer filters or another area.
admin-log-area = Area
admin-log-area-admin = Staff
admin-log-area-console = Console
admin-log-area-external = External API
admin-log-area-system = System
admin-log-search = Search message, resource or user
admin-log-level = Level
admin-log-category = Category
admin-log-category-changes = Changes and sign-ins
admin-log-category-reads = Reads
admin-log-category-all = Changes and reads
admin-log-action = Action
admin-log-start-date = Start date
admin-log-end-date = End date
admin-log-event = Event
admin-log-user = User
admin-log-resource = Resource
admin-log-organization = View organization
admin-log-details = Details{ $of }
admin-log-details-of = of { $action } at { $time }
admin-log-time = Exact time
admin-log-resource-id = Resource ID
admin-log-user-id = User ID
admin-log-ip-address = IP address
admin-log-user-agent = User agent
admin-log-duration = Duration
admin-log-request-id = Request ID
admin-log-data = Data

## Staff.

admin-staff-lead = People who operate this server.
admin-staff-invite = Invite staff
admin-staff-invite-lead = We'll email the new staff member an invitation.
admin-staff-you = (you)
admin-staff-role-of = Role of { $name }
admin-staff-role-change = Change{ $what }
admin-staff-role-change-what = role of { $name }
admin-staff-role-changed = Role updated
admin-staff-suspend-question = The staff member will be signed out and can't sign in until reactivated.
admin-staff-changed = Staff member updated
admin-staff-invited = Invitation sent
admin-staff-full-name = Full name
admin-staff-role-hint = Support admins have read-only access. Admins also manage scanners, email templates and plans.
admin-staff-invitation = Invitation
admin-staff-send = Send invitation

## Organizations.

admin-organizations-lead = All organizations and individuals on this server.
admin-organizations-none-found = No organizations found
admin-organizations-none = No organizations yet
admin-organizations-none-why = Organizations appear here when they sign up.
admin-organizations-sign-up = Open sign-up page
admin-organization-any-plan = Any plan
admin-organization-users = Users
admin-organization-id = ID
admin-organization-links = Links
admin-organization-plan-hint = The organization isn't charged, and any paid subscription ends.
admin-organization-plan-change = Change plan
admin-organization-plan-changed = Plan changed
admin-organization-access = Access
admin-organization-access-open = Users and API clients have access.
admin-organization-access-closed = Users and API clients have no access.
admin-organization-suspend-question = Users and API clients will lose access until you reactivate the organization.
admin-organization-reactivated = Organization reactivated
admin-organization-suspended = Organization suspended

## The people of an organization.

admin-people = People
admin-people-joined = Joined
admin-people-reset = Send password reset{ $to }
admin-people-reset-to = to { $name }
admin-people-reset-sent = Password reset sent
admin-people-factor = Reset second factor{ $whom }
admin-people-factor-of = of { $name }
admin-people-view = View as{ $whom }
admin-people-invitations = Pending invitations
admin-people-invitation-sent = Sent
admin-people-invitation-expires = Expires
admin-people-talent = Talent
admin-people-resend = Send again{ $to }
admin-people-resend-to = to { $email }
admin-people-resent = Invitation sent again. The earlier link no longer works.

## Viewing an organization.

admin-view-title = View as { $name }
admin-view-before = Before you start
admin-view-read-only = You see the console as { $name } does. You can't change anything, and secrets are hidden.
admin-view-ends = It ends after { $minutes } minutes, or when you stop.
admin-view-pages = You can open the pages that { $name } ({ $role }) can open, except the profile, sign-in security, language and notification settings.
admin-view-told = { $name } and the organization's administrators are told now by email: your reason, what you can see, and until when. Every page you open is in their log.
admin-view-reason-hint = 10 to 500 characters. The organization gets it by email.
admin-view-start = Start viewing
admin-view-stopped = You're no longer viewing

## Resetting a second factor.

admin-factor = Second factor
admin-factor-title = Reset a second factor
admin-factor-lead = For people who lost their phone, passkeys and recovery codes. Make sure that it is them before you do this.
admin-factor-nobody = Nobody found
admin-factor-nobody-why = No account has this email address.
admin-factor-reason-hint = How you made sure that it is them. The person and the log get it.
admin-factor-remove = Remove second factors
admin-factor-nothing = There is nothing to reset.
admin-factor-removed = Second factors removed. The person was told by email.

## Platforms.

admin-platforms-lead = All platforms on this server.
admin-platforms-search = Search by name or domain
admin-platforms-none-found = No platforms found
admin-platforms-none-found-why = Try another name or domain.
admin-platforms-none = No platforms yet
admin-platforms-none-why = Platforms appear here when organizations add their sites.
admin-platform-domain = Domain
admin-platform-scanner = View scanner
admin-platform-scanner-of = View scanner of { $name }
admin-platform-type-Social-Media = Social Media
admin-platform-type-News-Media = News Media
admin-platform-type-E-Commerce = E-Commerce
admin-platform-type-Video = Video
admin-platform-type-Forum-Community = Forum/Community
admin-platform-type-Website-Blog = Website/Blog
admin-platform-type-Mobile-App = Mobile App
admin-platform-type-Partner-Site = Partner Site

## Scanners.

admin-scanner = Scanner
admin-scanners-lead = Each scanner monitors one platform.
admin-scanners-all = All scanners
admin-scanners-failing = Last scan failed
admin-scanners-failing-none = No scanners fail
admin-scanners-failing-none-why = Scanners appear here when their last scan failed.
admin-scanners-none = No scanners yet
admin-scanners-none-why = A scanner reads a platform's feeds and looks for the names and images of talents.
admin-scanners-waiting = Waiting for a scanner
admin-scanners-waiting-asked = Asked
admin-scanners-start = Start all
admin-scanners-start-question = All paused and stopped scanners will start.
admin-scanners-pause = Pause all
admin-scanners-pause-question = All running scanners will pause until you start them again.
admin-scanners-stop = Stop all
admin-scanners-stop-question = No platforms will be monitored until you start scanners again.
admin-scanners-now = { $status ->
    [running] { $count ->
        [0] No scanners changed
        [one] { $count } scanner is now running
       *[other] { $count } scanners are now running
    }
    [paused] { $count ->
        [0] No scanners changed
        [one] { $count } scanner is now paused
       *[other] { $count } scanners are now paused
    }
   *[stopped] { $count ->
        [0] No scanners changed
        [one] { $count } scanner is now stopped
       *[other] { $count } scanners are now stopped
    }
}
admin-scanner-now = { $status ->
    [running] Scanner is now running
    [paused] Scanner is now paused
   *[stopped] Scanner is now stopped
}
admin-scanner-next = Next scan
admin-scanner-next-now = now
admin-scanner-no-feeds = nothing to scan: no feeds
admin-scanner-requests = Requests
admin-scanner-failed = Failed
admin-scanner-started = Started
admin-scanner-uptime = Uptime
admin-scanner-start = Start
admin-scanner-pause = Pause
admin-scanner-stop = Stop
admin-scanner-scan = Scan now
admin-scanner-scan-requested = Scan requested. It starts within seconds.
admin-scanner-for = Scanner for { $name }
admin-scanner-recent = Recent scans
admin-scanner-blocked = This scanner is running but can't scan:
admin-scanner-blocker-pod-not-running = The scanner isn't running.
admin-scanner-blocker-scope-crawl-missing = The scanner doesn't have the crawl scope.
admin-scanner-blocker-platform-not-verified = The platform's domain isn't verified.
admin-scanner-blocker-crawling-disabled = Crawling is turned off for the platform.
admin-scanner-blocker-no-feeds = The platform has no feeds. Its organization has to add one.
admin-scanner-scopes = Scopes
admin-scanner-scope-read = Read
admin-scanner-scope-write = Write
admin-scanner-scope-crawl = Crawl
admin-scanner-scopes-hint = A scanner needs the crawl scope to scan.
admin-scanner-new = New scanner
admin-scanner-new-for = New scanner for { $name }
admin-scanner-new-lead = A scanner monitors one platform.
admin-scanner-choose = Choose a platform
admin-scanner-platform = { $name } ({ $domain }), { $owner }
admin-scanner-search = Search platforms by name or domain
admin-scanner-create = Create scanner
admin-scanner-created = Scanner created. Start it when you're ready.

## Signing in.

admin-sign-in-title = Staff sign-in
admin-sign-in-token = One-time token
admin-sign-in-token-hint = From your email, or created on the server. Each token works once.
admin-sign-in-submit = Sign in
admin-sign-in-no-token = Don't have a token?
admin-sign-in-operator = An operator can create one on the server:
admin-sign-in-command = Command
admin-sign-in-not-staff = Not staff? Sign in to the console
admin-sign-in-signed-out = You're signed out

## Sources.

admin-sources-lead = The addresses that organizations watch.
admin-source = Source
admin-source-read = What is read
admin-source-state = State
admin-source-next = Next scan
admin-source-new = new source
admin-sources-new = new sources
admin-sources-stop-all = Stop all
admin-sources-stop-question = No source of any organization will be scanned until you resume it.
admin-sources-unreadable = Can't be read
admin-sources-any = Stopped or not
admin-sources-stopped = Stopped
admin-sources-not-stopped = Not stopped
admin-source-resume = Resume
admin-source-stop = Stop
admin-sources-none-found = No sources found
admin-sources-none-found-why = No sources match your filters.
admin-sources-none = No sources yet
admin-sources-none-why = Sources appear here when organizations watch addresses.
admin-source-was-stopped = Source stopped
admin-source-was-resumed = Source resumed
admin-sources-were-stopped = { $count ->
    [0] No sources changed
    [one] { $count } source stopped
   *[other] { $count } sources stopped
}

## Email templates.

admin-templates = Email templates
admin-templates-lead = The text of every email this server sends.
admin-templates-all = All templates
admin-template-subject = Subject
admin-template-body = Body
admin-template-text = Text
admin-template-built-in = built-in
admin-template-preview = Preview
admin-template-preview-text = Preview as text
admin-template-preview-note = With sample values. Subject: “{ $subject }”.
admin-template-preview-frame = Email preview
admin-template-preview-subject = Subject: { $subject }
admin-template-invalid = This template is not valid.
admin-template-problem = The { $field } { $problem }.
admin-template-variables = Variables
admin-template-required = required
admin-template-hint = Separate paragraphs with a blank line. A code, a token or [label]({"{{link}}"}) on its own line is emphasized.
admin-template-save = Save changes
admin-template-saved = Email template updated
admin-template-original = Built-in text
admin-template-customized = This template was customized by staff.
admin-template-uses-original = This template uses the built-in text.
admin-template-restore = Restore built-in text
admin-template-restore-question = The customized text will be permanently deleted.
admin-template-restored = Built-in text restored
admin-template-staff-invitation = Staff invitation
admin-template-staff-token = Staff sign-in token
admin-template-sign-in-warning = Sign-in warning

## The kinds of emails, and what each is for.

admin-mail-registration = Registration
admin-mail-password-reset = Password reset
admin-mail-magic-link = Magic link
admin-mail-no-account = No account
admin-mail-password-changed = Password changed
admin-mail-sign-in-warning = Sign in warning
admin-mail-new-device = New device
admin-mail-second-factor-changed = Second factor changed
admin-mail-second-factor-reset = Second factor reset
admin-mail-team-invitation = Team invitation
admin-mail-talent-invitation = Talent invitation
admin-mail-license-shared = License shared
admin-mail-admin-invitation = Admin invitation
admin-mail-admin-token = Admin token
admin-mail-webhook-disabled = Webhook disabled
admin-mail-payment-declined = Payment declined
admin-mail-subscription-ended = Subscription ended
admin-mail-offer-invitation = Offer invitation
admin-mail-offer-withdrawn = Offer withdrawn
admin-mail-request-received = Request received
admin-mail-offer-received = Offer received
admin-mail-request-message = Request message
admin-mail-request-declined = Request declined
admin-mail-request-withdrawn = Request withdrawn
admin-mail-request-lapsed = Request lapsed
admin-mail-offer-blocked = Offer blocked
admin-mail-grant-made = Grant made
admin-mail-grant-expiring = Grant expiring
admin-mail-grant-revoked = Grant revoked
admin-mail-mention-found = Mention found
admin-mail-mention-removed = Mention removed
admin-mail-mention-marked-removed = Mention marked as removed
admin-mail-mention-marked-not-removed = Mention marked as not removed
admin-mail-mention-back = Mention back
admin-mail-case-assigned = Case assigned
admin-mail-license-received = License received
admin-mail-license-expiring = License expiring
admin-mail-client-expiring = Client expiring
admin-mail-card-expiring = Card expiring
admin-mail-webhook-failing = Webhook failing
admin-mail-chat-disabled = Chat disabled
admin-mail-source-failing = Source failing
admin-mail-platform-verified = Platform verified
admin-mail-scanner-stopped = Scanner stopped
admin-mail-staff-viewed = Staff viewed
admin-mail-platform-waiting = Platform waiting
admin-mail-help-requested = Help requested
admin-mail-help-answered = Help answered
admin-mail-several-notices = Several notices
admin-mail-digest = Digest
admin-mail-purpose-registration = The code to complete a registration
admin-mail-purpose-password-reset = The code and link to reset a password
admin-mail-purpose-magic-link = A magic link and code to sign in without a password
admin-mail-purpose-no-account = A notice that no account has this email address
admin-mail-purpose-password-changed = A notice that a password was changed
admin-mail-purpose-sign-in-warning = A warning about failed sign-ins
admin-mail-purpose-new-device = A notice that somebody signed in from a new device
admin-mail-purpose-second-factor-changed = A notice that a person's second factors changed
admin-mail-purpose-second-factor-reset = A notice that staff removed a person's second factors
admin-mail-purpose-team-invitation = An invitation to a team
admin-mail-purpose-talent-invitation = An invitation to claim a talent record
admin-mail-purpose-license-shared = A notice that a license was shared with this email address
admin-mail-purpose-admin-invitation = An invitation to join the staff
admin-mail-purpose-admin-token = A one-time sign-in token for staff
admin-mail-purpose-webhook-disabled = A notice that a webhook was disabled
admin-mail-purpose-payment-declined = A notice that a payment was declined
admin-mail-purpose-subscription-ended = A notice that a subscription ended after failed payments
admin-mail-purpose-offer-invitation = An offer to an email address
admin-mail-purpose-offer-withdrawn = A notice that an offer to an email address was withdrawn
admin-mail-purpose-request-received = A request for a license, to its owner
admin-mail-purpose-offer-received = An offer, to the organization it was made to
admin-mail-purpose-request-message = A message about a request, to the other party
admin-mail-purpose-request-declined = A notice that a request or an offer was declined
admin-mail-purpose-request-withdrawn = A notice that a request or an offer was withdrawn
admin-mail-purpose-request-lapsed = A notice that a request or an offer lapsed, to both parties
admin-mail-purpose-offer-blocked = A notice that an exclusive grant prevents an offer from being accepted, to the licensor
admin-mail-purpose-grant-made = A notice of a new grant, to both parties
admin-mail-purpose-grant-expiring = A reminder that a grant ends soon, to both parties
admin-mail-purpose-grant-revoked = A notice that a grant was revoked, to the licensee
admin-mail-purpose-mention-found = A notice that a mention was found
admin-mail-purpose-mention-removed = A notice that a mention with a case was removed
admin-mail-purpose-mention-marked-removed = A notice that somebody marked a mention with a case as removed
admin-mail-purpose-mention-marked-not-removed = A notice that somebody marked a removed mention as not removed
admin-mail-purpose-mention-back = A notice that a removed mention is back
admin-mail-purpose-case-assigned = A notice that a case was assigned
admin-mail-purpose-license-received = A notice that a license was shared with an organization
admin-mail-purpose-license-expiring = A reminder that a license expires soon
admin-mail-purpose-client-expiring = A warning that an API client expires soon
admin-mail-purpose-card-expiring = A warning that a payment card expires soon
admin-mail-purpose-webhook-failing = A notice that deliveries to a webhook fail
admin-mail-purpose-chat-disabled = A notice that a chat address was disabled
admin-mail-purpose-source-failing = A notice that a source cannot be read
admin-mail-purpose-platform-verified = A notice that a platform's domain was verified
admin-mail-purpose-scanner-stopped = A notice that staff stopped the scanner of a platform
admin-mail-purpose-staff-viewed = A notice that staff viewed an organization as one of its people
admin-mail-purpose-platform-waiting = A notice to staff that a platform waits for a scanner
admin-mail-purpose-help-requested = A notice to staff that somebody asks for help
admin-mail-purpose-help-answered = The answer of staff to a request for help
admin-mail-purpose-several-notices = Several notices of one kind in one email
admin-mail-purpose-digest = The daily digest
