-- The last number given of each sequence: by client, and by year where it begins again with each (otherwise year 0).
CREATE TABLE sequence_counter (
  client_id int NOT NULL, name text NOT NULL, year int NOT NULL, last int NOT NULL,
  PRIMARY KEY (client_id, name, year));
SELECT tenant_table('sequence_counter');

-- Numbers that were given go on where they were.
INSERT INTO sequence_counter SELECT client_id, kind, 0, last FROM document_counter;
INSERT INTO sequence_counter SELECT client_id, 'quote', 0, max(number) FROM quote GROUP BY client_id;
DROP TABLE document_counter;
