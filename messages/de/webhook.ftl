### Webhooks und ihre Zustellungen.

webhook-list = Webhooks
webhook-list-lead = Senden Sie Ereignisse an Ihre eigenen URLs, sobald sie eintreten.
webhook-none = Noch keine Webhooks
webhook-none-why = Ein Webhook teilt Ihrem eigenen Programm mit, was hier passiert.
webhook-step-add = Fügen Sie eine URL hinzu und wählen Sie Ereignisse.
webhook-step-sent = Jedes Ereignis wird als signierte POST-Anfrage an die URL gesendet.
webhook-step-test = Senden Sie ein Testereignis und sehen Sie hier, was zugestellt wurde.

## Nach der Zahl der neuen.

webhook-new-one = neuer Webhook
webhook-new-many = neue Webhooks
webhook-delivery-new-one = neue Zustellung
webhook-delivery-new-many = neue Zustellungen

## Ein Webhook.

webhook-title = Webhook
webhook-details = Details
webhook-url = URL
webhook-events = Ereignisse
webhook-events-all = alle
webhook-events-some = { $count } von { $total }
webhook-health = Zustand
webhook-last-delivered = Zuletzt zugestellt
webhook-never = nie
webhook-is-disabled = Es wird nichts gesendet, bis Sie ihn aktivieren.
webhook-is-failing = Alle Zustellungen sind fehlgeschlagen, zuerst { $when }. Nach fünf Tagen wird der Webhook deaktiviert.
webhook-is-healthy = Ereignisse kommen an. Fehlgeschlagene Testereignisse zählen nicht.
webhook-is-unused = Es ist noch kein Ereignis angekommen.
webhook-enable = Aktivieren
webhook-enabled = Webhook aktiviert
webhook-disable = Deaktivieren
webhook-disabled = Webhook deaktiviert. Ereignisse werden gesammelt, bis Sie den Webhook wieder aktivieren.
webhook-deleted = Webhook gelöscht
webhook-back = Zurück zum Webhook

## Das Formular.

webhook-new = Neuer Webhook
webhook-new-lead = Wählen Sie, wohin Ereignisse gesendet werden.
webhook-edit = Webhook bearbeiten
webhook-endpoint = Endpunkt
webhook-url-hint = Muss mit https:// beginnen und aus dem Internet erreichbar sein. Für ein Programm auf Ihrem eigenen Rechner führen Sie stattdessen grantor listen aus.
webhook-description-hint = Bis zu 500 Zeichen.
webhook-events-hint = Wählen Sie mindestens eines.
webhook-create = Webhook erstellen
webhook-created = Webhook erstellt
webhook-save = Änderungen speichern
webhook-updated = Webhook aktualisiert

## Ereignisse.

webhook-event-license-created = Eine Lizenz wurde erstellt
webhook-event-license-updated = Eine Lizenz wurde geändert
webhook-event-license-published = Eine Lizenz wurde veröffentlicht
webhook-event-license-expired = Eine Lizenz ist abgelaufen
webhook-event-license-deleted = Eine Lizenz wurde gelöscht
webhook-event-permission-granted = Eine Berechtigung wurde erteilt
webhook-event-permission-revoked = Eine Berechtigung wurde widerrufen
webhook-event-mention-created = Eine Erwähnung wurde gefunden
webhook-event-mention-updated = Eine Erwähnung wurde geändert
webhook-event-mention-removed = Eine Erwähnung wurde entfernt
webhook-event-license-expiring = Eine Lizenz läuft bald ab
webhook-event-request-created = Eine Lizenz wurde angefragt
webhook-event-request-offered = Ein Angebot wurde gemacht
webhook-event-request-declined = Eine Anfrage oder ein Angebot wurde abgelehnt
webhook-event-request-withdrawn = Eine Anfrage oder ein Angebot wurde zurückgezogen
webhook-event-request-lapsed = Eine Anfrage ist verfallen
webhook-event-request-message = Eine Nachricht wurde gesendet
webhook-event-grant-created = Ein Angebot wurde angenommen
webhook-event-grant-expiring = Ein Nutzungsrecht endet bald
webhook-event-grant-ended = Ein Nutzungsrecht ist beendet
webhook-event-grant-revoked = Ein Nutzungsrecht wurde widerrufen
webhook-event-client-expiring = Ein API-Client läuft demnächst ab
webhook-event-webhook-test = Sie haben ein Testereignis gesendet

## Das Signaturgeheimnis.

webhook-secret = Signaturgeheimnis
webhook-secret-save = { $now } Sie können es später nicht noch einmal ansehen.
webhook-secret-save-now = Speichern Sie dieses Geheimnis jetzt.
webhook-secret-use = Jede Zustellung wird mit diesem Geheimnis signiert, wie von { $standard } festgelegt. Prüfen Sie den Header { $header } mit einer Standard-Webhooks-Bibliothek, bevor Sie einer Anfrage vertrauen.
webhook-secret-both = Nach dem Erneuern werden Zustellungen einen Tag lang mit dem alten und dem neuen Geheimnis signiert.
webhook-rotate = Geheimnis erneuern
webhook-rotate-question = Das neue Geheimnis wird nur einmal angezeigt. Das aktuelle Geheimnis signiert noch einen Tag lang.
webhook-rotated = Geheimnis erneuert
webhook-done = Fertig

## Zustellungen.

webhook-deliveries = Zustellungen
webhook-deliveries-none = Keine Zustellungen
webhook-deliveries-none-why = Senden Sie ein Testereignis oder warten Sie auf das erste Ereignis.
webhook-event = Ereignis
webhook-event-number = Ereignisnummer
webhook-queued = Eingereiht
webhook-finished = Abgeschlossen
webhook-finished-not-yet = noch nicht
webhook-attempts = Versuche
webhook-attempts-none = noch keine
webhook-attempts-last = { $count ->
    [one] { $count } Versuch, zuletzt { $response }
   *[other] { $count } Versuche, zuletzt { $response }
}
webhook-attempt-count = { $count ->
    [one] { $count } Versuch
   *[other] { $count } Versuche
}
webhook-attempt = { $when }: { $response } in { $duration } ms
webhook-no-attempts = Noch keine Versuche.
webhook-next-attempt = nächster Versuch { $when }
webhook-next-attempt-disabled = eingereiht, bis der Webhook aktiviert wird
webhook-dropped-not-visible = nicht sichtbar: Sie können die Lizenz nicht mehr ansehen
webhook-dropped-expired = abgelaufen: Der Webhook war zu lange deaktiviert
webhook-status-any = Alle Status
webhook-status-pending = Ausstehend
webhook-status-delivered = Zugestellt
webhook-status-failed = Fehlgeschlagen
webhook-status-dropped = Verfallen
webhook-response = Antwort
webhook-response-none = keine Antwort
webhook-send-now = Jetzt senden
webhook-retried = Zustellung erneut eingereiht. Sie wird jetzt gesendet.
webhook-test = Testereignis senden
webhook-test-delivered = Testereignis zugestellt: { $response } in { $duration } ms
webhook-test-failed = Testereignis fehlgeschlagen: { $response } in { $duration } ms

## Erneutes Senden.

webhook-replay = Ereignisse erneut senden
webhook-replay-lead = Wenn Ihr Endpunkt nicht erreichbar war, senden Sie vergangene Ereignisse erneut. Sie behalten ihre ursprünglichen IDs.
webhook-replay-since = Von ({ $zone })
webhook-replay-until = Bis ({ $zone })
webhook-replay-until-hint = Lassen Sie das Feld leer, um alles bis jetzt einzuschließen.
webhook-replay-status = Status der Zustellung
webhook-replay-events-hint = Wählen Sie nichts aus, um alle Ereignisse des Webhooks einzuschließen.
webhook-replay-dry-run = Probelauf: Ereignisse nur zählen
webhook-replay-counted = { $count ->
    [one] { $count } Ereignis würde erneut gesendet
   *[other] { $count } Ereignisse würden erneut gesendet
}
webhook-replayed = { $count ->
    [one] { $count } Ereignis wird erneut gesendet
   *[other] { $count } Ereignisse werden erneut gesendet
}

## Eine Zustellung.

webhook-delivery-of = Zustellung von { $event }
webhook-delivery-id = Zustellungs-ID
webhook-sent-hidden-from-staff = Was gesendet wurde, ist für das Betreiberteam nicht sichtbar.
webhook-sent-hidden = Sie können die Lizenz, um die es in diesem Ereignis geht, nicht mehr ansehen. Deshalb wird nicht angezeigt, was gesendet wurde.
webhook-request = Anfrage
webhook-request-lead = Die Anfrage des letzten Versuchs. Das Geheimnis des Webhooks wird nicht angezeigt.
webhook-request-verify = Die Anfrage ist echt, wenn der Teil von { $header } nach „v1,“ der Base64-kodierte HMAC-SHA256 von { $content } ist, mit dem Geheimnis des Webhooks (ohne Präfix, Base64-dekodiert) als Schlüssel; das prüft jede Standard-Webhooks-Bibliothek. { $docs }
webhook-request-docs = API-Dokumentation
webhook-request-headers = Header
webhook-payload = Payload
webhook-payload-size = Die Payload hat { $bytes } Bytes.
webhook-payload-formatted = Zum Lesen formatiert. Beim Kopieren und Herunterladen erhalten Sie genau die Bytes, die gesendet und signiert wurden.
webhook-payload-download = Payload herunterladen
webhook-curl = Als curl-Befehl kopieren
webhook-curl-file = Laden Sie zuerst die Payload herunter und führen Sie den Befehl im selben Ordner aus.
webhook-curl-lead = Der Befehl sendet genau das, was gesendet wurde. Deshalb ist die Signatur gültig.
webhook-curl-time = Empfänger, die die Zeit prüfen, wie es Standard-Webhooks-Bibliotheken tun, lehnen die Signatur fünf Minuten nach dem Versuch ab. Verwenden Sie dann „Jetzt senden“.
webhook-curl-command = Befehl
