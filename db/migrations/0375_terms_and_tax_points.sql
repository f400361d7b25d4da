-- Day of the supply, where it is not the tax point; the election against the 14-day rule; the agreement to terms of more than 60 days.
ALTER TABLE invoice ADD supplied_on date;
ALTER TABLE invoice_settings ADD basic_tax_point boolean NOT NULL DEFAULT false;
ALTER TABLE customer ADD long_terms_agreed text NOT NULL DEFAULT '';
