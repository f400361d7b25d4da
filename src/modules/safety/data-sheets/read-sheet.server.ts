import { Problem, problem } from '#kernel/errors.ts'
import { formatInteger } from '#kernel/text.ts'
import { uploadedDocument } from '#modules/portal/files/uploaded-document.ts'
import { findReadableFile } from '#modules/portal/files/versions.server.ts'
import { type Route, type RouteContext, RouteResponse } from '#server/engine/route.ts'
import { MissingFileError } from '#server/files/port.ts'
import { discardReceivedFile, receiveToDisk } from '#server/files/receive.ts'
import { rejectedFileProblem } from '#server/files/sniff.ts'
import { fileStoreFor } from '#server/files/store.ts'
import { MemoryLimitError, PoolBusyError, ProcessEndedError, TimeLimitError } from '#server/processes/failures.ts'
import { LateAnswers } from '#server/processes/late-answers.ts'
import { lazyPool } from '#server/processes/pool.ts'
import { substance } from '../substances/substance.ts'
import type { DataSheetJob, DataSheetJobResult } from './worker.server.ts'

/**
 * Two processes, of which each client can use at most one, so that nobody waits for another client's slow file. They
 * parse untrusted files, so they have no environment and can be killed.
 */
const pool = lazyPool<DataSheetJob, DataSheetJobResult>(() => ({
  program: new URL('./worker.server.ts', import.meta.url),
  workers: 2,
  each: 1,
  queue: 50,
  queueEach: 10,
  timeoutMs: 20_000,
  idleMs: 60_000,
  keeps: 300 * 2 ** 20,
  memory: 2 ** 30,
}))

type SheetAnswer = Exclude<DataSheetJobResult, { readonly unreadable: unknown }>

/** Readings in progress. A request waits for at most a second, because waiting requests block others. */
const readings = new LateAnswers<SheetAnswer>({ waitMs: 1000, storeMs: 60_000 })

const OR_ENTER = 'or enter the values yourself.'

/** Signals with which PDFium crashes on a malformed file. */
const CRASHES: readonly (string | null)[] = ['SIGSEGV', 'SIGABRT', 'SIGBUS', 'SIGILL', 'SIGFPE', 'SIGTRAP']

const damaged = (name: string) =>
  rejectedFileProblem(`“${name}” is damaged or incomplete. Please get the PDF from the supplier again, ${OR_ENTER}`)

function failureProblem(e: unknown, name: string): unknown {
  if (e instanceof PoolBusyError)
    return problem.busy('Many data sheets are being read at the moment. Please try again in a few seconds.', 5)
  if (e instanceof TimeLimitError || e instanceof MemoryLimitError)
    return rejectedFileProblem(
      `“${name}” is too large or too complex to read. Please ask the supplier for another copy, ${OR_ENTER}`,
    )
  if (!(e instanceof ProcessEndedError)) return e
  if (CRASHES.includes(e.signal)) return damaged(name)
  const interrupted = new Problem(503, `“${name}” could not be read. Please try again.`, {
    headers: { 'retry-after': '5' },
  })
  interrupted.cause = e
  return interrupted
}

function unreadableProblem(answer: Extract<DataSheetJobResult, { unreadable: string }>, name: string): Problem {
  const reject = (reason: string, step: string) => rejectedFileProblem(`${reason} Please ${step}, ${OR_ENTER}`)
  switch (answer.unreadable) {
    case 'encrypted':
      return reject(`“${name}” is protected by a password.`, 'ask the supplier for a copy without a password')
    case 'broken':
      return damaged(name)
    case 'pictures':
      return reject(
        `“${name}” is a scan: it consists of pictures, without text that can be read.`,
        'ask the supplier for a data sheet with text',
      )
    case 'letters':
      return reject(`The text of “${name}” can’t be read.`, 'ask the supplier for another copy')
    case 'pages':
    case 'characters':
      return reject(
        `“${name}” has ${formatInteger(answer.count)} ${answer.unreadable}. At most ${formatInteger(answer.limit)} can be read.`,
        'upload only the pages with sections 1 to 16',
      )
    case 'language':
      return reject(
        `“${name}” is in ${answer.language ?? 'another language'}. Only data sheets in English can be read.`,
        'ask the supplier for the English data sheet',
      )
    case 'sections':
      return reject(
        `“${name}” does not have the sections of a safety data sheet in English.`,
        'check that it is the right file',
      )
  }
}

/**
 * Reads a stored file in the other process. Resolves to undefined if that takes longer. Throws 422 with a message for a
 * file that is not a readable data sheet.
 */
async function readStoredSheet(c: RouteContext): Promise<SheetAnswer | undefined> {
  const file = await findReadableFile(c, uploadedDocument)
  const name = file.name || 'The file'
  if (file.type !== 'application/pdf')
    throw rejectedFileProblem(`“${name}” is not a PDF. Please upload the data sheet as a PDF, ${OR_ENTER}`)
  return readings.ask(`${c.me.clientId} ${file.fileKey}`, () => readFileAsSheet(c, { ...file, name }))
}

interface SheetFile {
  readonly name: string
  readonly fileKey: string
  readonly size: number
}

async function readFileAsSheet(c: RouteContext, { name, fileKey, size }: SheetFile): Promise<SheetAnswer> {
  const store = await fileStoreFor(c.engine.config)
  const stream = await store.get(fileKey).catch((e: unknown) => {
    if (!(e instanceof MissingFileError)) throw e
    throw problem.notFound('The portal no longer has the content of this file. Please contact your provider.')
  })
  const received = await receiveToDisk(stream, size)
  try {
    const answer = await pool()
      .ask({ path: received.path }, String(c.me.clientId))
      .catch((e: unknown) => {
        throw failureProblem(e, name)
      })
    if ('unreadable' in answer) throw unreadableProblem(answer, name)
    return answer
  } finally {
    await discardReceivedFile(received)
  }
}

const STILL_READING = 'The data sheet is being read. Please send the request again in a second.'

/**
 * Route that proposes values for a substance from the text of its data sheet. The file can be read before the substance
 * exists. Nothing is saved: the user decides on each value. If reading takes longer, the response is 202 and the client
 * repeats the request.
 */
export const readDataSheetRoute: Route = {
  method: 'GET',
  path: `${uploadedDocument.url}/{id}/data_sheet`,
  title: 'Propose values for a substance from its safety data sheet, each with its source line and page',
  allow: substance.allow.create ?? 'nobody',
  pack: 'safety',
  refuses: [422, 429, 503],
  handle: async (c) => {
    const file = `${uploadedDocument.url}/${c.params.id}`
    const head = { '@id': `${file}/data_sheet`, '@type': 'DataSheetValues', file }
    const answer = await readStoredSheet(c)
    if (!answer) return new RouteResponse(202, { ...head, message: STILL_READING }, { 'retry-after': '1' })
    const { proposals, pages, pictures } = answer
    return { ...head, pages, pictures, values: proposals }
  },
}
