-- Each room loads its own reference data: what was loaded as one is loaded, under the names of its parts.
INSERT INTO reference_version (name, version)
  SELECT part, 1 FROM reference_version, unnest(ARRAY['provider', 'roles', 'leads']) part WHERE name = 'base' AND version = 2
    AND EXISTS (SELECT FROM reference_version WHERE name = 'billing')
  ON CONFLICT DO NOTHING;
DELETE FROM reference_version WHERE name = 'base';

-- The results that the specification numbers keep their numbers; those that people add begin behind them.
SELECT setval('last_result_id_seq', 1000, false) FROM last_result_id_seq WHERE last_value < 1000;
