import { availableParallelism } from 'node:os'
import { isAbsolute } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Problem, problem } from '#kernel/errors.ts'
import { readConfig } from '#server/config.ts'
import { PoolBusyError, TimeLimitError } from '#server/processes/failures.ts'
import { lazyPool } from '#server/processes/pool.ts'
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

const pool = lazyPool<PdfRenderJob, Uint8Array>(() => {
  const workers = readConfig(process.env).pdfWorkers || Math.min(2, Math.max(1, availableParallelism() - 1))
  return {
    program: new URL('./worker.ts', import.meta.url),
    workers,
    each: workers,
    queue: 100,
    queueEach: 20,
    timeoutMs: 30_000,
    idleMs: 60_000,
    keeps: 512 * 2 ** 20,
    memory: 2 ** 31,
  }
})

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
    const pdf = await pool().ask({ template: path, data: json, ...(as ? { as } : {}) }, String(client ?? ''))
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
  const p = new Problem(503, 'Creating this PDF takes too long at the moment. Please try again in a minute.', {
    headers: { 'retry-after': '60' },
  })
  p.cause = cause
  return p
}
