import { FORBIDDEN_DURING_IMPERSONATION_MESSAGE } from '#kernel/can.ts'
import type { Violation } from '#kernel/errors.ts'
import { problem, violation } from '#kernel/errors.ts'
import type { Field } from '#kernel/fields.ts'
import { recordToAnswers, toRecordViolations } from '#kernel/forms/answers.ts'
import { clearHiddenFields } from '#kernel/forms/read-answers.ts'
import { authorOf, hasRole } from '#kernel/roles.ts'
import { hasVisibleText } from '#kernel/text.ts'
import { londonDate } from '#kernel/time.ts'
import { client } from '#modules/portal/clients/client.ts'
import { findUnknownRoles } from '#modules/portal/known-roles.server.ts'
import type { Context } from '#server/engine/types.ts'
import { findUnprintableCharacters } from '#server/pdf/coverage.ts'
import { sealContent, sealDocumentEvent } from '../audit-chain/check.server.ts'
import { loadRevisionWithForm } from '../forms/routes.server.ts'
import { documentTypeWithForm } from '../forms/type-with-form.ts'
import { printDueEvent } from '../printing/print.server.ts'
import { assertReferencesValid, sealReferences } from '../references/seal-references.server.ts'
import { loadCompletionSettings, reviewIntervalMonths } from '../settings/settings.server.ts'
import { signaturesRequestedEvent } from '../signoff/requested-event.ts'
import { audienceProblems, effectiveAudience } from '../types/audience.ts'
import { findMissingContent } from '../types/completing.ts'
import type { ChangeCategory } from '../types/document.ts'
import { document } from '../types/document.ts'
import { needsApproval, wasInForce } from '../types/in-force.ts'
import type { DocumentKind, DocumentRow, DocumentValues } from '../types/kind.ts'
import { isOwnRevision } from '../types/self-approval.ts'
import type { TransitionEffect, TransitionName } from '../types/transitions.ts'
import { stateFlags, type TransitionCheck, transitionRejectionMessage } from '../types/transitions.ts'

/** Locks all revisions of a document number until the transaction ends. */
const lockDocumentNumber = (c: Context, kind: DocumentKind, documentNumber: string) =>
  c.lockAll(document, { kind: kind.kind, documentNumber })

/** Locks a document number and returns the number of its next revision. */
export async function nextRevisionNumber(c: Context, kind: DocumentKind, documentNumber: string): Promise<number> {
  const all = await lockDocumentNumber(c, kind, documentNumber)
  return Math.max(0, ...all.map((d) => d.revision)) + 1
}

/**
 * Finds a later revision that is or was in force: one of the same document number or, if a client has only one such
 * document, any that came into force later.
 */
async function findLaterRevisionInForce(
  c: Context,
  kind: DocumentKind,
  { documentNumber, revision, approvedAt, completedAt, id, perClient }: Overtaken,
): Promise<{ readonly documentNumber: string; readonly revision: number } | undefined> {
  const of = perClient ? { kind: kind.kind } : { kind: kind.kind, documentNumber }
  const since = needsApproval(kind) ? approvedAt : completedAt
  const inForce = (await c.lockAll(document, of)).filter(wasInForce)
  const later = inForce.find((d) => d.documentNumber === documentNumber && d.revision > revision)
  if (later || !perClient || !since) return later
  const others = await c.find(kind.resource, { state: ['current', 'replaced'], perClient: true })
  return others.find((d) => {
    const at = needsApproval(kind) ? d.approvedAt : d.completedAt
    return d.id !== id && (d.current || (at !== null && Temporal.Instant.compare(at, since) > 0))
  })
}

/** A revision, with the time at which it came into force. */
type Overtaken = Pick<DocumentRow, 'documentNumber' | 'revision'> &
  Partial<Pick<DocumentRow, 'id' | 'approvedAt' | 'completedAt' | 'perClient'>>

type Content = Readonly<Record<string, unknown>>

/** Returns violations for characters that no print font contains. */
const unprintableCharacters = (kind: DocumentKind, record: Content): Violation[] =>
  Object.entries<Field>(kind.resource.fields).flatMap(([name, f]) =>
    f.inJson || f.kind === 'rows' || name === kind.title.field ? lostIn(record[name], name) : [],
  )

function lostIn(value: unknown, path: string): Violation[] {
  if (typeof value === 'string') {
    const lost = findUnprintableCharacters(value)
    return lost.length ? [violation(path, refusal(lost))] : []
  }
  if (Array.isArray(value)) return value.flatMap((one: unknown, i) => lostIn(one, `${path}[${i}]`))
  if (value === null || typeof value !== 'object') return []
  return Object.entries(value).flatMap(([name, one]) => lostIn(one, `${path}.${name}`))
}

const SHOWN_CHARACTERS = 5

const refusal = (lost: readonly string[]) =>
  `Printed documents can’t show ${lost.slice(0, SHOWN_CHARACTERS).join(' ')}. Please use Latin, Greek, Cyrillic, Arabic, Hebrew, Chinese, Japanese, Korean, Hindi or Thai characters, or emoji`

/** A revision being changed, with its complete content. An unsaved revision has no ID. */
export type RevisionBeingChanged = Pick<DocumentRow, 'documentNumber' | 'revision' | 'state' | 'retired'> &
  Partial<
    Pick<
      DocumentRow,
      'id' | 'perClient' | 'approvedAt' | 'completedAt' | 'author' | 'completedBy' | 'form' | 'clientId' | 'change'
    >
  >

export interface TransitionInput {
  readonly note?: string | null | undefined
  readonly reviewDue?: string | null | undefined
  /** Change category set by the author or the approver; material by default. */
  readonly change?: ChangeCategory | null | undefined
  readonly audience?: readonly string[] | null | undefined
  readonly by?: number | undefined
}

/**
 * Throws if the actor may not perform the transition (403), the revision's state doesn't allow it (409) or the revision
 * isn't ready (422).
 */
export async function assertTransitionAllowed(
  c: Context,
  kind: DocumentKind,
  name: TransitionName,
  revision: RevisionBeingChanged,
  given: TransitionInput = {},
): Promise<void> {
  const transition = kind.transitions[name]
  const refusal = transitionRejectionMessage(transition, revision)
  // Transitions that nobody may perform are conflicts, not permission errors.
  if (refusal && transition.may === 'nobody') throw problem.conflict(refusal)
  if (!hasRole(c.actor, transition.may))
    throw problem.forbidden(`You don’t have permission to ${transition.called} this ${kind.noun}.`)
  if (
    c.actor.original &&
    (transition.notWhileImpersonating === 'always' || (transition.notWhileImpersonating && revision.state !== 'draft'))
  )
    throw problem.forbidden(FORBIDDEN_DURING_IMPERSONATION_MESSAGE, 'in_person')
  if (refusal) throw problem.conflict(refusal)
  for (const check of transition.checks) await CHECKS[check](c, kind, revision, given)
}

const CHECKS: Readonly<
  Record<
    TransitionCheck,
    (c: Context, kind: DocumentKind, revision: RevisionBeingChanged, given: TransitionInput) => void | Promise<void>
  >
> = {
  'not deleted': (_c, _kind, { retired }) => {
    if (retired) throw problem.conflict('This document has been deleted. Please restore it first.')
  },
  whole: assertWhole,
  'no other draft': assertOnlyDraft,
  'no second draft': async (c, kind, revision) => {
    if (revision.state === 'draft') await assertOnlyDraft(c, kind, revision)
  },
  'not overtaken': assertNotOvertaken,
  'by another': assertByAnother,
  'papers in force': (c, kind, { id }) => assertReferencesValid(c, kind, id),
  'a reason': (_c, _kind, _revision, { note }) => {
    if (!hasVisibleText(note ?? ''))
      throw problem.invalid([violation('decisionNote', 'Please enter a reason for the withdrawal')])
  },
}

/** Throws 422, listing everything that is missing for completion and all characters that can't be printed. */
async function assertWhole(c: Context, kind: DocumentKind, revision: RevisionBeingChanged): Promise<void> {
  const { schema, record } = await loadRevisionWithForm(c, kind, revision)
  const held = await loadCompletionSettings(c, kind, revision)
  const missing = findMissingContent(documentTypeWithForm(kind, schema), {
    ...recordToAnswers(schema, record),
    ...held,
  })
  const wrong = [...toRecordViolations(schema, missing), ...unprintableCharacters(kind, revision)]
  const seen = new Set<string>()
  const once = wrong.filter((v) => !seen.has(v.propertyPath) && seen.add(v.propertyPath))
  if (once.length) throw problem.invalid(once)
}

/** Throws if the company forbids self-approval and the actor wrote or completed the revision. */
async function assertByAnother(c: Context, _kind: DocumentKind, revision: RevisionBeingChanged): Promise<void> {
  if (c.actor.kind === 'system' || !isOwnRevision(revision, authorOf(c.actor).username)) return
  const [own] = await c.find(client, { id: c.clientId })
  if (own?.forbidSelfApproval)
    throw problem.forbidden(
      'Your company requires a second person to approve. The author and the person who completed this document can’t approve it.',
    )
}

/** Throws if the document number already has a draft, because two drafts would have to be merged manually. */
async function assertOnlyDraft(
  c: Context,
  kind: DocumentKind,
  { documentNumber }: RevisionBeingChanged,
): Promise<void> {
  const draft = (await lockDocumentNumber(c, kind, documentNumber)).find((d) => d.state === 'draft' && !d.retired)
  if (draft)
    throw problem.conflict(
      `Revision ${draft.revision} of ${documentNumber} is already being written by ${draft.author}. Please continue with that draft.`,
    )
}

/** Throws if a later revision is or was in force, because an older revision can't come into force after a later one. */
async function assertNotOvertaken(c: Context, kind: DocumentKind, revision: RevisionBeingChanged): Promise<void> {
  const later = await findLaterRevisionInForce(c, kind, revision)
  if (later)
    throw problem.conflict(
      `Revision ${later.revision} of ${later.documentNumber} has already been ${needsApproval(kind) ? 'approved' : 'completed'}: an older revision can’t come into force after it.`,
    )
}

/** Checks a transition of a stored revision, saves it under the transition's name in the audit trail, and seals it. */
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

/** Checks a transition, updates other affected revisions and returns the changes to this one. */
export async function prepareTransition(
  c: Context,
  kind: DocumentKind,
  name: TransitionName,
  revision: RevisionBeingChanged,
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

/**
 * Returns whether a user makes the transition now. PDFs of imported or seeded documents are rendered on first request
 * instead.
 */
const happensNow = ({ actor, now, engine }: Context) =>
  actor.kind !== 'system' && Temporal.Instant.compare(now, engine.clock.now().subtract(RECENT_TRANSITION_AGE)) > 0

const EFFECTS: Readonly<
  Record<
    TransitionEffect,
    (
      c: Context,
      kind: DocumentKind,
      revision: RevisionBeingChanged,
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
    revision.state === 'current' && (await findLaterRevisionInForce(c, kind, revision))
      ? stateFlags('replaced', false)
      : {},
  'let go of what is hidden': async (c, kind, revision) => {
    const { schema, record } = await loadRevisionWithForm(c, kind, revision)
    return clearHiddenFields(schema, record)
  },
  'keep the settings that hold': (c, kind, revision) => loadCompletionSettings(c, kind, revision),
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

/**
 * Returns the change category: minor if requested, otherwise material. Throws 422 for a minor change if no earlier
 * revision has been approved, because there are then no signatures to carry forward.
 */
async function changeOf(
  c: Context,
  kind: DocumentKind,
  { documentNumber, revision }: RevisionBeingChanged,
  said: TransitionInput['change'],
) {
  if (said !== 'minor') return 'material'
  if ((await lockDocumentNumber(c, kind, documentNumber)).some((d) => d.revision < revision && d.approved)) return said
  throw problem.invalid([
    violation('change', 'This is the first revision to be approved, so the change can’t be minor.'),
  ])
}

/**
 * Returns the review date of a revision that comes into force: the requested date, or the type's default. Throws 422
 * for a past date.
 */
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
 * Returns the chosen audience, or undefined if none was chosen. Throws 422 if the audience is invalid or wider than the
 * type's audience.
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
  return { audience: [...effectiveAudience(kind.audience, chosen)] }
}

/**
 * Locks the revision in force under a document number or, in a type with one document per client, the client's revision
 * in force.
 */
async function lockCurrent(
  c: Context,
  kind: DocumentKind,
  { documentNumber, perClient }: RevisionBeingChanged,
): Promise<DocumentRow | undefined> {
  const where = perClient ? { perClient: true, current: true } : { documentNumber, current: true }
  const [row] = await c.lockAll(kind.resource, where)
  return row
}
