import { stat } from 'node:fs/promises'
import { basename, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import type { Db, Tx } from '#server/db/db.ts'
import { parseClientOption } from '#server/engine/module.ts'
import type { BatchJob } from '#server/engine/schedule.ts'
import type { Engine } from '#server/engine/types.ts'
import { detectEncoding } from '#server/files/text.ts'
import { startBatchJob } from '#server/jobs/batch-job-control.ts'
import { importBatch } from '../contacts/import-batch.ts'
import { checkColumnMapping } from './columns.ts'
import { importJob } from './decide.server.ts'
import { inspectImportFile, MAX_IMPORT_BYTES } from './inspect.server.ts'
import { newImportValues, proposeColumnMapping } from './routes.server.ts'
import { type ImportSettings, type LeadImport, readImport } from './write.server.ts'

const USAGE =
  'Usage: import leads FILE.csv [--client 0] [--owner USERNAME] [--dry-run] [--duplicates add] [--map "Company=companyName,…"]'
const COMMAND = 'command line'
const SHOWN_REFUSALS = 10

function options(args: string[]) {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      client: { type: 'string', default: '0' },
      owner: { type: 'string', multiple: true, default: [] },
      'dry-run': { type: 'boolean', default: false },
      duplicates: { type: 'string', default: 'skip' },
      map: { type: 'string' },
    },
  })
  const [file] = positionals
  if (!file || positionals.length > 1) throw new Error(USAGE)
  const { duplicates } = values
  if (duplicates !== 'add' && duplicates !== 'skip') throw new Error('Use --duplicates add or --duplicates skip.')
  const chosen: ImportSettings['duplicates'] = duplicates
  return { ...values, duplicates: chosen, path: resolve(file), clientId: parseClientOption(values.client) }
}

/** Parses a column mapping such as `Company=companyName,Tel=phone`. */
const pairs = (map: string) =>
  Object.fromEntries(
    map.split(',').map((pair) => {
      const at = pair.lastIndexOf('=')
      if (at < 1) throw new Error(`"${pair}" must have the form HEADING=field, such as Company=companyName.`)
      return [pair.slice(0, at).trim(), pair.slice(at + 1).trim()]
    }),
  )

const n = (value: number | undefined) => (value ?? 0).toLocaleString('en-GB')

/**
 * Shows progress by overwriting one line on a terminal. If the output goes to a file, prints a line every 10,000 rows.
 */
function showProgress({ done, refused, tally, total }: BatchJob): void {
  const read = done + refused + (tally.duplicate ?? 0)
  if (process.stderr.isTTY) process.stderr.write(`\r${n(read)} of ${n(total ?? 0)} rows`)
  else if (read % 10_000 === 0) process.stderr.write(`${n(read)} of ${n(total ?? 0)} rows\n`)
}

async function ownerIds(tx: Tx, clientId: number, usernames: readonly string[]): Promise<number[]> {
  const ids: number[] = []
  for (const username of usernames) {
    const [found] = await tx.rows<{ id: number }>(
      'SELECT id FROM staff WHERE client_id = $1 AND lower(username) = lower($2) AND NOT retired',
      [clientId, username],
    )
    if (!found) throw new Error(`There is no member of staff "${username}".`)
    ids.push(found.id)
  }
  return ids
}

/**
 * Imports a file of leads from the command line and returns a summary. If the import fails, throws an error with a
 * one-sentence message.
 */
export async function runLeadImportCommand(engine: Engine, args: string[]): Promise<string> {
  const { db } = engine
  const o = options(args)
  const size = (await stat(o.path).catch(() => undefined))?.size
  if (size === undefined) throw new Error(`The file ${o.path} was not found.`)
  if (size > MAX_IMPORT_BYTES) throw new Error('The file is larger than 200 MB. Please split it into smaller files.')
  const found = await inspectImportFile(o.path, await detectEncoding(o.path))
  const owners = await db.tx('system', async (tx) => {
    const [client] = await tx.rows('SELECT 1 FROM client WHERE id = $1', [o.clientId])
    if (!client) throw new Error(`There is no client ${o.client}.`)
    return ownerIds(tx, o.clientId, o.owner)
  })
  const given = o.map === undefined ? await proposeColumnMapping({ engine }, o.clientId, found) : pairs(o.map)
  const { mapping, wrong } = checkColumnMapping(given, found.columns)
  if (wrong[0]) throw new Error(`${wrong[0].message}\nThe file's columns: ${found.columns.join(', ')}`)

  const settings: ImportSettings = {
    duplicates: o.duplicates,
    previewedAt: null,
    owners,
    cameFrom: null,
    by: { userId: 0, username: COMMAND, asUserId: null, asUsername: null },
  }
  const actor = { userId: 0, clientId: o.clientId, username: COMMAND, name: COMMAND, roles: [], scopes: [] }
  const dryRun = o['dry-run']
  const begun = await engine.inTenant(o.clientId, { actor, requestId: COMMAND }, async (c) => {
    const values = newImportValues(basename(o.path), size, found, mapping, COMMAND)
    const batch = await c.work.create(importBatch, { ...values, state: 'running', dryRun, settings }).saved()
    const input = { batch: batch.id, dryRun, path: o.path }
    const started = await startBatchJob(c, importJob, input, { total: found.rows, foreground: true })
    await c.set(importBatch, batch, { run: started }, 'start')
    return () => ({ batch: batch.id, run: started })
  })
  const began = Date.now()
  await importJob.work(engine, o.clientId, begun.run, { onStep: showProgress })
  if (process.stderr.isTTY) process.stderr.write('\r\u001b[K')
  return outcome(db, o.clientId, begun.batch, dryRun, (Date.now() - began) / 1000)
}

async function outcome(db: Db, clientId: number, id: number, dry: boolean, seconds: number): Promise<string> {
  return db.tx({ clientId }, async (tx) => {
    const b: LeadImport = await readImport(tx, { clientId, id })
    if (b.error) throw new Error(b.error)
    const refusals = await tx.rows<{ line: number; reason: string }>(
      `SELECT line, reason FROM import_line WHERE client_id = $1 AND batch_id = $2 AND outcome = 'refused' ORDER BY line LIMIT ${SHOWN_REFUSALS}`,
      [clientId, id],
    )
    const added = dry ? 'would be added' : 'added'
    return [
      `${n(b.rows_read)} rows read: ${n(b.rows_added)} ${added}, ${n(b.rows_duplicate)} duplicates, ${n(b.rows_refused)} rejected (import ${id}, ${seconds.toFixed(1)} s).`,
      ...b.report
        .filter((r) => r.outcome !== 'refused')
        .map((r) => `  ${n(r.rows)} × ${r.reason}${r.outcome === 'added' ? ', added anyway' : ''}`),
      ...refusals.map((r) => `  line ${r.line}: ${r.reason}`),
      ...(b.rows_refused > SHOWN_REFUSALS ? [`  … and ${n(b.rows_refused - SHOWN_REFUSALS)} more rejected`] : []),
      ...(dry ? ['Nothing was saved: this was a trial run.'] : []),
    ].join('\n')
  })
}
