-- Numbers are screened before they are called unless the provider decides otherwise. Companies that already call leads keep their choice.
ALTER TABLE call_settings ALTER screens SET DEFAULT true;
INSERT INTO call_settings (client_id, screens)
  SELECT DISTINCT c.client_id, false FROM contact c WHERE NOT EXISTS (SELECT FROM call_settings s WHERE s.client_id = c.client_id);
