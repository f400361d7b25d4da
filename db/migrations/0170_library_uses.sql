-- Where a row of the library is used: hazards and controls by the lines of assessments (substances have their index), everything that the words
-- of a document name by a column that is made of them, as its files are.
CREATE INDEX risk_item_hazard ON risk_item (hazard_id, client_id, document_id) WHERE hazard_id IS NOT NULL AND NOT retired;
CREATE INDEX risk_item_control ON risk_item (control_id, client_id, document_id) WHERE control_id IS NOT NULL AND NOT retired;
-- The provider asks about its templates over all clients.
DROP INDEX coshh_substance_used;
CREATE INDEX coshh_substance_used ON coshh_substance (substance_id, client_id, document_id) WHERE substance_id IS NOT NULL;

-- "ppes/12": by addresses of the library in whatever field, and by the ids of protective equipment.
CREATE FUNCTION library_named(content jsonb) RETURNS text[] LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT coalesce(array_agg(DISTINCT item), '{}') FROM (
    SELECT substring(v #>> '{}' FROM '[a-z_]+/[0-9]+$') AS item
    FROM jsonb_path_query(content, 'strict $.** ? (@.type() == "string" && @ like_regex "^/(api/)?(safety/)?(policy_arrangements|standard_statements|tasks|ppes)/[0-9]{1,18}$")') v
    UNION ALL
    SELECT 'ppes/' || (v #>> '{}') FROM jsonb_path_query(content, 'lax $.ppe[*] ? (@.type() == "number")') v
    UNION ALL
    SELECT 'ppes/' || (v #>> '{}') FROM jsonb_path_query(content, 'lax $.worn[*].id ? (@.type() == "number")') v) named $$;
ALTER TABLE document ADD COLUMN library text[] NOT NULL GENERATED ALWAYS AS (library_named(content)) STORED;
CREATE INDEX document_library ON document USING gin (client_id, library) WHERE library <> '{}';
