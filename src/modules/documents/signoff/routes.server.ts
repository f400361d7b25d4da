import { text } from '#kernel/fields.ts'
import { idFromIriOrNumber } from '#kernel/iri.ts'
import type { RowOf } from '#kernel/resource.ts'
import { iriOf } from '#kernel/resource.ts'
import { composeEmail, defineEmail } from '#kernel/system-email.ts'
import { preventAutolinking } from '#kernel/text/break-links.ts'
import { formatIsoDateAsUk } from '#kernel/time.ts'
import { user } from '#modules/identity/people/user.ts'
import { consumeRecipientAllowance } from '#modules/portal/mail/claim.server.ts'
import { emailRequested } from '#modules/portal/mail/letter.ts'
import { firstQueryValue } from '#server/data/filters.ts'
import type { Route, RouteContext } from '#server/engine/route.ts'
import type { Context } from '#server/engine/types.ts'
import { hydraCollection, listRoute } from '#server/http/list-route.ts'
import {
  ANY_DOCUMENT_AUTHOR_ROLES,
  ANY_DOCUMENT_READER_ROLES,
  assertDocumentAuthorRole,
  DOCUMENT_READER_ROLES,
} from '../rights.ts'
import { document } from '../types/document.ts'
import type { DocumentKind } from '../types/kind.ts'
import { filterDocumentReaders } from './may-read.server.ts'
import { signOff, signOffPerson } from './sign-off.ts'

/** Returns the fields of a person who can be asked to sign, for the list from which people are chosen. */
const choosable = ({ id, name, username, roles }: RowOf<typeof user>) => ({
  '@id': iriOf(user, id),
  id,
  name,
  username,
  roles,
})

/** Narrows the list of people asked to sign to the user's own outstanding signatures of documents in force. */
export const narrowToOwnRequests = ({ me, query }: Pick<RouteContext, 'me' | 'query'>) => ({
  query: { ...query, user: String(me.userId), state: 'asked' },
  extra: [
    {
      sql: () =>
        'EXISTS (SELECT FROM document d WHERE d.client_id = t.client_id AND d.id = t.document_id AND d.current)',
    },
  ],
})

export const signOffRoutes: readonly Route[] = [
  listRoute(
    signOffPerson,
    `${signOffPerson.url}/mine`,
    'List the outstanding signatures requested from the user, earliest due date first',
    narrowToOwnRequests,
    { allow: ANY_DOCUMENT_READER_ROLES },
  ),
  {
    method: 'GET',
    path: '/api/safety/sign_offs/people',
    title: 'List the users whom the company can ask to sign: those who can read documents',
    allow: ANY_DOCUMENT_AUTHOR_ROLES,
    listOf: 'objects',
    query: { document: text({ help: 'IRI or ID of a document. Only people who can read this document are listed.' }) },
    handle: async ({ engine, me, query }) => {
      const given = firstQueryValue(query.document)
      const about = given ? await engine.one(document, me, idFromIriOrNumber(document, given) ?? -1) : undefined
      const found = await engine.readIn(me.clientId, 'list people who can be asked to sign', (c) =>
        c.find(user, { isRetired: false }),
      )
      if (about) assertDocumentAuthorRole(me, about.pack)
      const readers = about
        ? await filterDocumentReaders(engine.db.read, about, found)
        : found.filter((u) => DOCUMENT_READER_ROLES.some((role) => u.roles.includes(role)))
      return hydraCollection(readers.toSorted((a, b) => a.name.localeCompare(b.name)).map(choosable))
    },
  },
]

type Person = RowOf<typeof signOffPerson>

/** Reason for an e-mail: a new request or a reminder. */
export type SignatureEmailReason = 'asked' | 'reminded'

interface SignOffFacts {
  readonly noun: string
  readonly document: { readonly documentNumber: string; readonly title: string; readonly revision: number }
  /** Revision that the person signed before; null if none. */
  readonly signedRevision: number | null
  readonly due: string
  readonly why: SignatureEmailReason
  readonly request: Pick<RowOf<typeof signOff>, 'author' | 'notes'> | undefined
  /** URL of the document's page, if the portal's own URL is known. */
  readonly link: string
}

export const signOffEmail = defineEmail<SignOffFacts>({
  name: 'document.sign-off',
  title: 'Document signature requested',
  subject: ({ document: { documentNumber, title }, signedRevision, due, why }) =>
    `${why === 'asked' ? `Please sign${signedRevision === null ? '' : ' again'}` : `Please sign by ${formatIsoDateAsUk(due)}`}: ${documentNumber} ${preventAutolinking(title)}`,
  paragraphs: ({ noun, document: { documentNumber, title, revision }, signedRevision, due, request, link }) => {
    const named = `${noun} ${documentNumber} "${preventAutolinking(title)}"`
    const by = formatIsoDateAsUk(due)
    return [
      signedRevision === null
        ? `Please read the ${named} and sign at the end by ${by}.`
        : `The ${named} has changed since you signed revision ${signedRevision}. Please review the changes and sign revision ${revision} by ${by}.`,
      request?.notes && `${request.author}: “${preventAutolinking(request.notes)}”`,
      link,
    ]
  },
  sample: {
    noun: 'risk assessment',
    document: { documentNumber: 'RA-00012', title: 'Work at height', revision: 2 },
    signedRevision: null,
    due: '2026-03-20',
    why: 'asked',
    request: { author: 'sam.taylor', notes: 'Please sign before work begins.' },
    link: 'https://portal.example/safety/risk/view/12',
  },
})

/** State of the company's daily e-mail limit while a batch of e-mails is sent. */
export interface DailyEmailLimit {
  isSpent: boolean
}

/** Minimum interval between two e-mails to a person, whatever causes them. */
const REMINDER_INTERVAL = { hours: 20 }

/** Returns true if the person has been e-mailed within the minimum interval. */
export const wasRecentlyEmailed = (c: Context, { remindedAt }: Pick<Person, 'remindedAt'>): boolean =>
  remindedAt !== null &&
  Temporal.Instant.compare(Temporal.Instant.from(remindedAt), c.now.subtract(REMINDER_INTERVAL)) > 0

/**
 * Returns true if the person must now be e-mailed about the request. People who have signed an earlier revision are
 * e-mailed about changes immediately; others only after the minimum interval.
 */
export const needsRequestEmail = (c: Context, person: Pick<Person, 'remindedAt' | 'askedAt' | 'revision'>): boolean =>
  (person.remindedAt === null || person.remindedAt < person.askedAt) &&
  (person.revision !== null || !wasRecentlyEmailed(c, person))

/**
 * E-mails a person who is asked to sign, saves the time and returns true. Does nothing and returns false if the
 * document is not in force, if the person can no longer sign in or is no longer asked, or if the company's daily limit
 * is used up. People without an e-mail address are reminded only on the dashboard. Only people who have never signed in
 * count towards the daily limit, because their addresses are unconfirmed. Once the limit is used up, they are e-mailed
 * the next morning.
 */
export async function emailSignatory(
  c: Context,
  kinds: readonly DocumentKind[],
  person: Person,
  why: SignatureEmailReason,
  day: DailyEmailLimit = { isSpent: false },
): Promise<boolean> {
  const doc = person.document === null ? undefined : await c.get(document, person.document)
  const asked = person.user === null ? undefined : await c.get(user, person.user)
  if (!doc?.current || !asked || asked.isRetired || person.state !== 'asked') return false
  const request = person.request === null ? undefined : await c.get(signOff, person.request)
  const kind = kinds.find((k) => k.kind === doc.kind)
  const { publicUrl } = c.engine.config
  const to = asked.email.includes('@') ? asked.email : undefined
  if (to && asked.lastLoginAt === null && !(await takeFromDay(c, day))) return false
  if (to)
    await c.emit(emailRequested, {
      to,
      ...composeEmail(signOffEmail, {
        noun: kind?.noun ?? 'document',
        document: { ...doc, title: doc.title ?? '' },
        signedRevision: person.revision,
        due: person.due,
        why,
        request,
        link: publicUrl && kind ? `${publicUrl}${kind.screens.list}/view/${doc.id}` : '',
      }),
    })
  await c
    .withoutPermissionCheck('record a reminder')
    .set(signOffPerson, person, { remindedAt: c.now.toString(), reminders: person.reminders + 1 }, 'remind')
  return true
}

/**
 * Counts one e-mail towards the company's daily limit. Returns false if the limit is used up; later calls then don't
 * check again.
 */
async function takeFromDay(c: Context, day: DailyEmailLimit): Promise<boolean> {
  if (!day.isSpent) day.isSpent = 'refused' in (await c.attempt(() => consumeRecipientAllowance(c, 1)))
  return !day.isSpent
}
