-- What becomes of a sale when its year is over: renewed by a later one, lost, or open yet; and which of the places that leads come from are the web.
ALTER TABLE counted_sale ADD renewal text NOT NULL DEFAULT 'none', ADD renewed_by_id bigint, ADD renewal_reason text NOT NULL DEFAULT '',
  ADD FOREIGN KEY (client_id, renewed_by_id) REFERENCES counted_sale (client_id, id);
CREATE INDEX counted_sale_renewed_by_id ON counted_sale (client_id, renewed_by_id) WHERE renewed_by_id IS NOT NULL;
ALTER TABLE came_from ADD web boolean NOT NULL DEFAULT false;

SET LOCAL ROLE stanchion_system;
UPDATE counted_sale SET renewal = 'open' WHERE renews_on IS NOT NULL;
UPDATE came_from SET web = true WHERE name IN ('Website', 'Social media');
SET LOCAL ROLE NONE;
