import { z } from 'zod'
import { problem } from '#kernel/errors.ts'
import { defineEvent } from '#kernel/event.ts'
import { removePlaceholders } from '#kernel/forms/fields-in.ts'
import type { RowOf } from '#kernel/resource.ts'
import { authorOf } from '#kernel/roles.ts'
import { londonDate } from '#kernel/time.ts'
import { prepareSql } from '#server/data/values.ts'
import { type BeforeSaveInput, behaviour } from '#server/engine/behaviour.ts'
import { eventHandler } from '#server/engine/handler.ts'
import { feature } from '#server/engine/module.ts'
import type { Context } from '#server/engine/types.ts'
import { documentOpening } from '../access-log/document-opening.ts'
import { formVersionColumns, loadFormForNewDraft, loadRevisionForm, switchToNewForm } from '../forms/routes.server.ts'
import { documentTypeWithForm } from '../forms/type-with-form.ts'
import { settleDocumentNames } from '../named-employees/document-names.server.ts'
import { assertReferences, syncFirstReference } from '../references/assert-references.server.ts'
import { DOCUMENT_PACKS } from '../rights.ts'
import { document, documentPrint, seal, signature } from '../types/document.ts'
import { allowsOneInForcePerClient } from '../types/in-force.ts'
import type {
  DocumentContent,
  DocumentKind,
  DocumentResource,
  DocumentRow,
  DocumentValues,
  RevisionToSave,
} from '../types/kind.ts'
import { type RowHooks, routesOfKinds } from '../types/kinds.server.ts'
import { answersToConfirm, remainingUnconfirmedFields } from '../types/origin.ts'
import { documentReference } from '../types/reference.ts'
import { restoreTransitionName, type TransitionName } from '../types/transitions.ts'
import { documentListRoutes } from './list-routes.server.ts'
import { documentPrefillRoutes } from './models.server.ts'
import { assertFilesAccessible, sanitiseContent, userWorkListRoutes } from './own-work.server.ts'
import {
  defaultContentFor,
  initialDraftValues,
  lockPreviousRevision,
  outdatedReferenceRoutes,
  startNextRevision,
} from './revisions.server.ts'
import {
  applyTransition,
  assertTransitionAllowed,
  prepareTransition,
  type RevisionBeingChanged,
  sealTransition,
  type TransitionInput,
  validateAudience,
} from './transition.server.ts'

type Values = Readonly<Record<string, unknown>>

/**
 * Age of a revision in months since its approval (or completion), from which the next revision must reconfirm place,
 * date, people and risk.
 */
const FRESH_MONTHS = 12

/** Returns whether the previous revision is due for review, or was approved (or completed) at least a year ago. */
function isStale({ now }: Context, former: DocumentRow): boolean {
  const today = londonDate(now)
  const decided = former.approvedAt ?? former.completedAt
  const ago = today.subtract({ months: FRESH_MONTHS })
  return (
    (former.reviewDue !== null && Temporal.PlainDate.compare(former.reviewDue, today) <= 0) ||
    (decided !== null && Temporal.PlainDate.compare(londonDate(Temporal.Instant.from(decided)), ago) <= 0)
  )
}

const named = ({ documentNumber, revision }: { readonly documentNumber: string; readonly revision: number }) =>
  `${documentNumber} revision ${revision}`

/**
 * Returns the name of a new document's source. Empty if the new document's client can't see the source, for example
 * because the provider copied another client's document.
 */
function originName(source: RowOf<typeof document> | undefined): string {
  if (!source) return ''
  return source.isTemplate ? `the template “${shortened(source.title ?? '')}”` : named(source)
}

const MAX_TITLE_LENGTH = 80

const shortened = (title: string) => (title.length > MAX_TITLE_LENGTH ? `${title.slice(0, MAX_TITLE_LENGTH)}…` : title)

/**
 * Returns the fields for a new document's origin, and whether its answers are copied and need confirmation. They do in
 * a copy and in the next revision of a stale document (see `isStale`). Template placeholders become empty, unless the
 * new document is itself a template.
 */
async function originColumns(
  c: Context,
  kind: DocumentKind,
  given: Values,
  former: DocumentRow | undefined,
): Promise<{ readonly copied: boolean; readonly values: DocumentContent }> {
  const origin = typeof given.origin === 'number' ? given.origin : undefined
  // The portal's own templates are corrected by a release, not copied by a person who confirms them.
  const stale = former !== undefined && c.actor.kind !== 'system' && isStale(c, former)
  const source = origin === undefined ? undefined : await c.get(document, origin)
  // A document started from a record of another type concerns the same job, so its answers need no confirmation.
  const copied = stale || (origin !== undefined && (source?.kind ?? kind.kind) === kind.kind)
  const answers = given.isTemplate === true ? given : removePlaceholders(kind.schema, given)
  const emptied = Object.fromEntries(
    Object.keys(given).flatMap((n) => (answers[n] === given[n] ? [] : [[n, answers[n]]])),
  )
  return {
    copied,
    values: {
      ...emptied,
      copiedFrom: origin !== undefined ? originName(source) : stale ? named(former) : '',
      unconfirmed: copied ? answersToConfirm(kind, answers) : [],
      confirmed: {},
    },
  }
}

function confirmCopiedAnswers(c: Context, kind: DocumentKind, before: DocumentRow, changes: Values): DocumentContent {
  const stored: Values = before
  const was = stored.unconfirmed
  if (!Array.isArray(was) || !was.length) return 'unconfirmed' in changes ? { unconfirmed: undefined } : {}
  const left = remainingUnconfirmedFields(kind, stored, changes)
  const confirmation = { by: authorOf(c.actor).username, at: c.now.toString() }
  const told = was.filter((name) => !left.includes(name)).map((name: string) => [name, confirmation])
  if (!told.length) return 'unconfirmed' in changes ? { unconfirmed: undefined } : {}
  return { unconfirmed: left, confirmed: { ...(stored.confirmed as Values | null), ...Object.fromEntries(told) } }
}

const normaliseRows = (
  c: Context,
  kind: DocumentKind,
  revision: Pick<RevisionToSave, 'next' | 'before' | 'copied'>,
): DocumentValues => kind.settle?.({ ...revision, by: authorOf(c.actor).username, at: c.now.toString() }) ?? {}

/**
 * Minutes within which repeated access is logged as one opening, for example if a user views a document and then its
 * PDF.
 */
const SAME = 15

/**
 * Adds an entry to the client's access log when a provider user opens one of the client's documents. Adds none if the
 * user opened the document within the last `SAME` minutes.
 */
async function logDocumentOpening(c: Context, id: number): Promise<void> {
  const { username, name } = c.actor
  const before = await c.work.tx.rows(
    `SELECT 1 FROM document_opening WHERE client_id = $1 AND document_id = $2 AND username = $3 AND opened_at > portal_now() - make_interval(mins => ${SAME})`,
    [c.clientId, id, username],
  )
  if (before.length) return
  await c.withoutPermissionCheck('log that a document was opened').create(documentOpening, {
    document: id,
    username,
    name,
    openedAt: c.now.toString(),
  })
}

/** Fields of a completed revision that may change after sealing, because they are not part of its content. */
const BESIDE = new Set(['reviewed', 'retired', 'approved', 'reviewDue', 'audience', 'decisionNote', 'reviewAsked'])

type Save = Context & BeforeSaveInput<DocumentResource>
type Flags = Pick<
  DocumentValues,
  'complete' | 'approved' | 'retired' | 'state' | 'reviewDue' | 'reviewed' | 'audience' | 'decisionNote' | 'reviewAsked'
>

/**
 * Creates the lifecycle behaviour of a controlled document type, which connects the routes to the transitions (safety
 * specification, section 4).
 */
function documentLifecycleBehaviour(kind: DocumentKind, rules: RowHooks = {}) {
  const r = kind.resource
  const answerWith = (c: Context, id: number) => ({ answer: () => c.engine.one(r, c.actor, id) })
  const make = async (c: Context & { row: DocumentRow }, name: TransitionName, given?: TransitionInput) => {
    await applyTransition(c, kind, name, c.row, given)
    if (name === 'complete') await judgeRows(c, rules, c.row)
    return answerWith(c, c.row.id)
  }
  return behaviour(r, {
    onRead: logDocumentOpening,
    beforeSave: (c) => (c.before ? prepareChange(c, kind, c.before, rules) : prepareNew(c, kind, rules)),
    afterSave: async (c) => {
      const asked = transitionsAsked(c.before, c.changes)
      if (!asked.length) return
      const { id } = c.before ?? (await c.written.saved())
      for (const name of asked) await sealTransition(c, kind, name, id)
    },
    actions: {
      complete: (c) => make(c, 'complete', c.input),
      approve: (c) => make(c, 'approve', c.input),
      reject: (c) => make(c, 'reject', c.input),
      useNewForm: async (c) => {
        await assertTransitionAllowed(c, kind, 'edit', c.row)
        await switchToNewForm(c, kind, c.row)
        return answerWith(c, c.row.id)
      },
      withdraw: (c) => make(c, 'withdraw', c.input),
      revise: async (c) => answerWith(c, (await startNextRevision(c, kind, c.row, c.input.reason)).id),
    },
  })
}

/** Returns the transitions that a save requests through its flags, in order. */
function transitionsAsked(before: Flags | undefined, after: Flags): TransitionName[] {
  const asked: TransitionName[] = []
  if (before?.retired && after.retired === false) asked.push(restoreTransitionName(before))
  if (!before?.complete && after.complete) asked.push('complete')
  if (!before?.approved && after.approved) asked.push('approve')
  else if (before?.complete) {
    if ([after.reviewDue, after.reviewed, after.reviewAsked].some((said) => said !== undefined))
      asked.push('move review')
    if (after.audience !== undefined) asked.push('change audience')
  }
  if (!before?.retired && after.retired) asked.push(before?.state === 'current' ? 'withdraw' : 'retire')
  return asked
}

/** Throws 422 for rows that can't be sealed. */
async function judgeRows(c: Context, { judge }: RowHooks, revision: Readonly<Record<string, unknown>>): Promise<void> {
  const wrong = (await judge?.(c, revision)) ?? []
  if (wrong.length) throw problem.invalid(wrong)
}

async function prepareNew(c: Save, kind: DocumentKind, rules: RowHooks): Promise<DocumentValues> {
  const left = await defaultContentFor(c, kind, c.values)
  const given: Readonly<Record<string, unknown>> = { ...c.values, ...left }
  const former = await lockPreviousRevision(c, kind, given[kind.parent])
  const form = await loadFormForNewDraft(c, kind, c.values.industry)
  const { copied, values: origin } = await originColumns(c, documentTypeWithForm(kind, form.schema), given, former)
  const words = sanitiseContent(kind, form.schema, { ...given, ...origin })
  const draft = await initialDraftValues(c, kind, given, former)
  const begun = { ...left, ...origin, ...words, ...formVersionColumns(form), ...draft, decisionNote: null }
  await assertFilesAccessible(c, kind, { ...given, ...begun })
  await assertReferences(c, kind, begun.documentNumber, c.rows)
  const first = await syncFirstReference(c, kind, { given, before: undefined, next: given })
  const kept = (await rules.keep?.(c, { next: { ...given, ...begun, ...first }, before: undefined })) ?? {}
  const named = await settleDocumentNames(c, kind, {
    next: { ...given, ...begun, ...first, ...kept },
    before: undefined,
  })
  const said = { ...begun, ...first, ...kept, ...named }
  const settled = normaliseRows(c, kind, { next: { ...given, ...said }, before: undefined, copied })
  return { ...said, ...settled, ...(await prepareTransitions(c, kind, rules, { ...given, ...said, ...settled })) }
}

async function prepareChange(
  c: Save,
  kind: DocumentKind,
  before: DocumentRow,
  rules: RowHooks,
): Promise<DocumentValues> {
  const { changes, values, rows } = c
  const words = [...Object.keys(changes).filter((name) => !BESIDE.has(name)), ...rows.map((change) => change.field)]
  if (words.length) await assertTransitionAllowed(c, kind, 'edit', before)
  if (kind.parent in changes) throw problem.conflict('The predecessor of a revision can’t be changed.')
  if ('origin' in changes) throw problem.conflict('The source of a copied revision can’t be changed.')
  const decides = changes.approved || (changes.retired && before.state === 'current')
  if (changes.decisionNote !== undefined && !decides)
    throw problem.conflict('A reason can only be given with an approval, a rejection or a withdrawal.')
  if (changes.approved === false) throw problem.conflict('An approval can’t be undone. Withdraw the revision instead.')
  const { schema } = await loadRevisionForm(c, kind, before)
  const cleaned = words.length ? sanitiseContent(kind, schema, changes, before) : {}
  await assertFilesAccessible(c, kind, { ...changes, ...cleaned })
  await assertReferences(c, kind, before.documentNumber, rows)
  const said = {
    ...cleaned,
    // Marking a document as reviewed clears the reason why the review was requested.
    ...(changes.reviewed && before.reviewAsked ? { reviewAsked: null } : {}),
    ...(changes.isTemplate === undefined ? {} : { perClient: allowsOneInForcePerClient(kind, changes) }),
    ...(before.complete ? {} : await validateAudience(c, kind, changes.audience)),
    ...confirmCopiedAnswers(c, documentTypeWithForm(kind, schema), before, { ...changes, ...cleaned }),
    ...(await syncFirstReference(c, kind, { given: changes, before, next: values, changed: rows })),
  }
  const sent = { ...before, ...values, ...said }
  const kept = (rows.length ? await rules.keep?.(c, { next: sent, before }) : undefined) ?? {}
  const named = words.length ? await settleDocumentNames(c, kind, { next: { ...sent, ...kept }, before }) : {}
  const next = { ...sent, ...kept, ...named }
  const settled = rows.length ? normaliseRows(c, kind, { next, before, copied: false }) : {}
  return {
    ...said,
    ...kept,
    ...named,
    ...settled,
    ...(await prepareTransitions(c, kind, rules, { ...next, ...settled, retired: before.retired })),
  }
}

/**
 * Prepares the transitions that a save requests, one after the other, for a revision with its new content, and returns
 * the changed fields. Throws 409 if the save would also delete a revision that it completes, approves or restores.
 */
async function prepareTransitions(
  c: Save,
  kind: DocumentKind,
  rules: RowHooks,
  revision: RevisionBeingChanged,
): Promise<DocumentValues> {
  const { before, changes: given } = c
  const asked = transitionsAsked(before, given)
  const decides = asked.some(
    (name) => name === 'complete' || name === 'approve' || name === 'restore' || name === 'reinstate',
  )
  if (given.retired && decides)
    throw problem.conflict(
      'A revision can’t be completed or approved and deleted in one step. Please do one after the other.',
    )
  let changes: DocumentValues = {}
  for (const name of asked)
    changes = {
      ...changes,
      ...(await prepareTransition(c, kind, name, { ...revision, ...changes }, { ...given, note: given.decisionNote })),
    }
  if (asked.includes('complete')) await judgeRows(c, rules, { ...revision, ...changes })
  return changes
}

/**
 * Event: people were renamed, so their documents must be indexed again under the new names. A trigger emits it.
 * `after`: ID of the last document that was indexed again.
 */
const peopleRenamedEvent = defineEvent({
  kind: 'document.people-renamed',
  version: 1,
  payload: z.object({ usernames: z.array(z.string()), after: z.int() }),
})

/** Number of documents indexed in one transaction. Saves of these documents wait until it ends. */
const DOCUMENTS_PER_BATCH = 50

const ENTER_WORDS = prepareSql('SELECT enter_words_of_people($1::int, $2::text[], $3::bigint, $4::int)')

/** Enters the documents of renamed people in the search, a batch at a time. */
const enterWordsOfRenamedPeople = eventHandler(peopleRenamedEvent, {
  name: 'document.enter-words',
  queue: 'events',
  run: async (c, { usernames, after }) => {
    const given = [c.clientId, usernames, after, DOCUMENTS_PER_BATCH]
    const [[last] = []] = (await c.work.tx.arrays(ENTER_WORDS, given)) as (number | null)[][]
    if (typeof last === 'number') await c.emit(peopleRenamedEvent, { usernames, after: last })
  },
})

export const documentLifecycle = (kinds: readonly DocumentKind[], rulesFor: (kind: string) => RowHooks) =>
  feature({
    pack: DOCUMENT_PACKS,
    resources: [
      document,
      signature,
      seal,
      documentPrint,
      documentReference,
      documentOpening,
      ...kinds.map((k) => k.resource),
    ],
    behaviours: kinds.map((k) => documentLifecycleBehaviour(k, rulesFor(k.kind))),
    routes: [
      ...routesOfKinds(kinds, (k) => [...documentListRoutes(k), ...documentPrefillRoutes(k)]),
      ...outdatedReferenceRoutes(kinds),
      ...userWorkListRoutes,
    ],
    handlers: [enterWordsOfRenamedPeople],
  })
