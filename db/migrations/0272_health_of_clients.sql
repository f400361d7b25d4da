-- Clients are found by what people know of them, in one field.
ALTER TABLE client ADD COLUMN search_text text GENERATED ALWAYS AS (lower(company || ' ' || regcompno || ' ' || city || ' ' || postcode || ' ' ||
  contactname || ' ' || contactemail || ' ' || contacttel || ' ' || id::text)) STORED;
CREATE INDEX client_search ON client USING gin (search_text gin_trgm_ops, client_id);

-- What is the matter with a client, the worst first: words of `HEALTH` in the code. Nothing is the matter with one that has left, nor with the provider.
CREATE FUNCTION client_troubles(client int, gone boolean) RETURNS text[] LANGUAGE sql STABLE AS $$
  SELECT CASE WHEN gone OR client = 0 THEN '{}'::text[] ELSE array_remove(ARRAY[
    CASE WHEN NOT EXISTS (SELECT FROM app_status s JOIN pack_product p ON p.id = s.product_id
      WHERE s.client_id = client AND s.status = 1 AND NOT s.retired AND NOT p.retired) THEN 'no-pack' END,
    CASE WHEN EXISTS (SELECT FROM app_status s JOIN pack_product p ON p.id = s.product_id
      WHERE s.client_id = client AND s.status = 1 AND NOT s.retired AND NOT p.retired AND s.has_lapsed) THEN 'lapsed' END,
    CASE WHEN NOT EXISTS (SELECT FROM user_account u WHERE u.client_id = client AND NOT u.is_retired AND u.roles && '{ROLE_CLIENT_ADMIN,ROLE_RESELLER}')
      THEN 'no-administrator' END,
    CASE seen.state WHEN 'never' THEN 'never-signed-in' WHEN 'long ago' THEN 'quiet' END,
    CASE WHEN EXISTS (SELECT FROM support_ticket k WHERE k.client_id = client AND k.state = 'open') THEN 'ticket' END], NULL) END
  FROM (SELECT CASE WHEN max(u.last_login_at) IS NULL THEN 'never' WHEN max(u.last_login_at) < portal_now() - interval '30 days' THEN 'long ago' END AS state
    FROM user_account u WHERE u.client_id = client AND NOT u.is_retired) seen
$$;
