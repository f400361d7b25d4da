import { createHash, randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { finished } from 'node:stream/promises'
import { z } from 'zod'
import { Problem, problem } from '#kernel/errors.ts'
import { authorOf } from '#kernel/roles.ts'
import { escapeCsvFormula } from '#kernel/text.ts'
import type { Config } from '#server/config.ts'
import { serialiseWrittenRecord } from '#server/engine/field-access.ts'
import { type Route, type RouteContext, RouteResponse } from '#server/engine/route.ts'
import { EXPORT_CONTENT_TYPES } from '#server/exports/export.ts'
import { sanitiseFileName } from '#server/files/plain-name.ts'
import { fileAgeMs } from '#server/files/receive.ts'
import { scanFile } from '#server/files/scan.ts'
import { EncodingDetector, importFileProblem, type TextEncoding } from '#server/files/text.ts'
import { removePartialFile } from '#server/files/unnamed-file.ts'
import { importBatch } from '../contacts/import-batch.ts'
import {
  type ColumnMapping,
  columnHeadingsKey,
  guessColumnMapping,
  isReportHeading,
  REPORT_HEADINGS,
  transferColumnMapping,
} from './columns.ts'
import { type InspectedImportFile, inspectImportFile, MAX_IMPORT_BYTES } from './inspect.server.ts'
import { IMPORT_ROW_RESULTS } from './line.ts'

type Where = Pick<Config, 'dataDir'>

/**
 * Folder for uploads within the portal's own data folder. In a shared temporary folder, other users of the machine
 * could place files in advance.
 */
const folder = (c: Where) => join(c.dataDir, 'uploads')

export const importUploadPath = (c: Where, key: string): string => join(folder(c), key)

/** Suffix of files whose upload is incomplete. */
const PART = '.part'

interface ImportUpload {
  readonly key: string
  readonly path: string
  readonly bytes: number
  readonly encoding: TextEncoding
  readonly sha256: string
}

/**
 * Streams an upload to disk. An oversized upload is read to its end and discarded, so that the client receives the
 * error.
 */
async function saveImportUpload(c: Where, from: AsyncIterable<Buffer>): Promise<ImportUpload> {
  await mkdir(folder(c), { recursive: true, mode: 0o700 })
  await removeOldImportUploads(c)
  const key = `${randomUUID()}.csv`
  const path = importUploadPath(c, key)
  const part = `${path}${PART}`
  const to = createWriteStream(part, { mode: 0o600 })
  const written = finished(to)
  written.catch(() => {})
  const probe = new EncodingDetector()
  const sum = createHash('sha256')
  let bytes = 0
  try {
    for await (const chunk of from) {
      bytes += chunk.length
      if (bytes > MAX_IMPORT_BYTES) continue
      probe.take(chunk)
      sum.update(chunk)
      if (!to.write(chunk)) await Promise.race([new Promise((done) => to.once('drain', done)), written])
    }
    to.end()
    await written
    if (bytes > MAX_IMPORT_BYTES)
      throw new Problem(413, 'The file is larger than 200 MB. Please split it into smaller files.')
    const encoding = probe.end()
    await rename(part, path)
    return { key, path, bytes, encoding, sha256: sum.digest('hex') }
  } catch (e) {
    await removePartialFile(to)
    throw e
  }
}

export const removeImportUpload = async (c: Where, key: string | null | undefined): Promise<void> => {
  if (key) await rm(importUploadPath(c, key), { force: true })
}

const HOUR = 60 * 60 * 1000
/** Milliseconds after which an unused file is deleted. */
const UNUSED_FILE_MS = 7 * 24 * HOUR
/** Milliseconds after which an incomplete upload is assumed to have been abandoned by a killed process. */
const COMING = HOUR

/** Removes unused files and abandoned incomplete uploads. */
export async function removeOldImportUploads(c: Where): Promise<void> {
  const names = await readdir(folder(c)).catch(() => [])
  for (const name of names) {
    const path = join(folder(c), name)
    if ((await fileAgeMs(path)) > (name.endsWith(PART) ? COMING : UNUSED_FILE_MS)) await rm(path, { force: true })
  }
}

const ALLOW = 'ROLE_LEADS_ADMIN'

/** Saves the uploaded file to disk and returns it with its name. */
async function receive(c: RouteContext): Promise<ImportUpload & { name: string }> {
  if (!c.request.parts) throw problem.mediaType('multipart/form-data')
  let got: (ImportUpload & { name: string }) | undefined
  try {
    for await (const part of c.request.parts())
      if (part.type === 'file') {
        got = {
          name: sanitiseFileName(part.filename, 'leads.csv'),
          ...(await saveImportUpload(c.engine.config, part.file)),
        }
        await scanFile(c.engine.config, got)
      }
  } catch (e) {
    await removeImportUpload(c.engine.config, got?.key)
    throw e
  }
  if (!got) throw importFileProblem('Please choose a file.')
  return got
}

/** Returns the column mapping last used for the same headings or, if there is none, a guess. */
export async function proposeColumnMapping(
  c: Pick<RouteContext, 'engine'>,
  clientId: number,
  found: InspectedImportFile,
): Promise<ColumnMapping> {
  const alike = await c.engine.readIn(clientId, 'find the mapping of a similar file', (reader) =>
    reader.find(importBatch, { signature: columnHeadingsKey(found.columns) }),
  )
  const last = alike.findLast(({ state }) => state !== 'waiting')
  const known = last
    ? transferColumnMapping(last.mapping as ColumnMapping, last.columns as string[], found.columns)
    : undefined
  return known && Object.keys(known).length ? known : guessColumnMapping(found.columns, found.sample)
}

/** Returns the values of a new import, taken from the inspected file. */
export const newImportValues = (
  name: string,
  bytes: number,
  found: InspectedImportFile,
  mapping: ColumnMapping,
  by: string,
) => ({
  fileName: name,
  state: 'waiting',
  columns: found.columns,
  sample: found.sample,
  signature: columnHeadingsKey(found.columns),
  mapping,
  format: found.format,
  rowsTotal: found.rows,
  bytesTotal: bytes,
  author: by,
})

const answered = z.object({ id: z.int() })

/** Returns whether a repeated upload contains the same file as the first one. */
async function sameAs(c: RouteContext, answer: string): Promise<boolean> {
  const { key, sha256 } = await receive(c)
  await removeImportUpload(c.engine.config, key)
  const { id } = answered.parse(JSON.parse(answer))
  return c.engine.inTenant(c.me.clientId, { actor: c.me, requestId: c.request.id }, async (unit) => {
    const batch = await unit.get(importBatch, id)
    return () => batch?.checksum === sha256
  })
}

const upload: Route = {
  method: 'POST',
  path: importBatch.url,
  title: 'Upload a CSV file of leads; leads are added only once the import is started',
  allow: ALLOW,
  upload: true,
  isReplayOf: sameAs,
  handle: async (c) => {
    const file = await receive(c)
    try {
      const found = await inspectImportFile(file.path, file.encoding)
      const mapping = await proposeColumnMapping(c, c.me.clientId, found)
      const values = newImportValues(file.name, file.bytes, found, mapping, authorOf(c.me).username)
      return await c.engine.inTenant(c.me.clientId, c.change(), async ({ work }) => {
        const written = work.create(importBatch, { ...values, fileKey: file.key, checksum: file.sha256 })
        return () => {
          const body = serialiseWrittenRecord(importBatch, c.me, written)
          return new RouteResponse(201, body, { location: String(body['@id']) })
        }
      })
    } catch (e) {
      await removeImportUpload(c.engine.config, file.key)
      throw e
    }
  },
}

interface ImportLineRow {
  id: number
  line: number
  outcome: string
  reason: string
  contact_id: number | null
  cells: readonly string[] | null
}

const wordsFor = (outcome: string) => IMPORT_ROW_RESULTS.find((o) => o.value === outcome)?.label ?? outcome
const cell = (v: string | number | null) => {
  const s = escapeCsvFormula(String(v ?? ''))
  return /[",\r\n]/.test(s) ? `"${s.replaceAll('"', '""')}"` : s
}
const PAGE = 5000

/**
 * Returns a row of the report: the file's columns, then the report's own. Values without a heading are put into the
 * file's last column, so that none are lost and the row can be corrected.
 */
function reportCells(columns: readonly string[], l: ImportLineRow): (string | number | null)[] {
  const cells = columns.map((_, at) => l.cells?.[at] ?? '')
  const beyond = (l.cells ?? []).slice(columns.length).filter((value) => value.trim() !== '')
  const last = columns.length - 1
  if (beyond.length && last >= 0) cells[last] = [cells[last], ...beyond].join(' ').trim()
  return [...cells, l.line || '', wordsFor(l.outcome), l.reason, l.contact_id]
}

const reportFile: Route = {
  method: 'GET',
  path: `${importBatch.url}/{id}/report.csv`,
  title:
    'Download the rows to review, with the columns of the file and reasons, as a CSV file that can be imported again',
  allow: ALLOW,
  file: [EXPORT_CONTENT_TYPES.csv],
  handle: async (c) => {
    const batch = await c.engine.one(importBatch, c.actor, await c.engine.idOf(importBatch, c.actor, c.params.id))
    const all = batch.columns as readonly string[]
    const kept = all.flatMap((column, at) => (isReportHeading(column) ? [] : [at]))
    const parts = [`\ufeff${[...kept.map((at) => all[at] ?? ''), ...REPORT_HEADINGS].map(cell).join(',')}\r\n`]
    for (let after: readonly [number, number] = [-1, 0]; ; ) {
      const lines = await c.engine.db.tx({ clientId: c.me.clientId }, (tx) =>
        tx.rows<ImportLineRow>(
          `SELECT id, line, outcome, reason, contact_id, cells FROM import_line
           WHERE client_id = $1 AND batch_id = $2 AND (line, id) > ($3, $4) ORDER BY line, id LIMIT ${PAGE}`,
          [c.me.clientId, batch.id, ...after],
        ),
      )
      for (const l of lines) {
        const cells = reportCells(all, l)
        parts.push(`${[...kept.map((at) => cells[at] ?? ''), ...cells.slice(all.length)].map(cell).join(',')}\r\n`)
      }
      const last = lines.at(-1)
      if (!last || lines.length < PAGE) break
      after = [last.line, last.id]
    }
    const name = `${String(batch.fileName)
      .replace(/\.\w+$/, '')
      .replace(/[^\w .-]/g, '_')} report.csv`
    return new RouteResponse(200, parts.join(''), {
      'content-type': EXPORT_CONTENT_TYPES.csv,
      'content-disposition': `attachment; filename="${name}"`,
    })
  },
}

export const importRoutes: Route[] = [upload, reportFile]
