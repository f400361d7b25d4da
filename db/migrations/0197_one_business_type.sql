-- A business type is there once: leads of a second one of the same name go to the first, and the second is retired.
WITH twice AS (SELECT id, first_value(id) OVER (PARTITION BY lower(name) ORDER BY id) AS first FROM business_type WHERE NOT retired)
UPDATE contact c SET business_type_id = t.first FROM twice t WHERE c.business_type_id = t.id AND t.first <> t.id;
UPDATE business_type b SET retired = true
  WHERE NOT retired AND EXISTS (SELECT FROM business_type o WHERE NOT o.retired AND lower(o.name) = lower(b.name) AND o.id < b.id);
CREATE UNIQUE INDEX business_type_name ON business_type (lower(name)) WHERE NOT retired;
