import { randomBytes } from 'node:crypto'
import { isEmail } from '#kernel/email.ts'
import { problem, violation } from '#kernel/errors.ts'
import { iriOf, type RowOf } from '#kernel/resource.ts'
import { author } from '#kernel/roles.ts'
import type { client } from '#modules/portal/clients/client.ts'
import type { QueuedEmailAttachment } from '#modules/portal/mail/letter.ts'
import type { Context } from '#server/engine/types.ts'
import type { contact } from '../contacts/contact.ts'
import { noteOnContact } from '../contacts/note.server.ts'
import { MERGE_FIELDS, type MergeKind, type MergeValues, mergeFields, mergeRefusal } from '../merge-fields/merge.ts'
import { clientMergeValues, leadMergeValues } from '../merge-fields/values.server.ts'
import { mailMessage } from './message.ts'
import { isSuppressedAddress } from './suppression.server.ts'

/** Recipient of an e-mail. */
export type MailAddressee =
  | { readonly kind: 'lead'; readonly row: RowOf<typeof contact> }
  | { readonly kind: 'client'; readonly row: RowOf<typeof client> }

/** Unmerged text of an e-mail, with attachments. */
export interface MailDraft {
  readonly subject: string
  readonly body: string
  readonly template: string
  readonly files: readonly QueuedEmailAttachment[]
}

/** A merged e-mail. */
export interface MergedMail {
  readonly recipient: string
  readonly subject: string
  readonly body: string
  /** Fields without a value or default. */
  readonly missing: readonly string[]
  readonly suppressed: boolean
}

/** Merges an e-mail. `given`: values entered by hand. Throws 422 for a text that can't be merged. */
export async function mergeMail(
  c: Context,
  to: MailAddressee,
  { subject, body }: Pick<MailDraft, 'subject' | 'body'>,
  senders: MergeValues,
  given: MergeValues = {},
): Promise<MergedMail> {
  requireMergeable(to.kind, { subject, body })
  const own = to.kind === 'lead' ? await leadMergeValues(c, to.row) : clientMergeValues(to.row)
  const values = { ...senders, ...own, ...given }
  const [head, text] = [mergeFields(subject, values), mergeFields(body, values)]
  const recipient = (to.kind === 'lead' ? to.row.email : to.row.contactemail)?.trim() ?? ''
  return {
    recipient,
    subject: head.words.replace(/\s+/g, ' ').trim(),
    body: text.words,
    missing: [...new Set([...head.missing, ...text.missing])],
    suppressed: recipient !== '' && (await isSuppressedAddress(c, recipient)),
  }
}

/** Throws 422 for a text with an unknown field. */
export function requireMergeable(kind: MergeKind, draft: Pick<MailDraft, 'subject' | 'body'>): void {
  const wrong = (['subject', 'body'] as const).flatMap((name) => {
    const refusal = mergeRefusal(kind, draft[name])
    return refusal ? [violation(name, refusal)] : []
  })
  if (wrong.length) throw problem.invalid(wrong)
}

/** Throws 422 with the reason for an e-mail that can't be sent. */
export function requireSendable(kind: MergeKind, w: MergedMail): void {
  const labels: Readonly<Record<string, string>> = MERGE_FIELDS[kind]
  if (!w.recipient) throw problem.invalid([violation('recipient', 'There is no e-mail address')])
  if (!isEmail(w.recipient))
    throw problem.invalid([violation('recipient', `"${w.recipient}" is not an e-mail address`)])
  if (w.suppressed) throw problem.invalid([violation('recipient', `${w.recipient} has opted out of e-mails`)])
  if (w.missing.length)
    throw problem.invalid(
      w.missing.map((name) => violation(`values.${name}`, `${labels[name] ?? name} is missing. Please enter it`)),
    )
}

/** Saves an outgoing e-mail and notes it on the lead. Returns its id; the caller emits `lettersDue`. */
export async function saveOutgoingMail(
  c: Context,
  to: MailAddressee,
  w: MergedMail,
  draft: MailDraft,
  { run = null, resendOf = null, about = '' }: { run?: number | null; resendOf?: number | null; about?: string } = {},
): Promise<number> {
  const { userId, username } = author(c.actor)
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
    run,
    resendOf,
    token: randomBytes(16).toString('hex'),
  })
  const { id } = await kept.saved()
  if (to.kind === 'lead')
    await noteOnContact(c, to.row.id, {
      notes: `E-mail to ${w.recipient}: ${w.subject}`,
      about: iriOf(mailMessage, id),
    })
  return id
}
