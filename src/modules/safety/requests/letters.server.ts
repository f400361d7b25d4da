import { iriOf, type RowOf } from '#kernel/resource.ts'
import { createSystemActor } from '#kernel/roles.ts'
import { composeEmail, defineEmail, formalEmailGreeting, SECRET_LINK_PLACEHOLDER } from '#kernel/system-email.ts'
import { preventAutolinking } from '#kernel/text/break-links.ts'
import { formatIsoDateAsUk } from '#kernel/time.ts'
import { user } from '#modules/identity/people/user.ts'
import { client } from '#modules/portal/clients/client.ts'
import { consumeRecipientAllowance } from '#modules/portal/mail/claim.server.ts'
import { emailRequested } from '#modules/portal/mail/letter.ts'
import type { SecretLink } from '#server/engine/module.ts'
import { createSecretLink } from '#server/engine/secret-links.ts'
import type { Context } from '#server/engine/types.ts'
import { reminderSchedule } from '#server/jobs/remind.ts'
import { RAMS_SENDING_PATH } from './paths.ts'
import { AWAITING_RAMS_STATES, OPEN_RAMS_REQUEST_STATES, ramsRequest, ramsRequestLink } from './rams-request.ts'

type Request = RowOf<typeof ramsRequest>

type Occasion = 'asked' | 'reminded' | 'returned'

/** Secret link with which a subcontractor sends RAMS. Closed requests have no link. */
export const ramsRequestSecretLink: SecretLink = {
  kind: 'rams request',
  make: (engine, clientId, { request }) => {
    const change = { actor: createSystemActor(clientId, 'create a link for a subcontractor'), requestId: 'letter' }
    return engine.inTenant(clientId, change, async (c) => {
      const row = await c.get(ramsRequest, Number(request))
      if (!row || !OPEN_RAMS_REQUEST_STATES.some((state) => state === row.state)) return () => undefined
      const { hash, url } = createSecretLink(engine.config)
      const made = await c
        .withoutPermissionCheck('create a link for a subcontractor')
        .create(ramsRequestLink, { request: row.id, hash, createdAt: c.now.toString() })
      const { id } = await made.saved()
      return () => url(RAMS_SENDING_PATH, clientId, id)
    })
  },
}

interface RamsRequestFacts {
  readonly request: Pick<Request, 'company' | 'person' | 'job' | 'site' | 'due' | 'reason' | 'notes' | 'opensUntil'>
  readonly why: Occasion
  /** Name of the company that requests the RAMS. `author` is the name of the company's user, if known. */
  readonly ours: string
  readonly author?: string | undefined
}

const describeJob = ({ job, site }: Pick<Request, 'job' | 'site'>) =>
  `${preventAutolinking(job)}${site ? `, ${preventAutolinking(site)}` : ''}`

export const ramsRequestEmail = defineEmail<RamsRequestFacts>({
  name: 'rams.request',
  title: 'RAMS requested from a subcontractor',
  confidential: true,
  subject: ({ request, why, ours }) =>
    ({
      asked: `${preventAutolinking(ours)} requests your RAMS: ${describeJob(request)}`,
      reminded: `Reminder: RAMS for ${describeJob(request)}, due by ${formatIsoDateAsUk(request.due)}`,
      returned: `Please correct your RAMS for ${describeJob(request)}`,
    })[why],
  paragraphs: ({ request, why, ours, author }) => {
    const say = preventAutolinking
    const [company, job, by] = [say(ours), describeJob(request), formatIsoDateAsUk(request.due)]
    const first = {
      asked: `${author === undefined ? company : `${say(author)}, ${company},`} requests risk assessments and a method statement (RAMS) from ${say(request.company)} for ${job}, by ${by}.`,
      reminded: `${company} has not yet received the RAMS from ${say(request.company)} for ${job}. The due date is ${by}.`,
      returned: `${company} has reviewed the RAMS from ${say(request.company)} for ${job} and returned them:\n\n“${say(request.reason)}”`,
    }
    return [
      formalEmailGreeting(request.person),
      first[why],
      request.notes && why !== 'returned' && `“${say(request.notes)}”`,
      `Please upload your RAMS, as PDF or Word files, with this link. You don’t need to sign in:\n${SECRET_LINK_PLACEHOLDER}`,
      `The link is for you only and is valid until ${formatIsoDateAsUk(request.opensUntil)}.`,
    ]
  },
  sample: {
    request: {
      company: 'Acme Scaffolding Ltd',
      person: 'Ann Carter',
      job: 'Scaffolding to the east front',
      site: '14 Wharf Street, Leeds',
      due: '2026-03-20',
      reason: '',
      notes: 'Please include the rescue plan.',
      opensUntil: '2026-04-20',
    },
    why: 'asked',
    ours: 'Northern Construction Ltd',
    author: 'Sam Taylor',
  },
})

/** Sends an e-mail to the subcontractor. The e-mail counts towards the company's daily limit. */
export async function sendRamsRequestEmail(c: Context, row: Request, why: Occasion): Promise<void> {
  await consumeRecipientAllowance(c, 1)
  const [ours, [asks]] = [await c.get(client, c.clientId), await c.find(user, { username: row.author ?? '' })]
  await c.emit(emailRequested, {
    to: row.email,
    ...composeEmail(ramsRequestEmail, { request: row, why, ours: ours?.company ?? '', author: asks?.name }),
    link: { kind: ramsRequestSecretLink.kind, about: { request: row.id } },
    about: iriOf(ramsRequest, row.id),
  })
}

/** Schedule that reminds subcontractors one day before and one day after the due date, unless they have sent RAMS. */
export const ramsReminderSchedule = reminderSchedule({
  name: 'rams.asked',
  of: ramsRequest,
  on: 'due',
  daily: '07:00',
  daysBefore: [1, -1],
  where: { state: [...AWAITING_RAMS_STATES] },
  send: async (c, row) => {
    // Reminders count towards the company's daily e-mail limit, so sending may be refused.
    await c.attempt(() => sendRamsRequestEmail(c, row, 'reminded'))
  },
})
