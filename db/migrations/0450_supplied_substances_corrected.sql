-- The supplied bleach has the label of its strength, the supplied emulsion paint says that it is not classified, and
-- the limit of ethylene glycol has its skin note. Only rows that the provider has not changed since.
UPDATE substance SET hazard_statements = '{H315,H318,H400,H411,EUH206}',
    notes = 'For 3 to 5% active chlorine. From 5% it is corrosive (H314) and its label says that it gives off toxic gas with acids (EUH031). Never mix any bleach with acids or other cleaners: it gives off chlorine'
  WHERE client_id = 0 AND template_key = '1' AND hazard_statements = '{H314,H318,H400,H411,EUH031,EUH206}'
    AND notes = 'Never mix with acids or other cleaners';
UPDATE substance SET hazard_statements = '{EUH208,EUH210}', unclassified = true
  WHERE client_id = 0 AND template_key = '27' AND hazard_statements = '{EUH208}' AND NOT unclassified;
UPDATE substance_limit SET notes = 'Sk: absorbed through the skin. ' || notes
  WHERE client_id = 0 AND agent = 'Ethane-1,2-diol (ethylene glycol), vapour' AND notes NOT LIKE 'Sk%';
