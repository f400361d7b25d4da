import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { Problem, problem, violation } from '#kernel/errors.ts'
import type { RowOf } from '#kernel/resource.ts'
import { iriOf } from '#kernel/resource.ts'
import type { Actor } from '#kernel/roles.ts'
import { authorOf } from '#kernel/roles.ts'
import { type MergeValues, replaceMergeFields } from '#kernel/text/merge-fields.ts'
import { foldEmail, isEmail, normaliseEmail } from '#kernel/validate.ts'
import type { client } from '#modules/portal/clients/client.ts'
import type { QueuedEmailAttachment } from '#modules/portal/mail/letter.ts'
import { emailsDue, queuedEmailAttachment } from '#modules/portal/mail/letter.ts'
import { bulkConditions } from '#server/bulk/bulk.ts'
import type { RequestQuery } from '#server/data/filters.ts'
import type { RecordKey } from '#server/data/matching-rows.ts'
import { buildNextKeysQuery, matchingKeysQuery } from '#server/data/matching-rows.ts'
import type { QueryCondition } from '#server/data/values.ts'
import type { RouteContext } from '#server/engine/route.ts'
import type { RejectedItem } from '#server/engine/schedule.ts'
import type { Context, Engine } from '#server/engine/types.ts'
import { defineBatchJob } from '#server/jobs/batch-job-control.ts'
import { contact, MARKETING_BARS } from '../contacts/contact.ts'
import { addNoteToContact } from '../contacts/note.server.ts'
import { MAIL_MERGE_FIELDS, type MailMergeKind, mergeTextError } from '../merge-fields/merge.ts'
import { clientMailMergeValues, leadMailMergeValues, senderMailMergeValues } from '../merge-fields/values.server.ts'
import { isSuppressedAddress } from './incoming.server.ts'
import { mailMessage } from './message.ts'

export type MailRecipient =
  | { readonly kind: 'lead'; readonly row: RowOf<typeof contact> }
  | { readonly kind: 'client'; readonly row: RowOf<typeof client> }

/** Subject, body and attachments of an e-mail, with merge fields that have not been replaced yet. */
export interface MailDraft {
  readonly subject: string
  readonly body: string
  readonly template: string
  /** True unless the e-mail answers the recipient or was requested by them. */
  readonly marketing: boolean
  readonly files: readonly QueuedEmailAttachment[]
}

/** An e-mail whose merge fields have been replaced with values. */
interface MergedMail {
  readonly recipient: string
  readonly subject: string
  readonly body: string
  /** Names of the merge fields that have neither a value nor a default. */
  readonly missing: readonly string[]
  readonly suppressed: boolean
  /** Reason why this marketing e-mail may not be sent; empty if it may. */
  readonly refusal: string
}

/** Merges an e-mail. `given` contains values entered by hand. Throws 422 if the text can't be merged. */
export async function mergeMail(
  c: Context,
  to: MailRecipient,
  { subject, body, marketing }: Pick<MailDraft, 'subject' | 'body' | 'marketing'>,
  senders: MergeValues,
  given: MergeValues = {},
): Promise<MergedMail> {
  requireMergeableMail(to.kind, { subject, body })
  const own = to.kind === 'lead' ? await leadMailMergeValues(c, to.row) : clientMailMergeValues(to.row)
  const values = { ...senders, ...own, ...given }
  const [head, text] = [replaceMergeFields(subject, values), replaceMergeFields(body, values)]
  const recipient = normaliseEmail((to.kind === 'lead' ? to.row.email : to.row.contactemail) ?? '')
  return {
    recipient,
    subject: head.words.replace(/\s+/g, ' ').trim(),
    body: text.words,
    missing: [...new Set([...head.missing, ...text.missing])],
    suppressed: recipient !== '' && (await isSuppressedAddress(c, recipient)),
    refusal: (marketing && to.kind === 'lead' && MARKETING_BARS[to.row.marketingBar ?? '']) || '',
  }
}

/** Throws 422 if the text contains an unknown merge field or unmatched braces. */
export function requireMergeableMail(kind: MailMergeKind, draft: Pick<MailDraft, 'subject' | 'body'>): void {
  const wrong = (['subject', 'body'] as const).flatMap((name) => {
    const refusal = mergeTextError(kind, draft[name])
    return refusal ? [violation(name, refusal)] : []
  })
  if (wrong.length) throw problem.invalid(wrong)
}

/** Throws 422 with the reason if the e-mail can't be sent. */
export function requireSendableMail(kind: MailMergeKind, w: MergedMail): void {
  const labels: Readonly<Record<string, string>> = MAIL_MERGE_FIELDS[kind]
  if (!w.recipient) throw problem.invalid([violation('recipient', 'The recipient has no e-mail address')])
  if (!isEmail(w.recipient))
    throw problem.invalid([violation('recipient', `"${w.recipient}" is not an e-mail address`)])
  if (w.suppressed) throw problem.invalid([violation('recipient', `${w.recipient} has opted out of e-mails`)])
  if (w.refusal) throw problem.invalid([violation('recipient', w.refusal)])
  if (w.missing.length)
    throw problem.invalid(
      w.missing.map((name) => violation(`values.${name}`, `Please enter a value for ${labels[name] ?? name}`)),
    )
}

/** Saves an outgoing e-mail and adds a note to the lead. Returns the e-mail's ID. The caller must emit `emailsDue`. */
export async function saveOutgoingMail(
  c: Context,
  to: MailRecipient,
  w: MergedMail,
  draft: MailDraft,
  { run = null, resendOf = null, about = '' }: { run?: number | null; resendOf?: number | null; about?: string } = {},
): Promise<number> {
  const { userId, username } = authorOf(c.actor)
  const kept = await c.withoutPermissionCheck('anybody who may read the record may write to it').create(mailMessage, {
    recipient: w.recipient,
    subject: w.subject,
    body: w.body,
    template: draft.template,
    state: 'waiting',
    author: username,
    user: userId,
    about,
    contact: to.kind === 'lead' ? to.row.id : null,
    account: to.kind === 'client' ? to.row.id : null,
    attachments: draft.files.map(({ filename }) => filename),
    files: draft.files,
    stoppable: true,
    marketing: draft.marketing && to.kind === 'lead',
    run,
    resendOf,
    token: randomBytes(16).toString('hex'),
  })
  const { id } = await kept.saved()
  if (to.kind === 'lead')
    await addNoteToContact(c, to.row.id, {
      notes: `E-mail to ${w.recipient}: ${w.subject}`,
      about: iriOf(mailMessage, id),
    })
  return id
}

/** Query that finds leads, as stored with a batch job. */
type LeadQuery = Record<string, string | string[]>

/** Parses the URL of a lead list. Throws 400 for any other URL. */
export function parseLeadListUrl(from: string): LeadQuery {
  const [path, rest = ''] = from.split(/\?(.*)/s)
  if (path !== contact.url) throw problem.badRequest('"from" must be the URL of the list of leads.')
  const all = Map.groupBy(new URLSearchParams(rest), ([name]) => name)
  return Object.fromEntries(
    [...all].flatMap(([name, given]) => {
      const values = given.map(([, value]) => value)
      return name === '__proto__' ? [] : [[name, values.length > 1 ? values : (values[0] ?? '')]]
    }),
  ) satisfies RequestQuery
}

/** Returns the number of leads that a list finds. Throws 409 if there are none, or more than `most`. */
export async function countLeadsWithinLimit(
  engine: Engine,
  actor: Actor,
  query: LeadQuery,
  most: number,
): Promise<number> {
  const q = matchingKeysQuery(contact, actor, query, most + 1, bulkConditions(engine, contact, query))
  const count = q ? (await engine.db.read.arrays(q.query, q.values)).length : 0
  if (!count) throw problem.conflict('No leads match any more. Please check the list and try again.')
  if (count > most)
    throw problem.conflict(
      `More than ${most.toLocaleString('en-GB')} leads match. Please narrow the list and write to fewer leads at a time.`,
    )
  return count
}

/** Returns the number of leads that a query finds at the start of a job. */
export async function countMatchingLeads(
  c: Context,
  query: LeadQuery,
  only: readonly QueryCondition[] = [],
): Promise<number> {
  const q = matchingKeysQuery(contact, c.actor, query, 1_000_000, [
    ...bulkConditions(c.engine, contact, query),
    ...only,
  ])
  return q ? (await c.work.tx.arrays(q.query, q.values)).length : 0
}

/** Returns the keys of the leads that a list finds after a given lead. */
export async function findLeadKeysAfter(
  engine: Engine,
  actor: Actor,
  query: LeadQuery,
  {
    after,
    most,
    only = [],
  }: { readonly after: RecordKey; readonly most: number; readonly only?: readonly QueryCondition[] },
): Promise<readonly RecordKey[]> {
  const extra = [...bulkConditions(engine, contact, query), ...only]
  const q = buildNextKeysQuery(contact, actor, query, after, most, extra)
  return q ? ((await engine.db.read.arrays(q.query, q.values)) as unknown as RecordKey[]) : []
}

/** Returns the name under which an excluded lead is reported. */
export const excludedLeadName = (row: Pick<RowOf<typeof contact>, 'id' | 'companyName' | 'name'>): string =>
  row.companyName || row.name || `Lead ${row.id}`

type Lead = RowOf<typeof contact>
/** Text of a batch's e-mail, which is always marketing. */
type BatchMailText = Pick<MailDraft, 'subject' | 'body'>

interface Batch {
  readonly senders: MergeValues
  /** Addresses to which the batch has already written, normalised for comparison. */
  readonly told: ReadonlySet<string>
}

/** Creates the batch's e-mail to a lead. Throws an error with the reason if the lead is excluded. */
async function createBatchMail(
  c: Context,
  row: Lead,
  words: BatchMailText,
  { senders, told }: Batch,
): Promise<MergedMail> {
  if (row.retired) throw problem.conflict('This lead is retired')
  const letter = await mergeMail(c, { kind: 'lead', row }, { ...words, marketing: true }, senders)
  requireSendableMail('lead', letter)
  if (told.has(foldEmail(letter.recipient)))
    throw new Problem(409, `Another lead in this batch has the same address, ${letter.recipient}`)
  return letter
}

/** Returns those of the leads' addresses to which the batch has already written. */
async function findWrittenAddresses(c: Context, run: number, leads: readonly Lead[]): Promise<Set<string>> {
  const addresses = leads.flatMap(({ email }) => (email ? foldEmail(email) : []))
  const rows = await c.work.tx.rows<{ address: string }>(
    `SELECT DISTINCT email_key(recipient) AS address FROM ${mailMessage.table} WHERE client_id = $1 AND run_id = $2 AND email_key(recipient) = ANY($3::text[])`,
    [c.clientId, run, addresses],
  )
  return new Set(rows.map(({ address }) => address))
}

/** Converts a lead and its error to a report entry for an excluded lead, with the reason. */
const toExcludedLead = (row: Lead, { violations, message: reason, code }: Problem): RejectedItem => ({
  line: row.id,
  about: excludedLeadName(row),
  reason: violations?.map((v) => v.message).join('. ') ?? reason,
  code,
})

/** Maximum number of leads checked before a batch starts. */
const LOOKED_AT = 300

/** Checks the first leads in a batch and returns those that would be excluded, before anything is sent. */
export async function checkFirstBatchRecipients(
  { engine, me, request }: RouteContext,
  query: LeadQuery,
  words: (c: Context) => Promise<BatchMailText>,
): Promise<{ readonly lookedAt: number; readonly left: readonly RejectedItem[] }> {
  const keys = await findLeadKeysAfter(engine, me, query, { after: [-1, 0], most: LOOKED_AT })
  return engine.inTenant(me.clientId, { actor: me, requestId: request.id }, async (c) => {
    const draft = await words(c)
    const told = new Set<string>()
    const senders = await senderMailMergeValues(c, me)
    const left: RejectedItem[] = []
    for (const row of await c.find(contact, { id: keys.map(([, id]) => id) })) {
      const tried = await c.attempt(() => createBatchMail(c, row, draft, { senders, told }))
      if ('refused' in tried) left.push(toExcludedLead(row, tried.refused))
      else told.add(foldEmail(tried.value.recipient))
    }
    return () => ({ lookedAt: keys.length, left })
  })
}

/** Number of leads processed in each step. */
const PORTION = 100
export const MAX_LEADS_PER_MAIL_BATCH = 20_000

const CURSOR = z.object({ client: z.int(), id: z.int() })

const INPUT = z.object({
  query: z.record(z.string(), z.union([z.string(), z.array(z.string())])),
  subject: z.string(),
  body: z.string(),
  template: z.string(),
  files: z.array(queuedEmailAttachment),
})

interface MailJobOptions {
  readonly kind: string
  readonly title: string
  readonly screen: string
  /** Additional conditions that restrict the recipients. */
  readonly only?: readonly QueryCondition[]
}

/**
 * Defines a job that sends an e-mail to every lead that a list finds, in the name of the user who started it. Each
 * address gets one e-mail. Leads with an opt-out, without the consent they need or with missing values are excluded and
 * reported. The mail queue sends the e-mails of completed steps. After the job is stopped, no more e-mails are created.
 */
export const defineMailBatchJob = ({ only = [], ...kind }: MailJobOptions) =>
  defineBatchJob({
    ...kind,
    queue: 'mail',
    as: 'starter',
    input: INPUT,
    cursor: CURSOR,
    begin: (c, run) => countMatchingLeads(c, run.input.query, only),
    steps: async function* (engine, run, from, actor) {
      const { query, ...draft } = run.input
      for (let after: RecordKey = from ? [from.client, from.id] : [-1, 0]; ; ) {
        const keys = await findLeadKeysAfter(engine, actor, query, { after, most: PORTION, only })
        const last = keys.at(-1)
        if (!last) return
        yield {
          cursor: { client: last[0], id: last[1] },
          execute: async (c) => {
            const senders = await senderMailMergeValues(c, actor)
            const written: number[] = []
            const refused: RejectedItem[] = []
            const rows = await c.find(contact, { id: keys.map(([, id]) => id) })
            const told = await findWrittenAddresses(c, run.id, rows)
            for (const row of rows) {
              const tried = await c.attempt(async () => {
                const letter = await createBatchMail(c, row, draft, { senders, told })
                const id = await saveOutgoingMail(
                  c,
                  { kind: 'lead', row },
                  letter,
                  { ...draft, marketing: true },
                  { run: run.id },
                )
                told.add(foldEmail(letter.recipient))
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

export const mailBatchJob = defineMailBatchJob({
  kind: 'mail.batch',
  title: 'E-mails to multiple leads',
  screen: '/email/messages',
})
