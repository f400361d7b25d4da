import { expect, test } from 'vitest'
import { z } from 'zod'
import { runJobsCommand } from '#app/jobs.ts'
import { defineEvent } from '#kernel/event.ts'
import { createSystemActor, PROVIDER_CLIENT_ID } from '#kernel/roles.ts'
import { eventHandler } from '#server/engine/handler.ts'
import { testPortal } from '#test/support/portal.ts'

const URL = '/api/portal/failures'

test('failed jobs are listed with their reason and succeed when retried', async () => {
  const event = defineEvent({ kind: 'test.failing', version: 1, payload: z.object({}) })
  let broken = true
  const done: string[] = []
  const hears = eventHandler(event, {
    name: 'test.failing',
    queue: 'events',
    run: () => {
      if (broken) throw new Error('The roof is leaking')
      done.push('done')
    },
  })
  const portal = await (await testPortal()).with({}, [{ name: 'test', resources: [], handlers: [hears] }])
  const admin = portal.provider.as(await portal.provider.user({ roles: ['ROLE_STAFF', 'ROLE_USER_ADMIN'] }))
  await portal.engine.inTenant(
    PROVIDER_CLIENT_ID,
    { actor: createSystemActor(PROVIDER_CLIENT_ID, 'test'), requestId: 'test' },
    async (c) => {
      await c.emit(event, {})
      return () => undefined
    },
  )
  await portal.drain()
  const { body } = await admin.get(URL)
  const [failure] = body['hydra:member'].filter((f: { job: string }) => f.job === 'test.failing')
  expect(failure).toMatchObject({
    '@type': 'Failure',
    lane: 'events',
    client: 0,
    attempts: 1,
    error: 'The roof is leaking',
    nextAt: expect.any(String),
  })
  expect(await runJobsCommand(portal.engine, [])).toContain('client 0  1 attempt, last ')
  broken = false
  expect((await admin.post(`${failure['@id']}/retry`, {})).status).toBe(204)
  await portal.drain()
  expect(done).toEqual(['done'])
  expect((await admin.post(`${failure['@id']}/retry`, {})).status).toBe(404)
  await expect(runJobsCommand(portal.engine, ['retry', failure.id])).rejects.toThrow('There is no failed job')
  await expect(runJobsCommand(portal.engine, ['redo'])).rejects.toThrow('Usage: jobs, or jobs retry ID')
})

test('only portal administrators can read failed jobs', async () => {
  const portal = await testPortal()
  const staff = portal.provider.as(await portal.provider.user({ roles: ['ROLE_STAFF'] }))
  expect((await staff.get(URL)).status).toBe(403)
  expect((await staff.post(`${URL}/x/retry`, {})).status).toBe(403)
})
