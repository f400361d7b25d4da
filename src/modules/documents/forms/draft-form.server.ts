import { convertToForm } from '#kernel/forms/take-over.ts'
import type { Values } from '#kernel/forms/visible.ts'
import { idAtEnd } from '#kernel/iri.ts'
import type { RouteContext } from '#server/engine/route.ts'
import type { Context } from '#server/engine/types.ts'
import { type DocumentKind, type DocumentRecord, type DocumentRow, uploadAddress } from '../types/kind.ts'
import { formColumns, formOf, newestForm, type StoredForm, withFormerAnswers } from './forms.server.ts'

type Doing = Pick<Context, 'engine' | 'work' | 'now' | 'clientId'>

/** The form with which a draft starts now. */
export const formForNewDraft = (
  { work, now, clientId }: Doing,
  kind: DocumentKind,
  industry: number | null | undefined,
) => newestForm(work.tx, kind, { clientId, industry: industry ?? null, at: now.toString() })

export const formOfRevision = (
  { engine, work }: Doing,
  kind: DocumentKind,
  { form }: { readonly form?: number | null },
) => formOf({ engine, conn: work.tx }, kind, form)

/** A revision to be read with its own form; an unsaved one has no ID. */
type FormRequest = Values & { readonly id?: number; readonly clientId?: number; readonly form?: number | null }

/** Returns a revision's form, and the revision with the values it stores for that form. */
export async function revisionWithForm<R extends FormRequest>(c: Doing, kind: DocumentKind, revision: R) {
  const form = await formOfRevision(c, kind, revision)
  const { id, clientId = c.clientId } = revision
  const record = id === undefined ? revision : await withFormerAnswers(c.work.tx, form, clientId, { ...revision, id })
  return { schema: form.schema, record }
}

/** Converts a revision's answers to the form with which a draft starts now. */
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

/** The form for a new draft of a client, read outside a transaction. */
export const formFor = (c: RouteContext, kind: DocumentKind, clientId: number, industry: number | undefined) =>
  newestForm(c.engine.db.read, kind, { clientId, industry: industry ?? null, at: c.now.toString() })

export const formOfSentRecord = (
  { engine }: Pick<RouteContext, 'engine'>,
  kind: DocumentKind,
  { form }: DocumentRecord,
): Promise<StoredForm> =>
  formOf({ engine, conn: engine.db.read }, kind, form === null ? null : idAtEnd(uploadAddress(form)))

/** Converts a sent record to the form of a new document of a client. */
export async function convertSentToNewForm(
  c: RouteContext,
  kind: DocumentKind,
  sent: DocumentRecord,
  clientId: number,
) {
  const industry = idAtEnd(uploadAddress(sent.industry))
  const [from, to] = [await formOfSentRecord(c, kind, sent), await formFor(c, kind, clientId, industry)]
  const whole = await withFormerAnswers(c.engine.db.read, from, idAtEnd(uploadAddress(sent.client)) ?? 0, sent)
  return from.id === to.id ? whole : { ...whole, ...convertToForm(from.schema, to.schema, whole) }
}
