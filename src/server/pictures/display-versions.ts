import { Problem, problem } from '#kernel/errors.ts'
import { formatInteger } from '#kernel/text.ts'
import { rejectedFileProblem } from '#server/files/sniff.ts'
import { MemoryLimitError, PoolBusyError, ProcessEndedError, TimeLimitError } from '#server/processes/failures.ts'
import type { TimeBudget, WorkerPool, WorkerPoolOptions } from '#server/processes/pool.ts'
import { lazyPool } from '#server/processes/pool.ts'
import { MAX_DECODED_BYTES } from './decoded-bytes.ts'
import { MAX_JPEG_SCANS } from './jpeg-scans.ts'
import type { LogoBackground } from './logo-contrast.ts'
import type {
  LogoJob,
  OversizedPicture,
  PictureJob,
  PictureJobResult,
  PictureVersions,
  RenderedLogo,
} from './worker.ts'

/**
 * Two processes, with at most one job for each client. One client's pictures therefore never block all other clients.
 */
export const PICTURE_POOL_OPTIONS: WorkerPoolOptions = {
  program: new URL('./worker.ts', import.meta.url),
  workers: 2,
  each: 1,
  queue: 200,
  queueEach: 50,
  timeoutMs: 30_000,
  idleMs: 60_000,
  keeps: 256 * 2 ** 20,
  memory: 2 ** 30,
}

type Pictures = Pick<WorkerPool<PictureJob, PictureJobResult>, 'ask'>
/** Pool of processes that decode pictures. */
const picturePool = lazyPool<PictureJob | LogoJob, PictureJobResult>(() => PICTURE_POOL_OPTIONS)

/** An uploaded picture: its file path, its name and its client. */
export interface UploadedPicture {
  readonly path: string
  readonly name: string
  readonly clientId: number
  /** Time left for all pictures of the received e-mail that the picture is from. */
  readonly emailBudget?: TimeBudget | undefined
}

/** Owner of the pictures in received e-mails. All clients together use one process for them, so uploads never wait. */
const RECEIVED_MAIL = 'received e-mails'

/**
 * Creates the display versions of a picture in another process. Throws a Problem: 422 if the picture is damaged or
 * needs too much time or memory; 429 if the queue is full; 503 if something else ended the process.
 */
export async function createDisplayVersions(
  { path, name, clientId, emailBudget }: UploadedPicture,
  pool: Pictures = picturePool(),
): Promise<PictureVersions> {
  if (emailBudget && emailBudget.leftMs <= 0)
    throw tooMuch(`"${name}" was not opened, because the pictures of its e-mail take too long to open.`)
  const answer = await (emailBudget
    ? pool.ask({ path }, RECEIVED_MAIL, { person: String(clientId), budget: emailBudget })
    : pool.ask({ path }, String(clientId))
  ).catch((e: unknown) => {
    throw refusalOf(e, name)
  })
  if ('tooLarge' in answer) throw tooMuch(`"${name}" is ${wordsFor(answer.tooLarge)}.`)
  if ('tooManyScans' in answer)
    throw rejectedFileProblem(
      `"${name}" is a JPEG in ${formatInteger(answer.tooManyScans)} scans, and the maximum is ${MAX_JPEG_SCANS}. Please save the picture as a standard JPEG, which is not progressive, and upload it again.`,
      'too_much_to_open',
    )
  if ('damaged' in answer) throw damaged(name)
  if ('logo' in answer) throw damaged(name)
  return answer.shown
}

/** Signals that indicate that a decoder crashed on a malformed picture. */
const ASTRAY: readonly (string | null)[] = ['SIGSEGV', 'SIGABRT', 'SIGBUS', 'SIGILL', 'SIGFPE', 'SIGTRAP']

function refusalOf(e: unknown, name: string): unknown {
  if (e instanceof PoolBusyError)
    return problem.busy(
      'Many pictures are being processed at the moment. Please upload this one again in a few seconds.',
      5,
    )
  if (e instanceof TimeLimitError) return tooMuch(`"${name}" takes too long to open.`)
  if (e instanceof MemoryLimitError) return tooMuch(`"${name}" takes too much memory to open.`)
  if (!(e instanceof ProcessEndedError) || e.signal === null) return e
  return ASTRAY.includes(e.signal) ? damaged(name) : interrupted(name, e)
}

const tooMuch = (sentence: string) =>
  rejectedFileProblem(`${sentence} Please save the picture in a smaller size and upload it again.`, 'too_much_to_open')

const damaged = (name: string) =>
  rejectedFileProblem(
    `"${name}" can’t be opened: the picture is damaged or incomplete. Please take or export it again.`,
  )

function interrupted(name: string, cause: ProcessEndedError): Problem {
  const p = new Problem(503, `"${name}" could not be processed. Please upload it again.`, {
    headers: { 'retry-after': '5' },
  })
  p.cause = cause
  return p
}

const megabytes = (bytes: number) => `${Math.ceil(bytes / 1e6).toLocaleString('en-GB')} MB`

/**
 * Describes an oversized picture: `10,000 × 10,000 pixels: decoded, it would need 600 MB, and the maximum is 200 MB`.
 */
function wordsFor({ width, height, frames, bytes }: OversizedPicture): string {
  const size = [width, height].map((n) => n.toLocaleString('en-GB')).join(' × ')
  const many = frames > 1 ? `${frames.toLocaleString('en-GB')} frames of ${size} pixels` : `${size} pixels`
  return `${many}: decoded, it would need ${megabytes(bytes)}, and the maximum is ${megabytes(MAX_DECODED_BYTES)}`
}

/**
 * Renders a logo on the background on which it is printed, and measures how much of it is visible. Runs in another
 * process, like all decoding.
 */
export async function renderLogoOnBackground(
  logo: Uint8Array,
  ground: LogoBackground,
  clientId?: number,
): Promise<RenderedLogo> {
  const answer = await picturePool().ask({ logo, ground }, String(clientId ?? ''))
  if ('logo' in answer) return answer.logo
  throw new Error('A logo that could be opened before can no longer be opened')
}
