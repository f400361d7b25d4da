import { problem, violation } from '#kernel/errors.ts'
import { recordToAnswers, violationsToRecord } from '#kernel/forms/answers.ts'
import { author, hasRole } from '#kernel/roles.ts'
import { showsText } from '#kernel/text.ts'
import { client } from '#modules/portal/clients/client.ts'
import type { Context } from '#server/engine/types.ts'
import { writtenUnder } from '../forms/draft-form.server.ts'
import { kindIn } from '../forms/kind-in.ts'
import { assertReferencesStand } from '../references/seal-references.server.ts'
import { settingsHeld } from '../settings/held.server.ts'
import type { Change } from '../types/changes.ts'
import { wordsMissing } from '../types/completing.ts'
import { isApproved } from '../types/in-force.ts'
import type { DocumentKind, DocumentRow } from '../types/kind.ts'
import { isOwnWork } from '../types/self-approval.ts'
import { type Check, refusalOf, type TransitionName } from '../types/transitions.ts'
import { laterInForce, lockNumber } from './numbering.server.ts'
import { unprintableWords } from './unprintable.server.ts'

/** A revision being changed, with all its content; a new one has no ID yet. */
export type Revision = Pick<DocumentRow, 'documentNumber' | 'revision' | 'state' | 'retired'> &
  Partial<
    Pick<
      DocumentRow,
      'id' | 'perClient' | 'approvedAt' | 'completedAt' | 'author' | 'completedBy' | 'form' | 'clientId' | 'change'
    >
  >

export interface Given {
  readonly note?: string | null | undefined
  readonly reviewDue?: string | null | undefined
  /** Change category by the author or the approver; material by default. */
  readonly change?: Change | null | undefined
  readonly audience?: readonly string[] | null | undefined
  readonly by?: number | undefined
}

/** Throws if the actor may not make the transition (403), the revision doesn't allow it (409) or isn't ready (422). */
export async function assertMay(
  c: Context,
  kind: DocumentKind,
  name: TransitionName,
  revision: Revision,
  given: Given = {},
): Promise<void> {
  const transition = kind.transitions[name]
  const refusal = refusalOf(transition, revision)
  // Transitions that nobody may make are conflicts, not permission errors.
  if (refusal && transition.may === 'nobody') throw problem.conflict(refusal)
  if (!hasRole(c.actor, transition.may)) throw problem.forbidden(`You may not ${transition.called} this ${kind.noun}.`)
  if (refusal) throw problem.conflict(refusal)
  for (const check of transition.checks) await CHECKS[check](c, kind, revision, given)
}

const CHECKS: Readonly<
  Record<Check, (c: Context, kind: DocumentKind, revision: Revision, given: Given) => void | Promise<void>>
> = {
  'not deleted': (_c, _kind, { retired }) => {
    if (retired) throw problem.conflict('This document is deleted. Restore it first.')
  },
  whole: assertWhole,
  'no other draft': assertOnlyDraft,
  'no second draft': async (c, kind, revision) => {
    if (revision.state === 'draft') await assertOnlyDraft(c, kind, revision)
  },
  'not overtaken': assertNotOvertaken,
  'by another': assertByAnother,
  'papers in force': (c, kind, { id }) => assertReferencesStand(c, kind, id),
  'a reason': (_c, _kind, _revision, { note }) => {
    if (!showsText(note ?? ''))
      throw problem.invalid([violation('decisionNote', 'Please enter a reason for the withdrawal')])
  },
}

/** Throws 422 with everything that is missing for completion. */
async function assertWhole(c: Context, kind: DocumentKind, revision: Revision): Promise<void> {
  const { schema, record } = await writtenUnder(c, kind, revision)
  const held = await settingsHeld(c, kind, revision)
  const missing = wordsMissing(kindIn(kind, schema), { ...recordToAnswers(schema, record), ...held })
  const wrong = [...violationsToRecord(schema, missing), ...unprintableWords(kind, revision)]
  const seen = new Set<string>()
  const once = wrong.filter((v) => !seen.has(v.propertyPath) && seen.add(v.propertyPath))
  if (once.length) throw problem.invalid(once)
}

/** Throws if the company forbids self-approval and the actor wrote or completed the revision. */
async function assertByAnother(c: Context, _kind: DocumentKind, revision: Revision): Promise<void> {
  if (c.actor.kind === 'system' || !isOwnWork(revision, author(c.actor).username)) return
  const [own] = await c.find(client, { id: c.clientId })
  if (own?.forbidSelfApproval)
    throw problem.forbidden(
      'Your company requires a second person to approve: the author and the person who completed the document can’t.',
    )
}

/** A number has one draft at a time: two would have to be merged manually. */
async function assertOnlyDraft(c: Context, kind: DocumentKind, { documentNumber }: Revision): Promise<void> {
  const draft = (await lockNumber(c, kind, documentNumber)).find((d) => d.state === 'draft' && !d.retired)
  if (draft)
    throw problem.conflict(
      `Revision ${draft.revision} of ${documentNumber} is already being written by ${draft.author}. Please continue with that draft.`,
    )
}

/** An older revision can't follow one that has been in force. */
async function assertNotOvertaken(c: Context, kind: DocumentKind, revision: Revision): Promise<void> {
  const later = await laterInForce(c, kind, revision)
  if (later)
    throw problem.conflict(
      `Revision ${later.revision} of ${later.documentNumber} has already been ${isApproved(kind) ? 'approved' : 'completed'}: an older revision can’t come into force after it.`,
    )
}
