-- A lead's customer is a relation. Addresses of customers become it; what was anything else is kept in the audit.
ALTER TABLE contact ADD customer_id bigint;
SET LOCAL ROLE stanchion_system;
UPDATE contact c SET customer_id = k.id FROM customer k
WHERE k.client_id = c.client_id AND k.id::text = substring(c.customer FROM '^(?:/api/financial/customers/|/customers/)?(\d{1,18})$');
INSERT INTO audit (client_id, type, row_id, verb, changes, user_id, username)
SELECT client_id, 'Contact', id, 'update', jsonb_build_object('customer', jsonb_build_array(customer, NULL)), 0, 'system'
FROM contact WHERE customer_id IS NULL AND customer <> '';
SET LOCAL ROLE NONE;
ALTER TABLE contact DROP COLUMN customer;
ALTER TABLE contact ADD CONSTRAINT contact_customer_id_fkey FOREIGN KEY (client_id, customer_id) REFERENCES customer (client_id, id);
CREATE INDEX contact_customer ON contact (client_id, customer_id) WHERE customer_id IS NOT NULL;
