import { problem } from '#kernel/errors.ts'
import { answersIn, keptPlaces } from '#kernel/forms/answers.ts'
import { author, holds } from '#kernel/roles.ts'
import { client } from '#rooms/portal/clients/client.ts'
import type { Context } from '#server/engine/context.ts'
import { writtenUnder } from '../forms/draft-form.server.ts'
import { kindIn } from '../forms/kind-in.ts'
import { wordsMissing } from '../kinds/completing.ts'
import type { DocumentKind, DocumentRow } from '../kinds/kind.ts'
import { isOwnWork } from '../kinds/self-approval.ts'
import { type Check, refusalOf, TRANSITIONS, type TransitionName } from '../kinds/transitions.ts'
import { laterInForce, lockNumber } from './numbering.server.ts'
import { unprintableWords } from './unprintable.server.ts'

/** A revision in the middle of being changed, with everything that it would say; a new one has no id yet. */
export type Revision = Pick<DocumentRow, 'documentNumber' | 'revision' | 'state' | 'retired'> & {
  readonly id?: number
} & Partial<Pick<DocumentRow, 'author' | 'completedBy' | 'form' | 'clientId'>>

/** Throws where the actor may not make the transition (403), or the revision can't (409), or not yet (422). */
export async function assertMay(c: Context, kind: DocumentKind, name: TransitionName, revision: Revision) {
  const { may, checks } = TRANSITIONS[name]
  if (!holds(c.actor, may)) throw problem.forbidden(`You may not ${name} a ${kind.noun}.`)
  const refusal = refusalOf(name, revision)
  if (refusal) throw problem.conflict(refusal)
  for (const check of checks) await CHECKS[check](c, kind, revision)
}

const CHECKS: Readonly<Record<Check, (c: Context, kind: DocumentKind, revision: Revision) => void | Promise<void>>> = {
  'not deleted': (_c, _kind, { retired }) => {
    if (retired) throw problem.conflict('This has been deleted. Restore it first.')
  },
  whole: assertWhole,
  'no other draft': assertOnlyDraft,
  'not overtaken': assertNotOvertaken,
  'by another': assertByAnother,
}

/** Throws 422 with everything that keeps the record from being complete. */
async function assertWhole(c: Context, kind: DocumentKind, revision: Revision): Promise<void> {
  const { schema, record } = await writtenUnder(c, kind, revision)
  const missing = wordsMissing(kindIn(kind, schema), answersIn(schema, record))
  const wrong = [...keptPlaces(schema, missing), ...unprintableWords(kind, revision)]
  const seen = new Set<string>()
  const once = wrong.filter((v) => !seen.has(v.propertyPath) && seen.add(v.propertyPath))
  if (once.length) throw problem.invalid(once)
}

/** Whoever wrote or completed a revision approves it, unless their company has said that another person does. */
async function assertByAnother(c: Context, _kind: DocumentKind, revision: Revision): Promise<void> {
  if (c.actor.kind === 'system' || !isOwnWork(revision, author(c.actor).username)) return
  const [own] = await c.find(client, { id: c.clientId })
  if (own?.forbidSelfApproval)
    throw problem.forbidden(
      'In your company a document is approved by somebody else than whoever wrote or completed it.',
    )
}

/** There is one draft of a number at a time: two would have to be put together by hand. */
async function assertOnlyDraft(c: Context, kind: DocumentKind, { documentNumber }: Revision): Promise<void> {
  const draft = (await lockNumber(c, kind, documentNumber)).find((d) => d.state === 'draft' && !d.retired)
  if (draft)
    throw problem.conflict(
      `Revision ${draft.revision} of ${documentNumber} is already being written by ${draft.author}. Carry on with that one.`,
    )
}

/** What has been in force is not followed by an older revision. */
async function assertNotOvertaken(c: Context, kind: DocumentKind, revision: Revision): Promise<void> {
  const later = await laterInForce(c, kind, revision)
  if (later)
    throw problem.conflict(
      `Revision ${later.revision} of ${revision.documentNumber} has been approved already: an older one is not put in force after it.`,
    )
}
