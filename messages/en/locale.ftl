### Dates, numbers and the settings of language and time zone.

## Dates and times.

locale-month-1 = Jan
locale-month-2 = Feb
locale-month-3 = Mar
locale-month-4 = Apr
locale-month-5 = May
locale-month-6 = Jun
locale-month-7 = Jul
locale-month-8 = Aug
locale-month-9 = Sep
locale-month-10 = Oct
locale-month-11 = Nov
locale-month-12 = Dec
locale-date = { $month } { $day }, { $year }
locale-short-date = { $month } { $day }
locale-month-year = { $month } { $year }
# The zone is an abbreviation such as UTC or CET.
locale-exact = { $date }, { $time } { $zone }
locale-just-now = just now
locale-in-seconds = in a few seconds
locale-minutes-ago = { $count } min ago
locale-in-minutes = in { $count } min
locale-hours-ago = { $count } hr ago
locale-in-hours = in { $count } hr
locale-days-ago = { $count ->
    [one] { $count } day ago
   *[other] { $count } days ago
}
locale-in-days = { $count ->
    [one] in { $count } day
   *[other] in { $count } days
}
locale-duration-seconds = { $seconds } s
locale-duration-minutes = { $minutes } min
locale-duration-hours = { $hours } h { $minutes } min
locale-duration-days = { $days } d { $hours } h

## Money.

locale-fee-none = Free
locale-fee-use = { $money } per use
locale-fee-day = { $money } per day
locale-fee-month = { $money } per month
locale-fee-year = { $money } per year
locale-fee-campaign = { $money } per campaign
locale-amount-read = { $message }. The amount was read as { $money }.
locale-currency-usd = USD · US dollar
locale-currency-eur = EUR · Euro
locale-currency-gbp = GBP · British pound
locale-currency-jpy = JPY · Japanese yen
locale-currency-cad = CAD · Canadian dollar
locale-currency-aud = AUD · Australian dollar
locale-currency-chf = CHF · Swiss franc
locale-currency-cny = CNY · Chinese yuan
locale-currency-inr = INR · Indian rupee
locale-currency-brl = BRL · Brazilian real
locale-currency-mxn = MXN · Mexican peso
locale-currency-sek = SEK · Swedish krona

## Settings.

locale-title = Language and time zone
locale-lead = They apply to all pages and to the emails that we send you.
locale-card = Your settings
locale-language = Language
locale-language-hint = Dates and numbers are written as in this language.
locale-of-browser = Same as the browser
locale-zone = Time zone
locale-zone-hint = Times are shown and entered in this zone. The daily digest comes at an hour of this zone.
locale-save = Save changes
locale-saved = Language and time zone updated
locale-now = Pages are in { $language }. Times are in { $zone }.
locale-change = Change language or time zone
locale-back-to-profile = Back to profile
locale-back-to-overview = Back to overview
locale-languages = Language of this page

## Forms and views.

locale-fix-fields = Please fix the fields below
locale-another-organization = another organization
locale-viewing-ended = Viewing has ended
