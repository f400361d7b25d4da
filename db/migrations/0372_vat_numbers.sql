-- Day on which the format and check digits of a VAT number were checked; null if they never were, or if the format is not known.
ALTER TABLE customer ADD vat_number_checked_on date;
ALTER TABLE client ADD vat_number_checked_on date;
