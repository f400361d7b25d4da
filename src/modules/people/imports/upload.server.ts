import { z } from 'zod'
import { Problem, problem, violation } from '#kernel/errors.ts'
import { authorOf, hasRole } from '#kernel/roles.ts'
import { parseImportCell } from '#kernel/text/import-cells.ts'
import { serialiseWrittenRecord } from '#server/engine/field-access.ts'
import { type Route, type RouteContext, RouteResponse } from '#server/engine/route.ts'
import { sanitiseFileName } from '#server/files/plain-name.ts'
import { discardReceivedFile, FileTooLargeError, type ReceivedFile, receiveToDisk } from '#server/files/receive.ts'
import { scanFile } from '#server/files/scan.ts'
import { importFileProblem } from '#server/files/text.ts'
import { MemoryLimitError, PoolBusyError, TimeLimitError } from '#server/processes/failures.ts'
import { lazyPool } from '#server/processes/pool.ts'
import { HR_PRIVATE_ROLE, HR_ROLES } from '../rights.ts'
import { guessColumnMapping } from './columns.ts'
import { employeeImport } from './import.ts'
import type { FileRow, ImportFileJob, ImportFileReading } from './read-worker.server.ts'

/** One process, in which clients take turns. It parses foreign files, so it has no environment and can be killed. */
const pool = lazyPool<ImportFileJob, ImportFileReading>(() => ({
  program: new URL('./read-worker.server.ts', import.meta.url),
  workers: 1,
  each: 1,
  queue: 20,
  queueEach: 5,
  timeoutMs: 20_000,
  idleMs: 60_000,
  keeps: 300 * 2 ** 20,
  memory: 2 ** 30,
}))

const MAX_FILE_BYTES = 20 * 1024 * 1024
const SAMPLE_ROWS = 5
const MAX_SAMPLE_CHARACTERS = 100

/** Receives the file of a request. */
async function receiveFile(c: RouteContext): Promise<ReceivedFile & { readonly name: string }> {
  if (!c.request.parts) throw problem.mediaType('multipart/form-data')
  let file: (ReceivedFile & { readonly name: string }) | undefined
  let isTooLarge = false
  for await (const part of c.request.parts()) {
    if (part.type === 'field') continue
    if (file) {
      part.file.resume()
      continue
    }
    const name = sanitiseFileName(part.filename, 'employees.csv')
    const received = await receiveToDisk(part.file, MAX_FILE_BYTES).catch((e: unknown) => {
      if (!(e instanceof FileTooLargeError)) throw e
      // The rest of the form is read before the answer.
      isTooLarge = true
    })
    if (received) file = { ...received, name }
  }
  if (isTooLarge) throw new Problem(413, 'The file is larger than 20 MB. Please split it into smaller files.')
  if (!file) throw importFileProblem('Please choose a file.')
  return file
}

/** Reads a file in the other process. Throws 422 with the reason if it can't be imported. */
async function readFile(c: RouteContext, path: string): Promise<Exclude<ImportFileReading, { refused: string }>> {
  const reading = await pool()
    .ask({ path }, String(c.me.clientId))
    .catch((e: unknown) => {
      if (e instanceof PoolBusyError)
        throw problem.busy('Many files are being read at the moment. Please try again in a few seconds.', 5)
      if (e instanceof TimeLimitError || e instanceof MemoryLimitError)
        throw importFileProblem('This file is too complex to read. Save it as CSV, and choose the CSV file.')
      throw e
    })
  if ('refused' in reading) throw problem.invalid([violation('file', reading.refused)])
  return reading
}

const sampleOf = (rows: readonly FileRow[], columns: readonly string[]) =>
  rows
    .slice(0, SAMPLE_ROWS)
    .map(([, cells]) => columns.map((_, at) => parseImportCell(cells[at] ?? '').slice(0, MAX_SAMPLE_CHARACTERS)))

const stored = z.object({ id: z.int() })

/** Stores the content of a file; nothing is imported yet. */
export const uploadRoute: Route = {
  method: 'POST',
  path: employeeImport.url,
  title: 'Upload a CSV file or Excel workbook of employees; they are added only once the import is started',
  allow: HR_ROLES,
  upload: true,
  refuses: [429, 503],
  isReplayOf: async (c, answer) => {
    const file = await receiveFile(c)
    await discardReceivedFile(file)
    const { id } = stored.parse(JSON.parse(answer))
    const first = await c.engine.readIn(c.me.clientId, 'read a repeated upload', (reader) =>
      reader.get(employeeImport, id),
    )
    return first?.checksum === file.sha256
  },
  handle: async (c) => {
    const file = await receiveFile(c)
    try {
      await scanFile(c.engine.config, file)
      const { columns, rows } = await readFile(c, file.path)
      const values = {
        fileName: file.name,
        columns,
        sample: sampleOf(rows, columns),
        mapping: guessColumnMapping(columns, hasRole(c.me, HR_PRIVATE_ROLE)),
        rowsTotal: rows.length,
        user: c.me.userId,
        checksum: file.sha256,
        author: authorOf(c.me).username,
      }
      return await c.engine.inTenant(c.me.clientId, c.change(), async ({ work }) => {
        const written = work.create(employeeImport, values)
        const { id } = await written.saved()
        await work.tx.rows('INSERT INTO employee_import_file (client_id, import_id, rows) VALUES ($1, $2, $3)', [
          c.me.clientId,
          id,
          JSON.stringify(rows),
        ])
        return () => {
          const body = serialiseWrittenRecord(employeeImport, c.me, written)
          return new RouteResponse(201, body, { location: String(body['@id']) })
        }
      })
    } finally {
      await discardReceivedFile(file)
    }
  },
}
