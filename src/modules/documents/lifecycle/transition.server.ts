import { problem, violation } from '#kernel/errors.ts'
import { clearHiddenFields } from '#kernel/forms/read-answers.ts'
import { authorOf } from '#kernel/roles.ts'
import { londonDate } from '#kernel/time.ts'
import { findUnknownRoles } from '#modules/portal/known-roles.server.ts'
import type { Context } from '#server/engine/types.ts'
import { sealContent, sealDocumentEvent } from '../audit-chain/sealing.server.ts'
import { revisionWithForm } from '../forms/routes.server.ts'
import { printDueEvent } from '../printing/print-due.ts'
import { sealReferences } from '../references/seal-references.server.ts'
import { settingsForCompletion } from '../settings/held.server.ts'
import { reviewIntervalMonths } from '../settings/settings.server.ts'
import { signaturesRequestedEvent } from '../signoff/asked.ts'
import { audienceProblems, audienceWithin } from '../types/audience.ts'
import type { DocumentKind, DocumentRow, DocumentValues } from '../types/kind.ts'
import type { TransitionEffect, TransitionName } from '../types/transitions.ts'
import { stateFlags } from '../types/transitions.ts'
import {
  assertTransitionAllowed,
  findLaterInForce,
  lockDocumentNumber,
  type RevisionUnderChange,
  type TransitionInput,
} from './checks.server.ts'

/** Applies a transition to a stored revision: checks it, saves it under its name in the audit trail, and seals it. */
export async function applyTransition(
  c: Context,
  kind: DocumentKind,
  name: TransitionName,
  row: DocumentRow,
  given: TransitionInput = {},
): Promise<void> {
  await c.set(kind.resource, row, await prepareTransition(c, kind, name, row, given), name)
  await sealTransition(c, kind, name, row.id, given.by)
}

/** Checks a transition, updates other revisions and returns the changes to this one. */
export async function prepareTransition(
  c: Context,
  kind: DocumentKind,
  name: TransitionName,
  revision: RevisionUnderChange,
  given: TransitionInput = {},
): Promise<DocumentValues> {
  await assertTransitionAllowed(c, kind, name, revision, given)
  const { to, retired, effects } = kind.transitions[name]
  let changes: DocumentValues = stateFlags(to === 'same' ? revision.state : to, retired ?? revision.retired)
  for (const effect of effects) changes = { ...changes, ...(await EFFECTS[effect](c, kind, revision, given)) }
  return changes
}

/** Appends a saved transition to the client's audit chain. Does nothing for drafts. */
export async function sealTransition(
  c: Context,
  kind: DocumentKind,
  name: TransitionName,
  id: number,
  by?: number,
): Promise<void> {
  const { seals, to } = kind.transitions[name]
  if (!seals) return
  if (seals === 'completed') {
    await sealReferences(c, kind, id)
    await sealContent(c, kind, id)
  } else await sealDocumentEvent(c, seals, id, { by })
  if (!happensNow(c)) return
  await c.emit(printDueEvent, { kind: kind.kind, document: id })
  if (to === 'current' || READER_TRANSITIONS.has(name)) await c.emit(signaturesRequestedEvent, { document: id })
}

/** Transitions, other than coming into force, after which new readers may be asked to sign. */
const READER_TRANSITIONS: ReadonlySet<TransitionName> = new Set(['change audience', 'reinstate'])

const RECENT_TRANSITION_AGE = { minutes: 5 }

/** True if the transition happens now: PDFs of imported or seeded documents are rendered on first request instead. */
const happensNow = ({ actor, now, engine }: Context) =>
  actor.kind !== 'system' && Temporal.Instant.compare(now, engine.clock.now().subtract(RECENT_TRANSITION_AGE)) > 0

const EFFECTS: Readonly<
  Record<
    TransitionEffect,
    (
      c: Context,
      kind: DocumentKind,
      revision: RevisionUnderChange,
      given: TransitionInput,
    ) => DocumentValues | Promise<DocumentValues>
  >
> = {
  'replace the current revision': async (c, kind, revision) => {
    const { id } = revision
    const current = await lockCurrent(c, kind, revision)
    if (current && current.id !== id) await applyTransition(c, kind, 'replace', current, { by: id })
    return {}
  },
  'give way to a later revision': async (c, kind, revision) =>
    revision.state === 'current' && (await findLaterInForce(c, kind, revision)) ? stateFlags('replaced', false) : {},
  'let go of what is hidden': async (c, kind, revision) => {
    const { schema, record } = await revisionWithForm(c, kind, revision)
    return clearHiddenFields(schema, record)
  },
  'keep the settings that hold': (c, kind, revision) => settingsForCompletion(c, kind, revision),
  'stamp the completion': async (c, kind, revision, { change }) => ({
    completedAt: c.now.toString(),
    completedBy: authorOf(c.actor).username,
    // Change category chosen by the author, which the approver may change.
    ...(change ? { change: await changeOf(c, kind, revision, change) } : {}),
  }),
  'stamp the approval': async (c, kind, revision, { note, reviewDue, change }) => ({
    approved: true,
    change: await changeOf(c, kind, revision, change ?? revision.change),
    approvedAt: c.now.toString(),
    authorUsername: authorOf(c.actor).username,
    decisionNote: note ?? null,
    ...(await reviewOf(c, kind, reviewDue)),
  }),
  'stamp the review': (c, kind, _revision, { reviewDue }) => reviewOf(c, kind, reviewDue),
  'stamp who set the review': (c) => reviewSet(c),
  'keep the reason': (_c, _kind, _revision, { note }) => ({ decisionNote: note ?? null }),
  'take back the reason': () => ({ decisionNote: null }),
  'stamp the end': (c) => ({ endedBy: authorOf(c.actor).username, endedAt: c.now.toString() }),
  'take back the end': () => ({ endedBy: null, endedAt: null }),
  'keep the audience': (c, kind, _revision, { audience }) => validateAudience(c, kind, audience),
}

/** Throws 422 for a minor change if no previous revision is in force, as there are no signatures to carry forward. */
async function changeOf(
  c: Context,
  kind: DocumentKind,
  { documentNumber, revision }: RevisionUnderChange,
  said: TransitionInput['change'],
) {
  if (said !== 'minor') return 'material'
  if ((await lockDocumentNumber(c, kind, documentNumber)).some((d) => d.revision < revision && d.approved)) return said
  throw problem.invalid([
    violation('change', 'This is the first revision to be approved, so it is new to all readers.'),
  ])
}

/** Review date of a revision that comes into force: as sent, or the type's default. Throws 422 for a past date. */
async function reviewOf(c: Context, kind: DocumentKind, day: string | null | undefined) {
  const today = londonDate(c.now)
  if (day && day < today.toString())
    throw problem.invalid([
      violation('reviewDue', 'This date is in the past. Please choose a future review date', 'too_small'),
    ])
  const months = day ? 0 : await reviewIntervalMonths(c, kind)
  return { reviewDue: day ?? today.add({ months }).toString(), ...reviewSet(c) }
}

const reviewSet = (c: Context) => ({ reviewSetBy: authorOf(c.actor).username, reviewSetAt: c.now.toString() })

/**
 * Returns the chosen audience, or undefined if none was chosen. Throws 422 if it is invalid or wider than the type's.
 */
export async function validateAudience(
  c: Context,
  kind: DocumentKind,
  chosen: readonly string[] | null | undefined,
): Promise<DocumentValues> {
  if (!chosen) return {}
  const wrong = audienceProblems(kind.audience, chosen)
  const all = wrong.length ? wrong : await findUnknownRoles(c, 'audience', chosen)
  if (all.length) throw problem.invalid(all)
  return { audience: [...audienceWithin(kind.audience, chosen)] }
}

/** Locks the revision in force of a document number or, in a type with one document per client, of the client. */
async function lockCurrent(
  c: Context,
  kind: DocumentKind,
  { documentNumber, perClient }: RevisionUnderChange,
): Promise<DocumentRow | undefined> {
  const where = perClient ? { perClient: true, current: true } : { documentNumber, current: true }
  const [row] = await c.lockAll(kind.resource, where)
  return row
}
