### Anfragen mit ihren Angeboten und Nachrichten.

## Die Liste der Anfragen.

request-list = Anfragen
request-list-lead = Anfragen zu Lizenzen mit Angeboten und Nachrichten.
request-browse-catalog = Katalog durchsuchen
request-view-licenses = Lizenzen anzeigen
request-license = Lizenz
request-with = Gegenseite
request-changed = Letzte Änderung
request-unread = Ungelesen
request-unread-count = { $count } ungelesen
request-unread-updates = { $count ->
    [one] Sie haben { $count } ungelesene Neuigkeit.
   *[other] Sie haben { $count } ungelesene Neuigkeiten.
}
request-new-one = neue Anfrage
request-new-many = neue Anfragen
request-sort-changed-first = Zuletzt geänderte zuerst
request-sort-changed-last = Zuletzt geänderte am Ende
request-search = Talent, Lizenz oder Partei suchen
request-any-status = Jeder Status
request-talent = Talent
request-use = Nutzung
request-any-use = Jede Nutzung
request-country = Land
request-any-country = Jedes Land
request-changed-from = Geändert ab
request-changed-to = Geändert bis
request-selected-license = Die ausgewählte Lizenz
request-sides = Anfragen nach Richtung
request-as-licensor = Als Lizenzgeber
request-as-licensee = Als Lizenznehmer
request-side-received = Erhalten
request-side-sent = Gesendet
request-side-offer-sent = Angebot gesendet
request-side-offer-received = Angebot erhalten
request-none-found = Keine Anfragen gefunden
request-none-found-why = Keine Anfrage passt zu Ihren Filtern.
request-none-received = Noch keine Anfragen erhalten
request-none-received-why = Hier erscheinen Anfragen zu Ihren Lizenzen. Veröffentlichen Sie eine Lizenz im Katalog, damit man Sie findet.
request-received-step-1 = Sie erhalten eine E-Mail, sobald jemand anfragt.
request-received-step-2 = Antworten Sie mit einem Angebot: Nutzungen, Gebiete, Zeitraum und Preis.
request-received-step-3 = Wird es angenommen, entsteht ein Nutzungsrecht.
request-none = Noch keine Anfragen
request-none-why = Suchen Sie im Katalog eine Lizenz und wählen Sie „Diese Lizenz anfragen“.
request-step-1 = Geben Sie an, was Sie nutzen möchten, wo und wie lange.
request-step-2 = Die Gegenseite antwortet mit einem Angebot.
request-step-3 = Nehmen Sie es an, und Sie haben ein Nutzungsrecht mit Nachweis.

## Status einer Anfrage.

request-status-open = Offen
request-status-offered = Angeboten
request-status-accepted = Angenommen
request-status-declined = Abgelehnt
request-status-withdrawn = Zurückgezogen
request-status-lapsed = Verfallen

## Arten von Parteien.

request-party-type-Platform = Plattform
request-party-type-Agency = Agentur
request-party-type-Brand = Marke
request-party-type-Individual = Einzelperson

## Bedingungen.

request-terms = Bedingungen
request-all-terms = Alle Bedingungen
request-term-uses = Nutzungen
request-term-territories = Gebiete
request-term-starts = Beginn
request-term-ends = Ende
request-term-fee = Gebühr
request-term-exclusive = Exklusiv
request-term-channels = Kanäle
request-term-conditions = Auflagen
request-term-credit-line = Namensnennung
request-not-limited = Nicht beschränkt
request-not-specified = Nicht angegeben
request-no-end-date = Kein Enddatum
request-license-terms = Bedingungen der Lizenz
request-owner = Inhaber
request-permitted-uses = Erlaubte Nutzungen
request-dates = Zeitraum
request-changes-from-yours = Änderungen gegenüber Ihrer Anfrage:
request-changes-from-request = Änderungen gegenüber der Anfrage:
request-changes-from-previous = Änderungen gegenüber dem vorigen Angebot:
request-compared-to-read = Verglichen mit den Bedingungen, die Sie gelesen hatten:
request-as-requested = Nutzungen, Gebiete, Zeitraum und Kanäle sind wie angefragt.
request-budget-of = Budget { $amount }
request-fee-above-budget = { $fee } (über dem Budget)
request-fee-below-budget = { $fee } (unter dem Budget)
request-same-terms = Die Bedingungen sind dieselben wie zuvor.
request-same-terms-license-edited = Die Bedingungen sind dieselben, aber die Lizenz wurde zwischenzeitlich bearbeitet.
request-conditions-removed = Auflagen, entfernt:
request-conditions-added = Auflagen, hinzugefügt:
request-conditions-reordered = Auflagen in anderer Reihenfolge

## Das Formular für eine Anfrage.

request-new-title = Lizenz anfragen
request-this-license = Diese Lizenz anfragen
request-view-yours = Ihre offene Anfrage anzeigen
request-view-offer = Ihr Angebot anzeigen
request-back-to-license = Zurück zur Lizenz
request-already-open = Sie haben bereits eine offene Anfrage zu dieser Lizenz
request-already-offered = Sie haben bereits ein Angebot zu dieser Lizenz
request-one-per-license = Zu jeder Lizenz kann es nur eine offene Anfrage geben. { $link }.
request-one-per-party = Zu jeder Lizenz kann es pro Partei nur eine offene Anfrage geben. { $link }.
request-view-open-one = Offene Anfrage anzeigen
request-yours = Ihre Anfrage
request-send = Anfrage senden
request-sent-to = Anfrage an { $name } gesendet
request-within-license = Nur was die Lizenz erlaubt, steht zur Auswahl.
request-in-zone = Zeitzone: { $zone }.
request-ends-hint = Zeitzone: { $zone }. Ohne Enddatum leer lassen.
request-ends-with-license-hint = Zeitzone: { $zone }. Die Lizenz endet am { $time }; ein Angebot kann nicht länger gelten.
request-purpose = Zweck
request-purpose-hint = Wofür Sie das Bildnis benötigen. Bis zu 2.000 Zeichen.
request-channels-hint = Zum Beispiel Instagram oder TV. Einer pro Zeile, bis zu 10.
request-budget = Budget
request-budget-optional = Budget (optional)
request-amount = Betrag
request-amount-example = 1.500
request-amount-hint = Zum Beispiel 1.500,00 oder 1,500.
request-with-amount = bei Angabe eines Betrags
request-currency = Währung

## Das Formular für ein Angebot.

request-offer = Angebot
request-make-offer = Angebot machen
request-replace-offer = Angebot ersetzen
request-send-offer = Angebot senden
request-offer-sent = Angebot gesendet
request-offer-sent-to = Angebot an { $name } gesendet
request-offer-lead = { $license } für { $name }
request-requested = Angefragt
request-licensor = Lizenzgeber
request-licensee = Lizenznehmer
request-offer-ends-with-license-hint = Zeitzone: { $zone }. Spätestens am { $time }, wenn die Lizenz endet.
request-fee-hint = Zum Beispiel 1.500,00 oder 1,500. 0 bedeutet kostenlos. Ohne Gebühr leer lassen.
request-with-fee = bei Angabe einer Gebühr
request-fee-per = Pro
request-fee-per-use = Nutzung
request-fee-per-day = Tag
request-fee-per-month = Monat
request-fee-per-year = Jahr
request-fee-per-campaign = Kampagne
request-exclusive-hint = Niemand sonst kann ein Nutzungsrecht für dasselbe Talent, dieselbe Nutzung, dasselbe Gebiet und denselben Zeitraum erhalten. Berechtigungen an der Lizenz bleiben, bis Sie sie widerrufen.
request-offer-channels-hint = Wo das Bildnis erscheinen darf. Einer pro Zeile, bis zu 10. Ohne Beschränkung leer lassen.
request-conditions-hint = Weitere Auflagen in eigenen Worten. Bis zu 5.000 Zeichen.
request-credit-line-hint = Wie das Talent genannt wird.
request-offer-ends = Angebot gültig bis
request-offer-expires-hint = Innerhalb von 90 Tagen. Zeitzone: { $zone }. Für 14 Tage leer lassen.

## Ein Angebot annehmen.

request-accept-title = Angebot annehmen
request-back = Zurück zur Anfrage
request-what-changed = Was sich geändert hat
request-parties = Parteien
request-accept = Annehmen
request-accept-as-other = Um für eine andere Organisation anzunehmen, wechseln Sie zuerst im Menü zu ihr. Das Angebot bleibt unter Ihren Anfragen.
request-accept-as = Sie nehmen für { $name } an.
request-accept-makes-grant = Mit der Annahme entsteht ein Nutzungsrecht mit genau diesen Bedingungen. Sie ändern sich nie.
request-accept-terms = Ich nehme diese Bedingungen für { $name } an
request-accept-offer = Angebot annehmen
request-offer-accepted = Angebot angenommen. Ihr Nutzungsrecht hat die Nummer { $number }.

## Ein Angebot, das nicht angenommen werden kann.

request-blocked = Dieses Angebot kann nicht angenommen werden: Es überschneidet sich mit einem anderen Nutzungsrecht an dem Talent.
request-blocked-by = Dieses Angebot kann nicht angenommen werden: Es überschneidet sich mit { $grant }, und eines der beiden ist exklusiv.
request-grant = Nutzungsrecht { $number }
request-blocked-next = Ersetzen Sie das Angebot durch eines mit anderen Bedingungen oder ziehen Sie es zurück.
request-overlaps-until = Die Anfrage überschneidet sich mit dem { $grant }, das bis { $date } exklusiv ist ({ $uses }; { $territories }).
request-overlaps = Die Anfrage überschneidet sich mit dem { $grant }, das exklusiv ist und kein Enddatum hat ({ $uses }; { $territories }).
request-overlaps-next = Bieten Sie andere Nutzungen, Gebiete oder Zeiträume an.
request-ask-for-terms = { $link }, um nach anderen Bedingungen zu fragen.
request-write-to = Schreiben Sie { $name } eine Nachricht

## Eine Anfrage.

request-title = Anfrage zu { $license }
request-card = Anfrage
request-offers-and-messages = Angebote und Nachrichten
request-other-actions = Weitere Aktionen
request-view-terms = Bedingungen ansehen
request-review-and-accept = Prüfen und annehmen
request-back-to-list = Zurück zu den Anfragen
request-requested-by = Angefragt von
request-sent-at = Gesendet
request-offered-to = Angeboten an
request-offered-at = Angeboten
request-lapses = Verfall: { $when }
request-view-grant = Nutzungsrecht anzeigen
request-ended-accepted = Das Angebot wurde angenommen.
request-ended-grant-revoked = Das Angebot wurde angenommen. Das Nutzungsrecht wurde am { $date } widerrufen.
request-ended-grant-ended = Das Angebot wurde angenommen. Das Nutzungsrecht endete am { $date }.
request-ended-offer-declined = { $name } hat das Angebot abgelehnt.
request-ended-declined = { $name } hat die Anfrage abgelehnt.
request-ended-withdrawn = { $name } hat die Anfrage zurückgezogen.
request-ended-lapsed = Die Anfrage ist verfallen: Niemand hat rechtzeitig geantwortet, oder die Lizenz hat sich geändert.
request-reason-given = Grund: { $reason }
request-you-withdrew-offer = Sie haben Ihr Angebot zurückgezogen. { $asker } kann es daher nicht annehmen. Sie können ein neues machen.
request-owner-withdrew-offer = { $owner } hat das Angebot zurückgezogen. { $asker } kann es daher nicht annehmen.
request-offer-was-withdrawn = { $owner } hat das Angebot zurückgezogen. Es kann daher nicht angenommen werden. Die Anfrage bleibt offen.
request-offer-to-you-withdrawn = { $owner } hat das Angebot zurückgezogen. Sie können es daher nicht annehmen. Die Anfrage bleibt offen: Sie können eine Nachricht schreiben oder auf ein neues Angebot warten.
request-claim = Dieses Angebot wurde an { $email } gesendet. Sie antworten für { $name }.
request-claim-until = Bis Sie antworten, sieht { $owner } nur Ihre E-Mail-Adresse.
request-beyond = Die Anfrage geht über Ihre Lizenz hinaus:
request-beyond-own = Ihre Anfrage geht über die Lizenz hinaus:
request-beyond-own-next = { $owner } kann nur anbieten, was die Lizenz umfasst. Wenn Sie etwas anderes möchten, ziehen Sie diese Anfrage zurück und senden Sie eine neue, oder schreiben Sie eine Nachricht.
request-beyond-uses = Nutzungen: { $uses }
request-beyond-territories = Gebiete: { $territories }
request-beyond-start = Sie beginnt vor der Lizenz
request-beyond-end = Sie endet nach der Lizenz
request-beyond-next = Bieten Sie nur an, was Ihre Lizenz umfasst, oder { $edit }.
request-beyond-edit = bearbeiten Sie zuerst die Lizenz
request-message = Nachricht
request-message-hint = Die Gegenseite kann sie lesen. Bis zu 5.000 Zeichen.
request-send-message = Nachricht senden
request-message-sent = Nachricht gesendet
request-closed = Diese Anfrage ist abgeschlossen, daher kann niemand Nachrichten senden.
request-reason = Grund
request-reason-hint = Die Gegenseite kann ihn lesen. Bis zu 2.000 Zeichen.
request-decline = Anfrage ablehnen
request-declined = Anfrage abgelehnt
request-decline-offer = Angebot ablehnen
request-offer-declined = Angebot abgelehnt
request-withdraw = Anfrage zurückziehen
request-withdraw-question = Die Anfrage wird geschlossen, ebenso ein offenes Angebot. Das lässt sich nicht rückgängig machen.
request-withdrawn = Anfrage zurückgezogen
request-withdraw-offer = Angebot zurückziehen
request-withdraw-offer-question = Das Angebot kann dann nicht mehr angenommen werden. Die Anfrage bleibt offen. Das lässt sich nicht rückgängig machen.
request-offer-withdrawn = Angebot zurückgezogen
request-sent = Anfrage gesendet
request-sent-by = { $sent } von { $name }
request-closed-by = { $status } von { $name }
request-offer-open-until = Offen bis { $time }
request-offer-withdrawn-by = Zurückgezogen von { $name }.

## Ein Link, der an jemand anderen gesendet wurde.

request-foreign-link = Dieser Link gehört zu einem anderen Konto
request-foreign-link-sent-to = Der Link wurde an { $to } gesendet. Sie sind als { $own } angemeldet.
request-foreign-link-next = Um ihn zu öffnen, melden Sie sich mit der Adresse an, an die er gesendet wurde.
request-foreign-link-sign-in = Abmelden und mit { $email } anmelden
request-go-to-dashboard = Zur Übersicht

## Wozu man sich anmelden oder registrieren soll.

request-sign-in-to-request = Melden Sie sich an, um { $license } anzufragen.
request-sign-in-to-request-this = Melden Sie sich an, um diese Lizenz anzufragen.
request-sign-in-to-read-offer = Melden Sie sich an, um das Angebot an Sie zu lesen.
request-sign-in-to-view = Melden Sie sich an, um die Anfrage anzuzeigen.
request-sign-in-to-view-grant = Melden Sie sich an, um das Nutzungsrecht anzuzeigen.
request-sign-in-to-view-page = Melden Sie sich an, um diese Seite zu sehen.
request-sign-up-to-request = Registrieren Sie sich, um { $license } anzufragen.
request-sign-up-to-request-this = Registrieren Sie sich, um diese Lizenz anzufragen.
request-sign-up-to-read-offer = Registrieren Sie sich, um das Angebot an Sie zu lesen.
request-sign-up-to-view = Registrieren Sie sich, um die Anfrage anzuzeigen.
request-sign-up-to-view-grant = Registrieren Sie sich, um das Nutzungsrecht anzuzeigen.
request-sign-up-to-view-page = Registrieren Sie sich, um diese Seite zu sehen.
