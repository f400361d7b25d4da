import { describe, expect, test } from 'vitest'
import { londonDate } from '#kernel/time.ts'
import { moveClock } from '#server/engine/clock.ts'
import type { Module } from '#server/engine/module.ts'
import { type Schedule, schedule } from '#server/engine/schedule.ts'
import { type TestClient, testPortal } from '#test/support/portal.ts'
import { listFailedJobs, runSchedule } from './schedules.ts'
import { QueueWorkers } from './workers.ts'

const whole = await testPortal()
const roomOf = (...schedules: Schedule[]): Module => ({ name: 'timed', resources: [], schedules })
const silent = { error: () => {} }

describe('a schedule', () => {
  test('a schedule runs once per slot, even if several processes check for due schedules', async () => {
    let times = 0
    const hourly = schedule({ name: 'test.once', every: { minutes: 525_600 }, run: async () => void times++ })
    const portal = await whole.with({}, [roomOf(hourly)])
    const processes = [1, 2, 3].map(() => new QueueWorkers(portal.engine, silent))
    await Promise.all(processes.map((p) => p.tick()))
    await Promise.all(processes.map((p) => p.drain()))
    await Promise.all(processes.map((p) => p.tick()))
    await portal.drain()
    expect(times).toBe(1)
  })

  test('a failed schedule is listed as failed and can be retried', async () => {
    const failing = schedule({
      name: 'test.failing',
      every: { minutes: 525_600 },
      run: () => Promise.reject(new Error('The roof is leaking')),
    })
    const portal = await whole.with({}, [roomOf(failing)])
    await new QueueWorkers(portal.engine, silent).tick()
    await portal.drain()
    expect((await listFailedJobs(portal.db)).find((f) => f.job === 'test.failing')).toMatchObject({
      lane: 'schedules',
      client: null,
      error: 'The roof is leaking',
    })
  })

  test('a duplicate schedule name prevents the server from starting', async () => {
    const one = schedule({ name: 'test.same', every: { minutes: 1 }, run: async () => {} })
    await expect(whole.with({}, [roomOf(one, { ...one })])).rejects.toThrow('Two schedules are called "test.same"')
  })
})

describe('a schedule per client', () => {
  const noted = (client: TestClient, subject: string) =>
    whole.db.tx({ clientId: client.id }, (tx) => tx.rows('SELECT 1 FROM message WHERE subject = $1', [subject]))

  test('a schedule per client runs once per client and day, even if it fails for another client', async () => {
    const clients = [await whole.client(), await whole.client(), await whole.client()] as const
    let broken = true
    const daily = schedule({
      name: 'test.daily',
      every: { daily: '06:00' },
      perClient: async (c, day) => {
        await c.work.tx.rows("INSERT INTO message (client_id, recipient, subject, body) VALUES ($1, '', $2, '')", [
          c.clientId,
          `test.daily ${day.toString()}`,
        ])
        if (broken && c.clientId === clients[1].id) throw new Error('The roof is leaking')
      },
    })
    const portal = await whole.with({}, [roomOf(daily)])
    const on = (day: string) => runSchedule(portal.engine, daily, day)
    const counts = (day: string) => Promise.all(clients.map(async (c) => (await noted(c, `test.daily ${day}`)).length))

    await expect(on('2026-01-10')).rejects.toThrow(`for client ${clients[1].id}, was: The roof is leaking`)
    expect(await counts('2026-01-10')).toEqual([1, 0, 1])
    broken = false
    await Promise.all([on('2026-01-10'), on('2026-01-10')])
    expect(await counts('2026-01-10')).toEqual([1, 1, 1])
    await on('2026-01-11')
    expect(await counts('2026-01-11')).toEqual([1, 1, 1])
    // The work for a missed day is not done later.
    await on('2026-01-10')
    expect(await counts('2026-01-10')).toEqual([1, 1, 1])
  })

  test('a schedule per client runs again after the portal clock has been moved ahead and back', async () => {
    const client = await whole.client()
    const days: string[] = []
    const daily = schedule({
      name: 'test.back',
      every: { daily: '00:00' },
      perClient: async (c, day) => void (c.clientId === client.id && days.push(day.toString())),
    })
    const portal = await whole.with({}, [roomOf(daily)])
    await moveClock(portal.engine, 459)
    await runSchedule(portal.engine, daily)
    await moveClock(portal.engine, 0)
    const today = londonDate(portal.engine.clock.now())
    await runSchedule(portal.engine, daily)
    expect(days).toEqual([today.add({ days: 459 }).toString(), today.toString()])
  })
})
