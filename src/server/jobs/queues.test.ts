import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { defineEvent, type EventType } from '#kernel/event.ts'
import { createSystemActor, PROVIDER_CLIENT_ID } from '#kernel/roles.ts'
import { type EventHandler, eventHandler } from '#server/engine/handler.ts'
import type { Module } from '#server/engine/module.ts'
import { type TestPortal, testPortal } from '#test/support/portal.ts'
import { listFailedJobs, retryFailedJob } from './schedules.ts'
import { QueueWorkers } from './workers.ts'

const whole = await testPortal()
const roomOf = (...listeners: EventHandler[]): Module => ({ name: 'told', resources: [], handlers: listeners })
const nothing = async () => {}

/** Writes events to the outbox in one transaction of a client. */
const putIn = (clientId: number, portal: TestPortal, event: EventType<unknown, { n: number }>, ...numbers: number[]) =>
  portal.engine.inTenant(clientId, { actor: createSystemActor(clientId, 'test'), requestId: 'test' }, async (c) => {
    for (const n of numbers) await c.emit(event, { n })
    return nothing
  })
const put = (portal: TestPortal, event: EventType<unknown, { n: number }>, ...numbers: number[]) =>
  putIn(PROVIDER_CLIENT_ID, portal, event, ...numbers)

let count = 0
const newEvent = (version = 1) => defineEvent({ kind: `test.${++count}`, version, payload: z.object({ n: z.int() }) })

describe('events', () => {
  test('an event is passed to each of its handlers once', async () => {
    const event = newEvent()
    const told: string[] = []
    const hear = (name: string) =>
      eventHandler(event, {
        name: `${event.kind} ${name}`,
        queue: 'events',
        send: async (_, { n }) => void told.push(`${name} ${n}`),
      })
    const portal = await whole.with({}, [roomOf(hear('first'), hear('second'))])
    await put(portal, event, 1, 2)
    await portal.drain()
    await portal.drain()
    expect(told.sort()).toEqual(['first 1', 'first 2', 'second 1', 'second 2'])
  })

  test("an event's payload is removed from the outbox once every handler has run", async () => {
    const event = newEvent()
    let broken = true
    const told: number[] = []
    const sends = eventHandler(event, {
      name: `${event.kind} 1`,
      queue: 'events',
      send: async (_, { n }) => void told.push(n),
    })
    const runs = eventHandler(event, {
      name: `${event.kind} 2`,
      queue: 'events',
      run: () => {
        if (broken) throw new Error('The roof is leaking')
      },
    })
    const portal = await whole.with({}, [roomOf(sends, runs)])
    const kept = async () => {
      const rows = await portal.db.tx('system', (tx) =>
        tx.rows<{ payload: unknown }>('SELECT payload FROM outbox WHERE kind = $1', [event.kind]),
      )
      return rows.map((row) => row.payload)
    }
    await put(portal, event, 7)
    await portal.drain()
    expect(await kept()).toEqual([{ n: 7 }])
    broken = false
    const failure = (await listFailedJobs(portal.db)).find((f) => f.job === runs.name)
    await retryFailedJob(portal.engine, failure?.id ?? '')
    await portal.drain()
    expect([await kept(), told]).toEqual([[{}], [7]])
  })

  test('an event is handled once, even if its job runs again because its completion was lost', async () => {
    const event = newEvent()
    const sent: number[] = []
    const name = event.kind
    const sends = eventHandler(event, { name, queue: 'events', send: async (_, { n }) => void sent.push(n) })
    const portal = await whole.with({}, [roomOf(sends)])
    await put(portal, event, 1)
    await portal.drain()
    const again = await portal.db.tx('owner', (tx) =>
      tx.rows(
        "UPDATE pgboss.job SET state = 'retry', start_after = now(), completed_on = NULL WHERE data ->> 'listener' = $1 RETURNING id",
        [name],
      ),
    )
    await portal.drain()
    expect([again.length, sent]).toEqual([1, [1]])
    expect((await listFailedJobs(portal.db)).filter((f) => f.job === name)).toEqual([])
  })

  test('an event without a handler is rejected when emitted', async () => {
    const event = newEvent()
    await expect(put(whole, event, 1)).rejects.toThrow(`No handler is registered for "${event.kind}"`)
  })

  test('an event whose payload does not match its schema is rejected when emitted', async () => {
    const event = newEvent()
    const portal = await whole.with({}, [
      roomOf(eventHandler(event, { name: event.kind, queue: 'events', send: nothing })),
    ])
    await expect(put(portal, event, 1.5)).rejects.toThrow(/expected int/)
  })

  test('an event in an older version is converted to the current version, but one in an unknown newer version is listed as failed', async () => {
    const event = newEvent()
    const told: number[] = []
    const today = defineEvent({
      ...event,
      version: 2,
      upgrade: { 1: (old) => ({ n: 100 + z.object({ n: z.int() }).parse(old).n }) },
    })
    const hears = (e: typeof event) =>
      eventHandler(e, { name: event.kind, queue: 'events', send: async (_, { n }) => void told.push(n) })
    const before = await whole.with({}, [roomOf(hears(event))])
    const after = await whole.with({}, [roomOf(hears(today))])
    await put(before, event, 1)
    await after.drain()
    await put(after, today, 2)
    await before.drain()
    expect(told).toEqual([101])
    const failure = (await listFailedJobs(before.db)).find((f) => f.job === event.kind)
    expect(failure?.error).toBe(`This release of the portal does not support version 2 of the event "${event.kind}".`)
    await retryFailedJob(after.engine, failure?.id ?? '')
    await after.drain()
    expect(told).toEqual([101, 2])
  })

  test('an event of an unknown kind is listed as failed', async () => {
    const kind = newEvent().kind
    await whole.db.tx('system', (tx) =>
      tx.rows("INSERT INTO outbox (client_id, kind, payload) VALUES (0, $1, '{}')", [kind]),
    )
    await whole.drain()
    expect((await listFailedJobs(whole.db)).find((f) => f.job === kind)?.error).toBe(
      `No handler is registered for "${kind}"`,
    )
  })
})

describe('invalid declarations of handlers and events', () => {
  test('two handlers with the same name prevent the server from starting', async () => {
    const one = eventHandler(newEvent(), { name: 'same', queue: 'events', send: nothing })
    const two = eventHandler(newEvent(), { name: 'same', queue: 'mail', send: nothing })
    await expect(whole.with({}, [roomOf(one, two)])).rejects.toThrow('Two handlers are called "same"')
  })

  test('two events of the same kind prevent the server from starting', async () => {
    const event = newEvent()
    const other = { ...event }
    const hears = (e: typeof event, name: string) => eventHandler(e, { name, queue: 'events', send: nothing })
    await expect(whole.with({}, [roomOf(hears(event, 'a'), hears(other, 'b'))])).rejects.toThrow(
      `Two events are called "${event.kind}"`,
    )
  })
})

describe("an event handler's database work", () => {
  test("a handler's database work is committed atomically and only once", async () => {
    const event = newEvent()
    let broken = true
    const write = eventHandler(event, {
      name: event.kind,
      queue: 'events',
      run: async ({ work }, { n }) => {
        await work.tx.rows('INSERT INTO message (client_id, recipient, subject, body) VALUES (0, $1, $2, $2)', [
          event.kind,
          String(n),
        ])
        if (broken) throw new Error('The roof is leaking')
      },
    })
    const portal = await whole.with({}, [roomOf(write)])
    const written = () =>
      portal.db.tx('system', (tx) => tx.rows('SELECT 1 FROM message WHERE recipient = $1', [event.kind]))
    await put(portal, event, 1)
    await portal.drain()
    expect(await written()).toEqual([])
    const failure = (await listFailedJobs(portal.db)).find((f) => f.job === event.kind)
    expect(failure).toMatchObject({ lane: 'events', client: 0, attempts: 1, error: 'The roof is leaking' })
    broken = false
    await retryFailedJob(portal.engine, failure?.id ?? '')
    await portal.drain()
    await portal.drain()
    expect(await written()).toHaveLength(1)
    expect((await listFailedJobs(portal.db)).filter((f) => f.job === event.kind)).toEqual([])
  })

  test('a slow handler is not run concurrently by a second process', async () => {
    const event = newEvent()
    const sent: number[] = []
    let proceed = () => {}
    const gate = new Promise<void>((open) => (proceed = open))
    const slow = eventHandler(event, {
      name: event.kind,
      queue: 'mail',
      send: async (_, { n }) => {
        sent.push(n)
        await gate
      },
    })
    const [one, two] = [await whole.with({}, [roomOf(slow)]), await whole.with({}, [roomOf(slow)])]
    await put(one, event, 1, 2)
    const first = one.drain()
    await expect.poll(() => sent).toHaveLength(1)
    const second = two.drain()
    proceed()
    await Promise.all([first, second])
    expect(sent.sort()).toEqual([1, 2])
  })

  test("a handler's work is discarded if another process has taken over its job", async () => {
    const event = newEvent()
    let lapsed = true
    const write = eventHandler(event, {
      name: event.kind,
      queue: 'events',
      run: async ({ work }) => {
        await work.tx.rows('INSERT INTO message (client_id, recipient, subject, body) VALUES (0, $1, $1, $1)', [
          event.kind,
        ])
        if (!lapsed) return
        // Simulates another process taking over the job.
        await work.tx.script('SET LOCAL ROLE NONE')
        await work.tx.rows("UPDATE pgboss.job SET retry_count = retry_count + 1 WHERE data ->> 'listener' = $1", [
          event.kind,
        ])
        await work.tx.script('SET LOCAL ROLE stanchion_tenant')
      },
    })
    const portal = await whole.with({}, [roomOf(write)])
    const written = () =>
      portal.db.tx('system', (tx) => tx.rows('SELECT 1 FROM message WHERE recipient = $1', [event.kind]))
    await put(portal, event, 1)
    await portal.drain()
    expect(await written()).toEqual([])
    lapsed = false
    const [failure] = (await listFailedJobs(portal.db)).filter((f) => f.job === event.kind)
    expect(failure?.error).toBe('Another process has taken over this job')
    await retryFailedJob(portal.engine, failure?.id ?? '')
    await portal.drain()
    expect(await written()).toHaveLength(1)
  })
})

describe('a job queue', () => {
  test('a job that hangs delays neither other queues nor other jobs in its own queue', async () => {
    const [hanging, quick] = [newEvent(), newEvent()]
    const told: string[] = []
    let proceed = () => {}
    const gate = new Promise<void>((open) => (proceed = open))
    const portal = await whole.with({}, [
      roomOf(
        eventHandler(hanging, {
          name: hanging.kind,
          queue: 'mail',
          send: async (_, { n }) => {
            if (n === 1) await gate
            told.push(`letter ${n}`)
          },
        }),
        eventHandler(quick, {
          name: quick.kind,
          queue: 'events',
          send: async (_, { n }) => void told.push(`event ${n}`),
        }),
      ),
    ])
    const workers = new QueueWorkers(portal.engine, { error: () => {} })
    await workers.start()
    try {
      await put(portal, hanging, 1, 2, 3)
      await put(portal, quick, 4)
      await expect.poll(() => told.toSorted()).toEqual(['event 4', 'letter 2', 'letter 3'])
      proceed()
      await expect.poll(() => told).toContain('letter 1')
    } finally {
      proceed()
      await workers.stop()
    }
  })
  test('clients take turns in a queue of batch jobs: a client with many jobs leaves one slot free, and its next job waits for the jobs of other clients', async () => {
    const event = newEvent()
    const begun: number[] = []
    const gates = new Map([11, 12, 13, 21, 31].map((n) => [n, Promise.withResolvers<void>()]))
    const slow = eventHandler(event, {
      name: event.kind,
      queue: 'bulk',
      send: async (_, { n }) => {
        begun.push(n)
        await gates.get(n)?.promise
      },
    })
    const portal = await whole.with({}, [roomOf(slow)])
    const [first, second, third] = [await portal.client(), await portal.client(), await portal.client()]
    const workers = new QueueWorkers(portal.engine, { error: () => {} })
    await workers.start()
    try {
      await putIn(first.id, portal, event, 11, 12, 13)
      await expect.poll(() => begun).toEqual([11])
      await putIn(second.id, portal, event, 21)
      await expect.poll(() => begun).toEqual([11, 21])
      await putIn(third.id, portal, event, 31)
      await workers.relay()
      gates.get(11)?.resolve()
      await expect.poll(() => begun).toEqual([11, 21, 31])
      for (const { resolve } of gates.values()) resolve()
      // Both slots are free now, so the last two jobs start at the same time.
      await expect.poll(() => begun.toSorted()).toEqual([11, 12, 13, 21, 31])
      expect(begun.slice(0, 3)).toEqual([11, 21, 31])
    } finally {
      for (const { resolve } of gates.values()) resolve()
      await workers.stop()
    }
  })
})
