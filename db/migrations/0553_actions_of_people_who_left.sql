-- A new owner, or the end of the action, ends the request to hand it on.
SELECT notices_end('action.owner-left', 'corrective_action',
  $$NEW.owner_id IS DISTINCT FROM OLD.owner_id OR NEW.state NOT IN ('open', 'started', 'waiting') OR NEW.retired$$);
