import { isAbsolute } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Problem, problem } from '#kernel/errors.ts'
import { currentRequester } from '#server/concurrency-limiter.ts'
import { readConfig } from '#server/config.ts'
import { currentTimeLimits } from '#server/db/time-limits.ts'
import { PoolBusyError, TimeLimitError } from '#server/processes/failures.ts'
import { lazyPool, type WorkerPoolOptions } from '#server/processes/pool.ts'
import type { PdfRenderJob } from './worker.ts'

export interface PdfRenderOptions {
  /** A `.typ` file in the project: an absolute path or a `file:` URL. */
  readonly template: string | URL
  /**
   * Plain JSON values. Templates read them from `/data.json`, never as code. Rich text is `{ html }` (the sanitised
   * subset of HTML). A picture is `{ base64, alt }` (PNG, JPEG, GIF or WebP).
   */
  readonly data: Readonly<Record<string, unknown>>
  /** Title in the PDF reader's window. */
  readonly title: string
  /** Client for which the PDF is rendered. Queuing is fair: no client has to wait for all jobs of another client. */
  readonly client?: number
  /** BCP 47 language tag; `en-GB` by default. */
  readonly lang?: string
  /** Renders all pages, one below the other, as a picture (SVG) instead of a PDF. */
  readonly as?: 'picture'
}

/** Maximum length of the JSON data in characters. 48 million are enough for dozens of photographs. */
const LARGEST = 48_000_000

/**
 * Processes that render PDFs by default. A process is only started for a task that finds all others busy, and needs
 * 140 MB, or 250 MB with the fonts for further scripts.
 */
const DEFAULT_WORKERS = 3
/** Time limit for the PDF of a person who waits for it, and for one that a background job creates. */
const REQUEST_TIMEOUT_MS = 10_000
const JOB_TIMEOUT_MS = 30_000

/**
 * Returns the options of the pool. A client leaves one process to all other clients, and a person leaves another one to
 * their colleagues. A single process must serve all.
 */
export const pdfPoolOptions = (workers: number): WorkerPoolOptions => ({
  program: new URL('./worker.ts', import.meta.url),
  workers,
  each: Math.max(1, workers - 1),
  person: { each: Math.max(1, workers - 2), queue: 10 },
  queue: 100,
  queueEach: 20,
  timeoutMs: REQUEST_TIMEOUT_MS,
  idleMs: 60_000,
  keeps: 512 * 2 ** 20,
  memory: 2 ** 31,
})

const pool = lazyPool<PdfRenderJob, Uint8Array>(() =>
  pdfPoolOptions(readConfig(process.env).pdfWorkers || DEFAULT_WORKERS),
)

/** Returns the requester of a PDF and, for a background job, the job's longer time limit. */
const requesterOptions = () =>
  currentTimeLimits() ? { person: 'job', timeoutMs: JOB_TIMEOUT_MS } : { person: currentRequester() ?? '' }

/**
 * Renders a tagged PDF/UA-1 file or, with `as`, a picture in another process. Rejects with an `Error` for the log that
 * names the template and the reason: a missing title or alternative text, a value that the template needs, or an
 * unreadable picture. Rejects with 409 for too much data, 429 if the queue is full, and 503 after a timeout.
 */
export async function renderPdf({
  template,
  data,
  title,
  client,
  lang = 'en-GB',
  as,
}: PdfRenderOptions): Promise<Buffer> {
  const path = template instanceof URL || template.startsWith('file:') ? fileURLToPath(template) : template
  const fail = (reason: string) => new Error(`Could not create a PDF with ${path.split(/[\\/]/).at(-1)}: ${reason}`)
  if (!isAbsolute(path)) throw fail('the template must be an absolute path.')
  if (!title.trim()) throw fail('the document has no title.')
  const json = JSON.stringify({ ...data, title: title.trim(), lang })
  if (json.length > LARGEST)
    throw problem.conflict(
      `With its pictures, this PDF would be ${Math.round(json.length / 1e6)} MB, which is too large. Please remove some pictures, or select fewer documents.`,
    )
  try {
    const job = { template: path, data: json, ...(as ? { as } : {}) }
    const pdf = await pool().ask(job, String(client ?? ''), requesterOptions())
    return Buffer.from(pdf.buffer, pdf.byteOffset, pdf.byteLength)
  } catch (e) {
    if (e instanceof PoolBusyError)
      throw problem.busy('Many PDFs are being created at the moment. Please try again in a few seconds.', 5)
    const { message } = e as Error
    if (e instanceof TimeLimitError) throw late(fail(message))
    throw fail(message)
  }
}

/**
 * Returns a Problem that suggests trying again, because the machine may be busy. If the document is too large, the next
 * attempt fails again.
 */
function late(cause: Error): Problem {
  const p = new Problem(
    503,
    'Creating this PDF took too long, so it was stopped. Please try again in a minute. If the same happens again, shorten its longest texts.',
    { headers: { 'retry-after': '60' } },
  )
  p.cause = cause
  return p
}
