import { expect, onTestFinished, test } from 'vitest'
import type { MyTasks } from '#modules/tasks/my-tasks.ts'
import { moveClock } from '#server/engine/clock.ts'
import { impersonate } from '#test/support/impersonate.ts'
import { grantPacks, type TestApi, testPortal } from '#test/support/portal.ts'
import { createCheckingCompany } from '#test/support/right-to-work.ts'
import { expectSuccess } from '#test/support/sign-offs.ts'

const portal = await testPortal()
const AT = {
  employees: '/api/employees/employees',
  templates: '/api/employees/checklist_templates',
  lists: '/api/employees/checklists',
  tasks: '/api/employees/checklist_tasks',
  events: '/api/employees/checklist_task_events',
  starters: '/api/employees/starters',
} as const

/** A company with a manager, a starter below them, a named person, and a template with a task for each owner. */
async function createStarters() {
  const w = await createCheckingCompany(portal)
  const [manager, named] = [await w.person(), await w.person()]
  const worker = await w.person({ manager: manager.iri, extCStartDate: w.day(10) })
  const tasks = [
    { title: 'Check the right to work', owner: 'hr', days: -3 },
    { title: 'Give the induction', owner: 'manager', days: 0 },
    { title: 'Read the handbook', owner: 'employee', days: 2 },
    { title: 'Order boots', owner: 'person', person: named.iri, days: -5 },
  ]
  const saveTemplate = async (values: Record<string, unknown> = {}) =>
    expectSuccess(await w.hr.post(AT.templates, { name: 'Site starter', purpose: 'starter', tasks, ...values }))
  const template = await saveTemplate()
  const start = async (of = worker) =>
    expectSuccess(await w.hr.post(AT.lists, { employee: of.iri, template: template['@id'] }))
  const tasksOf = async (who: TestApi, list: { id: number }) =>
    expectSuccess(await who.get(`${AT.tasks}?checklist=${list.id}&order[position]=asc`))['hydra:member'] as {
      '@id': string
      title: string
      dueOn: string | null
      done: boolean
      late: boolean
    }[]
  const titles = async (who: TestApi, list: { id: number }) => (await tasksOf(who, list)).map(({ title }) => title)
  return { ...w, manager, named, worker, tasks, template, saveTemplate, start, tasksOf, titles }
}

test('a checklist is copied from its template, and later changes of the template leave it as it is', async () => {
  const w = await createStarters()
  const list = await w.start()
  expect(list).toMatchObject({ name: 'Site starter', purpose: 'starter', tasks: 4, done: 0, overdue: 0 })
  expect((await w.tasksOf(w.hr, list)).map(({ dueOn }) => dueOn)).toEqual([w.day(7), w.day(10), w.day(12), w.day(5)])
  expectSuccess(await w.hr.put(w.template['@id'], { name: 'New', tasks: [{ title: 'Other', owner: 'hr', days: 0 }] }))
  expect((await w.titles(w.hr, list)).length).toBe(4)
  expect(expectSuccess(await w.hr.get(list['@id'])).name).toBe('Site starter')
  expect((await w.hr.post(AT.lists, { employee: w.worker.iri, template: w.template['@id'] })).status).toBe(422)
  expect((await w.hr.put(list['@id'], { employee: w.named.iri })).status).toBe(409)
  for (const method of ['PUT', 'PATCH', 'DELETE'])
    expect(
      (await w.hr.send(method, (await w.tasksOf(w.hr, list))[0]?.['@id'] ?? '', { body: { done: true } })).status,
    ).toBe(405)
})

test('templates need tasks, and a named person exactly where the owner is one', async () => {
  const w = await createStarters()
  const refused = async (values: Record<string, unknown>) =>
    (await w.hr.post(AT.templates, { name: 'X', purpose: 'starter', ...values })).body.violations?.[0].propertyPath
  expect(await refused({ tasks: [] })).toBe('tasks')
  expect(await refused({ tasks: [{ title: 'Do it', owner: 'person', days: 0 }] })).toBe('tasks[0].person')
  expect(await refused({ tasks: [{ title: 'Do it', owner: 'hr', person: w.named.iri, days: 0 }] })).toBe(
    'tasks[0].person',
  )
  expect(await refused({ tasks: [{ title: 'Do it', owner: 'hr', days: 400 }] })).toMatch(/^tasks/)
  await w.saveTemplate({ purpose: 'leaver' })
  expect(
    (await w.hr.post(AT.templates, { name: 'X', purpose: 'leaver', tasks: w.tasks })).status,
  ).toBeGreaterThanOrEqual(409)
  for (const api of [w.manager.api, w.worker.api]) expect((await api.get(AT.templates)).status).toBe(403)
})

test('a template that is saved as it was read keeps its tasks, people and order', async () => {
  const w = await createStarters()
  const before = expectSuccess(await w.hr.get(w.template['@id']))
  const after = expectSuccess(await w.hr.put(w.template['@id'], { name: 'Renamed', tasks: before.tasks }))
  expect(after.tasks).toEqual(before.tasks)
  expect(after.tasks[3]).toMatchObject({ title: 'Order boots', person: { '@id': w.named.iri } })
})

test('owners see and complete their own tasks, managers also see those of their people', async () => {
  const w = await createStarters()
  const list = await w.start()
  expect(await w.titles(w.worker.api, list)).toEqual(['Read the handbook'])
  expect(await w.titles(w.named.api, list)).toEqual(['Order boots'])
  expect(await w.titles(w.manager.api, list)).toHaveLength(4)
  expect(await w.titles(w.checker.api, list)).toEqual([])
  expect((await w.checker.api.get(list['@id'])).status).toBe(404)
  expect((await w.worker.api.get(list['@id'])).status).toBe(200)
  const [check, induction, handbook, boots] = await w.tasksOf(w.hr, list)
  const complete = async (who: TestApi, task: { '@id': string } | undefined) =>
    (await who.post(`${task?.['@id']}/complete`, {})).status
  expect([await complete(w.worker.api, induction), await complete(w.worker.api, boots)]).toEqual([404, 404])
  expect(await complete(w.manager.api, handbook)).toBe(403)
  expect([await complete(w.worker.api, handbook), await complete(w.worker.api, handbook)]).toEqual([200, 409])
  expect([await complete(w.manager.api, induction), await complete(w.named.api, boots)]).toEqual([200, 200])
  expect(await complete(w.hr, check)).toBe(200)
  expect(expectSuccess(await w.hr.get(list['@id']))).toMatchObject({ tasks: 4, done: 4 })
  expect(expectSuccess(await w.hr.get(handbook?.['@id'] ?? ''))).toMatchObject({ doneBy: w.worker.account.username })
})

test('marking a task as not done needs a reason, and its history is append-only', async () => {
  const w = await createStarters()
  const list = await w.start()
  const [, , handbook] = await w.tasksOf(w.hr, list)
  const iri = handbook?.['@id'] ?? ''
  expect((await w.worker.api.post(`${iri}/reopen`, { reason: 'Too early' })).status).toBe(409)
  expectSuccess(await w.worker.api.post(`${iri}/complete`, {}))
  expect((await w.worker.api.post(`${iri}/reopen`, {})).status).toBe(422)
  expect(expectSuccess(await w.worker.api.post(`${iri}/reopen`, { reason: 'Chapter 3 missing' }))).toMatchObject({
    done: false,
    doneAt: null,
    doneBy: '',
  })
  const history = expectSuccess(await w.worker.api.get(`${AT.events}?task=${iri}`))['hydra:member']
  expect(history).toMatchObject([
    { event: 'done', author: w.worker.account.username },
    { event: 'undone', reason: 'Chapter 3 missing' },
  ])
  for (const method of ['PUT', 'DELETE'])
    expect((await w.hr.send(method, history[0]['@id'], { body: { reason: 'x' } })).status).toBe(405)
  expect((await w.named.api.get(history[0]['@id'])).status).toBe(404)
})

test('a starter is added with a checklist in one step, or not at all', async () => {
  const w = await createStarters()
  const starter = { forename: 'Nia', surname: 'New', extCStartDate: w.day(20), manager: w.manager.iri }
  const leavers = await w.saveTemplate({ name: 'Leaver', purpose: 'leaver' })
  for (const template of [leavers['@id'], null])
    expect((await w.hr.post(AT.starters, { ...starter, template })).status).toBe(422)
  expect((await w.hr.get(`${AT.employees}?surname=New`)).body['hydra:totalItems']).toBe(0)
  const added = expectSuccess(await w.hr.post(AT.starters, { ...starter, template: w.template['@id'] }))
  expect(added).toMatchObject({ '@type': 'Employee', name: 'Nia New' })
  expect(expectSuccess(await w.hr.get(added.checklist))).toMatchObject({ tasks: 4 })
  expect((await w.manager.api.post(AT.starters, { ...starter, template: w.template['@id'] })).status).toBe(403)
})

test('entering a last day starts the leavers’ checklist once, and it follows the day and ends if the person stays', async () => {
  const w = await createStarters()
  await w.saveTemplate({ name: 'Leaver', purpose: 'leaver' })
  const lists = async (query = '') =>
    expectSuccess(await w.hr.get(`${AT.lists}?employee=${w.worker.id}&purpose=leaver${query}`))['hydra:member']
  expectSuccess(await w.hr.put(w.worker.iri, { extCStartDate: w.day(-50) }))
  await portal.drain()
  expect(await lists()).toEqual([])
  const end = { leavingDate: w.day(30), leavingReason: 'resigned' }
  expectSuccess(await w.hr.post(`${w.worker.iri}/end-employment`, end))
  await portal.drain()
  const [list] = await lists()
  expect((await w.tasksOf(w.hr, list))[1]?.dueOn).toBe(w.day(30))
  expectSuccess(await w.hr.put(w.worker.iri, { leavingDate: w.day(40) }))
  await portal.drain()
  expect(await lists()).toHaveLength(1)
  expect((await w.tasksOf(w.hr, list))[1]?.dueOn).toBe(w.day(40))
  expectSuccess(await w.hr.post(`${w.worker.iri}/resume-employment`, {}))
  await portal.drain()
  expect(await lists('&retired=false')).toEqual([])
  const [task] = await w.tasksOf(w.hr, list)
  expect((await w.hr.post(`${task?.['@id']}/complete`, {})).status).toBe(409)
  const fixedTerm = await w.person({ leavingDate: w.day(60) })
  await portal.drain()
  expect((await w.hr.get(`${AT.lists}?employee=${fixedTerm.id}`)).body['hydra:totalItems']).toBe(1)
})

test('open tasks of the reader are listed in My-Task, and overdue ones are marked and reminded', async () => {
  onTestFinished(() => moveClock(portal.engine, 0))
  const w = await createStarters()
  const list = await w.start()
  const mine = async (who: TestApi): Promise<NonNullable<MyTasks['checklists']>> =>
    expectSuccess(await who.get('/api/portal/my_tasks')).checklists
  expect(await mine(w.worker.api)).toMatchObject([
    { title: 'Read the handbook', due: w.day(12), to: `/ffe/checklists/view/${list.id}` },
  ])
  expect((await mine(w.manager.api)).map(({ title }) => title)).toEqual(['Give the induction'])
  expect((await mine(w.hr)).map(({ title }) => title)).toEqual(['Check the right to work'])
  expect(await mine(w.checker.api)).toEqual([])
  const notified = async () => {
    for (const _ of [1, 2]) await portal.runSchedule('checklist.due')
    const rows = await portal.db.tx('system', (tx) =>
      tx.rows<{ user: number }>(
        "SELECT user_id::int AS user FROM notice WHERE client_id = $1 AND kind = 'checklist.due' AND ended_at IS NULL ORDER BY id",
        [w.client.id],
      ),
    )
    return rows.map(({ user }) => user)
  }
  const [, , handbook] = await w.tasksOf(w.hr, list)
  await moveClock(portal.engine, 13)
  expect((await w.tasksOf(w.hr, list)).map(({ late }) => late)).toEqual([true, true, true, true])
  const users = await notified()
  expect(users).toEqual(expect.arrayContaining([w.worker.account.id, w.manager.account.id, w.named.account.id]))
  expectSuccess(await w.worker.api.post(`${handbook?.['@id']}/complete`, {}))
  expect(await mine(w.worker.api)).toEqual([])
  expect(await notified()).not.toContain(w.worker.account.id)
})

test('nobody ticks a task or starts a checklist while impersonating, and a lapsed product is read only', async () => {
  const w = await createStarters()
  const list = await w.start()
  const [, , handbook] = await w.tasksOf(w.hr, list)
  const iri = handbook?.['@id'] ?? ''
  const api = await impersonate(portal, w.worker.account)
  expect((await api.get(iri)).status).toBe(200)
  expect((await api.post(`${iri}/complete`, {})).status).toBe(403)
  const asOfficer = await impersonate(portal, w.officerAccount)
  const starter = { forename: 'Nia', surname: 'New', template: w.template['@id'] }
  expect((await asOfficer.post(AT.starters, starter)).status).toBe(403)
  expect((await asOfficer.post(AT.lists, { employee: w.named.iri, template: w.template['@id'] })).status).toBe(403)
  expect((await asOfficer.put(list['@id'], { retired: true })).status).toBe(403)
  await w.saveTemplate({ name: 'Leaver', purpose: 'leaver' })
  await portal.db.tx('owner', (tx) => grantPacks(tx, w.client.id, [], ['employees']))
  portal.sessions.forget()
  expect((await w.worker.api.get(iri)).status).toBe(200)
  expect((await w.hr.get(`${AT.lists}/export.csv`)).status).toBe(200)
  expect((await w.worker.api.post(`${iri}/complete`, {})).status).toBeGreaterThanOrEqual(402)
  expect((await w.hr.post(AT.starters, starter)).status).toBeGreaterThanOrEqual(402)
})

test('a checklist of another company can’t be read, started or completed', async () => {
  const [w, other] = [await createStarters(), await createStarters()]
  const list = await w.start()
  const [task] = await w.tasksOf(w.hr, list)
  expect((await other.hr.get(list['@id'])).status).toBe(404)
  expect((await other.hr.post(`${task?.['@id']}/complete`, {})).status).toBe(404)
  expect((await other.hr.post(AT.lists, { employee: w.worker.iri, template: other.template['@id'] })).status).toBe(404)
  expect((await other.hr.post(AT.lists, { employee: other.worker.iri, template: w.template['@id'] })).status).toBe(404)
})
