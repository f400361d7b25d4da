import { problem, violation } from '#kernel/errors.ts'
import { iriOf, type RowOf } from '#kernel/resource.ts'
import { author } from '#kernel/roles.ts'
import { cleanHtml } from '#server/data/rich-text.ts'
import type { Context } from '#server/engine/types.ts'
import type { contact } from '../contacts/contact.ts'
import { noteOnContact } from '../contacts/note.server.ts'
import { emailSuppression } from '../mail/suppression.ts'
import { MERGE_FIELDS, type MergeValues, mergeFields, mergeRefusal } from '../merge-fields/merge.ts'
import { addressLines, leadMergeValues } from '../merge-fields/values.server.ts'
import { letterCopy } from './copy.ts'
import { letterOptOut } from './refusal.ts'

/** The text of a letter before merging. */
export interface LetterTemplate {
  readonly subject: string
  readonly body: string
}

/** A letter merged for a lead. */
export interface MergedLetter extends LetterTemplate {
  /** Name and address, one line each. */
  readonly addressee: string
  /** Fields without a value or default. */
  readonly missing: readonly string[]
  /** Reason why it can't be printed; empty if it can. */
  readonly refusal: string
}

const LABELS: Readonly<Record<string, string>> = MERGE_FIELDS.lead

/**
 * Merges a letter for a lead. `senders`: values of the sender and the portal. Throws 422 for a text that can't be
 * merged.
 */
export async function mergeLetter(
  c: Context,
  lead: RowOf<typeof contact>,
  words: LetterTemplate,
  senders: MergeValues,
): Promise<MergedLetter> {
  const wrong = (['subject', 'body'] as const).flatMap((name) => {
    const refusal = mergeRefusal('lead', words[name])
    return refusal ? [violation(name, refusal)] : []
  })
  if (wrong.length) throw problem.invalid(wrong)
  const values = { ...senders, ...(await leadMergeValues(c, lead)) }
  const subject = mergeFields(words.subject, values)
  const body = mergeFields(words.body, values, { html: true })
  const missing = [...new Set([...subject.missing, ...body.missing])]
  return {
    addressee: [lead.name, lead.companyName, ...addressLines(lead)].flatMap((line) => line?.trim() || []).join('\n'),
    subject: subject.words.replace(/\s+/g, ' ').trim(),
    body: cleanHtml(body.words),
    missing,
    refusal: await refusalOf(c, lead, missing),
  }
}

async function refusalOf(c: Context, lead: RowOf<typeof contact>, missing: readonly string[]): Promise<string> {
  if (lead.retired) return 'This lead is retired'
  if (!lead.address1?.trim() || !(lead.postcode?.trim() || lead.city?.trim())) return 'There is no postal address'
  if (await wantsNone(c, lead)) return 'They have opted out of letters'
  const [first, ...more] = missing.map((name) => LABELS[name] ?? name)
  return first === undefined ? '' : `Missing for this lead: ${[first, ...more].join(', ')}`
}

/**
 * Whether the lead has opted out of letters by post, or of e-mails by the link. An address with returned e-mails is not
 * an opt-out.
 */
async function wantsNone(c: Context, { id, email }: RowOf<typeof contact>): Promise<boolean> {
  if (await c.exists(letterOptOut, { contact: id, retired: false })) return true
  if (!email?.trim()) return false
  const said = await c.work.tx.rows(
    `SELECT 1 FROM ${emailSuppression.table} WHERE client_id = $1 AND lower(address) = lower($2) AND reason = 'asked' AND NOT retired`,
    [c.clientId, email.trim()],
  )
  return said.length > 0
}

/** Saves a letter of a lead and notes it in the timeline. Throws 409 with the reason for one that can't be printed. */
export async function saveLetterCopy(
  c: Context,
  lead: RowOf<typeof contact>,
  written: MergedLetter,
  { letter, run = null }: { readonly letter: number; readonly run?: number | null },
): Promise<number> {
  if (written.refusal) throw problem.conflict(`${written.refusal}.`)
  const { addressee, subject, body } = written
  const kept = await c.withoutPermissionCheck('anybody who may read the lead may write to it').create(letterCopy, {
    letter,
    contact: lead.id,
    writtenFor: lead.id,
    run,
    addressee,
    subject,
    body,
    author: author(c.actor).username,
  })
  const { id } = await kept.saved()
  await noteOnContact(c, lead.id, { notes: `Letter by post: ${subject}`, about: iriOf(letterCopy, id) })
  return id
}
