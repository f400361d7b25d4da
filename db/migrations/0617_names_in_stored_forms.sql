-- Employees named in stored forms. A value of an object is a person’s name if the field beside it, with `Employee` at the end of its name, is the ID of an
-- employee; in the functions of a policy, `employee` beside `person`. These functions are the only ones that know this.
CREATE FUNCTION employee_beside(record jsonb, name text) RETURNS jsonb LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT coalesce(record -> (name || 'Employee'), CASE WHEN name = 'person' THEN record -> 'employee' END) $$;

-- The IDs of all employees that a stored form names.
CREATE FUNCTION employees_named_in(stored jsonb) RETURNS bigint[] LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT coalesce(array_agg(DISTINCT (beside #>> '{}')::bigint), '{}')
  FROM jsonb_path_query(stored, 'strict $.** ? (@.type() == "object")') AS o (record)
    CROSS JOIN LATERAL jsonb_object_keys(record) AS k (name) CROSS JOIN LATERAL public.employee_beside(record, name) AS e (beside)
  WHERE jsonb_typeof(beside) = 'number' AND beside #>> '{}' ~ '^[1-9][0-9]{0,15}$' $$;

-- A stored form with another name for an employee, wherever it names this employee.
CREATE FUNCTION rename_employee_in(stored jsonb, employee bigint, new_name text) RETURNS jsonb LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
BEGIN
  IF jsonb_typeof(stored) = 'array' THEN
    RETURN (SELECT coalesce(jsonb_agg(public.rename_employee_in(value, employee, new_name) ORDER BY position), '[]')
      FROM jsonb_array_elements(stored) WITH ORDINALITY AS e (value, position));
  ELSIF jsonb_typeof(stored) = 'object' THEN
    RETURN (SELECT coalesce(jsonb_object_agg(key, CASE WHEN public.employee_beside(stored, key) = to_jsonb(employee) THEN to_jsonb(new_name)
      ELSE public.rename_employee_in(value, employee, new_name) END), '{}') FROM jsonb_each(stored));
  END IF;
  RETURN stored;
END $$;

CREATE INDEX document_employees ON document USING gin (client_id, employees_named_in(content));
CREATE INDEX custom_form_answer_employees ON custom_form_answer USING gin (client_id, employees_named_in(answers));

-- No foreign key is possible in stored forms, so a trigger refuses to delete an employee whom they name.
CREATE OR REPLACE FUNCTION employee_responsible() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM risk_item r WHERE r.client_id = OLD.client_id AND r.responsibility <> 0 AND r.responsibility = OLD.id) THEN
    RAISE foreign_key_violation USING MESSAGE = 'the employee is responsible for a line of a risk assessment',
      TABLE = 'risk_item', CONSTRAINT = 'risk_item_responsibility_fkey';
  ELSIF EXISTS (SELECT FROM document d WHERE d.client_id = OLD.client_id AND employees_named_in(d.content) @> ARRAY[OLD.id])
    OR EXISTS (SELECT FROM custom_form_answer a WHERE a.client_id = OLD.client_id AND employees_named_in(a.answers) @> ARRAY[OLD.id]) THEN
    RAISE foreign_key_violation USING MESSAGE = 'a document or completed form names the employee', TABLE = 'document', CONSTRAINT = 'document_employee_fkey';
  END IF;
  RETURN OLD;
END $$;
