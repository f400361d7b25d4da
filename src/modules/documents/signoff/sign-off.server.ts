import { problem, violation } from '#kernel/errors.ts'
import { areAllIds, idFromAnyIri, idFromIriOrNumber, parseId } from '#kernel/iri.ts'
import type { RowOf } from '#kernel/resource.ts'
import { authorOf, createSystemActor } from '#kernel/roles.ts'
import { londonDate } from '#kernel/time.ts'
import { user } from '#modules/identity/people/user.ts'
import { findUnknownRoles } from '#modules/portal/known-roles.server.ts'
import { notifyUsers } from '#modules/portal/notices/notify.server.ts'
import { type BeforeSaveInput, behaviour } from '#server/engine/behaviour.ts'
import { eventHandler } from '#server/engine/handler.ts'
import { declareNotificationType, feature, type NotificationType } from '#server/engine/module.ts'
import type { Route } from '#server/engine/route.ts'
import { schedule } from '#server/engine/schedule.ts'
import type { Context } from '#server/engine/types.ts'
import { processRowsForAllClients, reminderSchedule } from '#server/jobs/remind.ts'
import { loadRecordForm } from '../forms/routes.server.ts'
import { ANY_DOCUMENT_READER_ROLES, assertDocumentAuthor, DOCUMENT_PACKS, DOCUMENT_ROLES } from '../rights.ts'
import { loadReadingQuestions } from '../signing/reading-proof.server.ts'
import { document, signature } from '../types/document.ts'
import type { DocumentKind } from '../types/kind.ts'
import { documentName, documentNotificationPath } from '../types/kind.ts'
import { type FactsLookup, routesOfKinds } from '../types/kinds.server.ts'
import { documentReference } from '../types/reference.ts'
import { canReadDocument, filterDocumentReaders } from './may-read.server.ts'
import { signaturesRequestedEvent } from './requested-event.ts'
import { emailSignatory, needsRequestEmail, signOffEmail, signOffRoutes, wasRecentlyEmailed } from './routes.server.ts'
import { signOff, signOffPerson } from './sign-off.ts'

const signatureRequestNotice = (kinds: readonly DocumentKind[]) =>
  declareNotificationType({
    kind: 'document.sign',
    label: 'Documents to sign',
    for: ANY_DOCUMENT_READER_ROLES,
    icon: 'clipboard',
    of: signOffPerson,
    words: ({ document: doc, revision }) => `${revision === null ? 'To sign' : 'To sign again'}: ${documentName(doc)}`,
    path: ({ document: doc }) => documentNotificationPath(kinds, doc?.kind, idFromAnyIri(doc?.['@id'])),
    waits: 'Documents',
    todo: 'to sign',
    mail: false,
  })

/** Notifies the people asked to sign a document, each about their own request. */
const notifyRequestedSignatories = (
  c: Context,
  kind: NotificationType,
  asked: readonly RowOf<typeof signOffPerson>[],
): Promise<void> =>
  notifyUsers(
    c,
    kind,
    asked.flatMap(({ id, user: to, askedAt }) => (to === null ? [] : [{ to, about: id, since: askedAt }])),
  )

const UNTOLD = 't.reminded_at IS NULL OR t.reminded_at < t.asked_at'
const WEEKS = 52
/**
 * Days before the due date on which reminders are sent: three days before, on the day, and then weekly for `WEEKS`
 * weeks.
 */
const DAYS_BEFORE = [3, 0, ...Array.from({ length: WEEKS }, (_, week) => -7 * (week + 1))]

/** Creates the event handler that notifies and e-mails people who have just been asked to sign. */
const notifySignatories = (kinds: readonly DocumentKind[], notice: NotificationType) =>
  eventHandler(signaturesRequestedEvent, {
    name: 'sign-off.tell',
    queue: 'events',
    run: async (c, { document }) => {
      const day = { isSpent: false }
      const asked = await c.lockAll(signOffPerson, { document, state: 'asked' })
      await notifyRequestedSignatories(c, notice, asked)
      for (const person of asked) if (needsRequestEmail(c, person)) await emailSignatory(c, kinds, person, 'asked', day)
    },
  })

/**
 * Creates the schedule that each morning notifies and e-mails people who have joined a group that was already asked to
 * sign.
 */
const notifyJoinedSignatories = (kinds: readonly DocumentKind[], notice: NotificationType) =>
  schedule({
    name: 'sign-off.tell-joined',
    every: { daily: '07:00' },
    run: (engine) =>
      processRowsForAllClients(
        engine,
        {
          of: signOffPerson,
          where: { state: 'asked' },
          condition: () => `(${UNTOLD})`,
          reason: 'sign-off.tell-joined',
        },
        async (c, person) => {
          await notifyRequestedSignatories(c, notice, [person])
          await emailSignatory(c, kinds, person, 'asked')
        },
      ),
  })

/**
 * Creates the schedule that each morning reminds people who have not signed: before the due date, on the due date and
 * weekly afterwards. Skips people who have not been e-mailed about the request yet or were e-mailed recently.
 */
const remindToSign = (kinds: readonly DocumentKind[]) =>
  reminderSchedule({
    name: 'sign-off.remind',
    of: signOffPerson,
    on: 'due',
    daily: '07:00',
    daysBefore: DAYS_BEFORE,
    where: { state: 'asked' },
    unless: (c, person) =>
      person.remindedAt === null || person.remindedAt < person.askedAt || wasRecentlyEmailed(c, person),
    send: async (c, person) => {
      await emailSignatory(c, kinds, person, 'reminded')
    },
  })

/** Schedule that each night recalculates everyone's signature status from the signatures. */
const recalculateSignOffs = schedule({
  name: 'sign-off.settle',
  every: { daily: '02:30' },
  perClient: async ({ work, clientId }) => {
    await work.tx.rows(
      `SELECT sign_off_settle($1, r.kind, r.number) FROM (
         SELECT DISTINCT r.kind, r.number, d.id FROM sign_off r JOIN document d ON d.client_id = r.client_id AND d.kind = r.kind AND d.number = r.number AND d.current
         WHERE r.client_id = $1 AND r.state = 'open' ORDER BY d.id) r`,
      [clientId],
    )
  },
})

/**
 * `GET {document}/signed`: the last earlier revision that the user signed, either itself or as part of a signed pack,
 * if the part was meant for the user. The revision is returned even if it has been replaced since, because people may
 * read what they signed. `writtenBy` contains the revision's form. Returns 404 if the user signed no earlier revision.
 */
const signedBeforeRoute = (kind: DocumentKind): Route => ({
  method: 'GET',
  path: `${kind.resource.url}/{id}/signed`,
  title: `Get the last earlier revision of a ${kind.noun} that the user signed`,
  allow: kind.roles.readers,
  handle: async (c) => {
    const { engine, actor, me, params } = c
    const id = parseId(params.id)
    if (id === undefined) throw problem.notFound()
    const { documentNumber, revision } = await engine.one(kind.resource, actor, id)
    const { clientId, userId } = me
    const signed = await engine.readIn(clientId, 'read what the user has signed', async (reader) => {
      const all = await reader.find(document, { kind: kind.kind, documentNumber })
      const before = all.filter((one) => one.revision < revision).toSorted((a, b) => b.revision - a.revision)
      const within = await reader.find(documentReference, { target: before.map(({ id: one }) => one) })
      const hands = await reader.find(signature, {
        document: [...new Set([...before.map(({ id: one }) => one), ...within.map((row) => row.document)])],
        mine: true,
        user: userId,
      })
      const has = (one: number | null) => hands.some((hand) => hand.document === one)
      return before.find(
        (one) =>
          has(one.id) ||
          (within.some((row) => row.target === one.id && has(row.document)) &&
            canReadDocument({ ...me, id: userId }, { ...one, client: one.clientId, current: true })),
      )
    })
    if (!signed) throw problem.notFound()
    const record = await engine.one(
      kind.resource,
      createSystemActor(clientId, 'read what the user has signed'),
      signed.id,
    )
    return { ...record, writtenBy: await loadRecordForm(c, kind, record) }
  },
})

type Request = RowOf<typeof signOff>
type Save = Context & BeforeSaveInput<typeof signOff>

/** Rules for signature requests, and for the requester's actions until everyone has signed. */
const signOffBehaviour = (kinds: readonly DocumentKind[], factsOf: FactsLookup) =>
  behaviour(signOff, {
    beforeSave: async (c) => {
      if (!c.before) return prepareNew(c, factsOf)
      await assertAuthor(c, c.before)
      return prepareChange(c, c.before)
    },
    afterSave: async (c) => {
      const { document: asked } = await c.written.saved()
      if (asked !== null) await tell(c, asked)
    },
    actions: {
      remind: async (c) => {
        const people = await lockPeople(c, c.row, c.input.people)
        const due = people.filter((person) => !wasRecentlyEmailed(c, person))
        const day = { isSpent: false }
        let written = 0
        for (const person of due) if (await emailSignatory(c, kinds, person, 'reminded', day)) written++
        if (!written)
          throw problem.conflict(
            people.some((p) => p.state === 'asked')
              ? 'Everyone who has not signed was e-mailed within the last day. Please send reminders tomorrow.'
              : 'None of these people has a signature outstanding.',
          )
        return {}
      },
      excuse: async (c) => {
        const values = {
          excusedAt: c.now.toString(),
          excusedBy: authorOf(c.actor).username,
          excusedWhy: c.input.reason,
        }
        const people = (await lockPeople(c, c.row, c.input.people)).filter((p) => p.state === 'asked')
        if (!people.length) throw problem.conflict('None of these people has a signature outstanding.')
        for (const person of people) await unguarded(c).set(signOffPerson, person, values, 'excuse')
        return {}
      },
      askAgain: async (c) => {
        const people = (await lockPeople(c, c.row, c.input.people)).filter((p) => p.state === 'excused')
        if (!people.length) throw problem.conflict('None of these people has been excused.')
        for (const person of people) await takeExcuseBack(c, person)
        await tell(c, people[0]?.document)
        return {}
      },
      cancel: async (c) => {
        await assertAuthor(c, c.row)
        return {}
      },
    },
  })

/** Throws 403 if the actor may no longer manage the signatures of a request's document. */
async function assertAuthor(c: Context, { document: id }: Request): Promise<void> {
  const doc = id === null ? undefined : await c.get(document, id)
  if (doc) assertDocumentAuthor(c.actor, doc.pack)
}

const unguarded = (c: Context) => c.withoutPermissionCheck('update the list of people asked to sign')

const takeExcuseBack = (c: Context, person: RowOf<typeof signOffPerson>) =>
  unguarded(c).set(signOffPerson, person, { excusedAt: null, excusedBy: null, excusedWhy: null }, 'ask again')

const tell = async (c: Context, asked: number | null | undefined) => {
  const current = await currentOf(c, asked)
  if (current) await c.emit(signaturesRequestedEvent, { document: current.id })
}

/** Loads the revision in force under a revision's document number. */
async function currentOf(c: Context, id: number | null | undefined) {
  const doc = id === null || id === undefined ? undefined : await c.get(document, id)
  if (!doc || doc.current) return doc
  return (await c.find(document, { kind: doc.kind, documentNumber: doc.documentNumber, current: true }))[0]
}

const NOT_IN_FORCE = 'This document is not in force. You can request signatures once it is in force.'

async function prepareNew(c: Save, factsOf: FactsLookup) {
  const { values, now } = c
  const current = await currentOf(c, values.document)
  // Locks the document until the transaction ends, so that the second of two concurrent requests sees whom the first
  // has asked.
  const [doc] = current ? await c.lockAll(document, { id: current.id }) : []
  if (!doc) {
    const asked = values.document == null ? undefined : await c.get(document, values.document)
    if (asked?.clientId === c.clientId) throw problem.conflict(NOT_IN_FORCE)
  }
  if (!doc || doc.clientId !== c.clientId) throw problem.conflict('Only your own company’s documents can be signed.')
  if (doc.isTemplate) throw problem.conflict('Templates can’t be signed.')
  if (!doc.current) throw problem.conflict(NOT_IN_FORCE)
  assertDocumentAuthor(c.actor, doc.pack)
  const people = await readersAmong(c, doc, values.people)
  const { everybody = false, role = null } = values
  const unknown = role ? await findUnknownRoles(c, 'role', [role]) : []
  if (unknown.length) throw problem.invalid(unknown)
  if (!people.length && !everybody && !role)
    throw problem.invalid([violation('people', 'Please choose who should sign')])
  await refuseAgain(c, doc, { people, everybody, role })
  if (values.proof) await refuseWithoutQuestions(c, factsOf, doc)
  return {
    document: doc.id,
    people: everybody ? [] : people,
    readers: [...DOCUMENT_ROLES[doc.pack].readers],
    days: daysUntil(now, values.due),
    createdAt: now.toString(),
  }
}

/** Throws 422 if no question can be asked about the document. */
async function refuseWithoutQuestions(c: Context, factsOf: FactsLookup, doc: RowOf<typeof document>): Promise<void> {
  const portal = createSystemActor(c.clientId, 'check that questions can be asked about a document')
  const { questions } = await loadReadingQuestions({ reader: c, conn: c.work.tx, factsOf }, portal, doc)
  if (!questions.length)
    throw problem.invalid([
      violation('proof', `No questions can be asked about ${doc.documentNumber}: it states too few different facts`),
    ])
}

/**
 * Returns the days from today to a date. Throws 422 for a past date. A missing date is rejected by the field
 * declaration.
 */
function daysUntil(now: Context['now'], due: string | null | undefined): number {
  const days = typeof due !== 'string' ? 0 : londonDate(now).until(Temporal.PlainDate.from(due)).days
  if (days < 0) throw problem.invalid([violation('due', 'This date is in the past. Please choose a later date')])
  return days
}

function prepareChange(c: Save, before: Request) {
  const { changes, now } = c
  if (before.state === 'cancelled') throw problem.conflict('This request has been cancelled.')
  const fixed = (['document', 'people', 'everybody', 'role'] as const).filter((name) => changes[name] !== undefined)
  if (fixed.length) throw problem.conflict('The people in a request can’t be changed. Please create another request.')
  if (changes.proof !== undefined)
    throw problem.conflict('Proof of reading can’t be changed in a request. Please cancel it and create another one.')
  return changes.due === undefined ? undefined : { days: daysUntil(now, changes.due) }
}

/**
 * Returns the company's accounts for the given IDs. Throws 422 for unknown accounts and for those without access to the
 * document.
 */
async function readersAmong(
  c: Context,
  doc: RowOf<typeof document>,
  given: readonly unknown[] | null | undefined,
): Promise<number[]> {
  const ids = idsOf(given)
  if (!ids.length) return []
  const refuse = (message: string) => problem.invalid([violation('people', message)])
  const found = await c.find(user, { id: ids, isRetired: false })
  const readers = found.filter((u) => DOCUMENT_ROLES[doc.pack].readers.some((role) => u.roles.includes(role)))
  if (readers.length < ids.length)
    throw refuse('One of these people has no account with access to documents. Please check your selection')
  if ((await filterDocumentReaders(c.work.tx, doc, readers)).length < readers.length)
    throw refuse('One of these people is not a reader of this document')
  return ids
}

/** Parses IDs from IDs and IRIs, without duplicates. Throws 422 for anything else. */
function idsOf(given: readonly unknown[] | null | undefined): number[] {
  const all: readonly unknown[] = given ?? []
  const ids = Array.isArray(all) ? all.map((one) => idFromIriOrNumber(user, one)) : [undefined]
  if (!areAllIds(ids) || ids.length > MAX_IDS)
    throw problem.invalid([violation('people', 'The people must be given as a list of users')])
  return [...new Set(ids)]
}

const MAX_IDS = 5000

interface Whom {
  readonly people: readonly number[]
  readonly everybody: boolean
  readonly role: string | null
}

/**
 * Throws 409 if the group or all selected people have already been asked. Excused people who are selected are asked
 * again.
 */
async function refuseAgain(c: Context, doc: RowOf<typeof document>, { people, everybody, role }: Whom): Promise<void> {
  if (everybody || role) {
    const open = await c.find(signOff, { document: await revisionsOf(c, doc), state: 'open', everybody })
    if (open.some((r) => r.everybody || r.role === role))
      throw problem.conflict('These people have already been asked.')
    return
  }
  const known = await c.lockAll(signOffPerson, { document: doc.id, user: [...people] })
  const asked = known.filter((p) => p.state === 'asked' || p.state === 'signed')
  if (asked.length === people.length) throw problem.conflict('Everyone you selected has already been asked.')
  for (const person of known) if (person.state === 'excused') await takeExcuseBack(c, person)
}

const revisionsOf = async (c: Context, { kind, documentNumber }: RowOf<typeof document>) =>
  (await c.find(document, { kind, documentNumber })).map((d) => d.id)

/**
 * Locks the given people under a request's document number. Locks the revision in force first, because this lock order
 * is used everywhere. Throws 409 if no revision is in force.
 */
async function lockPeople(c: Context, request: Request, given: readonly unknown[]) {
  const current = await currentOf(c, request.document)
  if (!current) throw problem.conflict('This document is not in force, so no signatures are requested.')
  assertDocumentAuthor(c.actor, current.pack)
  await c.lockAll(document, { id: current.id })
  return c.lockAll(signOffPerson, { document: current.id, user: idsOf(given) })
}

export function documentSignOffs(kinds: readonly DocumentKind[], factsOf: FactsLookup) {
  const toSign = signatureRequestNotice(kinds)
  return feature({
    pack: DOCUMENT_PACKS,
    resources: [signOff, signOffPerson],
    behaviours: [signOffBehaviour(kinds, factsOf)],
    routes: [...routesOfKinds(kinds, (kind) => [signedBeforeRoute(kind)]), ...signOffRoutes],
    notifications: [toSign],
    emails: [signOffEmail],
    handlers: [notifySignatories(kinds, toSign)],
    schedules: [notifyJoinedSignatories(kinds, toSign), remindToSign(kinds), recalculateSignOffs],
  })
}
