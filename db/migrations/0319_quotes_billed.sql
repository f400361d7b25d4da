-- A quote that is accepted becomes subscriptions and its first invoice, once. Those accepted before wait to be converted. By telephone: who took it.
ALTER TABLE quote ADD billed_at timestamptz, ADD po_number text NOT NULL DEFAULT '', ADD taken_by text NOT NULL DEFAULT '';
CREATE INDEX quote_to_convert ON quote (client_id, id) WHERE status_id = 3 AND billed_at IS NULL;
CREATE UNIQUE INDEX invoice_of_quote ON invoice (client_id, quote_id) WHERE origin = 'quote' AND state <> 'void';
