-- Trading disclosures: the part of the United Kingdom in which a company is registered, and its registered office.
ALTER TABLE client
  ADD registered_in text CHECK (registered_in IN ('england-wales', 'wales', 'scotland', 'northern-ireland')), ADD registered_office text NOT NULL DEFAULT '';
-- Creator of a quote's link and the address that it was e-mailed to; empty for links created before, and for links that were not e-mailed.
ALTER TABLE quote_link ADD creator_name text NOT NULL DEFAULT '', ADD addressee text NOT NULL DEFAULT '';
