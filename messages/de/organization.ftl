### Die Organisation, ihre Angaben und ihre Chat-Adressen.

organization-account = Konto
organization-plan = Tarif
organization-id = Organisations-ID
organization-letters = Briefvorlagen
organization-chats = Chat-Adressen
organization-security = Anmeldesicherheit
organization-sso = Single Sign-on
organization-back = Zurück zur Organisation
organization-switched = Zu { $organization } gewechselt
organization-switch-second-factor = Diese Organisation verlangt einen zweiten Faktor. Richten Sie zuerst einen ein.

## Suche nach dem Namen.

organization-findable = Auffindbarkeit nach Namen
organization-findable-on = Andere sehen Name, Art und Domain ({ $domain }) Ihrer Organisation, wenn sie danach suchen.
organization-findable-no-domain = Die Auffindbarkeit ist eingeschaltet, aber andere finden Ihre Organisation erst, wenn Sie { $link }.
organization-findable-no-domain-link = eine Domain verifizieren
organization-findable-off = Nur Parteien, mit denen Sie eine Lizenz, eine Anfrage oder ein Nutzungsrecht teilen, können Ihre Organisation nach Namen finden.
organization-findable-turn-on = Einschalten
organization-findable-turn-off = Ausschalten
organization-findable-turned-on = Ihre Organisation kann nach Namen gefunden werden
organization-findable-turned-off = Ihre Organisation kann nicht mehr nach Namen gefunden werden

## Angaben.

organization-edit = Organisation bearbeiten
organization-edit-lead = Ihre öffentlichen Angaben und Rechnungsdaten.
organization-save = Änderungen speichern
organization-updated = Organisation aktualisiert
organization-about = Über die Organisation
organization-description = Beschreibung
organization-description-hint = Bis zu 500 Zeichen.
organization-website = Website
organization-industry = Branche
organization-founded = Gründungsjahr
organization-address = Anschrift
organization-street = Straße
organization-postal-code = Postleitzahl
organization-city = Ort
organization-region = Bundesland oder Region
organization-country = Land
organization-contact = Kontakt
organization-contact-person = Kontaktperson
organization-contact-email = E-Mail
organization-contact-phone = Telefon
organization-tax = Steuern
organization-legal-name = Rechtlicher Name
organization-tax-id = Steuernummer
organization-vat-number = USt-IdNr.

## Chat-Adressen.

organization-chats-lead = Senden Sie Benachrichtigungen an einen Kanal in Slack, Teams oder einem kompatiblen Chat.
organization-chats-none = Noch keine Chat-Adressen
organization-chats-none-why = Ihr Team erfährt, was Aufmerksamkeit braucht, in dem Kanal, in dem es ohnehin arbeitet.
organization-chats-step-create = Erstellen Sie in Ihrem Chat einen eingehenden Webhook.
organization-chats-step-add = Fügen Sie seine URL hier hinzu und wählen Sie, was gesendet wird.
organization-chats-step-test = Senden Sie eine Testnachricht.
organization-chats-back = Zurück zu den Chat-Adressen
organization-chat = Chat
organization-chat-add = Chat-Adresse hinzufügen
organization-chat-added = Chat-Adresse hinzugefügt. Senden Sie eine Testnachricht, um sie zu prüfen.
organization-chat-edit = Chat-Adresse bearbeiten
organization-chat-updated = Chat-Adresse aktualisiert
organization-chat-deleted = Chat-Adresse gelöscht
organization-chat-address = Adresse
organization-chat-last-message = Letzte Nachricht
organization-chat-last-error = Letzter Fehler: { $error }
organization-chat-never = nie
organization-chat-name-example = Rechteteam
organization-chat-url = Webhook-URL
organization-chat-url-hint = Die URL eines eingehenden Webhooks. Sie wird verschlüsselt gespeichert und nicht noch einmal angezeigt.
organization-chat-url-new = Neue Webhook-URL
organization-chat-url-keep = Lassen Sie das Feld leer, um { $url } zu behalten.
organization-chat-kinds = Benachrichtigungen
organization-chat-kinds-hint = Wählen Sie mindestens eine.
organization-chat-enable = Aktivieren
organization-chat-enabled = Chat-Adresse aktiviert
organization-chat-disable = Deaktivieren
organization-chat-disabled = Chat-Adresse deaktiviert
organization-chat-test = Testnachricht senden
organization-chat-tested = Testnachricht gesendet
organization-chat-test-failed = Die Testnachricht ist nicht angekommen: { $reason }.
