import { Problem, problem } from '#kernel/errors.ts'
import type { RowOf } from '#kernel/resource.ts'
import type { Refusal } from '#server/engine/batch-job.ts'
import type { RouteContext } from '#server/engine/route.ts'
import type { Context } from '#server/engine/types.ts'
import { contact } from '../contacts/contact.ts'
import type { MergeValues } from '../merge-fields/merge.ts'
import { senderMergeValues } from '../merge-fields/values.server.ts'
import { excludedLeadName, type LeadQuery, leadKeysAfter } from './found-leads.server.ts'
import { mailMessage } from './message.ts'
import { type MailDraft, type MergedMail, mergeMail, requireSendable } from './write.server.ts'

type Lead = RowOf<typeof contact>
type Words = Pick<MailDraft, 'subject' | 'body'>

interface Batch {
  readonly senders: MergeValues
  /** Addresses already written to, in lower case. */
  readonly told: ReadonlySet<string>
}

/** Creates the e-mail of a batch for a lead. Throws with the reason if the lead is excluded. */
export async function createBatchMail(
  c: Context,
  row: Lead,
  words: Words,
  { senders, told }: Batch,
): Promise<MergedMail> {
  if (row.retired) throw problem.conflict('This lead is retired')
  const letter = await mergeMail(c, { kind: 'lead', row }, words, senders)
  requireSendable('lead', letter)
  if (told.has(letter.recipient.toLowerCase()))
    throw new Problem(409, `Another lead of this batch has the same address, ${letter.recipient}`)
  return letter
}

/** Addresses of these leads that the batch has already written to. */
export async function findWrittenAddresses(c: Context, run: number, leads: readonly Lead[]): Promise<Set<string>> {
  const addresses = leads.flatMap(({ email }) => email?.trim().toLowerCase() || [])
  const rows = await c.work.tx.rows<{ address: string }>(
    `SELECT DISTINCT lower(recipient) AS address FROM ${mailMessage.table} WHERE client_id = $1 AND run_id = $2 AND lower(recipient) = ANY($3::text[])`,
    [c.clientId, run, addresses],
  )
  return new Set(rows.map(({ address }) => address))
}

/** An excluded lead with the reason. */
export const toExcludedLead = (row: Lead, { violations, message: reason, code }: Problem): Refusal => ({
  line: row.id,
  about: excludedLeadName(row),
  reason: violations?.map((v) => v.message).join('. ') ?? reason,
  code,
})

/** Number of leads checked before a batch begins. */
const LOOKED_AT = 300

/** Checks the first leads of a batch for exclusions before anything is sent. */
export async function checkBatchRecipients(
  { engine, me, request }: RouteContext,
  query: LeadQuery,
  words: (c: Context) => Promise<Words>,
): Promise<{ readonly lookedAt: number; readonly left: readonly Refusal[] }> {
  const keys = await leadKeysAfter(engine, me, query, { after: [-1, 0], most: LOOKED_AT })
  return engine.inTenant(me.clientId, { actor: me, requestId: request.id }, async (c) => {
    const draft = await words(c)
    const told = new Set<string>()
    const senders = await senderMergeValues(c, me)
    const left: Refusal[] = []
    for (const row of await c.find(contact, { id: keys.map(([, id]) => id) })) {
      const tried = await c.attempt(() => createBatchMail(c, row, draft, { senders, told }))
      if ('refused' in tried) left.push(toExcludedLead(row, tried.refused))
      else told.add(tried.value.recipient.toLowerCase())
    }
    return () => ({ lookedAt: keys.length, left })
  })
}
