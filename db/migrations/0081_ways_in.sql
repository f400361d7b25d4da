-- A link that sets a password is made when its letter goes out. Whatever ends the links of an account counts on: a letter from
-- before makes none.
ALTER TABLE user_account ADD COLUMN link_epoch int NOT NULL DEFAULT 0;

-- What a session was proved with last. A password proves nothing of a second factor that was set up since.
ALTER TABLE session ADD COLUMN proved_by text NOT NULL DEFAULT 'password' CHECK (proved_by IN ('password', 'factor'));

-- The visit that a token belongs to. Tokens of visits that are under way end with this change.
ALTER TABLE access_token ADD COLUMN as_visit_id bigint;
