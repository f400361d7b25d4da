-- 500 tenants, 200 000 contacts, 1 000 000 notes, the same for every run: everything follows from the row's number.
-- The limit's rows are the same ones; its tenant n is our client n - 1, so its big tenant 1 is the provider, client 0.
SET client_min_messages = warning;
CREATE FUNCTION h(n bigint, salt int DEFAULT 0) RETURNS bigint IMMUTABLE PARALLEL SAFE LANGUAGE sql AS
$$ SELECT hashint8extended(n, salt) & 9223372036854775807 $$;
INSERT INTO client (id, company) SELECT i, 'Client ' || i FROM generate_series(1, 499) i;
INSERT INTO last_result (id, text, category) SELECT i, 'Result ' || i, (ARRAY['NEW','CB','PFP','DEMO','QUOTE'])[1 + i % 5] FROM generate_series(1, 54) i ON CONFLICT (id) DO NOTHING;
DELETE FROM staff;
INSERT INTO staff (client_id, id, username, name) SELECT (i - 1) / 10, i, 'person' || i, 'Person ' || i FROM generate_series(1, 5000) i;
SELECT setval('staff_id_seq', 5000);
INSERT INTO contact (id, name, company_name, company_number, phone, mobile, email, owner_id, client_id,
                     expiry, callback_date, last_result_id, business_type_id, updated_at, retired)
SELECT i,
  (ARRAY['Ann','Bob','Cleo','Dan','Eve','Finn','Gwen','Hal','Iris','Jon'])[1 + h(i,1) % 10] || ' ' ||
  (ARRAY['Archer','Baker','Cooper','Dyer','Eaton','Fisher','Glover','Hunter','Irving','Joiner'])[1 + h(i,2) % 10],
  initcap(substr(md5('w' || h(i,3) % 20000), 1, 6)) || ' ' ||
  (ARRAY['Plumbing','Electrical','Foods','Joinery','Transport','Logistics','Design','Motors','Roofing','Energy'])[1 + h(i,4) % 10]
    || ' ' || (ARRAY['Ltd','LLP','PLC','& Sons'])[1 + h(i,5) % 4],
  lpad((h(i,6) % 99999999)::text, 8, '0'),
  '01' || lpad((h(i,7) % 999999999)::text, 9, '0'), '07' || lpad((h(i,8) % 999999999)::text, 9, '0'),
  'c' || i || '@example.test',
  (t - 1) * 10 + 1 + h(i,9) % 10, t - 1,
  date '2026-01-01' + (h(i,10) % 730)::int,
  timestamptz '2026-11-01 08:00+00' + (h(i,11) % 86400) * interval '1 minute',
  1 + h(i,12) % 40, 1 + h(i,13) % 30,
  timestamptz '2025-01-01 00:00+00' + (h(i,14) % 31536000) * interval '1 second',
  h(i,15) % 20 = 0
FROM (SELECT i, CASE WHEN i % 10 = 0 THEN 1 ELSE (1 + h(i,16) % 500)::int END AS t FROM generate_series(1, 200000) i) s;
SELECT setval('contact_id_seq', 200000);
INSERT INTO note (id, client_id, contact_id, notes, minutes, timestamp, sticky, retired)
SELECT n.i, c.client_id, c.id,
  'Spoke to ' || substr(md5(n.i::text), 1, 8) || ' about renewal; call back next week. ' || repeat('Lorem ipsum ', (h(n.i,1) % 8)::int),
  h(n.i,2) % 30, timestamptz '2025-01-01 00:00+00' + (h(n.i,3) % 57600000) * interval '1 second',
  h(n.i,4) % 50 = 0, h(n.i,5) % 50 = 0
FROM generate_series(1, 1000000) n (i) JOIN contact c ON c.id = 1 + (n.i - 1) % 200000;
SELECT setval('note_id_seq', 1000000);
ANALYZE;
