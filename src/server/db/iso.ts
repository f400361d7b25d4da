/** SQL for an instant as the API writes it, `2026-03-01T09:30:00+00:00`; `column` is of the program's own words. */
export const isoUtc = (column: string): string =>
  `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"+00:00"')`
