### Datumsangaben, Zahlen und die Einstellungen von Sprache und Zeitzone.

## Datum und Uhrzeit.

locale-month-1 = Jan.
locale-month-2 = Feb.
locale-month-3 = März
locale-month-4 = Apr.
locale-month-5 = Mai
locale-month-6 = Juni
locale-month-7 = Juli
locale-month-8 = Aug.
locale-month-9 = Sept.
locale-month-10 = Okt.
locale-month-11 = Nov.
locale-month-12 = Dez.
locale-date = { $day }. { $month } { $year }
locale-short-date = { $day }. { $month }
locale-month-year = { $month } { $year }
# Die Zone ist eine Abkürzung wie UTC oder CET.
locale-exact = { $date }, { $time } { $zone }
locale-just-now = gerade eben
locale-in-seconds = in wenigen Sekunden
locale-minutes-ago = { $count ->
    [one] vor { $count } Minute
   *[other] vor { $count } Minuten
}
locale-in-minutes = { $count ->
    [one] in { $count } Minute
   *[other] in { $count } Minuten
}
locale-hours-ago = { $count ->
    [one] vor { $count } Stunde
   *[other] vor { $count } Stunden
}
locale-in-hours = { $count ->
    [one] in { $count } Stunde
   *[other] in { $count } Stunden
}
locale-days-ago = { $count ->
    [one] vor { $count } Tag
   *[other] vor { $count } Tagen
}
locale-in-days = { $count ->
    [one] in { $count } Tag
   *[other] in { $count } Tagen
}
locale-duration-seconds = { $seconds } s
locale-duration-minutes = { $minutes } Min.
locale-duration-hours = { $hours } Std. { $minutes } Min.
locale-duration-days = { $days } T. { $hours } Std.

## Geld.

locale-fee-none = Kostenlos
locale-fee-use = { $money } pro Nutzung
locale-fee-day = { $money } pro Tag
locale-fee-month = { $money } pro Monat
locale-fee-year = { $money } pro Jahr
locale-fee-campaign = { $money } pro Kampagne
locale-amount-read = { $message }. Der Betrag wurde als { $money } gelesen.
locale-currency-usd = USD · US-Dollar
locale-currency-eur = EUR · Euro
locale-currency-gbp = GBP · Britisches Pfund
locale-currency-jpy = JPY · Japanischer Yen
locale-currency-cad = CAD · Kanadischer Dollar
locale-currency-aud = AUD · Australischer Dollar
locale-currency-chf = CHF · Schweizer Franken
locale-currency-cny = CNY · Chinesischer Yuan
locale-currency-inr = INR · Indische Rupie
locale-currency-brl = BRL · Brasilianischer Real
locale-currency-mxn = MXN · Mexikanischer Peso
locale-currency-sek = SEK · Schwedische Krone

## Einstellungen.

locale-title = Sprache und Zeitzone
locale-lead = Beides gilt für alle Seiten und für die E-Mails, die wir Ihnen senden.
locale-card = Ihre Einstellungen
locale-language = Sprache
locale-language-hint = Datumsangaben und Zahlen richten sich nach dieser Sprache.
locale-of-browser = Wie im Browser
locale-zone = Zeitzone
locale-zone-hint = Uhrzeiten werden in dieser Zone angezeigt und eingegeben. Auch die tägliche Zusammenfassung richtet sich nach ihr.
locale-save = Änderungen speichern
locale-saved = Sprache und Zeitzone aktualisiert
locale-now = Seiten werden auf { $language } angezeigt, Uhrzeiten in der Zone { $zone }.
locale-change = Sprache oder Zeitzone ändern
locale-back-to-profile = Zurück zum Profil
locale-back-to-overview = Zurück zur Übersicht
locale-languages = Sprache dieser Seite

## Formulare und Ansichten.

locale-fix-fields = Bitte korrigieren Sie die Felder unten
locale-another-organization = einer anderen Organisation
locale-viewing-ended = Die Ansicht wurde beendet
