import { problem, type Violation, violation } from '#kernel/errors.ts'
import {
  ADDITIONAL_ANSWERS_COLUMN,
  convertRecordToForm,
  hasNonPlaceholderAnswer,
  UNPLACED_ANSWERS_COLUMN,
  type UnplacedAnswer,
  unplacedAnswers,
} from '#kernel/forms/answers.ts'
import { sanitiseAnswer } from '#kernel/forms/clean.ts'
import { formFieldsByName, formFieldsIn } from '#kernel/forms/fields-in.ts'
import { findDataLoss } from '#kernel/forms/losses.ts'
import { toPlainObject } from '#kernel/forms/rows.ts'
import type { FormField, FormSchema } from '#kernel/forms/schema.ts'
import type { Values } from '#kernel/forms/visible.ts'
import { idFromAnyIri, parseId } from '#kernel/iri.ts'
import { iriOf } from '#kernel/resource.ts'
import { PROVIDER_CLIENT_ID } from '#kernel/roles.ts'
import { isFilled } from '#kernel/validate.ts'
import { riskIndustry } from '#modules/safety/industry.ts'
import type { SqlConn } from '#server/db/db.ts'
import type { Route, RouteContext } from '#server/engine/route.ts'
import type { Context, Engine } from '#server/engine/types.ts'
import { sanitiseAnswerHtml } from '#server/parse-html.ts'
import { loadFallbackSettings } from '../settings/settings.server.ts'
import { formVersion } from '../types/document-fields.ts'
import type { DocumentRow } from '../types/kind.ts'
import { type DocumentKind, type DocumentRecord, uploadIri } from '../types/kind.ts'

type Content = Readonly<Record<string, unknown>>

interface Cleaned {
  readonly values: Content
  readonly wrong: readonly Violation[]
}

const MAX_UNPLACED = 200

/**
 * Cleans the answers to fields that form versions added, and separates answers for which the revision's form has no
 * field. A change that contains such answers is rejected. A new document may be a copy that was written with another
 * form, so its answers without a field are stored as unplaced answers.
 */
export function sanitiseAnswers(kind: DocumentKind, schema: FormSchema, given: Content, before?: Content): Cleaned {
  const strays = strayAnswers(kind, schema, given)
  const { kept, wrong, unknown } = cleanAdditional(schema, given, before)
  const refused = before
    ? [...strays, ...unknown].map(({ name, label }) =>
        violation(
          name in kind.resource.fields ? name : `${ADDITIONAL_ANSWERS_COLUMN}.${name}`,
          `This document’s form has no field “${label}”`,
        ),
      )
    : []
  const aside = before ? asideIn(given, before) : [...unplacedAnswers(given), ...strays, ...unknown]
  return {
    values: {
      ...(before ? {} : Object.fromEntries(strays.map(({ name }) => [name, undefined]))),
      ...(kept === undefined ? {} : { [ADDITIONAL_ANSWERS_COLUMN]: kept }),
      ...(aside === undefined || (!before && !aside.length && !(UNPLACED_ANSWERS_COLUMN in given))
        ? {}
        : { [UNPLACED_ANSWERS_COLUMN]: aside }),
    },
    wrong: [
      ...wrong,
      ...refused,
      ...((aside?.length ?? 0) > MAX_UNPLACED
        ? [violation(UNPLACED_ANSWERS_COLUMN, `There can be at most ${MAX_UNPLACED} answers without a field`)]
        : []),
    ],
  }
}

/** Returns the answers to fields of the type that this form omits. */
function strayAnswers(kind: DocumentKind, schema: FormSchema, given: Content): UnplacedAnswer[] {
  const asked = formFieldsByName(schema)
  return formFieldsIn(kind.schema).flatMap((f) => {
    const { name, label, kind: how } = f
    return how !== 'custom' && !asked.has(name) && hasNonPlaceholderAnswer(f, given[name])
      ? [{ name, label, kind: how, value: given[name] }]
      : []
  })
}

/**
 * Merges the submitted values of additional fields into the stored values. Returns the merged values, the invalid
 * values as violations, and the answers to unknown fields.
 */
function cleanAdditional(schema: FormSchema, given: Content, before: Content = {}) {
  const sent = given[ADDITIONAL_ANSWERS_COLUMN]
  if (sent === undefined) return { kept: undefined, wrong: [], unknown: [] }
  const asked = new Map(formFieldsIn(schema).flatMap((f) => (f.additional ? [[f.name, f] as const] : [])))
  const wrong: Violation[] = []
  const unknown: UnplacedAnswer[] = []
  const kept: Record<string, unknown> = { ...toPlainObject(before[ADDITIONAL_ANSWERS_COLUMN]) }
  if (sent !== null && sent !== toPlainObject(sent))
    wrong.push(violation(ADDITIONAL_ANSWERS_COLUMN, 'The additional fields are not valid'))
  for (const [name, value] of Object.entries(toPlainObject(sent))) {
    const field = asked.get(name)
    if (field) {
      wrong.push(...findDataLoss(field, value, `${ADDITIONAL_ANSWERS_COLUMN}.${name}`))
      kept[name] = value === null ? null : sanitiseAnswer(field, value, sanitiseAnswerHtml)
    } else if (isFilled(value)) unknown.push({ name, label: name, kind: 'text', value })
  }
  return { kept, wrong, unknown }
}

/**
 * Returns the unplaced answers after a change; undefined if the change does not include them. Users can remove unplaced
 * answers but not add any.
 */
function asideIn(given: Content, before: Content): UnplacedAnswer[] | undefined {
  if (!(UNPLACED_ANSWERS_COLUMN in given)) return undefined
  const names = new Set(unplacedAnswers(given).map((u) => u.name))
  return unplacedAnswers(before).filter((u) => names.has(u.name))
}

interface StoredForm {
  /** ID of the form version; null if no version is stored and the declared form is used. */
  readonly id: number | null
  readonly number: number
  readonly digest: string | null
  readonly schema: FormSchema
  readonly notes: string
  /**
   * Names of fields that the type no longer declares. Revisions store the values of these fields in `content` by name.
   */
  readonly former: readonly string[]
}

type StoredFormRow = Omit<StoredForm, 'former'>
const COLUMNS = 'id, number, digest, schema, notes'

/** Client, industry and time for which a form is requested. */
interface FormSelectionCriteria {
  readonly clientId: number
  readonly industry: number | null
  /** ISO 8601 instant. */
  readonly at: string
}

/**
 * Loads the newest form with the closest match: for the client and industry, otherwise for the client, otherwise for
 * the industry, otherwise for all clients. If no version matches, returns the declared form.
 */
async function findNewestForm(
  conn: SqlConn,
  kind: DocumentKind,
  { clientId, industry, at }: FormSelectionCriteria,
): Promise<StoredForm> {
  const fits = `client_id IN ($2::int, 0) AND (industry_id IS NULL OR industry_id = $3::int) AND used_from <= $4::timestamptz
    ORDER BY declared, client_id = 0, industry_id IS NULL, used_from DESC, id DESC`
  return (await findForm(conn, kind, fits, [clientId, industry, at])) ?? declaredForm(kind)
}

async function findForm(conn: SqlConn, kind: DocumentKind, where: string, values: readonly unknown[]) {
  const sql = `SELECT ${COLUMNS} FROM form_version WHERE kind = $1 AND ${where} LIMIT 1`
  const [found] = await conn.rows<StoredFormRow>(sql, [kind.kind, ...values])
  return found && asForm(kind, found)
}

const declaredForm = (kind: DocumentKind): StoredForm => ({
  id: null,
  number: 0,
  digest: null,
  schema: kind.schema,
  notes: '',
  former: [],
})

/** Form versions never change, so each is loaded once per process. */
const read = new WeakMap<Engine, Map<string, StoredForm>>()
const MAX_CACHED_FORMS = 500

/** Loads a form version by ID. Without an ID, loads the type's first declared form. */
async function loadFormVersion(
  { engine, conn }: { readonly engine: Engine; readonly conn: SqlConn },
  kind: DocumentKind,
  id: number | null | undefined,
): Promise<StoredForm> {
  const kept = read.get(engine) ?? new Map<string, StoredForm>()
  read.set(engine, kept)
  const key = `${kind.kind} ${id ?? 'first'}`
  const known = kept.get(key)
  if (known) return known
  const form = id
    ? await findForm(conn, kind, 'id = $2', [id])
    : await findForm(conn, kind, 'client_id = 0 AND declared ORDER BY id', [])
  if (!form) return declaredForm(kind)
  if (kept.size >= MAX_CACHED_FORMS) kept.clear()
  kept.set(key, form)
  return form
}

/** Returns a stored field, with names of people as the type declares them. They were texts in older versions. */
const withPeople = (declared: FormField | undefined, f: FormField): FormField => {
  if (declared?.kind === 'person') return { ...f, kind: 'person' }
  const inRows = new Map(declared?.fields?.map((own) => [own.name, own]))
  return f.fields && inRows.size ? { ...f, fields: f.fields.map((own) => withPeople(inRows.get(own.name), own)) } : f
}

/**
 * Converts a stored form. Fields that the type no longer declares become additional fields, so that they can still be
 * edited, stored, shown and printed.
 */
function asForm(kind: DocumentKind, { schema, ...stored }: StoredFormRow): StoredForm {
  const declared = formFieldsByName(kind.schema)
  const former = [...formFieldsByName(schema).values()].flatMap((f) =>
    f.additional || f.kind === 'custom' || f.name in kind.resource.fields ? [] : [f.name],
  )
  const marked = (f: FormField): FormField =>
    former.includes(f.name) ? { ...f, additional: true } : withPeople(declared.get(f.name), f)
  const steps = schema.steps.map((s) => ({
    ...s,
    groups: s.groups.map((g) => ({ ...g, fields: g.fields.map(marked) })),
  }))
  return { ...stored, schema: { ...schema, steps }, former }
}

/** Adds to a record the values of fields that its type no longer declares but its form still contains. */
export async function withUndeclaredAnswers<R extends { readonly id: number; readonly additional?: unknown }>(
  conn: SqlConn,
  { former }: StoredForm,
  clientId: number,
  record: R,
): Promise<R> {
  if (!former.length) return record
  const [found] = await conn.rows<{ kept: Readonly<Record<string, unknown>> }>(
    `SELECT coalesce(jsonb_object_agg(key, value) FILTER (WHERE key = ANY($3::text[])), '{}') AS kept
     FROM document d, jsonb_each(d.content) WHERE d.client_id = $1 AND d.id = $2`,
    [clientId, record.id, [...former]],
  )
  const additional = typeof record.additional === 'object' ? record.additional : {}
  return { ...record, additional: { ...found?.kept, ...additional } }
}

export const formVersionColumns = ({ id, digest }: StoredForm) => ({ form: id, formDigest: digest })

type Doing = Pick<Context, 'engine' | 'work' | 'now' | 'clientId'>

/** Loads the form that a draft started now would use. */
export const loadFormForNewDraft = (
  { work, now, clientId }: Doing,
  kind: DocumentKind,
  industry: number | null | undefined,
) => findNewestForm(work.tx, kind, { clientId, industry: industry ?? null, at: now.toString() })

export const loadRevisionForm = (
  { engine, work }: Doing,
  kind: DocumentKind,
  { form }: { readonly form?: number | null },
) => loadFormVersion({ engine, conn: work.tx }, kind, form)

/** A revision to be read with its own form. An unsaved revision has no ID. */
type FormRequest = Values & { readonly id?: number; readonly clientId?: number; readonly form?: number | null }

/** Returns a revision's form, and the revision with the values stored for that form. */
export async function loadRevisionWithForm<R extends FormRequest>(c: Doing, kind: DocumentKind, revision: R) {
  const form = await loadRevisionForm(c, kind, revision)
  const { id, clientId = c.clientId } = revision
  const record =
    id === undefined ? revision : await withUndeclaredAnswers(c.work.tx, form, clientId, { ...revision, id })
  return { schema: form.schema, record }
}

/** Converts a revision's answers to the form that a draft started now would use. */
export const convertAnswersToNewForm = async (
  c: Doing,
  kind: DocumentKind,
  row: DocumentRow,
  words: Values,
): Promise<Values> => wordsIn(await loadFormForNewDraft(c, kind, row.industry), c, kind, row, words)

async function wordsIn(to: StoredForm, c: Doing, kind: DocumentKind, row: DocumentRow, words: Values): Promise<Values> {
  const from = await loadRevisionForm(c, kind, row)
  if (from.id === to.id) return {}
  const whole: Values = await withUndeclaredAnswers(c.work.tx, from, row.clientId, { ...words, id: row.id })
  return convertRecordToForm(from.schema, to.schema, whole)
}

export async function switchToNewForm(c: Context, kind: DocumentKind, row: DocumentRow): Promise<void> {
  const form = await loadFormForNewDraft(c, kind, row.industry)
  const changes = await wordsIn(form, c, kind, row, row)
  await c.set(kind.resource, row, { ...changes, ...formVersionColumns(form) }, 'use the new form')
}

/** Loads the form for a client's new draft, outside a transaction. */
export const loadFormForClientDraft = (
  c: RouteContext,
  kind: DocumentKind,
  clientId: number,
  industry: number | undefined,
) => findNewestForm(c.engine.db.read, kind, { clientId, industry: industry ?? null, at: c.now.toString() })

export const loadSubmittedRecordForm = (
  { engine }: Pick<RouteContext, 'engine'>,
  kind: DocumentKind,
  { form }: DocumentRecord,
): Promise<StoredForm> =>
  loadFormVersion({ engine, conn: engine.db.read }, kind, form === null ? null : idFromAnyIri(uploadIri(form)))

/** Converts a submitted record to the form that a client's new document would use. */
export async function convertRecordToNewForm(
  c: RouteContext,
  kind: DocumentKind,
  sent: DocumentRecord,
  clientId: number,
) {
  const industry = idFromAnyIri(uploadIri(sent.industry))
  const [from, to] = [
    await loadSubmittedRecordForm(c, kind, sent),
    await loadFormForClientDraft(c, kind, clientId, industry),
  ]
  const whole = await withUndeclaredAnswers(c.engine.db.read, from, idFromAnyIri(uploadIri(sent.client)) ?? 0, sent)
  return from.id === to.id ? whole : { ...whole, ...convertRecordToForm(from.schema, to.schema, whole) }
}

const addressOfForm = ({ id }: StoredForm) => (id === null ? null : iriOf(formVersion, id))

/** Creates the routes for a type's forms: the form for a new draft, and a record's form. */
export function formRoutes(kind: DocumentKind): Route[] {
  const { url } = kind.resource
  const begun = async (c: RouteContext, industry: number | undefined) => {
    const form = await loadFormForClientDraft(c, kind, c.me.clientId, industry)
    return { '@type': 'FormSchema', version: addressOfForm(form), ...form.schema }
  }
  return [
    {
      method: 'GET',
      path: `${url}/schema`,
      title: `Get the form for a new ${kind.noun}`,
      allow: kind.roles.authors,
      handle: (c) => begun(c, undefined),
    },
    {
      method: 'GET',
      path: `${url}/schema/{industry}`,
      title: `Get the form for a new ${kind.noun} in an industry`,
      allow: kind.roles.authors,
      handle: async (c) => {
        const industry = parseId(c.params.industry)
        if (industry === undefined) throw problem.notFound()
        await c.engine.one(riskIndustry, c.actor, industry)
        return begun(c, industry)
      },
    },
    {
      method: 'GET',
      path: `${url}/{id}/form`,
      title: `Get the form that a ${kind.noun} uses`,
      allow: kind.roles.readers,
      handle: async (c) => {
        const id = parseId(c.params.id)
        if (id === undefined) throw problem.notFound()
        return loadRecordForm(c, kind, await c.engine.one(kind.resource, c.actor, id))
      },
    },
  ]
}

/**
 * Returns a record's own form. If the form contains fields that the type no longer declares, also returns the values of
 * its additional fields. If a draft could switch to a newer form, returns that form as well.
 */
export async function loadRecordForm(c: RouteContext, kind: DocumentKind, record: DocumentRecord) {
  const form = await loadSubmittedRecordForm(c, kind, record)
  const clientId = idFromAnyIri(uploadIri(record.client)) ?? PROVIDER_CLIENT_ID
  const { additional } = await withUndeclaredAnswers(c.engine.db.read, form, clientId, record)
  const newest =
    record.state === 'draft'
      ? await loadFormForClientDraft(c, kind, clientId, idFromAnyIri(uploadIri(record.industry)))
      : form
  const declared = newest.schema === form.schema || newest.digest === form.digest
  return {
    '@type': 'FormOfDocument',
    version: addressOfForm(form),
    schema: form.schema,
    additional: form.former.length ? additional : null,
    settings: await loadFallbackSettings(c, kind, record),
    newer: declared ? null : { version: addressOfForm(newest), number: newest.number, notes: newest.notes },
  }
}
