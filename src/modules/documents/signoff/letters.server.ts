import type { RowOf } from '#kernel/resource.ts'
import { wordsInLetter } from '#kernel/text/letter-words.ts'
import { ukDay } from '#kernel/time.ts'
import { user } from '#modules/identity/people/user.ts'
import { takeRecipients } from '#modules/portal/mail/allowance.server.ts'
import { letter } from '#modules/portal/mail/letter.ts'
import type { Context } from '#server/engine/types.ts'
import { document } from '../types/document.ts'
import type { DocumentKind } from '../types/kind.ts'
import { signOff, signOffPerson } from './sign-off.ts'

type Person = RowOf<typeof signOffPerson>

/** Why somebody is written to: they are asked, the day comes near, or somebody reminds them. */
export type Occasion = 'asked' | 'reminded'

/** What is known, while many are written to, of the letters that the company has for the day. */
export interface Day {
  isSpent: boolean
}

/** Who has just been written to is not written to again, by whatever door. */
const LATELY = { hours: 20 }

/** Has the person been written to within the last hours? */
export const isToldLately = (c: Context, { remindedAt }: Pick<Person, 'remindedAt'>): boolean =>
  remindedAt !== null && Temporal.Instant.compare(Temporal.Instant.from(remindedAt), c.now.subtract(LATELY)) > 0

/** Is the person asked, and not told of it? Somebody who has signed since the last letter hears of what is new at once. */
export const isUntold = (c: Context, person: Pick<Person, 'remindedAt' | 'askedAt' | 'revision'>): boolean =>
  (person.remindedAt === null || person.remindedAt < person.askedAt) &&
  (person.revision !== null || !isToldLately(c, person))

/**
 * Writes to somebody who is asked to sign, and notes when. Nothing where the paper is not in force, or out of their sight by now;
 * who has no address is reminded on the dashboard only. Who has never signed in is one of those to whom a company writes so many
 * letters a day: nobody has shown yet that the address is theirs. Beyond these they are written to the next morning.
 */
export async function writeTo(
  c: Context,
  kinds: readonly DocumentKind[],
  person: Person,
  why: Occasion,
  day: Day = { isSpent: false },
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
  const words = wordsInLetter(doc.title ?? '')
  const title = `${doc.documentNumber} ${words}`
  const by = ukDay(person.due)
  const again = person.revision !== null
  if (to)
    await c.emit(letter, {
      to,
      subject: why === 'asked' ? `Please sign${again ? ' again' : ''}: ${title}` : `Still to sign by ${by}: ${title}`,
      body: [
        again
          ? `The ${noun} ${doc.documentNumber} "${words}" has changed since you signed revision ${person.revision}. You see what has changed, and sign revision ${doc.revision} by ${by}.`
          : `Please read the ${noun} ${doc.documentNumber} "${words}", and sign it at its end by ${by}.`,
        ...(request?.notes ? [`\n\n${request.author}: “${wordsInLetter(request.notes)}”`] : []),
        link,
      ].join(''),
      template: 'document.sign-off',
    })
  await c
    .withoutPermissionCheck('a reminder is noted')
    .set(signOffPerson, person, { remindedAt: c.now.toString(), reminders: person.reminders + 1 }, 'remind')
  return true
}

/** Takes one letter out of what the company has for the day; false where none is left, which is asked once. */
async function takeFromDay(c: Context, day: Day): Promise<boolean> {
  if (!day.isSpent) day.isSpent = 'refused' in (await c.attempt(() => takeRecipients(c, 1)))
  return !day.isSpent
}
