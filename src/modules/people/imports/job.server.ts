import { z } from 'zod'
import { problem } from '#kernel/errors.ts'
import type { ValuesOf } from '#kernel/resource.ts'
import { type Actor, hasRole } from '#kernel/roles.ts'
import { londonDate } from '#kernel/time.ts'
import type { BatchJob, BatchStep } from '#server/engine/schedule.ts'
import type { Context, Engine } from '#server/engine/types.ts'
import { defineBatchJob } from '#server/jobs/batch-job-control.ts'
import { mapInSlices } from '#server/slices.ts'
import { department, employee } from '../employees/employee.ts'
import { peopleNav } from '../nav.ts'
import { HR_PRIVATE_ROLE } from '../rights.ts'
import { incidentSite } from '../sites/incident-site.ts'
import { checkColumnMapping } from './columns.ts'
import { employeeImport } from './import.ts'
import { type ImportPlan, planImport, type ReportLine } from './plan.ts'
import { idOfManager, isKnown, type PlannedRow } from './planned-row.ts'
import type { FileRow } from './read-worker.server.ts'
import { createRowReader } from './row.ts'
import { attemptTogether, undoSteps } from './undo.server.ts'

const ROWS_PER_STEP = 250

const INPUT = z.object({ batch: z.int(), dryRun: z.boolean() })
type Input = z.output<typeof INPUT>

/** Reads the file and the company's records, and decides what to do with each row. */
async function loadPlan(engine: Engine, { clientId, input }: BatchJob<Input>, actor: Actor): Promise<ImportPlan> {
  const { batch, company } = await engine.readIn(clientId, 'compare a file with the employees', async (c) => ({
    batch: await c.get(employeeImport, input.batch),
    company: {
      employees: await c.find(employee, {}),
      departments: await c.find(department, { retired: false }),
      sites: await c.find(incidentSite, { retired: false }),
    },
  }))
  const [file] = await engine.db.tx({ clientId }, (tx) =>
    tx.rows<{ rows: readonly FileRow[] }>(
      'SELECT rows FROM employee_import_file WHERE client_id = $1 AND import_id = $2',
      [clientId, input.batch],
    ),
  )
  if (!batch || !file) throw problem.conflict('The content of the file has been removed. Please upload it again.')
  const columns = batch.columns ?? []
  const { mapping, wrong } = checkColumnMapping(batch.mapping, columns, hasRole(actor, HR_PRIVATE_ROLE))
  if (wrong[0]) throw problem.conflict(wrong[0].message)
  const today = londonDate(engine.clock.now())
  const read = createRowReader(columns, mapping, today)
  const rows = await mapInSlices(file.rows, ([line, cells]) => read(line, cells))
  return planImport(rows, company, batch.existing ?? 'skip', today.toString())
}

/** Adds rows to the report. */
async function reportRows(c: Context, batch: number, lines: readonly ReportLine[]): Promise<void> {
  c.work.touched.add('employee_import_line')
  await c.work.tx.rows(
    `INSERT INTO employee_import_line (client_id, import_id, line, outcome, name, reason, employee_id)
     SELECT $1, $2, u.line, u.outcome, u.name, left(u.reason, 4000), u.employee
     FROM unnest($3::int[], $4::text[], $5::text[], $6::text[], $7::bigint[]) u(line, outcome, name, reason, employee)`,
    [
      c.clientId,
      batch,
      lines.map(({ line }) => line),
      lines.map(({ outcome }) => outcome),
      lines.map(({ name }) => name),
      lines.map(({ reason }) => reason),
      lines.map((one) => one.employee),
    ],
  )
}

/** Stores what undo needs: the values of an added employee, or those before and after a change. */
const storeChanges = (c: Context, run: number, changes: readonly { readonly id: number; readonly was: object }[]) =>
  c.work.tx.rows(
    'INSERT INTO run_change (client_id, run_id, row_client, row_id, was) SELECT $1, $2, $1, u.id, u.was::jsonb FROM unnest($3::bigint[], $4::text[]) u(id, was)',
    [c.clientId, run, changes.map(({ id }) => id), changes.map(({ was }) => JSON.stringify(was))],
  )

const refusedLine = (one: PlannedRow, reason: string): ReportLine => ({
  line: one.row.line,
  outcome: 'refused',
  name: one.row.name,
  reason,
  employee: one.known?.id ?? null,
})

/** Returns the values of a row with its manager, who may be an employee that the import has added. */
function valuesWithManager({ values, manager }: PlannedRow, ids: ReadonlyMap<PlannedRow, number>) {
  const id = manager && (idOfManager(manager) ?? (isKnown(manager) ? undefined : ids.get(manager)))
  return id === undefined ? values : { ...values, manager: id }
}

type Step = BatchStep<number>
interface StepTarget {
  readonly run: BatchJob<Input>
  /** Employees that the import has added. */
  readonly ids: Map<PlannedRow, number>
}

/** Adds employees in one statement. Rows that the portal refuses meanwhile are reported. */
const addStep = (rows: readonly PlannedRow[], { run, ids }: StepTarget): Step['execute'] => {
  return async (c) => {
    const { done, refused } = await attemptTogether(c, rows, async (some) => {
      const values = some.map((one) => valuesWithManager(one, ids))
      const added = await c.createAll(employee, values)
      return added.map((id, n) => ({ id, was: { added: values[n] } }))
    })
    for (const { item, value } of done) ids.set(item, value.id)
    await storeChanges(
      c,
      run.id,
      done.map(({ value }) => value),
    )
    const lost = done.filter(
      ({ item }) =>
        item.manager && idOfManager(item.manager) === undefined && !('manager' in valuesWithManager(item, ids)),
    )
    await reportRows(c, run.input.batch, [
      ...refused.map(({ item, reason }) => refusedLine(item, reason)),
      ...lost.map(({ item, value }) => ({
        ...refusedLine(item, 'Without a manager, whose row could not be imported'),
        outcome: 'incomplete' as const,
        employee: value.id,
      })),
    ])
    return { done: done.length, refused: refused.length, tally: { added: done.length } }
  }
}

/** Changes existing employees. Values that were changed after the file was compared are left as they are. */
const changeStep = (rows: readonly PlannedRow[], { run, ids }: StepTarget): Step['execute'] => {
  return async (c) => {
    const { done, refused } = await attemptTogether(c, rows, async (some) => {
      const results: { id: number; was: object }[] = []
      for (const one of some) {
        const stored = await c.lock(employee, one.known?.id ?? 0)
        const isAsCompared = ([name]: [string, unknown]) =>
          JSON.stringify(stored[name as 'name']) === JSON.stringify(one.known?.[name as 'name'])
        const after = Object.fromEntries(Object.entries(valuesWithManager(one, ids)).filter(isAsCompared))
        const before = Object.fromEntries(Object.keys(after).map((name) => [name, stored[name as 'name']]))
        await c.change(employee, stored, after as ValuesOf<typeof employee>)
        results.push({ id: stored.id, was: { before, after } })
      }
      return results
    })
    await storeChanges(
      c,
      run.id,
      done.map(({ value }) => value),
    )
    await reportRows(
      c,
      run.input.batch,
      refused.map(({ item, reason }) => refusedLine(item, reason)),
    )
    return { done: done.length, refused: refused.length, tally: { updated: done.length } }
  }
}

const portionsOf = <T>(all: readonly T[]): T[][] =>
  Array.from({ length: Math.ceil(all.length / ROWS_PER_STEP) }, (_, n) =>
    all.slice(n * ROWS_PER_STEP, (n + 1) * ROWS_PER_STEP),
  )

async function* importSteps(
  engine: Engine,
  run: BatchJob<Input>,
  _from: number | null,
  actor: Actor,
): AsyncGenerator<Step> {
  const plan = await loadPlan(engine, run, actor)
  const { batch, dryRun } = run.input
  const [added, updated] = [plan.added.flat().length, plan.updated.length]
  let cursor = 0
  yield {
    cursor,
    execute: async (c) => {
      await reportRows(c, batch, plan.report)
      const { unchanged, refused } = plan
      return {
        done: dryRun ? added + updated : 0,
        refused,
        tally: { unchanged, ...(dryRun ? { added, updated } : {}) },
      }
    },
  }
  if (dryRun) return
  const target = { run, ids: new Map<PlannedRow, number>() }
  // Managers are added before the people who report to them, so that each employee’s first job names the manager.
  for (const rows of plan.added.flatMap(portionsOf)) yield { cursor: ++cursor, execute: addStep(rows, target) }
  for (const rows of portionsOf(plan.updated)) yield { cursor: ++cursor, execute: changeStep(rows, target) }
}

/**
 * Batch job that imports a file of employees, or in a trial run only counts the expected results. A resumed job starts at
 * the first row again and recognises the employees that it has already added.
 */
export const employeeImportJob = defineBatchJob<Input, number>({
  kind: 'people.import',
  title: 'Import of employees',
  queue: 'imports',
  as: 'starter',
  oneAtATime: true,
  screen: peopleNav.imports.path,
  notifiesStarter: ({ dryRun }) => !dryRun,
  input: INPUT,
  /** Number of the step. During an undo, the ID of the last change that was undone. */
  cursor: z.int(),
  restarts: () => true,
  canUndo: ({ dryRun }) => !dryRun,
  begin: async (c, { input }) => {
    await c.work.tx.rows('DELETE FROM employee_import_line WHERE client_id = $1 AND import_id = $2', [
      c.clientId,
      input.batch,
    ])
    return undefined
  },
  steps: importSteps,
  undo: (engine, run, from) => undoSteps(engine, run, from, (c, lines) => reportRows(c, run.input.batch, lines)),
  onFinished: async (c, { state, input }) => {
    if (state !== 'done' || input.dryRun) return
    await c.work.tx.rows('DELETE FROM employee_import_file WHERE client_id = $1 AND import_id = $2', [
      c.clientId,
      input.batch,
    ])
    await c.work.tx.rows("UPDATE employee_import SET sample = '[]' WHERE client_id = $1 AND id = $2", [
      c.clientId,
      input.batch,
    ])
  },
})
