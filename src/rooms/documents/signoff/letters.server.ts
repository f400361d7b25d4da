import type { RowOf } from '#kernel/resource.ts'
import { user } from '#rooms/identity/people/user.ts'
import { letter } from '#rooms/portal/mail/letter.ts'
import type { Context } from '#server/engine/context.ts'
import { document } from '../kinds/document.ts'
import type { DocumentKind } from '../kinds/kind.ts'
import { signOff, signOffPerson } from './sign-off.ts'

type Person = RowOf<typeof signOffPerson>

/** Why somebody is written to: they are asked, the day comes near, or somebody reminds them. */
export type Occasion = 'asked' | 'reminded'

const ukDay = (day: string) => day.split('-').reverse().join('/')

/**
 * Writes to somebody who is asked to sign, and notes when. Nothing where the paper is not in force, or out of their sight by now;
 * who has no address is reminded on the dashboard only.
 */
export async function writeTo(
  c: Context,
  kinds: readonly DocumentKind[],
  person: Person,
  why: Occasion,
): Promise<boolean> {
  const doc = person.document === null ? undefined : await c.get(document, person.document)
  const asked = person.user === null ? undefined : await c.get(user, person.user)
  if (!doc?.current || !asked || asked.isRetired || person.state !== 'asked') return false
  const request = person.request === null ? undefined : await c.get(signOff, person.request)
  const kind = kinds.find((k) => k.kind === doc.kind)
  const noun = kind?.noun ?? 'document'
  const { publicUrl } = c.engine.config
  const link = publicUrl && kind ? `\n\n${publicUrl}${kind.screens.list}/view/${doc.id}` : ''
  const title = `${doc.documentNumber} ${doc.title}`
  const by = ukDay(person.due)
  const again = person.revision !== null
  if (asked.email.includes('@'))
    await c.after(letter, {
      to: asked.email,
      subject: why === 'asked' ? `Please sign${again ? ' again' : ''}: ${title}` : `Still to sign by ${by}: ${title}`,
      body: [
        again
          ? `The ${noun} ${doc.documentNumber} "${doc.title}" has changed since you signed revision ${person.revision}. You see what has changed, and sign revision ${doc.revision} by ${by}.`
          : `Please read the ${noun} ${doc.documentNumber} "${doc.title}", and sign it at its end by ${by}.`,
        ...(request?.notes ? [`\n\n${request.author}: “${request.notes}”`] : []),
        link,
      ].join(''),
      template: 'document.sign-off',
    })
  await c
    .byRight('a reminder is noted')
    .set(signOffPerson, person, { remindedAt: c.now.toString(), reminders: person.reminders + 1 }, 'remind')
  return true
}
