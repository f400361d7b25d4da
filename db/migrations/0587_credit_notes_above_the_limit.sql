-- A credit note above the limit waits for a second person, like a void or a write-off.
ALTER TABLE finance_request ADD COLUMN credit jsonb,
  DROP CONSTRAINT finance_request_kind_check, DROP CONSTRAINT finance_request_check,
  ADD CONSTRAINT finance_request_kind_check CHECK (kind IN ('balance', 'writeOff', 'void', 'credit')),
  ADD CONSTRAINT finance_request_check CHECK ((kind = 'balance') = (invoice_id IS NULL)),
  ADD CONSTRAINT finance_request_credit CHECK ((kind = 'credit') = (credit IS NOT NULL));

CREATE OR REPLACE FUNCTION finance_request_stands() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' OR OLD.state <> 'waiting'
    OR (OLD.kind, OLD.customer_id, OLD.invoice_id, OLD.amount, OLD.currency, OLD.reason, OLD.credit, OLD.created_by, OLD.created_at)
      IS DISTINCT FROM (NEW.kind, NEW.customer_id, NEW.invoice_id, NEW.amount, NEW.currency, NEW.reason, NEW.credit, NEW.created_by, NEW.created_at)
  THEN
    RAISE EXCEPTION 'a request stands as it was made, and is decided once' USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NEW;
END $$;

-- The request whose approval issued the credit note.
ALTER TABLE credit_note ADD COLUMN finance_request_id bigint,
  ADD FOREIGN KEY (client_id, finance_request_id) REFERENCES finance_request (client_id, id);
CREATE UNIQUE INDEX credit_note_request ON credit_note (client_id, finance_request_id);

-- What one person decided on their own within 30 days is added up.
CREATE INDEX credit_note_created ON credit_note (client_id, created_at);
DROP INDEX ledger_transaction_forgiven;
CREATE INDEX ledger_transaction_forgiven ON ledger_transaction (client_id, created_at) WHERE kind IN ('badDebt', 'adjustment', 'void');
