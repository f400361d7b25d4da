import { fieldsByName } from '#kernel/forms/fields-in.ts'
import type { FormField, FormSchema } from '#kernel/forms/schema.ts'
import type { SqlConn } from '#server/db/db.ts'
import type { Engine } from '#server/engine/types.ts'
import type { DocumentKind } from '../types/kind.ts'

export interface StoredForm {
  /** Null if no version is stored; the declared form is used then. */
  readonly id: number | null
  readonly number: number
  readonly digest: string | null
  readonly schema: FormSchema
  readonly notes: string
  /** Fields that the type no longer declares; revisions store their values in `content` by name. */
  readonly former: readonly string[]
}

type StoredFormRow = Omit<StoredForm, 'former'>
const COLUMNS = 'id, number, digest, schema, notes'

/** Client, industry and time for which a form is requested. */
export interface NewDraftContext {
  readonly clientId: number
  readonly industry: number | null
  /** ISO 8601 instant. */
  readonly at: string
}

/** Loads the newest form that fits best: for the client and industry, else the client, else the industry, else all. */
export async function findNewestForm(
  conn: SqlConn,
  kind: DocumentKind,
  { clientId, industry, at }: NewDraftContext,
): Promise<StoredForm> {
  const fits = `client_id IN ($2::int, 0) AND (industry_id IS NULL OR industry_id = $3::int) AND used_from <= $4::timestamptz
    ORDER BY declared, client_id = 0, industry_id IS NULL, used_from DESC, id DESC`
  return (await findForm(conn, kind, fits, [clientId, industry, at])) ?? declaredForm(kind)
}

/** Finds the first matching version of a type's form. */
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

/** Versions never change, so each is loaded once per process. */
const read = new WeakMap<Engine, Map<string, StoredForm>>()
const MAX_CACHED_FORMS = 500

/** Loads a form version by ID; without an ID, the first declared form of the type. */
export async function loadFormVersion(
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

/** Fields that the type no longer declares become additional fields: still editable, stored, shown and printed. */
function asForm(kind: DocumentKind, { schema, ...stored }: StoredFormRow): StoredForm {
  const former = [...fieldsByName(schema).values()].flatMap((f) =>
    f.additional || f.kind === 'custom' || f.name in kind.resource.fields ? [] : [f.name],
  )
  const marked = (f: FormField): FormField => (former.includes(f.name) ? { ...f, additional: true } : f)
  const steps = schema.steps.map((s) => ({
    ...s,
    groups: s.groups.map((g) => ({ ...g, fields: g.fields.map(marked) })),
  }))
  return { ...stored, schema: former.length ? { ...schema, steps } : schema, former }
}

/** Adds a record's values for fields that its type no longer declares, if its form still has them. */
export async function withFormerAnswers<R extends { readonly id: number; readonly additional?: unknown }>(
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

export const formColumns = ({ id, digest }: StoredForm) => ({ form: id, formDigest: digest })
