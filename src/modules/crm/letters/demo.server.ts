import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { iriOf, type ValuesOf } from '#kernel/resource.ts'
import { createSystemActor, PROVIDER_CLIENT_ID } from '#kernel/roles.ts'
import { user } from '#modules/identity/people/user.ts'
import type { DemoDataPart } from '#server/engine/initial-data.ts'
import type { Engine } from '#server/engine/types.ts'
import { discardReceivedFile, receiveToDisk } from '#server/files/receive.ts'
import { seedAsUser } from '#server/seed/seed-as.ts'
import { contact } from '../contacts/contact.ts'
import { addNoteToContact } from '../contacts/note.server.ts'
import { mailMessage } from '../mail/message.ts'
import { emailTemplate } from '../mail/template.ts'
import { recordReceivedMail } from '../received-mail/record.server.ts'
import { letterTemplate } from './letter.ts'

const SPOKE = {
  name: 'After a first call',
  subject: 'Health and safety for {{company}}',
  body: 'Hello {{first name|there}},\n\nThank you for your time on the telephone. As promised, here is what we do for firms of your size: risk assessments, method statements and training in one place, with somebody to ask.\n\nKind regards,\n{{sender}}\n{{sender phone|}}',
}

const TEMPLATES: readonly ValuesOf<typeof emailTemplate>[] = [
  SPOKE,
  {
    name: 'A quote is on its way',
    subject: 'Your quote for {{company}}',
    body: 'Hello {{first name|there}},\n\nYou will receive your quote today in a separate e-mail. Please call me if anything in it is unclear.\n\nKind regards,\n{{sender}}',
  },
  {
    name: 'Your pack is ready',
    kind: 'client',
    subject: 'Your safety pack is ready, {{company}}',
    body: 'Hello {{first name|there}},\n\nYour pack is set up, and your administrator has received their login details.\n\nKind regards,\n{{sender}}',
  },
]

const LETTERS: readonly ValuesOf<typeof letterTemplate>[] = [
  {
    name: 'Introduction by post',
    subject: 'Health and safety for {{company}}',
    body: '<p>Dear {{first name|Sir or Madam}},</p><p>We look after the health and safety of firms like yours in {{city|your town}}. May we call you next week?</p><p>Yours faithfully,</p><p>{{sender}}</p>',
  },
  {
    name: 'Renewal reminder',
    subject: 'Your pack is due for renewal',
    body: '<p>Dear {{first name|Sir or Madam}},</p><p>Your pack will be renewed soon. Please call us with any changes.</p><p>Yours faithfully,</p><p>{{sender}}</p>',
  },
]

/** Ages in days, statuses and errors of the e-mails sent in the demo data. */
const WRITTEN: readonly (readonly [days: number, state: 'sent' | 'bounced' | 'failed', error: string | null])[] = [
  [1, 'sent', null],
  [2, 'sent', null],
  [3, 'bounced', '550 5.1.1 No such person here'],
  [6, 'failed', '552 5.3.4 This message is too large'],
]

/** E-mails received in answer to the first e-mail, without their first headers. */
const RECEIVED: readonly string[] = [
  'Auto-Submitted: auto-replied\n\nI am out of the office until Monday.',
  `Content-Type: multipart/mixed; boundary=b

--b
Content-Type: text/plain; charset=utf-8

Thank you, that is helpful. Here are the names of our sites.

Kind regards
Ann

On Thursday our adviser wrote:
> Hello,
>
> Thank you for your time on the telephone.
--b
Content-Type: text/csv; name="Sites.csv"
Content-Disposition: attachment; filename="Sites.csv"

Site,Town
Wharf Street,Leeds
--b--`,
  'Content-Type: text/calendar; method=REPLY\n\nBEGIN:VCALENDAR\nMETHOD:REPLY\nBEGIN:VEVENT\nATTENDEE;PARTSTAT=ACCEPTED:mailto:office@acme.example\nSUMMARY:First visit\nEND:VEVENT\nEND:VCALENDAR',
]

/** Records the received e-mails as answers to an e-mail. */
async function receiveAnswers(engine: Engine, id: number): Promise<void> {
  const ours = await engine.readIn(PROVIDER_CLIENT_ID, 'find an e-mail in the demo data', (c) => c.get(mailMessage, id))
  if (!ours) return
  const actor = createSystemActor(PROVIDER_CLIENT_ID, 'receive an e-mail')
  const { readMail } = await import('../mail/received-mail.server.ts')
  for (const [n, raw] of RECEIVED.entries()) {
    const mail = await readMail(
      Buffer.from(
        `From: ${ours.recipient}\nSubject: Re: ${ours.subject}\nMessage-ID: <demo-${n}@acme.example>\n${raw}`,
      ),
    )
    if (!mail) throw new Error('An e-mail in the demo data can’t be read')
    const files = await Promise.all(
      mail.files.map(async (file) => ({
        ...file,
        content: await receiveToDisk(Readable.from([file.content]), engine.config.fileLimit),
      })),
    )
    const change = { actor, requestId: 'demo' }
    await recordReceivedMail(engine, {
      clientId: PROVIDER_CLIENT_ID,
      change,
      ours,
      mail: { ...mail, files, longTexts: [] },
    })
    for (const { content } of files) await discardReceivedFile(content)
  }
}

/** Demo data: templates, letters by post, and e-mails to leads in various statuses. */
const mailDemoPart: DemoDataPart = {
  name: 'mail',
  needs: ['leads'],
  tell: async (engine) => {
    const now = engine.clock.now()
    await seedAsUser(
      engine,
      { clientId: PROVIDER_CLIENT_ID, username: 'manager', at: now.subtract({ hours: 24 * 40 }) },
      async (c) => {
        for (const one of TEMPLATES) await c.create(emailTemplate, one)
        for (const one of LETTERS) await c.create(letterTemplate, one)
      },
    )
    for (const [n, [days, state, error]] of WRITTEN.entries()) {
      const at = now.subtract({ hours: 24 * days })
      const sent = await seedAsUser(engine, { clientId: PROVIDER_CLIENT_ID, username: 'staff', at }, async (c) => {
        const leads = await c.find(contact, { retired: false })
        const [lead, [own]] = [leads[40 + n * 11], await c.find(user, { username: 'staff' })]
        if (!lead?.email || !own) return undefined
        const kept = await c.withoutPermissionCheck('the e-mail was written earlier').create(mailMessage, {
          recipient: lead.email,
          subject: `Health and safety for ${lead.companyName}`,
          body: `Hello,\n\nThank you for your time on the telephone.\n\nKind regards,\n${own.name}`,
          template: SPOKE.name,
          state,
          error,
          author: own.username,
          user: own.id,
          about: '',
          contact: lead.id,
          account: null,
          attachments: [],
          files: [],
          stoppable: true,
          run: null,
          resendOf: null,
          token: randomBytes(16).toString('hex'),
          createdAt: at.toString(),
          sentAt: state === 'failed' ? null : at.toString(),
        })
        const { id } = await kept.saved()
        const notes = `E-mail to ${lead.email}: Health and safety for ${lead.companyName}`
        await addNoteToContact(c, lead.id, { notes, about: iriOf(mailMessage, id) })
        return id
      })
      if (sent !== undefined && n === 0) await receiveAnswers(engine, sent)
    }
  },
}

export const seeds = [mailDemoPart]
