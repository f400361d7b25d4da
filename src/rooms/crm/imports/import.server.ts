import { problem, violation } from '#kernel/errors.ts'
import { author } from '#kernel/roles.ts'
import { behaviour } from '#server/engine/behaviour.ts'
import type { Context } from '#server/engine/context.ts'
import { present } from '#server/engine/engine.ts'
import { importBatch } from '../contacts/import-batch.ts'
import { staff } from '../staff/staff.ts'
import type { Settings } from './batch.server.ts'
import { removeUpload } from './files.server.ts'
import { checkMapping } from './mapping.ts'
import { importStarted } from './started.server.ts'

const UNTOUCHED = { rowsRead: 0, rowsAdded: 0, rowsDuplicate: 0, rowsRefused: 0, bytesRead: 0, report: [] }

/** The staff named by IRI, id or username, in the order given. */
async function ownersOf(c: Pick<Context, 'work'>, given: readonly string[]): Promise<number[]> {
  const names = given.map((g) => decodeURIComponent(g.replace(`${staff.url}/`, '')).toLowerCase())
  const found = await c.work.tx.rows<{ id: number; username: string }>(
    'SELECT id, lower(username) AS username FROM staff WHERE client_id = $1 AND NOT retired AND (id::text = ANY($2) OR lower(username) = ANY($2))',
    [c.work.clientId, names],
  )
  return names.map((name, k) => {
    const one = found.find((f) => String(f.id) === name || f.username === name)
    if (!one) throw problem.invalid([violation('owners', `There is no member of staff "${given[k]}".`)])
    return one.id
  })
}

export const importBehaviour = behaviour(importBatch, {
  actions: {
    start: async (c) => {
      const { row, input, work, actor, now } = c
      const run = { state: 'running' as const, runner: null, beatAt: now.toString(), error: null, finishedAt: null }
      await c.after(importStarted, { batch: row.id })
      // Half of it is there: the other half follows under the same rules.
      if (row.state === 'failed' && !row.dryRun && row.rowsRead) return { set: run }
      const { mapping, wrong } = checkMapping(input.mapping ?? row.mapping, row.columns as string[])
      if (wrong.length) throw problem.invalid(wrong)
      const who = author(actor)
      const settings: Settings = {
        duplicates: input.duplicates === 'add' ? 'add' : 'skip',
        owners: await ownersOf(c, (input.owners as string[] | undefined) ?? []),
        cameFrom: (input.cameFrom as number | null | undefined) ?? null,
        by: {
          userId: who.userId,
          username: who.username,
          asUserId: actor.original ? actor.userId : null,
          asUsername: actor.original ? actor.username : null,
        },
      }
      await work.tx.rows('DELETE FROM import_line WHERE client_id = $1 AND batch_id = $2', [work.clientId, row.id])
      return { set: { ...run, ...UNTOUCHED, mapping, settings, dryRun: input.dryRun === true } }
    },
    cancel: ({ row, engine, actor, now }) => ({
      set: { state: 'cancelled' as const, runner: null, fileKey: null, finishedAt: now.toString() },
      answer: async (written) => {
        await removeUpload(engine.config, row.fileKey as string | null)
        return written ? present(importBatch, actor, written) : {}
      },
    }),
    undo: async (c) => {
      const { row, engine, actor, now } = c
      await c.after(importStarted, { batch: row.id })
      return {
        set: { state: 'undoing' as const, runner: null, beatAt: now.toString(), fileKey: null },
        answer: async (written) => {
          await removeUpload(engine.config, row.fileKey as string | null)
          return written ? present(importBatch, actor, written) : {}
        },
      }
    },
  },
})
