### Tarife, Karten und Rechnungen.
billing-title = Abrechnung
billing-lead = Ihr Tarif, Ihre Nutzung und Ihre Rechnungen.

## Tarife.

billing-plan = Tarif
billing-plans = Tarife
billing-plan-current = Aktueller Tarif
billing-plan-paid-until = Bezahlt bis
billing-plan-next = Nächster Tarif
billing-plan-change = Tarif wechseln
billing-plan-change-note = Höhere Tarife werden sofort berechnet und gelten sofort. Niedrigere Tarife gelten ab dem Ende des bezahlten Zeitraums.
billing-plan-changes = Ihr Tarif wechselt am Ende des bezahlten Zeitraums zu { $plan }
billing-plan-changed = Sie nutzen jetzt den Tarif { $plan }
billing-plan-cancel = Tarif kündigen
billing-plan-cancel-question = Sie behalten den Tarif bis zum Ende des bezahlten Zeitraums und wechseln dann zu Free.
billing-plan-canceled = Tarif gekündigt. Ihr Tarif endet mit dem bezahlten Zeitraum.
billing-price-free = Kostenlos
billing-price-by-arrangement = Kontaktieren Sie uns
billing-price-month = { $price } pro Monat
billing-plan-for-Free = Zum Ausprobieren
billing-plan-for-Starter = Für eine erste Integration
billing-plan-for-Pro = Für die tägliche Arbeit mit vielen Lizenzen
billing-plan-for-Enterprise = Für Plattformen und große Kataloge
billing-feature-pricing = Individuelle Preise
billing-feature-minute = { $count } Anfragen pro Minute für jeden API-Client
billing-feature-month = { $count ->
    [unlimited] Unbegrenzt viele Anfragen pro Monat
   *[other] { $count } Anfragen pro Monat
}
billing-feature-talents = { $count ->
    [unlimited] Unbegrenzt viele Talente
   *[other] { $count } Talente
}
billing-feature-licenses = { $count ->
    [unlimited] Unbegrenzt viele Lizenzen
   *[other] { $count } Lizenzen
}
billing-feature-sources = { $count ->
    [unlimited] Unbegrenzt viele Quellen
   *[other] { $count } Quellen
}
billing-feature-storage = { $size } Bildspeicher
billing-feature-storage-unlimited = Unbegrenzter Bildspeicher

## Nutzung.

billing-usage-resets = Zurücksetzung der Nutzung
billing-usage-requests = API-Anfragen in diesem Monat
billing-usage-talents = Talente
billing-usage-licenses = Lizenzen
billing-usage-webhooks = Webhooks
billing-usage-sources = Quellen
billing-usage-storage = Bildspeicher
billing-storage = { $count } { $unit }
billing-storage-bytes = { $count } Byte
billing-storage-tenths = { $whole },{ $tenths } { $unit }

## Karten.

billing-card = Karte
billing-cards = Karten
billing-card-none = Keine Karte
billing-cards-none = Noch keine Karten.
billing-card-required = bei kostenpflichtigen Tarifen
billing-card-ending = { $brand } mit der Endung { $digits }
billing-card-expires = Läuft ab
billing-card-remove-question = Diese Karte wird nicht mehr belastet.
billing-card-removed = Karte entfernt
billing-card-add = Karte hinzufügen
billing-card-added = Karte hinzugefügt
billing-card-token = Kartentoken
billing-card-token-hint = Vom Zahlungsdienstleister. Geben Sie niemals eine Kartennummer ein.
billing-card-note = Kartennummern erreichen diesen Server nie. Der Zahlungsdienstleister speichert die Karte und stellt dafür ein Token aus.
billing-sandbox-note = Dieser Server verwendet eine Sandbox: Es finden keine echten Zahlungen statt. Wählen Sie eine Testkarte.
billing-sandbox-card = Testkarte
billing-sandbox-succeeds = Visa: Zahlungen gelingen
billing-sandbox-fails = Visa: Zahlungen schlagen fehl
billing-sandbox-declined = Wird beim Hinzufügen abgelehnt

## Rechnungen.

billing-invoices = Rechnungen
billing-invoices-none = Noch keine Rechnungen
billing-invoices-none-why = Sie erhalten für jeden Monat eines kostenpflichtigen Tarifs eine Rechnung.
billing-invoice-amount = Betrag
billing-invoice-paid = Bezahlt
billing-invoice-due = fällig { $date }
billing-invoice-description = Tarif { $plan }, ein Monat ab { $day }.{ $month }.{ $year }
billing-amount = { $whole },{ $cents } { $currency }
