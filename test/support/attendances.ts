import { expect } from 'vitest'
import { toolboxTalk } from '#modules/safety/talks/toolbox-talk.ts'
import { seedAsUser } from '#server/seed/seed-as.ts'
import { daysAgo } from './days.ts'
import type { TestApi, TestPortal, TestResponse } from './portal.ts'

const TALKS = '/api/safety/toolbox_talks'
const PRESENTED = '/api/safety/toolbox_talk_presenteds'

export const SAMPLE_STROKES = {
  width: 300,
  height: 100,
  strokes: [
    [
      [0.1, 0.1],
      [0.9, 0.8],
    ],
  ],
}

export interface AttendeeBody {
  readonly '@id': string
  readonly id: number
  readonly name: string
  readonly [field: string]: unknown
}

export interface PresentedTalkBody {
  readonly '@id': string
  readonly id: number
  readonly signed: number
  readonly talk: string
  readonly attendees: readonly AttendeeBody[]
}

export const expectOk = (answer: TestResponse) => {
  expect(answer.status, answer.text).toBeLessThan(300)
  return answer.body
}

export const attendanceProblem = ({ status, body }: TestResponse) => [
  status,
  body.violations?.[0]?.message ?? body.detail,
]

export const findAttendee = (record: Pick<PresentedTalkBody, 'attendees'>, name: string) => {
  const row = record.attendees.find((one) => one.name === name)
  if (!row) throw new Error(`${name} is not on the list`)
  return row
}

/** Brings a talk into force two years ago, by its author, so that records of it may have any day in the last year. */
export const approveLongAgo = (
  { engine }: Pick<TestPortal, 'engine'>,
  clientId: number,
  { id, author }: { readonly id: number; readonly author: string },
) =>
  seedAsUser(engine, { clientId, username: author, at: engine.clock.now().subtract({ hours: 2 * 365 * 24 }) }, (c) =>
    c.change(toolboxTalk.resource, id, { complete: true, approved: true }),
  )

/** Creates a client with users who present and sign talks. */
export async function makeAttendances(portal: TestPortal) {
  const client = await portal.client()
  const person = async (name: string, ...roles: string[]) => client.as(await client.user({ roles, name }))
  const admin = await person('Ada Admin', 'ROLE_CLIENT_ADMIN')
  const worker = await person('Will Worker', 'ROLE_EMPLOYEE')
  const other = await person('Olga Other', 'ROLE_EMPLOYEE')
  const foreman = await person('Fay Foreman', 'ROLE_EMPLOYEE', 'ROLE_SIGN_ON_BEHALF')
  const talk = async (title = 'Ladders') => {
    const made = expectOk(await admin.post(TALKS, { title, points: [{ text: 'Check the feet' }] }))
    await approveLongAgo(portal, client.id, made)
    return expectOk(await admin.get(made['@id'])) as { '@id': string; id: number }
  }
  const present = async (of: { '@id': string }, ...names: string[]) =>
    expectOk(
      await worker.post(PRESENTED, {
        talk: of['@id'],
        presenter: 'Will Worker',
        date: daysAgo(6),
        attendees: names.map((name) => ({ name })),
      }),
    ) as PresentedTalkBody
  const now = async (record: { '@id': string }) => expectOk(await worker.get(record['@id'])) as PresentedTalkBody
  const sign = (who: TestApi, record: PresentedTalkBody, name: string, more: Record<string, unknown> = {}) =>
    who.post(`${record['@id']}/sign`, { attendee: findAttendee(record, name)['@id'], method: 'typed', ...more })
  /** Signs without naming an attendee row, so that the portal adds one. */
  const join = (who: TestApi, record: { '@id': string }, more: Record<string, unknown> = {}) =>
    who.post(`${record['@id']}/sign`, { method: 'typed', ...more })
  const close = (record: { '@id': string }) => worker.put(record['@id'], { complete: true })
  return { client, admin, worker, other, foreman, talk, present, now, sign, join, close }
}
