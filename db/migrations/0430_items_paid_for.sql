-- Items that a customer has paid for until the end of the period, if they were removed or reduced without a credit since.
ALTER TABLE subscription ADD paid_items jsonb;
