import { problem } from '#kernel/errors.ts'
import { hasRole } from '#kernel/roles.ts'
import { behaviour } from '#server/engine/behaviour.ts'
import { guard } from '#server/engine/guard.ts'
import { feature } from '#server/engine/module.ts'
import { schedule } from '#server/engine/schedule.ts'
import { startBatchJob } from '#server/jobs/batch-job-control.ts'
import { HR_PRIVATE_ROLE } from '../rights.ts'
import { checkColumnMapping } from './columns.ts'
import { employeeImport, employeeImportLine, FILE_DAYS } from './import.ts'
import { employeeImportJob } from './job.server.ts'
import { uploadRoute } from './upload.server.ts'

const importBehaviour = behaviour(employeeImport, {
  actions: {
    start: async (c) => {
      const { row, input } = c
      const mayImportPrivate = hasRole(c.actor, HR_PRIVATE_ROLE)
      const { mapping, wrong } = checkColumnMapping(input.mapping ?? row.mapping, row.columns ?? [], mayImportPrivate)
      if (wrong.length) throw problem.invalid(wrong)
      const dryRun = input.dryRun === true
      const run = await startBatchJob(c, employeeImportJob, { batch: row.id, dryRun }, { total: row.rowsTotal })
      return { set: { mapping, existing: input.existing ?? 'fill', dryRun, run } }
    },
  },
})

/** A file that was imported stays on record; one that was not can be discarded. */
const importGuard = guard(employeeImport, {
  retire: (_, { state }) => {
    if (state !== 'waiting' && state !== 'checked')
      throw problem.conflict('This file has been imported. The record of the import stays.')
  },
})

/** Removes the content of files that have not been imported. */
const removeOldFiles = schedule({
  name: 'people.import-files',
  every: { daily: '04:10' },
  run: (engine) =>
    engine.db.tx('system', async (tx) => {
      const old = `created_at < portal_now() - interval '${FILE_DAYS} days'`
      await tx.rows(
        `DELETE FROM employee_import_file f USING employee_import i WHERE i.client_id = f.client_id AND i.id = f.import_id AND i.${old}`,
      )
      await tx.rows(`UPDATE employee_import SET sample = '[]' WHERE sample <> '[]' AND ${old}`)
    }),
})

export const employeeImports = feature({
  pack: 'employees',
  resources: [employeeImport, employeeImportLine],
  behaviours: [importBehaviour],
  guards: [importGuard],
  routes: [uploadRoute],
  batchJobs: [employeeImportJob],
  schedules: [removeOldFiles],
})
