import { z } from 'zod'
import { problem } from '#kernel/errors.ts'
import type { BatchJob, BatchStep, Refusal, StepResult } from '#server/engine/batch-job.ts'
import { asOwner } from '#server/engine/tenant.ts'
import type { Context, Engine } from '#server/engine/types.ts'
import { type Cells, type Place, rowsOf } from '#server/files/csv.ts'
import { defineBatchJob } from '#server/jobs/define-batch-job.ts'
import { registerFile } from './import-file.server.ts'
import { type CompanyRow, companyReader } from './import-row.ts'
import { stage } from './import-store.server.ts'
import { dropIndexes, finish, isEmpty, upsert } from './import-write.server.ts'

const INPUT = z.object({
  /** What the file is known by, wherever it lies. */
  fingerprint: z.string(),
  path: z.string(),
  /** Rows that one transaction takes. */
  portion: z.int().positive(),
})
type ImportInput = z.output<typeof INPUT>

/** Where the next row begins. */
export const PLACE = z.object({ byte: z.int(), line: z.int() })

/** Brings the register up to date from a file. A step's companies and how far it got are one transaction. */
export const companyImport = defineBatchJob({
  kind: 'companies.import',
  title: 'The register of companies',
  queue: 'imports',
  input: INPUT,
  cursor: PLACE,
  // An empty register is filled without its look-up indexes.
  begin: (c) =>
    asOwner(c, async (tx) => {
      if (await isEmpty(tx)) await dropIndexes(tx)
      return undefined
    }),
  steps: readFile,
  onFinished: async (c, { state }) => {
    if (state === 'done') await asOwner(c, finish)
  },
})

async function* readFile(
  _: Engine,
  { input }: BatchJob<ImportInput>,
  from: Place | null,
): AsyncGenerator<BatchStep<Place>> {
  const file = await registerFile(input.path).catch((e: Error) => {
    throw problem.conflict(e.message)
  })
  if (file.fingerprint !== input.fingerprint) throw problem.conflict('The file has changed since its import began.')
  const read = companyReader(file.header)
  let passed = from !== null // the headings
  let rows: Cells[] = []
  for await (const row of rowsOf(file.path, file.format, from ?? undefined)) {
    if (!passed) {
      passed = true
      continue
    }
    rows.push(row)
    if (rows.length < input.portion) continue
    yield stepOf(rows, read)
    rows = []
  }
  if (rows.length) yield stepOf(rows, read)
}

function stepOf(rows: readonly Cells[], read: (cells: readonly string[]) => CompanyRow | string): BatchStep<Place> {
  const good: CompanyRow[] = []
  const refused: Refusal[] = []
  for (const { cells, line } of rows) {
    const found = read(cells)
    if (typeof found === 'string') refused.push({ line, reason: found })
    else good.push(found)
  }
  const { next } = rows.at(-1) as Cells
  return { cursor: next, execute: (c) => take(c, good, refused) }
}

async function take(c: Context, good: readonly CompanyRow[], refused: readonly Refusal[]): Promise<StepResult> {
  const { added, changed } = await asOwner(c, async (tx) => {
    await stage(tx, good)
    return upsert(tx)
  })
  return { done: good.length, refused, tally: { added, changed, unchanged: good.length - added - changed } }
}
