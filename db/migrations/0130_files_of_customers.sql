-- A file may belong to a customer that was made without a lead. Once the customer has a lead, its files are the lead's.
ALTER TABLE lead_file ALTER COLUMN contact_id DROP NOT NULL, ADD COLUMN customer_id bigint,
  ADD FOREIGN KEY (client_id, customer_id) REFERENCES customer (client_id, id),
  ADD CONSTRAINT lead_file_owner CHECK (num_nonnulls(contact_id, customer_id) = 1);
CREATE INDEX lead_file_of_customer ON lead_file (client_id, customer_id, id) WHERE customer_id IS NOT NULL;
