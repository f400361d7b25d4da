import { z } from 'zod'
import type { ValuesOf } from '#kernel/resource.ts'
import { defaultValuesOf } from '#server/data/plan.ts'
import type { BatchJob, BatchStep } from '#server/engine/schedule.ts'
import type { Context, Engine } from '#server/engine/types.ts'
import { employee } from '../employees/employee.ts'
import type { ReportLine } from './plan.ts'
import type { KnownEmployee } from './planned-row.ts'

const ROWS_PER_STEP = 200

const values = z.record(z.string(), z.unknown())
const WAS = z.union([z.object({ added: values }), z.object({ before: values, after: values })])

interface Attempts<T, V> {
  readonly done: readonly { readonly item: T; readonly value: V }[]
  readonly refused: readonly { readonly item: T; readonly reason: string }[]
}

/** Writes items together. If one is refused, each half is tried again, until only those that are refused remain. */
export async function attemptTogether<T, V>(
  c: Context,
  items: readonly T[],
  write: (some: readonly T[]) => Promise<readonly V[]>,
): Promise<Attempts<T, V>> {
  if (!items.length) return { done: [], refused: [] }
  const tried = await c.attempt(() => write(items), { resource: employee })
  if ('value' in tried) return { done: items.map((item, n) => ({ item, value: tried.value[n] as V })), refused: [] }
  if (items.length === 1) {
    const { message, violations = [] } = tried.refused
    const reason = violations.map((one) => one.message).join('. ') || message
    return { done: [], refused: items.map((item) => ({ item, reason })) }
  }
  const half = Math.ceil(items.length / 2)
  const first = await attemptTogether(c, items.slice(0, half), write)
  const second = await attemptTogether(c, items.slice(half), write)
  return { done: [...first.done, ...second.done], refused: [...first.refused, ...second.refused] }
}

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a ?? null) === JSON.stringify(b ?? null)

/** Fields that a request can write, and the account and state of the employment. */
const COMPARED_FIELDS = Object.entries(employee.fields).flatMap(([name, f]) =>
  f.readonly || f.writeOnly ? [] : [name as keyof KnownEmployee],
)
const DEFAULTS: Readonly<Record<string, unknown>> = defaultValuesOf(employee.fields)

/** True if an employee is unchanged since the import added them. */
const isAsAdded = (row: KnownEmployee, added: Readonly<Record<string, unknown>>): boolean =>
  COMPARED_FIELDS.every((name) => isSame(row[name], added[name] ?? DEFAULTS[name]))

const reportKept = ({ id, name }: KnownEmployee, reason: string): ReportLine => ({
  line: 0,
  outcome: 'kept',
  name,
  reason,
  employee: id,
})

/** Removes employees that the import added, unless another record refers to them. Returns the report of the others. */
async function removeAdded(c: Context, rows: readonly KnownEmployee[]): Promise<ReportLine[]> {
  const right = c.withoutPermissionCheck('undo removes what the import has added')
  const { refused } = await attemptTogether(c, rows, async (some) => {
    // The database wrote these rows of the history when the employee was added and the job changed.
    await c.work.tx.rows(
      "DELETE FROM employee_job WHERE client_id = $1 AND employee_id = ANY($2::bigint[]) AND applied AND sets = '{}'",
      [c.clientId, some.map(({ id }) => id)],
    )
    for (const row of some) await right.remove(employee, row)
    return some
  })
  return refused.map(({ item }) => reportKept(item, 'Other records refer to this employee, who was left in place'))
}

/**
 * Restores the values of an employee that are unchanged since the import. Returns a line for the report if other values have
 * been changed, or if the employee can't be changed.
 */
async function restoreValues(
  c: Context,
  row: KnownEmployee,
  { before, after }: { readonly before: Record<string, unknown>; readonly after: Record<string, unknown> },
): Promise<ReportLine[]> {
  const mine = Object.keys(after).filter((name) => isSame(row[name as keyof KnownEmployee], after[name]))
  const set = Object.fromEntries(mine.map((name) => [name, before[name] ?? null])) as ValuesOf<typeof employee>
  const tried = await c.attempt(() => c.change(employee, row, set), { resource: employee })
  if ('refused' in tried) return [reportKept(row, tried.refused.message)]
  const others = Object.keys(after).length - mine.length
  return others
    ? [reportKept(row, `${others} of the imported details have been changed since and were left as they are`)]
    : []
}

/** Undoes an import from its last change to its first, so that managers are removed after the people who report to them. */
export async function* undoSteps(
  engine: Engine,
  run: BatchJob,
  from: number | null,
  report: (c: Context, lines: readonly ReportLine[]) => Promise<void>,
): AsyncGenerator<BatchStep<number>> {
  for (let before = from ?? Number.MAX_SAFE_INTEGER; ; ) {
    const changes = await engine.db.tx({ clientId: run.clientId }, (tx) =>
      tx.rows<{ id: number; row_id: number; was: unknown }>(
        'SELECT id::int, row_id::int, was FROM run_change WHERE client_id = $1 AND run_id = $2 AND id < $3 ORDER BY id DESC LIMIT $4',
        [run.clientId, run.id, before, ROWS_PER_STEP],
      ),
    )
    const last = changes.at(-1)
    if (!last) return
    yield {
      cursor: last.id,
      execute: async (c) => {
        const rows = new Map(
          (await c.lockAll(employee, { id: changes.map(({ row_id }) => row_id) })).map((row) => [row.id, row]),
        )
        const lines: ReportLine[] = []
        const removed: KnownEmployee[] = []
        for (const { row_id, was } of changes) {
          const row = rows.get(row_id)
          const change = WAS.parse(was)
          if (!row) continue
          if ('before' in change) lines.push(...(await restoreValues(c, row, change)))
          else if (isAsAdded(row, change.added)) removed.push(row)
          else lines.push(reportKept(row, 'The record has been changed since the import and was left as it is'))
        }
        lines.push(...(await removeAdded(c, removed)))
        await report(c, lines)
        return { done: changes.length - lines.length, refused: lines.length }
      },
    }
    before = last.id
  }
}
