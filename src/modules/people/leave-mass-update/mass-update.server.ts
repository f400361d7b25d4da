import { z } from 'zod'
import { problem, violation } from '#kernel/errors.ts'
import type { ActionInputOf } from '#kernel/resource.ts'
import { londonDate } from '#kernel/time.ts'
import type { ApiRecord } from '#server/data/json-select.ts'
import { feature } from '#server/engine/module.ts'
import { RouteResponse } from '#server/engine/route.ts'
import { routeWithInput } from '#server/engine/route-input.ts'
import type { RejectedItem } from '#server/engine/schedule.ts'
import type { Context, RecordReader } from '#server/engine/types.ts'
import { defineBatchJob, startBatchJob } from '#server/jobs/batch-job-control.ts'
import { mapInSlices } from '#server/slices.ts'
import { employee } from '../employees/employee.ts'
import { countBalance, type LeaveAccount, readLeaveAccounts, readLeaveSettings } from '../leave/history.server.ts'
import { leaveAccount } from '../leave/leave-account.ts'
import { ANNUAL_LEAVE, leaveKind, leaveRequest, leaveRequestPart } from '../leave/leave-request.ts'
import { dayViolations, periodViolations } from '../leave-rules/day-limits.ts'
import { employedPart, leaveYearOf } from '../leave-rules/leave-year.ts'
import { partsOverlap, type RequestPart } from '../leave-rules/request-part.ts'
import { averageDayMinutes } from '../leave-rules/work-pattern.ts'
import { HR_ROLES } from '../rights.ts'
import { MASS_UPDATE_URL, type MassUpdateRow, massUpdateFields } from './mass-update.ts'

const PEOPLE_PER_STEP = 20
const MAX_PEOPLE = 5000

const INPUT = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('shutdown'),
    department: z.int().nullable(),
    firstDay: z.string(),
    lastDay: z.string(),
    reason: z.string(),
  }),
  z.object({
    kind: z.literal('allowance'),
    department: z.int().nullable(),
    year: z.string(),
    days: z.number(),
    reason: z.string(),
  }),
])
type MassUpdate = z.output<typeof INPUT>

/** An employee who was changed: the request that was created, or the minutes that were added. */
const CHANGE = z.object({ request: z.int().optional(), minutes: z.int().optional() })

const partOf = ({ firstDay, lastDay }: { readonly firstDay: string; readonly lastDay: string }): RequestPart => ({
  firstDay,
  lastDay,
  portion: 'day',
  from: null,
  until: null,
})

const findPeople = async (c: RecordReader, { department }: MassUpdate) =>
  c.find(employee, { retired: false, isSubby: false, ...(department === null ? {} : { department }) })

/** Books the shutdown for an employee and approves it. The starter's own leave waits for another person. */
async function bookShutdown(c: Context, input: MassUpdate & { kind: 'shutdown' }, of: number): Promise<number> {
  const [kind] = await c.find(leaveKind, { code: ANNUAL_LEAVE })
  const person = await c.get(employee, of)
  const employment = { start: person?.extCStartDate ?? input.firstDay, leaving: person?.leavingDate ?? null }
  const within = employedPart({ from: input.firstDay, until: input.lastDay }, employment)
  const parts = [partOf(within ? { firstDay: within.from, lastDay: within.until } : input) as never]
  const { id } = await (
    await c.create(leaveRequest, { employee: of, kind: kind?.id ?? 0, parts, notes: input.reason })
  ).saved()
  if (person?.user !== c.actor.userId) await c.act(leaveRequest, 'approve', id, {})
  return id
}

async function adjustAllowance(c: Context, input: MassUpdate & { kind: 'allowance' }, of: number): Promise<number> {
  const [account] = await readLeaveAccounts(c, await readLeaveSettings(c, c.clientId), [
    await c.lock(employee, of, 'values'),
  ])
  const minutes = Math.round(averageDayMinutes(account?.history?.patterns ?? [], input.year) * input.days)
  if (!minutes) throw problem.conflict('The employee has no work pattern on the first day of this leave year.')
  await c.act(leaveAccount, 'adjust', of, { year: input.year, minutes, reason: input.reason })
  return minutes
}

/** Cancels a request that the job created, unless it was decided otherwise since. */
async function undoShutdown(c: Context, request: number): Promise<boolean> {
  const row = await c.get(leaveRequest, request)
  if (row?.state === 'approved') await c.act(leaveRequest, 'cancel', request, { reason: 'The update was undone' })
  else if (row?.state === 'requested') await c.act(leaveRequest, 'withdraw', request, {})
  else return false
  return true
}

const massUpdateJob = defineBatchJob({
  kind: 'leave.mass-update',
  title: 'Leave of many employees',
  queue: 'bulk',
  as: 'starter',
  oneAtATime: true,
  input: INPUT,
  cursor: z.int(),
  begin: async (c, { input }) => (await findPeople(c, input)).length,
  steps: async function* (engine, run, from) {
    const { input } = run
    const people = await engine.readIn(run.clientId, 'employees of an update', (c) => findPeople(c, input))
    const ids = people.map(({ id }) => id).filter((id) => id > (from ?? 0))
    for (let n = 0; n < ids.length; n += PEOPLE_PER_STEP) {
      const batch = ids.slice(n, n + PEOPLE_PER_STEP)
      yield {
        cursor: batch.at(-1) ?? 0,
        execute: async (c) => {
          const refused: RejectedItem[] = []
          const changed: { readonly of: number; readonly change: z.output<typeof CHANGE> }[] = []
          for (const of of batch) {
            const tried = await c.attempt(async () =>
              input.kind === 'shutdown'
                ? { request: await bookShutdown(c, input, of) }
                : { minutes: await adjustAllowance(c, input, of) },
            )
            if ('refused' in tried) refused.push({ line: of, reason: tried.refused.message, code: tried.refused.code })
            else changed.push({ of, change: tried.value })
          }
          await c.work.tx.rows(
            'INSERT INTO run_change (client_id, run_id, row_client, row_id, was) SELECT $1, $2, $1, u.id, u.was::jsonb FROM unnest($3::bigint[], $4::text[]) u(id, was)',
            [c.clientId, run.id, changed.map(({ of }) => of), changed.map(({ change }) => JSON.stringify(change))],
          )
          return { done: changed.length, refused }
        },
      }
    }
  },
  undo: async function* (engine, run, from) {
    const { input } = run
    for (let after = from ?? 0; ; ) {
      const rows = await engine.db.tx({ clientId: run.clientId }, (tx) =>
        tx.rows<{ id: number; row_id: number; was: unknown }>(
          'SELECT id::int, row_id::int, was FROM run_change WHERE client_id = $1 AND run_id = $2 AND id > $3 ORDER BY id LIMIT $4',
          [run.clientId, run.id, after, PEOPLE_PER_STEP],
        ),
      )
      const last = rows.at(-1)
      if (!last) return
      yield {
        cursor: last.id,
        execute: async (c) => {
          const refused: RejectedItem[] = []
          let done = 0
          for (const { row_id: of, was } of rows) {
            const { request, minutes } = CHANGE.parse(was)
            const tried = await c.attempt(async () => {
              if (request !== undefined) return undoShutdown(c, request)
              if (input.kind !== 'allowance' || !minutes) return false
              const reason = `Undone: ${input.reason}`
              await c.act(leaveAccount, 'adjust', of, { year: input.year, minutes: -minutes, reason })
              return true
            })
            if ('refused' in tried) refused.push({ line: of, reason: tried.refused.message })
            else if (tried.value) done++
          }
          return { done, refused }
        },
      }
      after = last.id
    }
  },
})

/** Returns the update of a request body. Throws 422 if values of its kind are missing. */
async function parseUpdate(
  c: RecordReader,
  clientId: number,
  given: ActionInputOf<typeof massUpdateFields>,
  today: string,
): Promise<MassUpdate> {
  const { kind, department, firstDay, lastDay, year, days, reason } = given
  const common = { department: department ?? null, reason }
  if (kind === 'shutdown') {
    if (!firstDay || !lastDay)
      throw problem.invalid([violation(firstDay ? 'lastDay' : 'firstDay', 'Please enter the days of the shutdown')])
    const wrong = periodViolations(firstDay, lastDay, today)
    if (wrong.length) throw problem.invalid(wrong)
    return { kind: 'shutdown', ...common, firstDay, lastDay }
  }
  const wrong = dayViolations({ year }, today)
  if (wrong.length) throw problem.invalid(wrong)
  const { yearStartsOn } = await readLeaveSettings(c, clientId)
  if (!year || leaveYearOf(year, yearStartsOn).from !== year)
    throw problem.invalid([
      violation('year', `Please enter the first day of a leave year, which is on ${yearStartsOn}`),
    ])
  if (!days) throw problem.invalid([violation('days', 'Please enter the days')])
  return { kind: 'allowance', ...common, year, days }
}

/** Returns what the update would do for each employee. */
async function previewUpdate(
  c: RecordReader,
  clientId: number,
  update: MassUpdate,
  today: string,
): Promise<MassUpdateRow[]> {
  const settings = await readLeaveSettings(c, clientId)
  const people = await findPeople(c, update)
  if (people.length > MAX_PEOPLE) throw problem.badRequest(`An update concerns ${MAX_PEOPLE} employees at most.`)
  const accounts = await readLeaveAccounts(c, settings, people)
  const ids = people.map(({ id }) => id)
  const live = update.kind === 'shutdown' ? await c.find(leaveRequestPart, { employee: ids, live: true }) : []
  const day = update.kind === 'shutdown' ? update.firstDay : update.year
  const year = leaveYearOf(day, settings.yearStartsOn).from
  return mapInSlices(accounts, (account) => {
    const dayMinutes = averageDayMinutes(account.history?.patterns ?? [], day)
    const before = countBalance(account, year, today)
    const started = update.kind === 'shutdown' ? { started: { request: 0, parts: [partOf(update)] } } : {}
    const after =
      update.kind === 'shutdown'
        ? countBalance(account, year, today, started)
        : before + Math.round(dayMinutes * update.days)
    const isTaken =
      update.kind === 'shutdown' &&
      live.some((one) => one.employee === account.person.id && partsOverlap(one, partOf(update)))
    const { id, name } = account.person
    return { employee: id, name, before, after, dayMinutes, problem: problemOf(account, { isTaken, before, after }) }
  })
}

function problemOf(
  { history }: LeaveAccount,
  { isTaken, before, after }: { isTaken: boolean; before: number; after: number },
): string {
  if (!history) return 'The employment start date is missing'
  if (isTaken) return 'Leave is already requested on these days'
  if (after === before) return 'Nothing changes: no work pattern, or no shifts on these days'
  return after < 0 && after < before ? 'The balance would be negative' : ''
}

const previewRoute = routeWithInput(massUpdateFields, {
  method: 'POST',
  path: `${MASS_UPDATE_URL}/preview`,
  title: 'Show what an update of many employees would do',
  allow: HR_ROLES,
  whileImpersonating: true,
  handle: ({ engine, me, now, input }) =>
    engine.readIn(me.clientId, 'human resources read the leave of all employees', async (c) => {
      const today = londonDate(now).toString()
      const update = await parseUpdate(c, me.clientId, input, today)
      const rows = await previewUpdate(c, me.clientId, update, today)
      return { '@id': `${MASS_UPDATE_URL}/preview`, '@type': 'LeaveMassUpdate', rows }
    }),
})

const startRoute = routeWithInput(massUpdateFields, {
  method: 'POST',
  path: MASS_UPDATE_URL,
  title: 'Book leave, or adjust the allowance, of many employees as a batch job',
  allow: HR_ROLES,
  refuses: [409],
  handle: ({ engine, me, input, change }) =>
    engine.inTenant<ApiRecord | RouteResponse>(me.clientId, change(), async (c) => {
      const id = await startBatchJob(
        c,
        massUpdateJob,
        await parseUpdate(c, me.clientId, input, londonDate(c.now).toString()),
      )
      return () => new RouteResponse(202, { run: `/api/portal/runs/${id}`, id })
    }),
})

export const leaveMassUpdate = feature({
  pack: 'holidays',
  routes: [previewRoute, startRoute],
  batchJobs: [massUpdateJob],
})
