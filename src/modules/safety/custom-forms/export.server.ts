import { Readable } from 'node:stream'
import { create as disposition } from 'content-disposition'
import { Problem, problem } from '#kernel/errors.ts'
import { type Field, text } from '#kernel/fields.ts'
import { fieldsIn } from '#kernel/forms/fields-in.ts'
import { objectOf } from '#kernel/forms/rows.ts'
import type { FormField, FormSchema } from '#kernel/forms/schema.ts'
import { readId } from '#kernel/iri.ts'
import type { RowOf } from '#kernel/resource.ts'
import { londonDate, readDay } from '#kernel/time.ts'
import { DOCUMENT_READERS } from '#modules/documents/rights.ts'
import { readUserNames } from '#modules/identity/people/names.server.ts'
import { writeAuditTrace } from '#server/data/writing/audit-trace.ts'
import { type Route, RouteAnswer, type RouteContext } from '#server/engine/route.ts'
import type { CellValue, ExportColumn } from '#server/exports/columns.ts'
import { writeCsv } from '#server/exports/csv.ts'
import { EXPORT_CONTENT_TYPES, type ExportFormat } from '#server/exports/export.ts'
import { writeXlsx } from '#server/exports/xlsx.ts'
import { customForm, customFormAnswer, customFormVersion, FORM_RESULTS } from './custom-form.ts'
import { answerText } from './shown-answer.ts'

/** Maximum number of rows in an export within one request. */
const MAX_ANSWERS = 5000
/** Answers held in memory at once. */
const BATCH = 200

type Answer = RowOf<typeof customFormAnswer>

interface Column {
  readonly label: string
  readonly field: Field
  readonly value: (answer: Answer) => CellValue
}

/** Routes that export a form's answers as rows with a column per question, one route per file type. */
export const answerExportRoutes: readonly Route[] = (['csv', 'xlsx'] as const).map((format) => ({
  method: 'GET',
  path: `${customForm.url}/{id}/answers.${format}`,
  title: `Answers to a form as ${format.toUpperCase()}: a row per completed form, a column per question`,
  allow: DOCUMENT_READERS,
  file: [EXPORT_CONTENT_TYPES[format]],
  refuses: [413],
  handle: (c) => exportAnswers(c, format),
}))

async function exportAnswers(c: RouteContext, format: ExportFormat): Promise<RouteAnswer> {
  const { engine, me } = c
  const id = readId(c.params.id)
  if (id === undefined) throw problem.notFound()
  const form = await engine.one(customForm, me, id)
  // Limited to the reader's own permissions: people who complete forms export their own answers.
  const asked = { form: String(id) }
  const listed = await engine.list(customFormAnswer, me, asked, { limit: MAX_ANSWERS + 1, offset: 0 }, { count: false })
  if (listed.size > MAX_ANSWERS)
    throw new Problem(413, `More than ${MAX_ANSWERS.toLocaleString('en-GB')} rows are found.`)
  const ids = listed.members.map((m) => m.id)
  const versions = await engine.readIn(me.clientId, 'versions of a form', (r) =>
    r.find(customFormVersion, { form: id }),
  )
  const names = await readUserNames(engine, me.clientId, [...new Set(listed.members.map((m) => m.author))])
  const numbers = new Map(versions.map((v) => [v.id, v.number]))
  const columns = [...facts(names, numbers), ...questionsOf(versions.map((v) => v.schema as FormSchema)).map(columnOf)]
  const heads = columns.map(
    ({ label, field }): ExportColumn => ({ name: label, names: [label], label, field, value: () => null }),
  )
  const rows = rowsOfAnswers(c, ids, columns)
  const bytes =
    format === 'csv'
      ? Readable.from(writeCsv(heads, rows, 'uk'))
      : Readable.from(await writeXlsx(form.title, heads, rows, 'uk'))
  const changes = { format, rows: ids.length, query: asked }
  const trace = { clientId: me.clientId, type: customFormAnswer.type, rowId: 0, verb: 'export', changes }
  await engine.db.tx('system', (tx) => writeAuditTrace(tx, me, trace))
  const name = `${form.title} ${londonDate(c.now).toString()}.${format}`
  return new RouteAnswer(200, bytes, {
    'content-type': EXPORT_CONTENT_TYPES[format],
    'content-disposition': disposition(name, { type: 'attachment' }),
    'cache-control': 'private, no-store',
  })
}

async function* rowsOfAnswers({ engine, me }: RouteContext, ids: readonly number[], columns: readonly Column[]) {
  for (let from = 0; from < ids.length; from += BATCH) {
    const batch = ids.slice(from, from + BATCH)
    const found = await engine.readIn(me.clientId, 'answers as rows', (r) => r.find(customFormAnswer, { id: batch }))
    const byId = new Map(found.map((a) => [a.id, a]))
    yield batch.flatMap((id) => {
      const answer = byId.get(id)
      return answer ? [columns.map((column) => column.value(answer))] : []
    })
  }
}

const INSTANT: Field = { kind: 'instant' }
const NUMBER: Field = { kind: 'decimal' }
const DAY: Field = { kind: 'date' }

/** Columns before the questions. */
const facts = (names: ReadonlyMap<string, string>, numbers: ReadonlyMap<number, number>): Column[] => [
  { label: 'Number', field: text(), value: (a) => a.number },
  { label: 'Version', field: NUMBER, value: (a) => numbers.get(a.version) ?? null },
  { label: 'Completed', field: INSTANT, value: (a) => Temporal.Instant.from(a.createdAt) },
  { label: 'Completed by', field: text(), value: (a) => names.get(a.author) ?? a.author },
  { label: 'Points', field: NUMBER, value: (a) => a.points },
  { label: 'Out of', field: NUMBER, value: (a) => a.outOf },
  { label: 'Per cent', field: NUMBER, value: (a) => a.percent },
  { label: 'Result', field: text(), value: (a) => FORM_RESULTS.find((r) => r.value === a.result)?.label ?? null },
]

/** All questions of all versions by field name, as in the newest version: in its order, then removed ones. */
function questionsOf(schemas: readonly FormSchema[]): FormField[] {
  const byName = new Map<string, FormField>()
  for (const schema of schemas.toReversed())
    for (const field of fieldsIn(schema)) if (!byName.has(field.name)) byName.set(field.name, field)
  return [...byName.values()]
}

function columnOf(field: FormField): Column {
  const of = field.kind === 'number' ? NUMBER : field.kind === 'date' ? DAY : text()
  return { label: field.label, field: of, value: ({ answers }) => cellOf(field, objectOf(answers)[field.name]) }
}

function cellOf(field: FormField, value: unknown): CellValue {
  if (value === null || value === undefined) return null
  if (field.kind === 'number' && typeof value === 'number') return value
  // Older sealed answers can hold dates that don't exist in the calendar.
  const day = field.kind === 'date' && typeof value === 'string' ? readDay(value) : undefined
  if (day !== undefined) return Temporal.PlainDate.from(day)
  return answerText(field, value) || null
}
