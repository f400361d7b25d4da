-- What a piece of long work is called to people; its kind is the program's word.
ALTER TABLE run ADD COLUMN title text NOT NULL DEFAULT '';
UPDATE run SET title = CASE kind
  WHEN 'list.export' THEN 'A list as a file' WHEN 'list.bulk' THEN 'A change of many records' WHEN 'documents.pack' THEN 'A pack of documents'
  WHEN 'crm.import' THEN 'An import of leads' WHEN 'companies.import' THEN 'The register of companies'
  WHEN 'billing.customer-batch' THEN 'Customers made of clients' ELSE kind END;
