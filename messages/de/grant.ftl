### Nutzungsrechte mit ihren Nachweisen, Zertifikaten und geteilten Links.

## Listen von Nutzungsrechten.

grant-list = Nutzungsrechte
grant-list-lead = Angenommene Angebote: wer welches Bildnis wo und bis wann nutzen darf.
grant-list-more = Möglicherweise gibt es weitere. Von den Nutzungsrechten, die an diesem Tag gelten, sind die aufgeführt, die zuerst enden.
grant-views = Ansichten der Nutzungsrechte
grant-view-list = Liste
grant-view-calendar = Kalender
grant-view-map = Karte
grant-view-all = Alle Nutzungsrechte anzeigen
grant-number = Nummer
grant-talent = Talent
grant-with = Gegenseite
grant-uses = Nutzungen
grant-territories = Gebiete
grant-period-head = Zeitraum
grant-period = { $start } bis { $end }
grant-period-open = { $start }, ohne Enddatum
grant-period-revoked = { $period }, widerrufen am { $date }
grant-no-end-date = Kein Enddatum
grant-licensor = Lizenzgeber
grant-licensee = Lizenznehmer
grant-license = Lizenz
grant-sort-newest = Neueste zuerst
grant-sort-oldest = Älteste zuerst
grant-sort-ends-first = Frühestes Ende zuerst
grant-sort-ends-last = Spätestes Ende zuerst
grant-search = Talent, Lizenz, Partei oder Nummer suchen
grant-any-status = Jeder Status
grant-any-talent = Jedes Talent
grant-use = Nutzung
grant-any-use = Jede Nutzung
grant-country = Land
grant-any-country = Jedes Land
grant-starts-from = Beginn ab
grant-starts-to = Beginn bis
grant-ends-from = Ende ab
grant-ends-to = Ende bis
grant-ends-before = Ende vor
grant-in-force-on = Gültig am
grant-selected-license = Die ausgewählte Lizenz
grant-sides = Nutzungsrechte nach Richtung
grant-held = Erhalten
grant-given = Erteilt
grant-none-found = Keine Nutzungsrechte gefunden
grant-none-found-why = Kein Nutzungsrecht passt zu Ihren Filtern.
grant-none = Noch keine Nutzungsrechte
grant-none-why = Ein Nutzungsrecht entsteht, wenn ein Angebot angenommen wird.
grant-step-1 = Jemand fragt eine Lizenz an.
grant-step-2 = Der Inhaber bietet genaue Bedingungen an, und die Gegenseite nimmt sie an.
grant-step-3 = Das Nutzungsrecht erhält eine Nummer und einen signierten Nachweis, den alle überprüfen können.
grant-view-requests = Anfragen anzeigen
grant-browse-catalog = Katalog durchsuchen
grant-count = { $count ->
    [one] { $count } Nutzungsrecht
   *[other] { $count } Nutzungsrechte
}
grant-count-more = { $count }+ Nutzungsrechte
grant-count-exclusive = { $grants }, davon { $exclusive } exklusiv

## Status eines Nutzungsrechts.

grant-status-scheduled = Geplant
grant-status-active = Aktiv
grant-status-ended = Beendet
grant-status-revoked = Widerrufen

## Der Kalender.

grant-calendar-title = Kalender der Nutzungsrechte
grant-calendar-lead = Was bis wann erlaubt ist und was endet.
grant-calendar-more = Es werden nicht alle Nutzungsrechte dieser Monate angezeigt, nur die, die zuerst enden. Filtern Sie nach Talent, um weitere zu sehen.
grant-calendar-months = Monate
grant-calendar-previous = Vorherige 12 Monate
grant-calendar-current = Dieser Monat
grant-calendar-next = Nächste 12 Monate
grant-calendar-empty = Keine Nutzungsrechte in diesen Monaten
grant-calendar-empty-why = Wählen Sie andere Monate oder ändern Sie Ihre Filter.
grant-calendar-today = Heute
grant-calendar-caption = Nutzungsrechte von { $months }
grant-months = { $first } bis { $last }
grant-exclusive = Exklusiv
grant-ending = Was wann endet
grant-license-count = { $count ->
    [one] { $count } Lizenz
   *[other] { $count } Lizenzen
}
grant-expiring-licenses = Ablaufende Lizenzen
grant-expiring-newest = Nur die neuesten { $shown } von { $total } Lizenzen werden angezeigt.
grant-expiring-all = Alle anzeigen
grant-expiring-caption = Ablaufende Lizenzen von { $months }

## Die Karte.

grant-map = Karte
grant-map-title = Karte der Nutzungsrechte
grant-map-lead = Was am { $date } wo erlaubt ist.
grant-map-on = Am
grant-map-empty = Keine Nutzungsrechte an diesem Tag
grant-map-empty-why = Wählen Sie einen anderen Tag, um zu sehen, wo Nutzungsrechte gelten.
grant-worldwide = Weltweit
grant-map-granted = { $granted } von { $all }
grant-map-step-1 = 1
grant-map-step-2 = 2 bis 4
grant-map-step-5 = 5 bis 9
grant-map-step-10 = 10 oder mehr
grant-map-exclusive = Mit exklusiven Nutzungsrechten
grant-map-caption = Nutzungsrechte nach Gebiet
grant-map-worldwide-included = Die Zahl jedes Landes enthält auch weltweite Nutzungsrechte.
grant-territory = Gebiet
grant-exclusive-until = Exklusiv bis

## Ein Nutzungsrecht.

grant-grant = Nutzungsrecht
grant-back = Zurück zu den Nutzungsrechten
grant-terms = Bedingungen
grant-accepted-by = Angenommen von
grant-accepted = Angenommen
grant-request = Anfrage
grant-view-request = Anfrage anzeigen
grant-receipt = Nachweis
grant-receipt-about = Der signierte Beleg für dieses Nutzungsrecht. Alle können { $verify }, auch ohne Konto.
grant-receipt-verify = ihn überprüfen
grant-receipt-show = Text des Nachweises anzeigen
grant-receipt-download = Nachweis herunterladen
grant-receipt-include = Enthalten
grant-receipt-include-hint = Nutzungen, Gebiete, Zeitraum, Lizenzgeber und Nummer sind immer enthalten.
grant-certificate = Zertifikat
grant-certificate-none = Ein widerrufenes Nutzungsrecht hat kein Zertifikat.
grant-certificate-download = Zertifikat herunterladen
grant-certificate-shares = Ein PDF zum Ausdrucken, ohne die Gebühr. Sein QR-Code führt zu einem geteilten Link, der beim ersten Herunterladen entsteht. Wenn Sie diesen Link zurückziehen, führt der QR-Code gedruckter Zertifikate ins Leere.
grant-certificate-shared = Ein PDF zum Ausdrucken, ohne die Gebühr. Sein QR-Code führt zum geteilten Link für Zertifikate. Gibt es keinen, hat es keinen QR-Code, und der angehängte Nachweis belegt das Nutzungsrecht.
grant-certificate-without-code = Ein PDF zum Ausdrucken, ohne die Gebühr. Es hat keinen QR-Code, weil nur der Lizenznehmer Links teilt. Der angehängte Nachweis belegt das Nutzungsrecht.

## Geteilte Links.

grant-links = Geteilte Links
grant-links-about = Wer einen Link hat, sieht, ob das Nutzungsrecht gültig ist und was der Link offenlegt. Nutzungen, Gebiete, Zeitraum und Lizenzgeber sind immer sichtbar.
grant-links-none = Es sind keine Links geteilt.
grant-link-share-one = Einen Link teilen
grant-link-share = Link teilen
grant-link-was-shared = Link geteilt. Kopieren Sie unten seine Adresse.
grant-link-number = Link { $number }
grant-link-address = Adresse von Link { $number }
grant-link-discloses = Legt offen: { $parts }
grant-link-shared-by = Geteilt von { $name } ({ $when })
grant-link-of-certificate = Der QR-Code des Zertifikats führt zu diesem Link.
grant-link-disclose = Offenlegen
grant-link-disclose-hint = Alles andere bleibt verborgen. Um das später zu ändern, ziehen Sie den Link zurück und teilen einen neuen.
grant-link-withdraw = Zurückziehen
grant-link-withdraw-question = Der Link funktioniert dann nicht mehr.
grant-link-withdrawn = Link zurückgezogen
grant-nothing-else = Nichts weiter
grant-fee = Gebühr
grant-conditions = Auflagen
grant-channels = Kanäle

## Ein Nutzungsrecht widerrufen.

grant-revoke = Nutzungsrecht widerrufen
grant-revoke-about = Das Nutzungsrecht endet sofort. Wer seinen Nachweis überprüft oder einen seiner geteilten Links öffnet, sieht, dass es widerrufen wurde. Sein Zertifikat kann nicht mehr heruntergeladen werden.
grant-revoke-reason = Grund
grant-revoke-reason-hint = Der Lizenznehmer kann ihn lesen. Bis zu 2.000 Zeichen.
grant-revoke-confirm = Mir ist bewusst, dass ein widerrufenes Nutzungsrecht nicht wiederhergestellt werden kann
grant-revoked = Nutzungsrecht { $number } widerrufen
grant-was-revoked = Dieses Nutzungsrecht wurde widerrufen.
grant-revoked-by = { $name } hat dieses Nutzungsrecht widerrufen ({ $when }).
grant-revoked-because = Grund: { $reason }
