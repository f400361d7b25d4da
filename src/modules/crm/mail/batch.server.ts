import { z } from 'zod'
import { emailsDue, queuedEmailAttachment } from '#modules/portal/mail/letter.ts'
import type { RecordKey } from '#server/data/matching-rows.ts'
import type { Condition } from '#server/data/query-values.ts'
import type { Refusal } from '#server/engine/batch-job.ts'
import { defineBatchJob } from '#server/jobs/define-batch-job.ts'
import { contact } from '../contacts/contact.ts'
import { senderMergeValues } from '../merge-fields/values.server.ts'
import { countLeadsAtStart, leadKeysAfter } from './found-leads.server.ts'
import { createBatchMail, findWrittenAddresses, toExcludedLead } from './to-many.server.ts'
import { saveOutgoingMail } from './write.server.ts'

/** Number of e-mails per step. */
const PORTION = 100
/** Maximum number of leads per batch. */
export const MAX_MAIL_LEADS = 20_000

const PLACE = z.object({ client: z.int(), id: z.int() })

const INPUT = z.object({
  query: z.record(z.string(), z.union([z.string(), z.array(z.string())])),
  subject: z.string(),
  body: z.string(),
  template: z.string(),
  files: z.array(queuedEmailAttachment),
})

interface Kind {
  readonly kind: string
  readonly title: string
  readonly screen: string
  /** Conditions that further limit the recipients. */
  readonly only?: readonly Condition[]
}

/**
 * Sends an e-mail to every lead that a list finds, in the name of the user who started it: one per address; leads with
 * an opt-out or missing values are excluded and reported. E-mails of completed steps are sent by the mail queue; after
 * a stop no more are created.
 */
export const defineMailJob = ({ only = [], ...kind }: Kind) =>
  defineBatchJob({
    ...kind,
    queue: 'mail',
    as: 'starter',
    input: INPUT,
    cursor: PLACE,
    begin: (c, run) => countLeadsAtStart(c, run.input.query, only),
    steps: async function* (engine, run, from, actor) {
      const { query, ...draft } = run.input
      for (let after: RecordKey = from ? [from.client, from.id] : [-1, 0]; ; ) {
        const keys = await leadKeysAfter(engine, actor, query, { after, most: PORTION, only })
        const last = keys.at(-1)
        if (!last) return
        yield {
          cursor: { client: last[0], id: last[1] },
          execute: async (c) => {
            const senders = await senderMergeValues(c, actor)
            const written: number[] = []
            const refused: Refusal[] = []
            const rows = await c.find(contact, { id: keys.map(([, id]) => id) })
            const told = await findWrittenAddresses(c, run.id, rows)
            for (const row of rows) {
              const tried = await c.attempt(async () => {
                const letter = await createBatchMail(c, row, draft, { senders, told })
                const id = await saveOutgoingMail(c, { kind: 'lead', row }, letter, draft, { run: run.id })
                told.add(letter.recipient.toLowerCase())
                return id
              })
              if ('refused' in tried) refused.push(toExcludedLead(row, tried.refused))
              else written.push(tried.value)
            }
            if (written.length) await c.emit(emailsDue, { messages: written })
            return { done: written.length, refused }
          },
        }
        after = last
      }
    },
  })

export const mailBatchJob = defineMailJob({ kind: 'mail.batch', title: 'E-mails to many', screen: '/email/messages' })
