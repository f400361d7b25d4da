import { expect } from 'vitest'
import type { TestPortal } from './portal.ts'

export const LIST = '/api/safety/risk_assessments'

/** A line that stands in nobody's way. */
export const whole = (name = 'Falling from the edge') => [
  {
    hazardName: name,
    group: 'Work at height',
    persons: 'Roofers',
    probability: 4,
    severity: 5,
    judged: true,
    residualProbability: 1,
    residualSeverity: 5,
  },
  {
    hazardName: name,
    group: 'Work at height',
    controlName: 'Guard rails',
    tier: 'engineering',
    probability: 4,
    severity: 5,
    judged: true,
    residualProbability: 1,
    residualSeverity: 5,
  },
]
/** A body that can be completed. */
export const complete = (more: Record<string, unknown> = {}) => ({
  description: 'Roof repairs',
  location: 'Unit 4',
  groupsAffected: ['Employees'],
  controls: whole(),
  ...more,
})

export type Assessments = Awaited<ReturnType<typeof makeAssessments>>

/** A client of its own, whose administrator writes risk assessments. */
export async function makeAssessments(portal: TestPortal) {
  const client = await portal.client({ company: 'Lifecycle Ltd' })
  const author = client.as(
    await client.user({ roles: ['ROLE_CLIENT_ADMIN'], name: 'Ada Admin', email: 'ada@firm.example' }),
  )
  const worker = client.as(await client.user({ roles: ['ROLE_EMPLOYEE'], name: 'Will Worker' }))
  const draft = async (more: Record<string, unknown> = {}) => {
    const made = await author.post(LIST, complete(more))
    expect([made.status, made.text]).toEqual([201, expect.anything()])
    return made.body
  }
  const current = async () => {
    const made = await draft()
    expect((await author.post(`${made['@id']}/complete`)).status).toBe(200)
    const approved = await author.post(`${made['@id']}/approve`, {})
    expect([approved.status, approved.text]).toEqual([200, expect.anything()])
    return approved.body
  }
  return { client, author, worker, draft, current }
}
