### API-Clients.

client-list = API-Clients
client-list-lead = Zugangsdaten, mit denen Ihre Anwendungen die API nutzen.
client-none = Noch keine API-Clients
client-none-why = Mit einem API-Client kann eine Anwendung Lizenzen lesen oder Inhalte übermitteln.
client-step-name = Benennen Sie die Anwendung und wählen Sie, was sie darf.
client-step-copy = Kopieren Sie den Schlüssel und das Geheimnis. Das Geheimnis wird nur einmal angezeigt.
client-step-exchange = Tauschen Sie beide gegen ein Token, wie in der API-Dokumentation beschrieben.
client-key-head = Schlüssel
client-key = API-Schlüssel
client-secret = API-Geheimnis
client-environment = Umgebung
client-environment-production = Produktion
client-environment-staging = Staging
client-environment-development = Entwicklung
client-last-used = Zuletzt verwendet
client-never = nie

## Das Formular.

client-new = Neuer API-Client
client-new-lead = Ein Schlüssel und ein Geheimnis für eine Anwendung.
client-card = API-Client
client-create = API-Client erstellen
client-created = API-Client erstellt
client-name-hint = Die Anwendung, die den Client verwendet, zum Beispiel „Importer“.
client-choose-production = Produktion
client-choose-staging = Staging
client-choose-development = Entwicklung
client-environment-hint = Wo die Anwendung läuft: Produktion für die echte, Staging für Probeläufe vor einer Veröffentlichung, Entwicklung für den eigenen Rechner. Alle verwenden dieselben Daten und dasselbe Kontingent. Schlüssel für die Produktion beginnen mit gk_live_, die anderen mit gk_test_.
client-scopes = Berechtigungen
client-scopes-hint = Wählen Sie mindestens eine: Ohne Berechtigung kann ein Client nichts tun. Auch die Rolle der Person, die den Client erstellt, begrenzt ihn.
client-scope-license-read = Lizenzen, Anfragen, Angebote, Nutzungsrechte und Nachweise lesen; Entscheidungen abfragen; Lesezeichen verwalten
client-scope-license-write = Lizenzen ändern; Nutzungsrechte anfragen, Angebote machen, annehmen, ablehnen und zurückziehen und Nachrichten schreiben; Nutzungsrechte widerrufen; Erwähnungen prüfen, Fälle bearbeiten und Quellen verwalten; Inhalte übermitteln
client-scope-mention-read = Erwähnungen, Beweise, Fälle und Quellen lesen; Prüfungen ausführen
client-scope-webhook-manage = Webhooks verwalten; Ereignisse lesen
client-expires-at = Läuft ab ({ $zone })
client-expires-at-hint = Lassen Sie das Feld leer, wenn der Client nie ablaufen soll.

## Ein API-Client.

client-details = Details
client-expires = Läuft ab
client-settings = Einstellungen
client-status-active = Aktiv
client-status-inactive = Inaktiv
client-save = Änderungen speichern
client-updated = API-Client aktualisiert
client-revoke = Widerrufen
client-revoke-question = Anwendungen, die diesen Schlüssel verwenden, verlieren dauerhaft den Zugriff. Das kann nicht rückgängig gemacht werden.
client-revoked = API-Client widerrufen
client-delete-question = Anwendungen, die diesen Schlüssel verwenden, verlieren sofort den Zugriff. Sie können dies eine Minute lang rückgängig machen, aber Token bleiben ungültig.
client-deleted = API-Client gelöscht

## Geheimnisse.

client-rotate = Geheimnis erneuern
client-rotate-lead = Das neue Geheimnis wird nur einmal angezeigt. Wählen Sie, wann das aktuelle Geheimnis ungültig wird.
client-grace = Aktuelles Geheimnis läuft ab
client-grace-none = Sofort, falls es bekannt geworden sein könnte
client-grace-hour = In 1 Stunde
client-grace-day = In 1 Tag
client-rotated = Geheimnis erneuert
client-old-secret = Das vorherige Geheimnis ist noch gültig. Es läuft { $when } ab.
client-secret-save = { $now } Sie können es später nicht noch einmal ansehen.
client-secret-save-now = Speichern Sie dieses Geheimnis jetzt.
client-done = Fertig

## Erste Schritte.

client-start = Erste Schritte
client-start-token = Tauschen Sie den Schlüssel und das Geheimnis gegen ein Zugriffstoken, das eine Stunde gültig ist:
client-start-token-label = Zugriffstoken abrufen
client-start-list = Listen Sie dann Ihre Lizenzen auf:
client-start-list-label = Lizenzen auflisten
client-documentation = Schnellstart: von diesem Schlüssel zum geprüften Webhook
