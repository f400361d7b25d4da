import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import type { Engine } from '#server/engine/engine.ts'
import { listener } from '#server/engine/listener.ts'
import { schedule } from '#server/engine/schedule.ts'
import { claim, SILENT_SECONDS, settle } from './batch.server.ts'
import { removeUpload, sweepUploads, uploadPath } from './files.server.ts'
import { runImport } from './run.server.ts'
import { importStarted } from './started.server.ts'
import { runUndo } from './undo.server.ts'

/** The batches that this process is working on. */
const busy = new WeakMap<Engine, Map<number, Promise<void>>>()
const busyOf = (engine: Engine) => {
  const mine = busy.get(engine) ?? new Map<number, Promise<void>>()
  busy.set(engine, mine)
  return mine
}

/**
 * Resolves when this process has put down every batch that it works on: for tests.
 * @internal
 */
export const importsDone = async (engine: Engine): Promise<void> => {
  while (busyOf(engine).size) await Promise.all(busyOf(engine).values())
}

/** Where the file of a batch is on this machine; `undefined` for one that a command line reads from its own place. */
async function fileOf(engine: Engine, clientId: number, id: number) {
  const [batch] = await engine.db.tx({ clientId }, (tx) =>
    tx.rows<{ file_key: string | null; state: string }>(
      'SELECT file_key, state FROM import_batch WHERE client_id = $1 AND id = $2',
      [clientId, id],
    ),
  )
  return { state: batch?.state, path: batch?.file_key ? uploadPath(engine.config, batch.file_key) : undefined }
}

/** Works on a batch in the background, unless somebody does already: a long list must not hold up the next letter. */
async function begin(engine: Engine, clientId: number, id: number, waited = false): Promise<void> {
  const mine = busyOf(engine)
  if (mine.has(id)) return
  const alone = engine.db.kind === 'embedded'
  const { state, path } = await fileOf(engine, clientId, id)
  if (!alone && !waited && state === 'running' && path && !existsSync(path))
    throw new Error(`The file of import ${id} is on another machine`)
  const held = { clientId, id, runner: randomUUID() }
  const batch = await claim(engine.db, held, alone)
  if (!batch) return
  const work = async () => {
    if (batch.state === 'undoing') return runUndo(engine, held, batch)
    if (!path) {
      await settle(
        engine.db,
        held,
        'running',
        'failed',
        'The command that read this file was stopped. What was added is safe: undo it, or give the command again, and the leads already added will be found as duplicates.',
      )
      return
    }
    await runImport(engine, held, batch, path)
    await tidy(engine, clientId, id)
  }
  mine.set(
    id,
    work()
      .catch((e: unknown) => console.error(`import ${id}:`, e))
      .finally(() => mine.delete(id)),
  )
}

/** The uploaded file is kept only while it may still be read. */
async function tidy(engine: Engine, clientId: number, id: number): Promise<void> {
  const [gone] = await engine.db.tx({ clientId }, (tx) =>
    tx.rows<{ file_key: string | null }>(
      `UPDATE import_batch b SET file_key = NULL FROM import_batch old
       WHERE b.client_id = $1 AND b.id = $2 AND b.state = 'finished' AND old.client_id = b.client_id AND old.id = b.id RETURNING old.file_key`,
      [clientId, id],
    ),
  )
  await removeUpload(engine.config, gone?.file_key)
}

/** Takes up what a stopped process has left, and clears away what nobody came back for. */
export async function recoverImports(engine: Engine): Promise<void> {
  const left = await engine.db.tx('system', (tx) =>
    tx.rows<{ client_id: number; id: number; waited: boolean }>(
      `SELECT client_id, id, runner IS NULL AS waited FROM import_batch
       WHERE state IN ('running', 'undoing') AND CASE WHEN runner IS NULL THEN beat_at < now() - interval '10 minutes' ELSE $2 OR beat_at < now() - make_interval(secs => $1) END`,
      [SILENT_SECONDS, engine.db.kind === 'embedded'],
    ),
  )
  for (const { client_id, id, waited } of left) await begin(engine, client_id, id, waited).catch(() => {})
  await engine.db.tx('system', (tx) =>
    tx.rows(
      "UPDATE import_batch SET state = 'cancelled', file_key = NULL WHERE state IN ('waiting', 'checked') AND created_at < now() - interval '7 days'",
    ),
  )
  await sweepUploads(engine.config)
}

export const importListener = listener(importStarted, {
  name: 'crm.import',
  lane: 'imports',
  send: ({ engine, clientId }, { batch }) => begin(engine, clientId, batch),
})

export const importsSchedule = schedule({ name: 'crm.imports', every: { minutes: 1 }, run: recoverImports })
