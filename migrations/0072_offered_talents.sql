-- The requests of a talent with an open offer, to find those that a new grant is in the way of.
CREATE INDEX requests_talent_offered ON requests (talent_id, request_id) WHERE status = 'offered';
