-- A replay asks of each event what became of it at one webhook.
DROP INDEX deliveries_event_id;
CREATE INDEX deliveries_event_id ON deliveries (event_id, webhook_id);
