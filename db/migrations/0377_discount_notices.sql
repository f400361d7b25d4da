-- A discount waits for an approver until it is decided or withdrawn.
SELECT notices_end('discount.waiting', 'discount_approval', $$OLD.state = 'waiting' AND NEW.state <> 'waiting'$$);

-- Discounts that wait already.
SET LOCAL ROLE stanchion_system;
INSERT INTO notice (client_id, user_id, kind, about, since)
  SELECT a.client_id, u.id, 'discount.waiting', a.id, a.created_at FROM discount_approval a
  JOIN user_account u ON u.client_id = a.client_id AND NOT u.is_retired AND u.username <> a.created_by
    AND u.roles && ARRAY['ROLE_FINANCE', 'ROLE_INVOICING']
  WHERE a.state = 'waiting';
SET LOCAL ROLE NONE;
