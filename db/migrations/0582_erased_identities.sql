-- Day on which the identity of a former employee was erased. Nothing brings it back.
ALTER TABLE employee ADD COLUMN erased_on date,
  ADD CONSTRAINT employee_erased CHECK (erased_on IS NULL OR (retired AND dob IS NULL AND sex = 0 AND leaving_reason IS NULL
    AND forename = 'Former employee' AND surname = id::text AND emergency_contacts = '[]'
    AND concat(email, payroll, telephone, mobile, address1, address2, city, county, postcode, national_insurance_number,
      account_holder, sort_code, account_number) = ''));
