import { iriOf, type RowOf } from '#kernel/resource.ts'
import { systemActor } from '#kernel/roles.ts'
import { wordsInLetter } from '#kernel/text/letter-words.ts'
import { ukDay } from '#kernel/time.ts'
import { user } from '#modules/identity/people/user.ts'
import { client } from '#modules/portal/clients/client.ts'
import { takeRecipients } from '#modules/portal/mail/allowance.server.ts'
import { LINK, letter } from '#modules/portal/mail/letter.ts'
import { linkToken, newLinkSecret } from '#server/auth/link-token.ts'
import type { SecretLink } from '#server/engine/module.ts'
import type { Context } from '#server/engine/types.ts'
import { remind } from '#server/jobs/remind.ts'
import { SENDING } from './paths.ts'
import { OPEN, ramsRequest, ramsRequestLink, WAITING } from './rams-request.ts'

type Request = RowOf<typeof ramsRequest>

type Occasion = 'asked' | 'reminded' | 'returned'

/** Link for sending RAMS. Requests that are closed have none. */
export const sendersLink: SecretLink = {
  kind: 'rams request',
  make: (engine, clientId, { request }) => {
    const { publicUrl, host, port } = engine.config
    const change = { actor: systemActor(clientId, 'create a link for a subcontractor'), requestId: 'letter' }
    return engine.inTenant(clientId, change, async (c) => {
      const row = await c.get(ramsRequest, Number(request))
      if (!row || !OPEN.some((state) => state === row.state)) return () => undefined
      const { secret, hash } = newLinkSecret()
      const made = await c
        .withoutPermissionCheck('create a link for a subcontractor')
        .create(ramsRequestLink, { request: row.id, hash, createdAt: c.now.toString() })
      const { id } = await made.saved()
      return () => `${publicUrl ?? `http://${host}:${port}`}${SENDING}/${linkToken(clientId, id, secret)}`
    })
  },
}

/** Sends an e-mail to the subcontractor, counted in the company's daily limit. */
export async function writeTo(c: Context, row: Request, why: Occasion): Promise<void> {
  await takeRecipients(c, 1)
  const [ours, [asks]] = [await c.get(client, c.clientId), await c.find(user, { username: row.author ?? '' })]
  const say = wordsInLetter
  const company = say(ours?.company ?? '')
  const job = `${say(row.job)}${row.site ? `, ${say(row.site)}` : ''}`
  const by = ukDay(row.due)
  const subjects = {
    asked: `${company} requests your RAMS: ${job}`,
    reminded: `Reminder: RAMS for ${job}, due by ${by}`,
    returned: `Please correct your RAMS for ${job}`,
  }
  const first = {
    asked: `${asks ? `${say(asks.name)}, ${company},` : company} requests the risk assessments and method statement (RAMS) of ${say(row.company)} for ${job}, by ${by}.`,
    reminded: `${company} has not yet received the RAMS of ${say(row.company)} for ${job}. They were due by ${by}.`,
    returned: `${company} has reviewed the RAMS of ${say(row.company)} for ${job} and returned them:\n\n“${say(row.reason)}”`,
  }
  await c.emit(letter, {
    to: row.email,
    subject: subjects[why],
    body: [
      `Dear ${say(row.person)},`,
      first[why],
      ...(row.notes && why !== 'returned' ? [`“${say(row.notes)}”`] : []),
      `Please send them as one PDF with this link. You don’t need to sign in:\n${LINK}`,
      `The link is for you only and is valid until ${ukDay(row.opensUntil)}.`,
    ].join('\n\n'),
    confidential: true,
    template: 'rams.request',
    link: { kind: sendersLink.kind, about: { request: row.id } },
    about: iriOf(ramsRequest, row.id),
  })
}

/** Reminds subcontractors who have sent nothing, one day before and one day after the due date. */
export const remindSenders = remind({
  name: 'rams.asked',
  of: ramsRequest,
  on: 'due',
  daily: '07:00',
  daysBefore: [1, -1],
  where: { state: [...WAITING] },
  send: async (c, row) => {
    // The company's daily e-mail limit applies.
    await c.attempt(() => writeTo(c, row, 'reminded'))
  },
})
