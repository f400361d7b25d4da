import { problem } from '#kernel/errors.ts'
import { convertToForm } from '#kernel/forms/answers.ts'
import type { Values } from '#kernel/forms/visible.ts'
import { idAtEnd, readId } from '#kernel/iri.ts'
import { iriOf } from '#kernel/resource.ts'
import { PROVIDER } from '#kernel/roles.ts'
import { riskIndustry } from '#modules/safety/industry.ts'
import type { Route, RouteContext } from '#server/engine/route.ts'
import type { Context } from '#server/engine/types.ts'
import { DOCUMENT_AUTHORS, DOCUMENT_READERS } from '../rights.ts'
import { settingsForReading } from '../settings/held.server.ts'
import { formVersion } from '../types/document-fields.ts'
import type { DocumentRow } from '../types/kind.ts'
import { type DocumentKind, type DocumentRecord, uploadAddress } from '../types/kind.ts'
import { findNewestForm, formColumns, loadFormVersion, type StoredForm, withFormerAnswers } from './forms.server.ts'

type Doing = Pick<Context, 'engine' | 'work' | 'now' | 'clientId'>

/** Loads the form with which a draft would start now. */
export const formForNewDraft = (
  { work, now, clientId }: Doing,
  kind: DocumentKind,
  industry: number | null | undefined,
) => findNewestForm(work.tx, kind, { clientId, industry: industry ?? null, at: now.toString() })

export const formOfRevision = (
  { engine, work }: Doing,
  kind: DocumentKind,
  { form }: { readonly form?: number | null },
) => loadFormVersion({ engine, conn: work.tx }, kind, form)

/** A revision to read with its own form; it has no ID until saved. */
type FormRequest = Values & { readonly id?: number; readonly clientId?: number; readonly form?: number | null }

/** Returns a revision's form, and the revision with its stored values for that form. */
export async function revisionWithForm<R extends FormRequest>(c: Doing, kind: DocumentKind, revision: R) {
  const form = await formOfRevision(c, kind, revision)
  const { id, clientId = c.clientId } = revision
  const record = id === undefined ? revision : await withFormerAnswers(c.work.tx, form, clientId, { ...revision, id })
  return { schema: form.schema, record }
}

/** Converts a revision's answers to the form with which a draft would start now. */
export const answersInNewForm = async (
  c: Doing,
  kind: DocumentKind,
  row: DocumentRow,
  words: Values,
): Promise<Values> => wordsIn(await formForNewDraft(c, kind, row.industry), c, kind, row, words)

async function wordsIn(to: StoredForm, c: Doing, kind: DocumentKind, row: DocumentRow, words: Values): Promise<Values> {
  const from = await formOfRevision(c, kind, row)
  if (from.id === to.id) return {}
  const whole: Values = await withFormerAnswers(c.work.tx, from, row.clientId, { ...words, id: row.id })
  return convertToForm(from.schema, to.schema, whole)
}

export async function switchToNewForm(c: Context, kind: DocumentKind, row: DocumentRow): Promise<void> {
  const form = await formForNewDraft(c, kind, row.industry)
  const changes = await wordsIn(form, c, kind, row, row)
  await c.set(kind.resource, row, { ...changes, ...formColumns(form) }, 'use the new form')
}

/** Loads the form for a client's new draft, outside a transaction. */
export const formForClientDraft = (
  c: RouteContext,
  kind: DocumentKind,
  clientId: number,
  industry: number | undefined,
) => findNewestForm(c.engine.db.read, kind, { clientId, industry: industry ?? null, at: c.now.toString() })

export const formOfSentRecord = (
  { engine }: Pick<RouteContext, 'engine'>,
  kind: DocumentKind,
  { form }: DocumentRecord,
): Promise<StoredForm> =>
  loadFormVersion({ engine, conn: engine.db.read }, kind, form === null ? null : idAtEnd(uploadAddress(form)))

/** Converts a submitted record to the form for a client's new document. */
export async function convertRecordToNewForm(
  c: RouteContext,
  kind: DocumentKind,
  sent: DocumentRecord,
  clientId: number,
) {
  const industry = idAtEnd(uploadAddress(sent.industry))
  const [from, to] = [await formOfSentRecord(c, kind, sent), await formForClientDraft(c, kind, clientId, industry)]
  const whole = await withFormerAnswers(c.engine.db.read, from, idAtEnd(uploadAddress(sent.client)) ?? 0, sent)
  return from.id === to.id ? whole : { ...whole, ...convertToForm(from.schema, to.schema, whole) }
}

const addressOfForm = ({ id }: StoredForm) => (id === null ? null : iriOf(formVersion, id))

/** Routes of a type's forms: the form for a new draft, and a record's form. */
export function formRoutes(kind: DocumentKind): Route[] {
  const { url } = kind.resource
  const begun = async (c: RouteContext, industry: number | undefined) => {
    const form = await formForClientDraft(c, kind, c.me.clientId, industry)
    return { '@type': 'FormSchema', version: addressOfForm(form), ...form.schema }
  }
  return [
    {
      method: 'GET',
      path: `${url}/schema`,
      title: `Get the form for a new ${kind.noun}`,
      allow: DOCUMENT_AUTHORS,
      handle: (c) => begun(c, undefined),
    },
    {
      method: 'GET',
      path: `${url}/schema/{industry}`,
      title: `Get the form for a new ${kind.noun} in an industry`,
      allow: DOCUMENT_AUTHORS,
      handle: async (c) => {
        const industry = readId(c.params.industry)
        if (industry === undefined) throw problem.notFound()
        await c.engine.one(riskIndustry, c.actor, industry)
        return begun(c, industry)
      },
    },
    {
      method: 'GET',
      path: `${url}/{id}/form`,
      title: `Get the form of a ${kind.noun}`,
      allow: DOCUMENT_READERS,
      handle: async (c) => {
        const id = readId(c.params.id)
        if (id === undefined) throw problem.notFound()
        return recordFormOf(c, kind, await c.engine.one(kind.resource, c.actor, id))
      },
    },
  ]
}

/**
 * Returns a record's own form, the values of fields that only this form has, and a newer form if the draft could switch
 * to it.
 */
export async function recordFormOf(c: RouteContext, kind: DocumentKind, record: DocumentRecord) {
  const form = await formOfSentRecord(c, kind, record)
  const clientId = idAtEnd(uploadAddress(record.client)) ?? PROVIDER
  const { additional } = await withFormerAnswers(c.engine.db.read, form, clientId, record)
  const newest =
    record.state === 'draft'
      ? await formForClientDraft(c, kind, clientId, idAtEnd(uploadAddress(record.industry)))
      : form
  const declared = newest.schema === form.schema || newest.digest === form.digest
  return {
    '@type': 'FormOfDocument',
    version: addressOfForm(form),
    schema: form.schema,
    additional: form.former.length ? additional : null,
    settings: await settingsForReading(c, kind, record),
    newer: declared ? null : { version: addressOfForm(newest), number: newest.number, notes: newest.notes },
  }
}
