### Plans, cards and invoices.
billing-title = Billing
billing-lead = Your plan, usage and invoices.

## Plans.

billing-plan = Plan
billing-plans = Plans
billing-plan-current = Current plan
billing-plan-paid-until = Paid until
billing-plan-next = Next plan
billing-plan-change = Change plan
billing-plan-change-note = Upgrades are charged and start immediately. Downgrades start when the paid period ends.
billing-plan-changes = Your plan changes to { $plan } when the paid period ends
billing-plan-changed = You're now on the { $plan } plan
billing-plan-cancel = Cancel plan
billing-plan-cancel-question = You'll keep the plan until the end of the paid period, then move to Free.
billing-plan-canceled = Plan canceled. Your plan ends when the paid period ends.
billing-price-free = Free
billing-price-by-arrangement = Contact us
billing-price-month = { $price } per month
billing-plan-for-Free = For trying things out
billing-plan-for-Starter = For a first integration
billing-plan-for-Pro = For daily work with many licenses
billing-plan-for-Enterprise = For platforms and large catalogs
billing-feature-pricing = Custom pricing
billing-feature-minute = { $count } requests per minute for each API client
billing-feature-month = { $count ->
    [unlimited] Unlimited requests per month
   *[other] { $count } requests per month
}
billing-feature-talents = { $count ->
    [unlimited] Unlimited talents
   *[other] { $count } talents
}
billing-feature-licenses = { $count ->
    [unlimited] Unlimited licenses
   *[other] { $count } licenses
}
billing-feature-sources = { $count ->
    [unlimited] Unlimited sources
   *[other] { $count } sources
}
billing-feature-storage = { $size } of image storage
billing-feature-storage-unlimited = Unlimited image storage

## Usage.

billing-usage-resets = Usage resets on
billing-usage-requests = API requests this month
billing-usage-talents = Talents
billing-usage-licenses = Licenses
billing-usage-webhooks = Webhooks
billing-usage-sources = Sources
billing-usage-storage = Image storage
billing-storage = { $count } { $unit }
billing-storage-bytes = { $count } bytes
billing-storage-tenths = { $whole }.{ $tenths } { $unit }

## Cards.

billing-card = Card
billing-cards = Cards
billing-card-none = No card
billing-cards-none = No cards yet.
billing-card-required = for paid plans
billing-card-ending = { $brand } ending in { $digits }
billing-card-expires = Expires
billing-card-remove-question = This card will no longer be charged.
billing-card-removed = Card removed
billing-card-add = Add card
billing-card-added = Card added
billing-card-token = Card token
billing-card-token-hint = From the payment processor. Never enter a card number.
billing-card-note = Card numbers never reach this server. The payment processor stores the card and issues a token for it.
billing-sandbox-note = This server uses a sandbox: no real payments are made. Choose a test card.
billing-sandbox-card = Test card
billing-sandbox-succeeds = Visa: payments succeed
billing-sandbox-fails = Visa: payments fail
billing-sandbox-declined = Declined when added

## Invoices.

billing-invoices = Invoices
billing-invoices-none = No invoices yet
billing-invoices-none-why = You'll get an invoice for each month of a paid plan.
billing-invoice-amount = Amount
billing-invoice-paid = Paid
billing-invoice-due = due { $date }
billing-invoice-description = { $plan } plan, one month from { $year }-{ $month }-{ $day }
billing-amount = { $whole }.{ $cents } { $currency }
