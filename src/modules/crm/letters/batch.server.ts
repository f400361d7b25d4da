import { close, createReadStream } from 'node:fs'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { z } from 'zod'
import { problem, violation } from '#kernel/errors.ts'
import { iriOf, type RowOf } from '#kernel/resource.ts'
import type { Actor } from '#kernel/roles.ts'
import { authorOf } from '#kernel/roles.ts'
import { type MergeValues, replaceMergeFields } from '#kernel/text/merge-fields.ts'
import { findBrandName } from '#modules/portal/clients/client.server.ts'
import { findSuppressedAddresses } from '#modules/portal/mail/claim.server.ts'
import type { RecordKey } from '#server/data/matching-rows.ts'
import { sanitiseHtml } from '#server/data/rich-text.ts'
import { isoUtcSql } from '#server/db/columns.ts'
import type { BatchJob, BatchStep, BatchStepResult, RejectedItem } from '#server/engine/schedule.ts'
import type { Context, Engine } from '#server/engine/types.ts'
import { MissingFileError } from '#server/files/port.ts'
import { fileStoreFor } from '#server/files/store.ts'
import { openUnnamedFile } from '#server/files/unnamed-file.ts'
import { attachBatchJobFile, batchJobFileKey, defineBatchJob } from '#server/jobs/batch-job-control.ts'
import { joinPdfsToFile } from '#server/pdf/join-pdfs.ts'
import { contact } from '../contacts/contact.ts'
import { addNoteToContact } from '../contacts/note.server.ts'
import { countMatchingLeads, excludedLeadName, findLeadKeysAfter } from '../mail/batch.server.ts'
import { MAIL_MERGE_FIELDS, mergeTextError } from '../merge-fields/merge.ts'
import { leadMailMergeValues, postalAddressLines, senderMailMergeValues } from '../merge-fields/values.server.ts'
import { letterCopy, letterOptOut } from './letter.ts'
import { formatLetterFileName, type PrintableLetter, renderLettersPdf } from './print.server.ts'

/** Text of a letter, with merge fields that have not been replaced yet. */
export interface LetterText {
  readonly subject: string
  readonly body: string
}

/** A letter whose merge fields have been replaced with a lead's values. */
export interface MergedLetter extends LetterText {
  /** Name and postal address, one item per line. */
  readonly addressee: string
  /** Names of the merge fields that have neither a value nor a default. */
  readonly missing: readonly string[]
  /** Reason why the letter can't be printed; empty if it can. */
  readonly refusal: string
}

const LABELS: Readonly<Record<string, string>> = MAIL_MERGE_FIELDS.lead

/**
 * Merges a letter for a lead. `senders` contains the values of the sender and the portal. Throws 422 if the text can't
 * be merged.
 */
export async function mergeLetter(
  c: Context,
  lead: RowOf<typeof contact>,
  words: LetterText,
  senders: MergeValues,
): Promise<MergedLetter> {
  const wrong = (['subject', 'body'] as const).flatMap((name) => {
    const refusal = mergeTextError('lead', words[name])
    return refusal ? [violation(name, refusal)] : []
  })
  if (wrong.length) throw problem.invalid(wrong)
  const values = { ...senders, ...(await leadMailMergeValues(c, lead)) }
  const subject = replaceMergeFields(words.subject, values)
  const body = replaceMergeFields(words.body, values, { html: true })
  const missing = [...new Set([...subject.missing, ...body.missing])]
  return {
    addressee: [lead.name, lead.companyName, ...postalAddressLines(lead)]
      .flatMap((line) => line?.trim() || [])
      .join('\n'),
    subject: subject.words.replace(/\s+/g, ' ').trim(),
    body: sanitiseHtml(body.words),
    missing,
    refusal: await refusalOf(c, lead, missing),
  }
}

async function refusalOf(c: Context, lead: RowOf<typeof contact>, missing: readonly string[]): Promise<string> {
  if (lead.retired) return 'This lead is retired'
  if (!lead.address1?.trim() || !(lead.postcode?.trim() || lead.city?.trim())) return 'This lead has no postal address'
  if (await wantsNone(c, lead)) return 'This lead has opted out of letters'
  const [first, ...more] = missing.map((name) => LABELS[name] ?? name)
  return first === undefined ? '' : `This lead has no value for: ${[first, ...more].join(', ')}`
}

/**
 * Returns whether the lead has opted out of letters by post, or of e-mails through the unsubscribe link. A bounced
 * e-mail address is not an opt-out.
 */
async function wantsNone(c: Context, { id, email }: RowOf<typeof contact>): Promise<boolean> {
  if (await c.exists(letterOptOut, { contact: id, retired: false })) return true
  if (!email?.trim()) return false
  return (await findSuppressedAddresses(c.work.tx, c.clientId, [email], 'asked')).size > 0
}

/**
 * Saves a letter to a lead and adds a note to the lead's timeline. Throws 409 with the reason if the letter can't be
 * printed.
 */
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
    author: authorOf(c.actor).username,
  })
  const { id } = await kept.saved()
  await addNoteToContact(c, lead.id, { notes: `Letter by post: ${subject}`, about: iriOf(letterCopy, id) })
  return id
}

const closeFile = promisify(close)

/** Number of leads processed in each step. */
const PORTION = 100
/** Number of letters that one process can print within a few seconds. */
const SHEET = 50
export const MAX_LEADS_PER_LETTER_BATCH = 5000

const INPUT = z.object({
  letter: z.int(),
  /** The letter's text, as it was when the batch was requested. */
  name: z.string(),
  subject: z.string(),
  body: z.string(),
  query: z.record(z.string(), z.union([z.string(), z.array(z.string())])),
})
/**
 * Position of the job. While letters are being written, this is the last lead for which a letter was written. After
 * that, it is the last letter printed and the number of part PDFs printed (`portions`).
 */
const CURSOR = z.object({ client: z.int(), id: z.int(), written: z.boolean(), after: z.int(), portions: z.int() })
type Input = z.output<typeof INPUT>
type LettersCursor = z.output<typeof CURSOR>

/**
 * Job that prints a letter to every lead that a list finds, as one PDF. First, one letter is written for each lead.
 * Leads without a postal address, with an opt-out or with a missing value are excluded and reported. Then the letters
 * are printed in several part PDFs, which are joined. An interrupted job resumes after its last step.
 */
export const letterBatchJob = defineBatchJob<Input, LettersCursor>({
  kind: 'letters.batch',
  title: 'Letters by post',
  queue: 'bulk',
  as: 'starter',
  input: INPUT,
  cursor: CURSOR,
  begin: (c, run) => countMatchingLeads(c, run.input.query),
  steps,
})

async function* steps(
  engine: Engine,
  run: BatchJob<Input>,
  from: LettersCursor | null,
  actor: Actor,
): AsyncGenerator<BatchStep<LettersCursor>> {
  let place: LettersCursor = from ?? { client: -1, id: 0, written: false, after: 0, portions: 0 }
  const portal = await findBrandName(engine, run.clientId)
  while (!place.written) {
    const keys = await findLeadKeysAfter(engine, actor, run.input.query, {
      after: [place.client, place.id],
      most: PORTION,
    })
    const last = keys.at(-1)
    place = last ? { ...place, client: last[0], id: last[1] } : { ...place, written: true }
    yield { cursor: place, execute: (c) => writePortion(c, run, actor, { keys, portal }) }
  }
  const store = await fileStoreFor(engine.config)
  const keyOf = (n: number) => `${batchJobFileKey(run)}-letters-${n}`
  for (;;) {
    const copies = await copiesAfter(engine, run, place.after)
    const last = copies.at(-1)
    if (!last) break
    const pdf = await renderLettersPdf(engine, run.clientId, run.input.name, copies)
    await store.put(keyOf(place.portions), Readable.from([pdf]), pdf.length)
    place = { ...place, after: last.id, portions: place.portions + 1 }
    yield { cursor: place, execute: async () => ({ done: 0 }) }
  }
  const { portions } = place
  if (!portions) return
  const fd = await openUnnamedFile('letters')
  try {
    const { bytes } = await joinPdfsToFile(
      fd,
      async function* () {
        for (let n = 0; n < portions; n++)
          yield await buffer(
            await store.get(keyOf(n)).catch((e: unknown) => {
              if (!(e instanceof MissingFileError)) throw e
              throw problem.conflict('The letters printed so far are no longer stored. Please print all letters again.')
            }),
          )
      },
      { front: false },
    )
    await store.put(batchJobFileKey(run), createReadStream('', { fd, start: 0, autoClose: false }), bytes)
    yield {
      cursor: place,
      execute: async (c) => {
        const name = formatLetterFileName('Letters', run.input.name)
        await attachBatchJobFile(c, run, { name, type: 'application/pdf', bytes, list: letterCopy.url })
        return { done: 0 }
      },
    }
  } finally {
    await closeFile(fd)
  }
  for (let n = 0; n <= portions; n++) await store.remove(keyOf(n))
}

interface Portion {
  readonly keys: readonly RecordKey[]
  readonly portal: string
}

async function writePortion(
  c: Context,
  run: BatchJob<Input>,
  actor: Actor,
  { keys, portal }: Portion,
): Promise<BatchStepResult> {
  const { letter, subject, body } = run.input
  const senders: MergeValues = { ...(await senderMailMergeValues(c, actor)), portal }
  const refused: RejectedItem[] = []
  let done = 0
  for (const row of await c.find(contact, { id: keys.map(([, id]) => id) })) {
    const tried = await c.attempt(async () =>
      saveLetterCopy(c, row, await mergeLetter(c, row, { subject, body }, senders), { letter, run: run.id }),
    )
    if ('refused' in tried) {
      const { message: reason, code } = tried.refused
      refused.push({ line: row.id, about: excludedLeadName(row), reason, code })
    } else done += 1
  }
  return { done, refused }
}

/** Returns the letters that a job has to print next, in the order in which they were written. */
const copiesAfter = (
  engine: Engine,
  run: BatchJob<Input>,
  after: number,
): Promise<(PrintableLetter & { readonly id: number })[]> =>
  engine.db.tx({ clientId: run.clientId }, (tx) =>
    tx.rows<PrintableLetter & { readonly id: number }>(
      `SELECT id::int AS id, addressee, subject, body, ${isoUtcSql('printed_at')} AS "printedAt"
       FROM ${letterCopy.table} WHERE client_id = $1 AND run_id = $2 AND id > $3 ORDER BY id LIMIT $4`,
      [run.clientId, run.id, after, SHEET],
    ),
  )
