import { availableParallelism } from 'node:os'
import { isAbsolute } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Problem, problem } from '#kernel/errors.ts'
import { readConfig } from '#server/config.ts'
import { Busy, Late } from '#server/processes/failures.ts'
import { ownPool } from '#server/processes/own-pools.ts'
import type { PdfOrder } from './worker.ts'

export interface PdfJob {
  /** A `.typ` file of the project: absolute path or `file:` URL. */
  readonly template: string | URL
  /**
   * Plain values, as JSON would carry them; templates read them from `/data.json` and never as code. Rich text is
   * `{ html }` (the sanitised set), a picture `{ base64, alt }` (PNG, JPEG, GIF or WebP).
   */
  readonly data: Readonly<Record<string, unknown>>
  /** What the file calls itself in a reader's window. */
  readonly title: string
  /** Whose it is: nobody waits behind all that another client has asked for. */
  readonly client?: number
  /** BCP 47, such as `en-GB`, which is the default. */
  readonly lang?: string
  /** Its pages one below the other as a picture (SVG), and no PDF. */
  readonly as?: 'picture'
}

/** 48 million characters: dozens of photographs. */
const LARGEST = 48_000_000

const pool = ownPool<PdfOrder, Uint8Array>(() => {
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
 * A tagged PDF/UA-1 file, made outside this process. Rejects with an `Error` for the log, naming template and reason: a
 * missing title or alternative text, a value that the template lacks, a picture that can't be read. 409 for more than a file may hold,
 * 429 when too much waits already, 503 when it takes too long.
 */
export async function renderPdf({ template, data, title, client, lang = 'en-GB', as }: PdfJob): Promise<Buffer> {
  const path = template instanceof URL || template.startsWith('file:') ? fileURLToPath(template) : template
  const fail = (reason: string) => new Error(`No PDF from ${path.split(/[\\/]/).at(-1)}: ${reason}`)
  if (!isAbsolute(path)) throw fail('the template must be an absolute path.')
  if (!title.trim()) throw fail('the document has no title.')
  const json = JSON.stringify({ ...data, title: title.trim(), lang })
  if (json.length > LARGEST)
    throw problem.conflict(
      `With its pictures this would hold ${Math.round(json.length / 1e6)} MB, more than one PDF may. Please take some out, or put fewer documents together.`,
    )
  try {
    const pdf = await pool().ask({ template: path, data: json, ...(as ? { as } : {}) }, String(client ?? ''))
    return Buffer.from(pdf.buffer, pdf.byteOffset, pdf.byteLength)
  } catch (e) {
    if (e instanceof Busy)
      throw problem.busy('Many PDFs are being made at the moment. Please try again in a few seconds.', 5)
    const { message } = e as Error
    if (e instanceof Late) throw late(fail(message))
    throw fail(message)
  }
}

/** To be tried again: a machine with much to do is slower, and a document that is too much is refused then too. */
function late(cause: Error): Problem {
  const p = new Problem(503, 'This PDF takes too long to make at the moment. Please try again in a minute.', {
    headers: { 'retry-after': '60' },
  })
  p.cause = cause
  return p
}
