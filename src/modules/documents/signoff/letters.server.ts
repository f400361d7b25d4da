import type { RowOf } from '#kernel/resource.ts'
import { breakLinksInText } from '#kernel/text/letter-words.ts'
import { ukDay } from '#kernel/time.ts'
import { user } from '#modules/identity/people/user.ts'
import { takeRecipientAllowance } from '#modules/portal/mail/allowance.server.ts'
import { emailRequested } from '#modules/portal/mail/letter.ts'
import type { Context } from '#server/engine/types.ts'
import { document } from '../types/document.ts'
import type { DocumentKind } from '../types/kind.ts'
import { signOff, signOffPerson } from './sign-off.ts'

type Person = RowOf<typeof signOffPerson>

/** Reason for an e-mail: a new request or a reminder. */
export type SignatureEmailReason = 'asked' | 'reminded'

/** State of the company's daily e-mail limit while a batch of e-mails is sent. */
export interface DailyEmailLimit {
  isSpent: boolean
}

/** Minimum hours between two e-mails to a person, by any route. */
const REMINDER_INTERVAL = { hours: 20 }

/** True if the person has been e-mailed within the minimum interval. */
export const wasRecentlyEmailed = (c: Context, { remindedAt }: Pick<Person, 'remindedAt'>): boolean =>
  remindedAt !== null &&
  Temporal.Instant.compare(Temporal.Instant.from(remindedAt), c.now.subtract(REMINDER_INTERVAL)) > 0

/**
 * True if the person has not yet been notified of the request. People who have signed since their last e-mail are
 * notified of changes immediately.
 */
export const needsRequestEmail = (c: Context, person: Pick<Person, 'remindedAt' | 'askedAt' | 'revision'>): boolean =>
  (person.remindedAt === null || person.remindedAt < person.askedAt) &&
  (person.revision !== null || !wasRecentlyEmailed(c, person))

/**
 * E-mails a person who is asked to sign, and saves the time. Does nothing if the document is not in force or not
 * accessible to them. People without an address are reminded only on the dashboard. People who have never signed in
 * count towards the company's daily limit, as their addresses are unconfirmed; once it is used up, they are e-mailed
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
  const noun = kind?.noun ?? 'document'
  const { publicUrl } = c.engine.config
  const link = publicUrl && kind ? `\n\n${publicUrl}${kind.screens.list}/view/${doc.id}` : ''
  const to = asked.email.includes('@') ? asked.email : undefined
  if (to && asked.lastLoginAt === null && !(await takeFromDay(c, day))) return false
  const words = breakLinksInText(doc.title ?? '')
  const title = `${doc.documentNumber} ${words}`
  const by = ukDay(person.due)
  const again = person.revision !== null
  if (to)
    await c.emit(emailRequested, {
      to,
      subject: why === 'asked' ? `Please sign${again ? ' again' : ''}: ${title}` : `Please sign by ${by}: ${title}`,
      body: [
        again
          ? `The ${noun} ${doc.documentNumber} "${words}" has changed since you signed revision ${person.revision}. Please review the changes and sign revision ${doc.revision} by ${by}.`
          : `Please read the ${noun} ${doc.documentNumber} "${words}" and sign at the end by ${by}.`,
        ...(request?.notes ? [`\n\n${request.author}: “${breakLinksInText(request.notes)}”`] : []),
        link,
      ].join(''),
      template: 'document.sign-off',
    })
  await c
    .withoutPermissionCheck('record a reminder')
    .set(signOffPerson, person, { remindedAt: c.now.toString(), reminders: person.reminders + 1 }, 'remind')
  return true
}

/**
 * Counts one e-mail towards the company's daily limit. Returns false if the limit is used up, and doesn't check again.
 */
async function takeFromDay(c: Context, day: DailyEmailLimit): Promise<boolean> {
  if (!day.isSpent) day.isSpent = 'refused' in (await c.attempt(() => takeRecipientAllowance(c, 1)))
  return !day.isSpent
}
