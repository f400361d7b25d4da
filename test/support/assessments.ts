import { expect } from 'vitest'
import type { TestPortal } from './portal.ts'

export const ASSESSMENTS_URL = '/api/safety/risk_assessments'

/** Makes hazard rows that are complete enough for the assessment to be completed. */
export const makeHazards = (name = 'Falling from the edge') => [
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
/** Makes the body of an assessment that can be completed. */
export const makeCompleteAssessment = (more: Record<string, unknown> = {}) => ({
  description: 'Roof repairs',
  location: 'Unit 4',
  groupsAffected: ['Employees'],
  controls: makeHazards(),
  ...more,
})

export interface CreatedDocument {
  readonly '@id': string
  readonly id: number
  readonly documentNumber: string
  readonly createdAt: string
}

/** Returns the URL of a document, independent of its type. */
export const documentIri = ({ id }: { readonly id: number }) => `/api/safety/documents/${id}`

export type AssessmentHelpers = Awaited<ReturnType<typeof makeAssessments>>

/** Creates a client whose administrator writes risk assessments. */
export async function makeAssessments(portal: TestPortal, about: { packs?: readonly string[] } = {}) {
  const client = await portal.client({ company: 'Lifecycle Ltd', ...about })
  const author = client.as(
    await client.user({ roles: ['ROLE_CLIENT_ADMIN'], name: 'Ada Admin', email: 'ada@firm.example' }),
  )
  const worker = client.as(await client.user({ roles: ['ROLE_EMPLOYEE'], name: 'Will Worker' }))
  const draft = async (more: Record<string, unknown> = {}) => {
    const made = await author.post(ASSESSMENTS_URL, makeCompleteAssessment(more))
    expect([made.status, made.text]).toEqual([201, expect.anything()])
    return made.body
  }
  /** Executes an action on a document as its author, and expects success. */
  const act = async (one: { readonly '@id': string }, action: string, input = {}) => {
    const answer = await author.post(`${one['@id']}/${action}`, input)
    expect([answer.status, answer.text]).toEqual([200, expect.anything()])
    return answer.body
  }
  const inForce = async (made: { readonly '@id': string }) => act(await act(made, 'complete'), 'approve')
  const current = async () => inForce(await draft())
  return { client, author, worker, draft, act, inForce, current }
}
