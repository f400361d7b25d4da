-- Is a risk that an assessment leaves high, by the bands that it was sealed with? By those that the portal comes with, of one from before there was a
-- choice. A draft's follow its company's, and are nobody's figure yet.
CREATE FUNCTION risk_left_high(client int, assessment bigint, complete boolean, content jsonb) RETURNS boolean LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT complete AND EXISTS (
    SELECT 1 FROM risk_item i
    WHERE i.client_id = client AND i.document_id = assessment AND NOT i.retired AND i.residual_ranking >=
      CASE WHEN jsonb_typeof(content #> '{matrix,bands}') = 'array' THEN coalesce(
        (SELECT min((b ->> 'from')::int) FROM jsonb_array_elements(content #> '{matrix,bands}') b WHERE b ->> 'level' IN ('danger', 'worst')), 26)
      ELSE 10 END)
$$;
