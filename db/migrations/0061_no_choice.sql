-- A select box in which nothing was chosen has stored an empty text, or white space: it is what a new record has, and nothing else.
-- Rows of sealed documents and of closed talks stand as they were sealed.
SET LOCAL ROLE stanchion_system;
UPDATE customer SET currency = 'GBP' WHERE currency !~ '\S';
UPDATE plan SET currency = 'GBP' WHERE currency !~ '\S';
UPDATE plan SET "interval" = 'month' WHERE "interval" !~ '\S';
UPDATE sku SET currency = 'GBP' WHERE currency !~ '\S';
UPDATE price SET currency = 'GBP' WHERE currency !~ '\S';
UPDATE price SET "interval" = NULL WHERE "interval" !~ '\S';
UPDATE coupon SET currency = 'GBP' WHERE currency !~ '\S';
UPDATE coupon SET duration = 'once' WHERE duration !~ '\S';
UPDATE insurance_sale SET currency = 'GBP' WHERE currency !~ '\S';
UPDATE quote SET currency = 'GBP' WHERE currency !~ '\S';
UPDATE quote_line SET kind = 'additional' WHERE kind !~ '\S';
UPDATE quote_line SET currency = NULL WHERE currency !~ '\S';
UPDATE quote_line SET "interval" = NULL WHERE "interval" !~ '\S';
UPDATE contact SET sub_contractors = '10' WHERE sub_contractors !~ '\S';
UPDATE contact SET employees = '10' WHERE employees !~ '\S';
UPDATE hazard_control SET tier = 'administrative' WHERE tier !~ '\S';
UPDATE risk_item i SET tier = nullif(regexp_replace(tier, '^\s+$', ''), ''),
  implemented = CASE WHEN implemented ~ '\S' THEN implemented ELSE 'yes' END
FROM document d WHERE d.client_id = i.client_id AND d.id = i.document_id AND d.seal IS NULL AND (i.tier !~ '\S' OR i.implemented !~ '\S');
UPDATE talk_attendee a SET method = NULL
FROM talk_presented p WHERE p.client_id = a.client_id AND p.id = a.presented_id AND NOT p.complete AND a.method !~ '\S';
SET LOCAL ROLE NONE;
