import { takeOver } from '#kernel/forms/take-over.ts'
import type { Values } from '#kernel/forms/visible.ts'
import { idAtEnd } from '#kernel/iri.ts'
import type { RouteContext } from '#server/engine/route.ts'
import type { Context } from '#server/engine/types.ts'
import { addressOf, type DocumentKind, type DocumentRecord, type DocumentRow } from '../types/kind.ts'
import { type Form, formOf, formValues, newestForm, withFormerAnswers } from './forms.server.ts'

type Doing = Pick<Context, 'engine' | 'work' | 'now' | 'clientId'>

/** The form that a draft begins with here and now. */
export const formToBegin = ({ work, now, clientId }: Doing, kind: DocumentKind, industry: number | null | undefined) =>
  newestForm(work.tx, kind, { clientId, industry: industry ?? null, at: now.toString() })

/** The form that a revision is written by. */
export const formUnder = ({ engine, work }: Doing, kind: DocumentKind, { form }: { readonly form?: number | null }) =>
  formOf({ engine, conn: work.tx }, kind, form)

/** What is to be read by a revision's own form; one that is not stored yet has no id. */
type Asked = Values & { readonly id?: number; readonly clientId?: number; readonly form?: number | null }

/** The form of a revision, and the revision with everything that it keeps for that form. */
export async function writtenUnder<R extends Asked>(c: Doing, kind: DocumentKind, revision: R) {
  const form = await formUnder(c, kind, revision)
  const { id, clientId = c.clientId } = revision
  const record = id === undefined ? revision : await withFormerAnswers(c.work.tx, form, clientId, { ...revision, id })
  return { schema: form.schema, record }
}

/** What a revision says, in the form that a draft begins with now: what changes of it by that. */
export const wordsInNewForm = async (c: Doing, kind: DocumentKind, row: DocumentRow, words: Values): Promise<Values> =>
  wordsIn(await formToBegin(c, kind, row.industry), c, kind, row, words)

async function wordsIn(to: Form, c: Doing, kind: DocumentKind, row: DocumentRow, words: Values): Promise<Values> {
  const from = await formUnder(c, kind, row)
  if (from.id === to.id) return {}
  const whole: Values = await withFormerAnswers(c.work.tx, from, row.clientId, { ...words, id: row.id })
  return takeOver(from.schema, to.schema, whole)
}

/** The newest form takes the place of a draft's own. */
export async function useNewForm(c: Context, kind: DocumentKind, row: DocumentRow): Promise<void> {
  const form = await formToBegin(c, kind, row.industry)
  const changes = await wordsIn(form, c, kind, row, row)
  await c.set(kind.resource, row, { ...changes, ...formValues(form) }, 'use the new form')
}

/** The form that a draft of a client would begin with, asked for outside of a transaction. */
export const formAsked = (c: RouteContext, kind: DocumentKind, clientId: number, industry: number | undefined) =>
  newestForm(c.engine.db.read, kind, { clientId, industry: industry ?? null, at: c.now.toString() })

/** The form of a record as it was sent. */
export const formOfSent = (
  { engine }: Pick<RouteContext, 'engine'>,
  kind: DocumentKind,
  { form }: DocumentRecord,
): Promise<Form> => formOf({ engine, conn: engine.db.read }, kind, form === null ? null : idAtEnd(addressOf(form)))

/** A record as it was sent, for a new document of a client: in the form that this one begins with. */
export async function sentInNewForm(c: RouteContext, kind: DocumentKind, sent: DocumentRecord, clientId: number) {
  const industry = idAtEnd(addressOf(sent.industry))
  const [from, to] = [await formOfSent(c, kind, sent), await formAsked(c, kind, clientId, industry)]
  const whole = await withFormerAnswers(c.engine.db.read, from, idAtEnd(addressOf(sent.client)) ?? 0, sent)
  return from.id === to.id ? whole : { ...whole, ...takeOver(from.schema, to.schema, whole) }
}
