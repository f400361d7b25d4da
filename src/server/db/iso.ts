/** SQL for an instant in the API's format, `2026-03-01T09:30:00+00:00`. `column` must never contain user input. */
export const isoUtcSql = (column: string): string =>
  `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"+00:00"')`
