import { Readable } from 'node:stream'
import { create as disposition } from 'content-disposition'
import { Problem, problem } from '#kernel/errors.ts'
import { type Field, text } from '#kernel/fields.ts'
import { toPlainObject } from '#kernel/forms/rows.ts'
import type { FormField, FormSchema } from '#kernel/forms/schema.ts'
import { idFromAnyIri, parseId } from '#kernel/iri.ts'
import type { RowOf } from '#kernel/resource.ts'
import { hasRole, PROVIDER_CLIENT_ID } from '#kernel/roles.ts'
import { londonDate, parseLeadingDate } from '#kernel/time.ts'
import { DOCUMENT_AUTHOR_ROLES, DOCUMENT_READER_ROLES, TEMPLATE_MANAGER_ROLES } from '#modules/documents/rights.ts'
import { audienceProblems, EVERYONE_AUDIENCE } from '#modules/documents/types/audience.ts'
import { uploadIri } from '#modules/documents/types/kind.ts'
import { readUserNames } from '#modules/identity/people/accounts.server.ts'
import { findUnknownRoles } from '#modules/portal/known-roles.server.ts'
import { writeAuditEvent } from '#server/data/writing/audit-trace.ts'
import { behaviour } from '#server/engine/behaviour.ts'
import { serialiseWrittenRecord } from '#server/engine/field-access.ts'
import type { ReferenceData } from '#server/engine/initial-data.ts'
import { feature } from '#server/engine/module.ts'
import type { Route } from '#server/engine/route.ts'
import { type RouteContext, RouteResponse } from '#server/engine/route.ts'
import type { Context } from '#server/engine/types.ts'
import { digestSubject } from '#server/evidence/link.ts'
import { sealEvent } from '#server/evidence/seal.ts'
import type { CellValue, ExportColumn } from '#server/exports/columns.ts'
import { writeCsv } from '#server/exports/compiled.ts'
import { EXPORT_CONTENT_TYPES, type ExportFormat, writeXlsx } from '#server/exports/export.ts'
import { mapInSlices } from '#server/slices.ts'
import {
  customForm,
  customFormAnswer,
  customFormEvidence,
  customFormVersion,
  FORM_RESULT_OPTIONS,
} from './custom-form.ts'
import { formPublishingProblems, NEW_FORM_STEPS, parseCustomForm } from './form-rules.ts'
import { completedFormPdfRoute, completedFormVersionRoute, customFormAnswerBehaviour } from './pdf.server.ts'
import { formAnswerText, linkRespondentText } from './pdf-body.ts'
import { formResultsRoute, questionsOf } from './results.server.ts'
import { SAMPLE_FORMS } from './samples.ts'

/** Maximum number of rows in an export, because the export is built during the request. */
const MAX_ANSWERS = 5000
/** Maximum number of completed forms in memory at the same time. */
const BATCH = 200

type CustomFormAnswerRow = RowOf<typeof customFormAnswer>

interface Column {
  readonly label: string
  readonly field: Field
  readonly value: (answer: CustomFormAnswerRow) => CellValue
}

/** Routes that export a form's answers, one route per file type. Each answer is a row and each question a column. */
const answerExportRoutes: readonly Route[] = (['csv', 'xlsx'] as const).map((format) => ({
  method: 'GET',
  path: `${customForm.url}/{id}/answers.${format}`,
  title: `Get the answers to a form as ${format.toUpperCase()}, with one row per completed form and one column per question`,
  allow: DOCUMENT_READER_ROLES,
  file: [EXPORT_CONTENT_TYPES[format]],
  refuses: [413],
  handle: (c) => exportAnswers(c, format),
}))

async function exportAnswers(c: RouteContext, format: ExportFormat): Promise<RouteResponse> {
  const { engine, me } = c
  const id = parseId(c.params.id)
  if (id === undefined) throw problem.notFound()
  const form = await engine.one(customForm, me, id)
  // The user's own permissions apply, so people who complete forms export only their own answers.
  const asked = { form: String(id) }
  const listed = await engine.list(customFormAnswer, me, asked, { limit: MAX_ANSWERS + 1, offset: 0 }, { count: false })
  if (listed.size > MAX_ANSWERS)
    throw new Problem(
      413,
      `There are more than ${MAX_ANSWERS.toLocaleString('en-GB')} completed forms, which is too many to export at once.`,
    )
  const ids = listed.members.map((m) => m.id)
  const versions = await engine.readIn(me.clientId, 'read the versions of a form', (r) =>
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
  await engine.db.tx('system', (tx) => writeAuditEvent(tx, me, trace))
  const name = `${form.title} ${londonDate(c.now).toString()}.${format}`
  return new RouteResponse(200, bytes, {
    'content-type': EXPORT_CONTENT_TYPES[format],
    'content-disposition': disposition(name, { type: 'attachment' }),
    'cache-control': 'private, no-store',
  })
}

async function* rowsOfAnswers({ engine, me }: RouteContext, ids: readonly number[], columns: readonly Column[]) {
  for (let from = 0; from < ids.length; from += BATCH) {
    const batch = ids.slice(from, from + BATCH)
    const found = await engine.readIn(me.clientId, 'read completed forms for an export', (r) =>
      r.find(customFormAnswer, { id: batch }),
    )
    const byId = new Map(found.map((a) => [a.id, a]))
    const answers = batch.flatMap((id) => byId.get(id) ?? [])
    yield await mapInSlices(answers, (answer) => columns.map((column) => column.value(answer)))
  }
}

const INSTANT: Field = { kind: 'instant' }
const NUMBER: Field = { kind: 'decimal' }
const DAY: Field = { kind: 'date' }

/** Returns the export columns that precede the questions. */
const facts = (names: ReadonlyMap<string, string>, numbers: ReadonlyMap<number, number>): Column[] => [
  { label: 'Number', field: text(), value: (a) => a.number },
  { label: 'Version', field: NUMBER, value: (a) => numbers.get(a.version) ?? null },
  { label: 'Completed', field: INSTANT, value: (a) => Temporal.Instant.from(a.createdAt) },
  { label: 'Completed by', field: text(), value: (a) => linkRespondentText(a) || (names.get(a.author) ?? a.author) },
  { label: 'Points', field: NUMBER, value: (a) => a.points },
  { label: 'Available points', field: NUMBER, value: (a) => a.outOf },
  { label: 'Per cent', field: NUMBER, value: (a) => a.percent },
  {
    label: 'Result',
    field: text(),
    value: (a) => FORM_RESULT_OPTIONS.find((r) => r.value === a.result)?.label ?? null,
  },
]

function columnOf(field: FormField): Column {
  const of = field.kind === 'number' ? NUMBER : field.kind === 'date' ? DAY : text()
  return { label: field.label, field: of, value: ({ answers }) => cellOf(field, toPlainObject(answers)[field.name]) }
}

function cellOf(field: FormField, value: unknown): CellValue {
  if (value === null || value === undefined) return null
  if (field.kind === 'number' && typeof value === 'number') return value
  // Older sealed answers can contain dates that don't exist in the calendar.
  const day = field.kind === 'date' && typeof value === 'string' ? parseLeadingDate(value) : undefined
  if (day !== undefined) return Temporal.PlainDate.from(day)
  return formAnswerText(field, value) || null
}

/** The provider's published forms, for companies to copy. Forms that already exist are not overwritten. */
const customFormReference: ReferenceData = {
  name: 'custom forms',
  edition: 2,
  load: async (c) => {
    const there = new Set((await c.find(customForm, {})).map((form) => form.templateKey))
    const unit = c.withoutPermissionCheck('create the portal’s ready-made forms')
    for (const { key, title, notes, schema } of SAMPLE_FORMS) {
      if (there.has(key)) continue
      const made = await (await unit.create(customForm, { title, notes, schema, templateKey: key })).saved()
      await unit.act(customForm, 'publish', made.id, {})
    }
  },
}

const [versionEvidence] = customFormEvidence

/** Throws 403 if the form belongs to the provider and the user doesn't manage templates. */
function assertKeeps({ clientId, actor }: Pick<Context, 'clientId' | 'actor'>): void {
  if (clientId === PROVIDER_CLIENT_ID && !hasRole(actor, TEMPLATE_MANAGER_ROLES))
    throw problem.forbidden(
      'This form is shared with all companies, so only the provider’s template managers can edit it.',
    )
}

/** Rules for custom forms. The form is validated on every save, so that drafts are always valid. */
const customFormBehaviour = behaviour(customForm, {
  beforeSave: async (c) => {
    const { before, changes, values } = c
    assertKeeps(c)
    const { form, wrong } = parseCustomForm(values.title ?? '', values.schema ?? { steps: NEW_FORM_STEPS })
    const audience = changes.audience ?? []
    const unread = audienceProblems(EVERYONE_AUDIENCE, audience)
    const all = [...wrong, ...(unread.length ? unread : await findUnknownRoles(c, 'audience', audience))]
    if (all.length) throw problem.invalid(all)
    const same = before && digestSubject(before.schema) === digestSubject(form)
    return same ? undefined : { schema: form, unpublished: true }
  },
  actions: {
    publish: async (c) => ({ set: await publishForm(c, c.row) }),
  },
})

/**
 * Rules for form versions. Versions are created only by publishing. Each version is sealed in its client's audit chain.
 */
const customFormVersionBehaviour = behaviour(customFormVersion, {
  afterSave: async (c) => {
    const { id } = await c.written.saved()
    await sealEvent(c, versionEvidence, { event: 'form published', id })
  },
})

/**
 * Publishes the form's draft as its next version and returns the form's new field values. Throws 409 if nothing has
 * changed.
 */
async function publishForm(c: Context, row: RowOf<typeof customForm>) {
  assertKeeps(c)
  if (row.retired) throw problem.conflict('This form has been deleted. Please restore it first.')
  const { form, wrong } = parseCustomForm(row.title, row.schema)
  const all = [...wrong, ...formPublishingProblems(form)]
  if (all.length) throw problem.invalid(all)
  const digest = digestSubject(form)
  const last = row.current === null ? undefined : await c.get(customFormVersion, row.current)
  if (last?.digest === digest) throw problem.conflict(`Nothing has changed since version ${last.number} was published.`)
  const added = await c.withoutPermissionCheck('publishing a form adds its version').create(customFormVersion, {
    form: row.id,
    number: row.version + 1,
    title: row.title,
    schema: form,
    digest,
    createdAt: c.now.toString(),
  })
  const { id } = await added.saved()
  return { current: id, version: row.version + 1, live: true, unpublished: false }
}

/** Route that copies a form to the user's company, for example one of the provider's ready-made forms. */
const copyFormRoute: Route = {
  method: 'POST',
  path: `${customForm.url}/{id}/copy`,
  title: 'Copy a form to the user’s own company, where it can be edited and published',
  allow: DOCUMENT_AUTHOR_ROLES,
  whileImpersonating: true,
  handle: async (c) => {
    const id = parseId(c.params.id)
    if (id === undefined) throw problem.notFound()
    const from = await c.engine.one(customForm, c.me, id)
    const isOwn = idFromAnyIri(uploadIri(from.client)) === c.me.clientId
    const version = isOwn ? undefined : idFromAnyIri(from.current)
    // A copy of a provider's form has the published questions; a copy of the company's own form has the draft
    // questions.
    const { schema } = version === undefined ? from : await c.engine.one(customFormVersion, c.me, version)
    return c.engine.inTenant(c.me.clientId, { ...c.change(), resource: customForm }, async (unit) => {
      const made = await unit.create(customForm, {
        title: from.title,
        notes: from.notes,
        schema,
        copiedFrom: from.title,
        audience: from.audience,
      })
      await made.saved()
      return () => serialiseWrittenRecord(customForm, c.me, made)
    })
  },
}

export const customFormsFeature = feature({
  pack: 'safety',
  resources: [customForm, customFormVersion, customFormAnswer],
  behaviours: [customFormBehaviour, customFormVersionBehaviour, customFormAnswerBehaviour],
  routes: [copyFormRoute, completedFormVersionRoute, completedFormPdfRoute, formResultsRoute, ...answerExportRoutes],
  evidence: customFormEvidence,
  referenceData: [customFormReference],
  seeds: () => import('./demo.server.ts'),
})
