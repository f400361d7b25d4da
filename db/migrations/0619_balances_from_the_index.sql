-- Balances also need the request of each row. The index contains it, so that the table is not read.
DROP INDEX leave_entry_balance;
CREATE INDEX leave_entry_balance ON leave_entry (client_id, employee_id, year) INCLUDE (kind, part, minutes, request_id);
