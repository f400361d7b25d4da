import type { TestApi, TestClient, TestPortal, TestUser } from './portal.ts'

const BASE = '/api/employees'
export const LEAVE = {
  employees: `${BASE}/employees`,
  requests: `${BASE}/leave_requests`,
  entries: `${BASE}/leave_entries`,
  accounts: `${BASE}/leave_accounts`,
  patterns: `${BASE}/work_patterns`,
  assignments: `${BASE}/employee_work_patterns`,
  departments: `${BASE}/departments`,
} as const

const DAY = { from: '09:00', until: '17:00', breakMinutes: 0 }
/** Monday to Friday, eight paid hours. */
export const FIVE_DAYS = [[DAY], [DAY], [DAY], [DAY], [DAY], [], []]

export interface TestPerson {
  readonly account: TestUser
  readonly api: TestApi
  /** IRI of the employee. */
  readonly iri: string
  readonly id: number
}

/** A company with an administrator, a person of human resources, and employees who work five days a week. */
export async function createLeaveCompany(portal: TestPortal) {
  const client: TestClient = await portal.client({ packs: ['safety', 'employees', 'holidays'] })
  const admin = client.as(await client.user({ roles: ['ROLE_CLIENT_ADMIN'] }))
  const hr = client.as(await client.user({ roles: ['ROLE_HR'] }))
  const saved = async (api: TestApi, url: string, values: Record<string, unknown>) => {
    const { status, body, text } = await api.post(url, values)
    if (status !== 201) throw new Error(`POST ${url}: ${status} ${text}`)
    return body
  }
  const pattern = (await saved(hr, LEAVE.patterns, { name: 'Five days', days: FIVE_DAYS }))['@id']
  let count = 0
  /** Adds an employee with an account, start date and pattern. */
  const person = async (values: Record<string, unknown> = {}, roles = ['ROLE_EMPLOYEE']): Promise<TestPerson> => {
    const account = await client.user({ roles })
    const { '@id': iri, id } = await saved(admin, LEAVE.employees, {
      forename: `Person${++count}`,
      surname: 'Test',
      extCStartDate: '2020-01-01',
      nation: 'england',
      user: account.iri,
      ...values,
    })
    await saved(hr, LEAVE.assignments, { employee: iri, pattern, from: '2020-01-01' })
    return { account, api: client.as(account), iri, id }
  }
  const kinds = (await admin.get(`${BASE}/leave_kinds`)).body['hydra:member'] as { '@id': string; code: string }[]
  const kind = (code: string) => kinds.find((one) => one.code === code)?.['@id']
  /** Body of a request for whole days of annual leave. */
  const request = (of: TestPerson, firstDay: string, lastDay = firstDay, more: Record<string, unknown> = {}) => ({
    employee: of.iri,
    kind: kind('annual'),
    parts: [{ firstDay, lastDay }],
    ...more,
  })
  const balance = async (api: TestApi, of: TestPerson, year: string) =>
    (await api.get(`${LEAVE.accounts}/${of.id}/balance?year=${year}`)).body.balance
  return { client, admin, hr, pattern, person, kind, request, balance, saved }
}
