import type { LegacyEntry, StoredColumns } from '#kernel/evidence.ts'

/** Columns by their names in entries of the first format; the others were inside `content`. */
const COLUMNS: Readonly<Record<string, string>> = {
  kind: 'kind',
  documentNumber: 'number',
  revision: 'revision',
  parent: 'parent_id',
  previous: 'parent_id',
  industry: 'industry_id',
  isTemplate: 'is_template',
  author: 'author',
  completedBy: 'completed_by',
}

/** Title field by document type. */
const TITLES: Readonly<Record<string, string>> = { risk_assessment: 'description', toolbox_talk: 'title' }

/** Assessment row columns whose names differ from their fields. */
const LINE_COLUMNS: Readonly<Record<string, string>> = {
  group: 'group_name',
  hazard: 'hazard_id',
  control: 'control_id',
}

/** Times, which the first format stored to the second. */
const TIMES = new Set(['createdAt', 'completedAt'])

const snake = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** Converts a record to what an entry of the first format sealed, by column name, without empty values. */
export function toLegacyEntry(subject: StoredColumns): LegacyEntry {
  const title = TITLES[String(subject.kind)]
  const columns: Record<string, unknown> = {}
  const content: Record<string, unknown> = {}
  const lines: StoredColumns[] = []
  for (const [name, value] of Object.entries(subject)) {
    const column = name === title ? 'title' : COLUMNS[name]
    if (column) columns[column] = value
    else if (name === 'controls') lines.push(...(value as StoredColumns[]).map(formerLine))
    else if (!TIMES.has(name)) content[name] = value
  }
  return {
    columns: { ...columns, content },
    ...(subject.kind === 'risk_assessment' ? { rows: { risk_item: lines } } : {}),
  }
}

const formerLine = (line: StoredColumns): StoredColumns =>
  Object.fromEntries(Object.entries(line).map(([name, value]) => [LINE_COLUMNS[name] ?? snake(name), value]))
