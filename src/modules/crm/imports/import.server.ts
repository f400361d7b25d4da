import { isDeepStrictEqual } from 'node:util'
import { problem, violation } from '#kernel/errors.ts'
import type { RowOf } from '#kernel/resource.ts'
import { type Actor, authorOf } from '#kernel/roles.ts'
import { batchJob } from '#modules/portal/runs/run.ts'
import { behaviour } from '#server/engine/behaviour.ts'
import { feature } from '#server/engine/module.ts'
import type { Context } from '#server/engine/types.ts'
import { resumeBatchJob, startBatchJob, stopBatchJob, undoBatchJob } from '#server/jobs/batch-job-control.ts'
import { importBatch } from '../contacts/import-batch.ts'
import { staff } from '../staff/staff.ts'
import { type ColumnMapping, checkColumnMapping } from './columns.ts'
import { cleanUpImport, importCleanUpSchedule, importEnded, importJob } from './decide.server.ts'
import { importLine } from './line.ts'
import { importRoutes } from './routes.server.ts'
import type { ImportSettings } from './write.server.ts'

const UNDER_WAY = { error: null, finishedAt: null }
const UNTOUCHED = { rowsRead: 0, rowsAdded: 0, rowsDuplicate: 0, rowsRefused: 0, bytesRead: 0, report: [] }

/** Returns the IDs of the staff given by IRI, ID or username, in the same order. */
async function ownersOf(c: Context, given: readonly string[]): Promise<number[]> {
  const names = given.map((g) => decodeURIComponent(g.replace(`${staff.url}/`, '')).toLowerCase())
  const all = names.length ? await c.find(staff, { retired: false }) : []
  return names.map((name, k) => {
    const one = all.find(({ id, username }) => String(id) === name || username.toLowerCase() === name)
    if (!one) throw problem.invalid([violation('owners', `There is no member of staff "${given[k]}".`)])
    return one.id
  })
}

/**
 * Returns the start time of the trial run if the import updates existing leads; null for other imports. Throws 409 if
 * no trial run with these settings has shown the changes.
 */
function requireChangesPreviewed(
  row: RowOf<typeof importBatch>,
  duplicates: ImportSettings['duplicates'],
  mapping: ColumnMapping,
): string | null {
  if (duplicates !== 'fill' && duplicates !== 'replace') return null
  const shown = row.settings as Partial<ImportSettings>
  const isShown =
    (row.state === 'checked' || !row.dryRun) &&
    shown.previewedAt &&
    shown.duplicates === duplicates &&
    isDeepStrictEqual(row.mapping, mapping)
  if (isShown) return shown.previewedAt ?? null
  throw problem.conflict(
    'Please start a trial run with these settings first: it shows which values of existing leads would change.',
    'preview_outdated',
  )
}

const importBehaviour = behaviour(importBatch, {
  actions: {
    start: async (c) => {
      const { row, input, work, actor } = c
      // A partly imported file resumes with its original mapping and settings.
      if (row.state === 'failed' && !row.dryRun && row.rowsRead && row.run !== null) {
        const { back } = await c.lock(batchJob, row.run)
        await resumeBatchJob(c, importJob, row.run)
        return { set: { ...UNDER_WAY, state: back ? ('undoing' as const) : ('running' as const) } }
      }
      const { mapping, wrong } = checkColumnMapping(input.mapping ?? row.mapping, row.columns as string[])
      if (wrong.length) throw problem.invalid(wrong)
      const dryRun = input.dryRun === true
      const duplicates = input.duplicates ?? 'skip'
      const settings: ImportSettings = {
        duplicates,
        previewedAt: dryRun ? c.now.toString() : requireChangesPreviewed(row, duplicates, mapping),
        owners: await ownersOf(c, input.owners ?? []),
        cameFrom: input.cameFrom ?? null,
        by: whoIs(actor),
      }
      const id = await startBatchJob(c, importJob, { batch: row.id, dryRun }, { total: row.rowsTotal })
      work.touched.add('import_line')
      return { set: { ...UNDER_WAY, ...UNTOUCHED, state: 'running' as const, mapping, settings, dryRun, run: id } }
    },
    cancel: async (c) => {
      const { row, now } = c
      if (row.state === 'running' && row.run !== null) await stopBatchJob(c, row.run)
      await dropFile(c, row.fileKey)
      return { set: { state: 'cancelled' as const, fileKey: null, finishedAt: now.toString() } }
    },
    undo: async (c) => {
      const { row, now } = c
      await dropFile(c, row.fileKey)
      // An import that was never started has added nothing, so there are no leads to remove.
      if (row.run === null) return { set: { state: 'undone' as const, fileKey: null, undoneAt: now.toString() } }
      await undoBatchJob(c, importJob, row.run)
      const settings: ImportSettings = { ...(row.settings as ImportSettings), undoneBy: whoIs(c.actor) }
      return { set: { ...UNDER_WAY, state: 'undoing' as const, fileKey: null, settings } }
    },
  },
})

/** Emits an event that removes the file after the commit. */
const dropFile = async (c: Context, file: string | null): Promise<void> => {
  if (file !== null) await c.emit(importEnded, { file, grown: false })
}

function whoIs(actor: Actor): ImportSettings['by'] {
  const { userId, username } = authorOf(actor)
  const as = actor.original ? actor : undefined
  return { userId, username, asUserId: as?.userId ?? null, asUsername: as?.username ?? null }
}

export const imports = feature({
  resources: [importLine],
  behaviours: [importBehaviour],
  routes: importRoutes,
  handlers: [cleanUpImport],
  schedules: [importCleanUpSchedule],
  batchJobs: [importJob],
  commands: [
    {
      name: 'import leads',
      help: `  import leads FILE.csv [--client 0] [--owner NAME]… [--dry-run] [--duplicates add] [--map "Company=companyName,…"]
                              import a list of leads, without duplicates`,
      load: async () => (await import('./command.server.ts')).runLeadImportCommand,
    },
  ],
})
