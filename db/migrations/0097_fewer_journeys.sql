-- Where a client's chain ends, kept from whoever else would add to it until the transaction does. The second statement sees what was
-- committed while the first waited.
CREATE FUNCTION chain_end(c int) RETURNS TABLE (place int, hash text) LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('seal'), c);
  RETURN QUERY SELECT s.place, s.hash FROM seal s WHERE s.client_id = c ORDER BY s.place DESC LIMIT 1;
END $$;

-- The same as before, worked out with every change of a document: a plan that is kept, and none where no file is named.
CREATE OR REPLACE FUNCTION files_named(content jsonb) RETURNS bigint[] LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
BEGIN
  IF strpos(content::text, 'uploaded_documents/') = 0 THEN RETURN '{}'; END IF;
  RETURN (SELECT coalesce(array_agg(DISTINCT substring(v #>> '{}' FROM '[0-9]+$')::bigint), '{}')
    FROM jsonb_path_query(content, 'strict $.** ? (@.type() == "string" && @ like_regex "^/(api/)?(safety/)?uploaded_documents/[0-9]{1,18}$")') v);
END $$;
