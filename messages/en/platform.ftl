### Platforms, their scanners and their ingest keys.

## The list.

platform-list-title = Platforms
platform-list-lead = Your sites that are monitored for uses of licensed likenesses.
platform-name = Name
platform-domain = Domain
platform-type = Type
platform-status = Status
platform-last-checked = Last checked
platform-search = Search by name or domain
platform-any-status = Any status
platform-status-pending-verification = Pending verification
platform-status-verified = Verified
platform-any-type = Any type
platform-type-social-media = Social Media
platform-type-news-media = News Media
platform-type-e-commerce = E-Commerce
platform-type-video = Video
platform-type-forum = Forum/Community
platform-type-website = Website/Blog
platform-type-mobile-app = Mobile App
platform-type-partner-site = Partner Site
platform-never = never
platform-clear-filters = Clear filters
platform-none-found = No platforms found
platform-none-match = No platforms match your filters.
platform-none-yet = No platforms yet
platform-none-yet-why = A platform is a site or app of yours whose content is checked for licenses.
platform-lesson-name = Name the site and its domain.
platform-lesson-verify = Verify that the domain is yours, by a DNS record, a tag or a file.
platform-lesson-scan = Ask for a scanner, or push what you publish with an ingest key.

## The forms.

platform-title = Platform
platform-add = Add platform
platform-add-lead = Add a site that you own and want to monitor.
platform-join-team = Join a team first
platform-join-team-why = You manage the platforms of your own teams. Ask an administrator to add you to one.
platform-domain-hint = Without https://. If you change the domain, you have to verify it again.
platform-team = Team
platform-team-hint = The team that manages the platform.
platform-no-team = No team
platform-description = Description
platform-description-hint = Up to 500 characters.
platform-feeds = Platform feeds
platform-feeds-hint = Feeds and sitemaps that the scanner reads. One URL per line, up to 20, on the domain or a subdomain.
platform-crawl-pages = Crawl pages
platform-scan-frequency = Scan frequency
platform-frequency-hourly = Every hour
platform-frequency-daily = Every day
platform-frequency-weekly = Every week
platform-created = Platform added. Verify its domain next.
platform-edit-title = Edit platform
platform-save-changes = Save changes
platform-updated = Platform updated

## The page of a platform.

platform-delete-question = The platform's scanner will stop, and its ingest keys will be revoked. You can undo this for a minute.
platform-deleted = Platform deleted
platform-content-scanned = Content scanned
platform-in-total = in total
platform-mentions-found = Mentions found
platform-view-mentions = View mentions
platform-details = Details
platform-verified-by = by { $method }, { $time }
platform-feeds-none = None. A scanner reads only the feeds and sitemaps that are listed here.
platform-crawling = Crawling
platform-crawling-on = on
platform-crawling-off = off
platform-scanned-hourly = hourly
platform-scanned-daily = daily
platform-scanned-weekly = weekly
platform-content-last-checked = Content last checked
platform-added = Added
platform-id = ID
platform-view-keys = View this platform's ingest keys

## The verification of a domain.

platform-method-dns = DNS record
platform-method-meta-tag = meta tag
platform-method-file = file
platform-domain-verified = Domain verified.
platform-can-be-monitored = The platform can now be monitored.
platform-domain-not-verified = Domain not verified.
platform-checked = Checked the { $method }: { $problem }
platform-verify-lead = Verify that you own { $domain } with one of these methods. Once the domain is verified, you can remove the record, tag or file.
platform-dns-record = DNS record
platform-dns-open = Open your domain's DNS settings
platform-dns-open-hint = You can find them at your domain registrar or DNS provider.
platform-dns-add = Add a TXT record
platform-dns-name = Name
platform-dns-name-label = TXT record name
platform-dns-value = Value
platform-dns-value-label = TXT record value
platform-meta-tag = Meta tag
platform-tag-edit = Edit your home page
platform-tag-page = The page at { $address }.
platform-tag-add = Add this tag to the <head> section
platform-file = File
platform-file-create = Create a text file with this content
platform-file-content = File content
platform-file-publish = Publish the file at this URL
platform-file-url = File URL
platform-verify = Verify
platform-not-found = Not found: { $problem }
platform-verify-domain = Verify domain

## The scanner.

platform-scanner = Scanner
platform-scanner-requested = Scanner requested. The operator has been notified.
platform-scanner-already-requested = A scanner had already been requested
platform-scanner-no-feeds = The platform has no feeds, so there is nothing to scan. Edit the platform to add a feed or a sitemap.
platform-scanner-blocked = The scanner doesn't scan this platform:
platform-last-scan = Last scan
platform-next-scan = Next scan
platform-scan-in-seconds = within seconds
platform-blocked-not-running = The operator has paused or stopped the scanner.
platform-blocked-no-scope = The operator hasn't allowed the scanner to crawl.
platform-blocked-not-verified = The domain isn't verified. Verify it below.
platform-blocked-crawling-off = Crawling is turned off. Edit the platform to turn it on.
platform-no-scanner = This platform has no scanner yet, so its content is only checked when you push it with an ingest key.
platform-scanner-asked = You asked the operator for a scanner { $time }.
platform-verify-first = Verify the domain first. Then you can ask for a scanner.
platform-ask-scanner = Ask for a scanner

## Ingest keys.

platform-key-list = Ingest keys
platform-key-list-lead = Let your applications push a platform's content to be scanned.
platform-key-title = Ingest key
platform-key-name = Name
platform-key-platform = Platform
platform-key-scopes = Scopes
platform-key-status = Status
platform-key-requests = Requests
platform-key-last-used = Last used
platform-key-never = never
platform-key-any-platform = Any platform
platform-key-active = Active
platform-key-revoked-status = Revoked
platform-key-none = No ingest keys yet
platform-key-none-why = With an ingest key, your publishing system has content checked as soon as it's published.
platform-key-lesson-platform = Add a platform and verify its domain.
platform-key-lesson-create = Create an ingest key for the application that publishes.
platform-key-lesson-push = Push each post. The response says who was found and what is licensed.
platform-key-new = New ingest key
platform-key-new-lead = Each ingest key is for one application on one platform.
platform-key-name-hint = The application that uses the key, such as “Publishing system”.
platform-key-scope-read = Read mentions
platform-key-scope-write = Push content to be scanned
platform-key-scope-crawl = Let scanners crawl pages
platform-key-platform-first = Add a platform first
platform-key-platform-first-why = Every ingest key belongs to one of your platforms.
platform-key-create = Create ingest key
platform-key-created = Ingest key created
platform-key-details = Details
platform-key-created-at = Created
platform-key-id = ID
platform-key-revoke = Revoke
platform-key-revoke-question = Applications that use this key will permanently lose access. You can't undo this.
platform-key-revoked = Ingest key revoked
platform-key-push = Push content
platform-key-push-lead = Send up to 100 items per request. The response lists every talent found and whether the use is licensed.
platform-key-push-token = Use the access token of an { $client } with the { $scope } scope.
platform-key-push-client = API client
