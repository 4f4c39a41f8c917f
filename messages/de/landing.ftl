### Texte der Startseite.

landing-title = Lizenzen für Namen, Bilder und Bildnisse
landing-lead = Grantor ist ein offener Lizenzserver. Rechteinhaber legen fest, was mit einem Gesicht, einem Namen oder einer Stimme geschehen darf. Marken fragen an, einigen sich und erhalten einen signierten Nachweis. Danach beobachtet Grantor, wo das Bildnis verwendet wird.
landing-talents = Agenturen und Talente
landing-talents-about = Erfassen Sie Ihre Talente, veröffentlichen Sie Lizenzen mit klaren Bedingungen, beantworten Sie Anfragen und sehen Sie jede Nutzung mit ihren Beweisen.
landing-brands = Marken
landing-brands-about = Finden Sie die passende Lizenz, fragen Sie genaue Bedingungen an und bewahren Sie einen Nachweis auf, den jeder prüfen kann.
landing-platforms = Plattformen
landing-platforms-about = Verifizieren Sie Ihre Website, lassen Sie sie scannen oder senden Sie, was veröffentlicht wird, und wissen Sie, was lizenziert ist, bevor sich jemand beschwert.
landing-open = Ohne Konto
landing-catalog = Katalog
landing-catalog-about = Durchsuchen Sie Lizenzen, die alle anfragen können.
landing-check = Bild prüfen
landing-check-about = Sehen Sie, ob es für die abgebildete Person eine Lizenz gibt.
landing-verify = Nachweis prüfen
landing-verify-about = Sehen Sie, ob ein Nutzungsrecht heute gültig ist.
landing-docs = API-Dokumentation
landing-docs-about = Binden Sie Ihre eigenen Werkzeuge an.
landing-sign-up = Registrieren
landing-sign-in = Anmelden
landing-console = Konsole öffnen
landing-sample = Mit Beispieldaten ausprobieren
landing-sample-about = Dieser Server läuft auf Ihrem Rechner mit erfundenen Personen. Sehen Sie sich als eine von ihnen um:
landing-enter-agency = Als Agentur starten
landing-enter-brand = Als Marke starten
landing-enter-platform = Als Plattform starten
landing-enter-staff = Als Betreiberteam starten
