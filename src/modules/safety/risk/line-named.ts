import { textOf } from '#kernel/text.ts'

/** What a stored line of an assessment is called where something is wrong with it. */
export const lineNamed = (row: Readonly<Record<string, unknown>>): string =>
  `its line ${Number(row.position) + 1} ("${textOf(row.control_name) || textOf(row.hazard_name)}")`
