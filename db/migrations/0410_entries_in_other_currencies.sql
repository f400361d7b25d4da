-- VAT returns read the few entries in other currencies one by one. Those in sterling are summed without this index.
CREATE INDEX ledger_entry_foreign ON ledger_entry (client_id, transaction_id) WHERE currency <> 'GBP';
