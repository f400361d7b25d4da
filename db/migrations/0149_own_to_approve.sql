-- Whoever wrote or completed a document has it to approve too, unless their company has said that another person does: it is counted with the
-- others, and is no news.
SET LOCAL ROLE stanchion_system;
INSERT INTO notice (client_id, user_id, kind, about, since, read_at)
  SELECT d.client_id, u.id, 'document.approve', d.id, coalesce(d.completed_at, d.updated_at), portal_now() FROM document d
  JOIN client k ON k.id = d.client_id AND NOT k.forbid_self_approval
  JOIN user_account u ON u.client_id = d.client_id AND NOT u.is_retired AND u.username IN (d.author, d.completed_by) AND u.roles && ARRAY['ROLE_CLIENT_ADMIN', 'ROLE_SAFETY_ADMIN']
  WHERE d.state = 'complete' AND NOT d.retired
  ON CONFLICT (client_id, user_id, kind, about) DO NOTHING;
UPDATE notice n SET ended_at = portal_now(), read_at = coalesce(n.read_at, portal_now())
  FROM document d, client k, user_account u
  WHERE n.kind = 'document.approve' AND n.ended_at IS NULL AND d.client_id = n.client_id AND d.id = n.about AND u.client_id = n.client_id AND u.id = n.user_id
    AND k.id = n.client_id AND k.forbid_self_approval AND u.username IN (d.author, d.completed_by);
SET LOCAL ROLE NONE;
