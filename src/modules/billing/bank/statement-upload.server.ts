import { hash } from 'node:crypto'
import { Problem, problem, violation } from '#kernel/errors.ts'
import { choice, longText, text, typedJson } from '#kernel/fields.ts'
import { CURRENCIES, type Currency } from '#kernel/money.ts'
import { londonDate } from '#kernel/time.ts'
import type { RouteContext } from '#server/engine/route.ts'
import { parseDeclaredBody } from '#server/engine/route-input.ts'
import { sanitiseFileName } from '#server/files/plain-name.ts'
import { discardReceivedFile, FileTooLargeError, type ReceivedFile, receiveToDisk } from '#server/files/receive.ts'
import { scanFile } from '#server/files/scan.ts'
import { MemoryLimitError, PoolBusyError, TimeLimitError } from '#server/processes/failures.ts'
import { lazyPool } from '#server/processes/pool.ts'
import type { StatementMapping } from './bank-line.ts'
import type { StatementJob, StatementReading } from './statement-worker.server.ts'

/** One process, in which clients take turns. It parses foreign files, so it has no environment and can be killed. */
const pool = lazyPool<StatementJob, StatementReading>(() => ({
  program: new URL('./statement-worker.server.ts', import.meta.url),
  workers: 1,
  each: 1,
  queue: 50,
  queueEach: 10,
  timeoutMs: 20_000,
  idleMs: 60_000,
  keeps: 300 * 2 ** 20,
  memory: 2 ** 30,
}))

const MAX_FILE_BYTES = 20 * 1024 * 1024
const MAPPINGS = `SELECT DISTINCT ON (headings_key) headings_key AS key, mapping FROM bank_statement WHERE client_id = $1 AND mapping IS NOT NULL ORDER BY headings_key, id DESC`

export const STATEMENT_INPUT = {
  name: text({ required: 'Please choose a file', max: 255 }),
  text: longText({
    max: 2_000_000,
    help: 'The content of the file. A form (multipart/form-data) has the file itself instead, as `file`.',
  }),
  currency: choice(CURRENCIES, { default: 'GBP', help: 'Currency of lines for which the file states none.' }),
  mapping: typedJson<StatementMapping | null>()({
    help: 'Columns of a CSV file by their headings: `{"columns": {"Booked on": "day", "Sum": "amount"}}`. `moneyIn` and `moneyOut` list the words in the column `direction`, if they are not the usual ones.',
  }),
  check: choice(['new', 'always'], {
    help: 'Returns the columns of a CSV file with 422 instead of importing it: `always`, or if no mapping was chosen for its headings before (`new`).',
  }),
}

interface StatementUpload {
  readonly input: {
    readonly name: string
    readonly text?: string | null
    readonly currency?: Currency | null
    readonly mapping?: unknown
    readonly check?: 'new' | 'always' | null
  }
  readonly file?: ReceivedFile
  /** SHA-256 of the file. */
  readonly checksum: string
}

/** Receives a request, JSON with the file's text or a form with the file, and passes it on. The file is then discarded. */
export async function withUpload<T>(c: RouteContext, use: (upload: StatementUpload) => Promise<T>): Promise<T> {
  if (!c.request.parts) {
    const input = await parseInput(c, c.body)
    return use({ input, checksum: hash('sha256', input.text ?? '', 'base64url') })
  }
  let file: (ReceivedFile & { readonly name: string }) | undefined
  const fields: Record<string, unknown> = {}
  let isTooLarge = false
  try {
    for await (const part of c.request.parts()) {
      if (part.type === 'field') fields[part.fieldname] = part.value
      else if (file) part.file.resume()
      else {
        const name = sanitiseFileName(part.filename, 'statement.csv')
        const received = await receiveToDisk(part.file, MAX_FILE_BYTES).catch((e: unknown) => {
          if (!(e instanceof FileTooLargeError)) throw e
          // The remaining form fields are read before the response is sent.
          isTooLarge = true
        })
        if (received) file = { ...received, name }
      }
    }
    if (isTooLarge)
      throw new Problem(413, 'The file is larger than 20 MB. Download the statement for a shorter period.')
    if (!file) throw problem.invalid([violation('file', 'Please choose a file')])
    await scanFile(c.engine.config, file)
    if (typeof fields.mapping === 'string') fields.mapping = parseJsonField(fields.mapping)
    const input = await parseInput(c, { name: file.name, ...fields })
    return await use({ input, file, checksum: Buffer.from(file.sha256, 'hex').toString('base64url') })
  } finally {
    if (file) await discardReceivedFile(file)
  }
}

function parseJsonField(given: string): unknown {
  try {
    return given ? JSON.parse(given) : null
  } catch {
    throw problem.badRequest('"mapping" must be JSON.')
  }
}

async function parseInput(c: RouteContext, body: RouteContext['body']): Promise<StatementUpload['input']> {
  const { input, wrong } = await parseDeclaredBody({ ...c, body }, STATEMENT_INPUT)
  if (wrong.length) throw problem.invalid(wrong)
  return input
}

/** Returns the mappings that were last chosen, by the key of their headings. */
async function rememberedMappings(c: RouteContext): Promise<ReadonlyMap<string, StatementMapping>> {
  const { clientId } = c.me
  const rows = await c.engine.db.tx({ clientId }, (tx) =>
    tx.rows<{ key: string; mapping: StatementMapping }>(MAPPINGS, [clientId]),
  )
  return new Map(rows.map(({ key, mapping }) => [key, mapping]))
}

/** Returns the problem for a statement that the worker process could not parse. */
function failureProblem(e: unknown): unknown {
  if (e instanceof PoolBusyError)
    return problem.busy('Many bank statements are being read at the moment. Please try again in a few seconds.', 5)
  if (e instanceof TimeLimitError || e instanceof MemoryLimitError)
    return problem.invalid([
      violation('text', 'This file is too complex to read. Download the statement for a shorter period'),
    ])
  return e
}

type ParsedStatement = Exclude<StatementReading, { readonly refused: string }>

/** Parses the statement of a request in the worker process. Throws 422 with the reason if it can't be imported. */
export async function parseUpload(c: RouteContext, { input, file }: StatementUpload): Promise<ParsedStatement> {
  const job: StatementJob = {
    file: file ? { path: file.path } : { text: input.text ?? '' },
    today: londonDate(c.now).toString(),
    mapping: input.mapping ?? null,
    remembered: await rememberedMappings(c),
    check: input.check ?? null,
  }
  const reading = await pool()
    .ask(job, String(c.me.clientId))
    .catch((e: unknown) => {
      throw failureProblem(e)
    })
  if (!('refused' in reading)) return reading
  const { refused, field, columns } = reading
  if (!columns) throw problem.invalid([violation(field, refused)])
  const { headings, sample, values, mapping } = columns
  throw new Problem(422, refused, {
    violations: [violation(field, refused)],
    more: { headings, sample, values, mapping },
  })
}
