-- An audit row names the impersonation in which it was written. Earlier rows are assigned to the only impersonation to
-- which they can belong, if it is still being counted.
ALTER TABLE audit ADD as_visit_id bigint;
ALTER TABLE audit DISABLE TRIGGER append_only;
UPDATE audit a SET as_visit_id = p.id
FROM (SELECT a.client_id, a.id AS audit_id, min(v.id) AS id FROM visit v JOIN audit a ON a.client_id = v.client_id
    AND a.as_user_id IS NOT NULL AND a.user_id = v.visitor_user_id AND a.as_username = v.as_username
    AND a.at BETWEEN v.writes_from AND least(v.until, v.ended_at)
  WHERE v.until > now() - interval '6 hours' GROUP BY a.client_id, a.id HAVING count(*) = 1) p
WHERE a.client_id = p.client_id AND a.id = p.audit_id;
ALTER TABLE audit ENABLE TRIGGER append_only;
DROP INDEX audit_impersonator;
CREATE INDEX audit_visit ON audit (client_id, as_visit_id) WHERE as_visit_id IS NOT NULL;

-- A password that another person has set: it only lets its owner choose another one.
ALTER TABLE credential ADD temporary boolean NOT NULL DEFAULT false;

-- A ticket written during an impersonation belongs to no user of the client.
ALTER TABLE support_ticket ALTER user_id DROP NOT NULL;
ALTER TABLE support_ticket ADD author text NOT NULL DEFAULT '';
UPDATE support_ticket t SET author = u.username FROM user_account u WHERE u.client_id = t.client_id AND u.id = t.user_id;

-- Roles that the portal defines for the provider's own users stay with them.
UPDATE role SET internal = true WHERE NOT internal AND name IN (
  'ROLE_STAFF', 'ROLE_USER_ADMIN', 'ROLE_ROLES_ADMIN', 'ROLE_CLIENTS_ADMIN', 'ROLE_LEADS_ADMIN', 'ROLE_SALES_ADMIN',
  'ROLE_BILLING_ADMIN', 'ROLE_FINANCE', 'ROLE_MAIL_ADMIN', 'ROLE_SAFETY_ADMIN', 'ROLE_RESELLER');
