-- What was sent and accepted in some weeks, for those who look at the work as a whole.
CREATE INDEX quote_sent ON quote (client_id, sent_at) INCLUDE (owner_id, currency, total) WHERE sent_at IS NOT NULL;
CREATE INDEX quote_decided ON quote (client_id, decided_at) INCLUDE (owner_id, currency, total, state) WHERE decided_at IS NOT NULL;
