import type { TestApi, TestPortal } from './portal.ts'
import { expectSuccess } from './sign-offs.ts'

export const RIGHT_TO_WORK = {
  employees: '/api/employees/employees',
  status: '/api/employees/right_to_work',
  checks: '/api/employees/right_to_work_checks',
  documents: '/api/employees/right_to_work_documents',
  copies: '/api/employees/right_to_work_copies',
  certificates: '/api/employees/right_to_work_destructions',
} as const

/** A company with an administrator, human resources, a person with the role for private details, and employees. */
export async function createCheckingCompany(portal: TestPortal) {
  const client = await portal.client({ packs: ['employees'] })
  const admin = client.as(await client.user({ roles: ['ROLE_CLIENT_ADMIN'], name: 'Ada Admin' }))
  const hr = client.as(await client.user({ roles: ['ROLE_HR'] }))
  const officerAccount = await client.user({ roles: ['ROLE_HR', 'ROLE_HR_PRIVATE'], name: 'Olga Officer' })
  const officer = client.as(officerAccount)
  const day = (days: number) =>
    portal.engine.clock.now().toZonedDateTimeISO('Europe/London').toPlainDate().add({ days }).toString()
  let count = 0
  /** Adds an employee with an account. */
  const person = async (values: Record<string, unknown> = {}) => {
    const account = await client.user({ roles: ['ROLE_EMPLOYEE'] })
    const sent = { forename: `Person${++count}`, surname: 'Test', extCStartDate: day(30), user: account.iri, ...values }
    const { '@id': iri, id } = expectSuccess(await admin.post(RIGHT_TO_WORK.employees, sent))
    return { iri: iri as string, id: id as number, account, api: client.as(account) }
  }
  const checker = await person()
  const listed = expectSuccess(await hr.get(RIGHT_TO_WORK.documents))['hydra:member'] as {
    '@id': string
    code: string
  }[]
  /** IRI of a document by its number in the reference list. */
  const document = (code: number) => listed.find((one) => one.code === String(code))?.['@id']
  /** Body of a manual check of a British passport. */
  const check = (of: { readonly iri: string }, more: Record<string, unknown> = {}) => ({
    employee: of.iri,
    method: 'manual',
    document: document(1),
    checkedBy: checker.iri,
    checkedOn: day(-1),
    ...more,
  })
  /** A check of a permission that ends after some days. */
  const limited = (of: { readonly iri: string }, days: number, more: Record<string, unknown> = {}) =>
    check(of, { document: document(9), expiresOn: day(days), ...more })
  const statusOf = async (who: TestApi, of: { readonly id: number }) =>
    (await who.get(`${RIGHT_TO_WORK.status}/${of.id}`)).body
  return { client, admin, hr, officer, officerAccount, day, person, checker, document, check, limited, statusOf }
}
