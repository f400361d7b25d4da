import { contractSecretLink } from '#modules/people/contracts/deliver.server.ts'
import type { TestApi, TestClient, TestPortal, TestUser } from './portal.ts'

const BASE = '/api/employees'
export const CONTRACTS = {
  employees: `${BASE}/employees`,
  templates: `${BASE}/contract_templates`,
  versions: `${BASE}/contract_template_versions`,
  mailings: `${BASE}/contract_mailings`,
  preview: `${BASE}/contract_mailings/preview`,
  contracts: `${BASE}/contracts`,
} as const

export const TYPED = { name: 'Ann Carter', method: 'typed' }

/** An employee of the test company; `api` and `account` are those of their account. */
export interface ContractPerson {
  readonly iri: string
  readonly id: number
  readonly account: TestUser
  readonly api: TestApi
}

/** A company with human resources, a countersigner, an employee with an account, and a template. */
export async function createContractCompany(portal: TestPortal, given?: TestClient) {
  const client = given ?? (await portal.client({ packs: ['employees'] }))
  const admin = client.as(await client.user({ roles: ['ROLE_CLIENT_ADMIN'] }))
  const hrUser = await client.user({ roles: ['ROLE_HR'] })
  const hr = client.as(hrUser)
  const saved = async (api: TestApi, url: string, values: Record<string, unknown>) => {
    const { status, body, text } = await api.post(url, values)
    if (status !== 201) throw new Error(`POST ${url}: ${status} ${text}`)
    return body
  }
  let count = 0
  /** Adds an employee without an account. */
  const addEmployee = (values: Record<string, unknown> = {}) =>
    saved(admin, CONTRACTS.employees, {
      forename: `Person${++count}`,
      surname: 'Test',
      jobtitlename: 'Bricklayer',
      extCStartDate: '2020-01-01',
      ...values,
    })
  const person = async (values: Record<string, unknown> = {}, roles = ['ROLE_EMPLOYEE']): Promise<ContractPerson> => {
    const account = await client.user({ roles })
    const { '@id': iri, id } = await addEmployee({ user: account.iri, ...values })
    return { account, api: client.as(account), iri, id }
  }
  const template = (values: Record<string, unknown> = {}) =>
    saved(hr, CONTRACTS.templates, {
      name: 'Contract of employment',
      body: '<p>Dear {{forename}}, you work as {{job title}} from {{start date}}.</p>',
      writtenStatement: true,
      ...values,
    })
  const [boss, worker] = [await person({ forename: 'Grace' }), await person({ forename: 'Ann', surname: 'Carter' })]
  const standard = await template()
  const mailing = (values: Record<string, unknown> = {}) => ({
    template: standard['@id'],
    templateVersion: 1,
    countersigner: boss.iri,
    days: 14,
    ...values,
  })
  const contractOf = async (of: { readonly iri?: string; readonly '@id'?: string }) => {
    const { body } = await hr.get(`${CONTRACTS.contracts}?employee=${of.iri ?? of['@id']}&order[number]=desc`)
    const [found] = body['hydra:member']
    return found ? (await hr.get(found['@id'])).body : undefined
  }
  /** Sends the template to one employee. Returns the contract. */
  const send = async (of: { readonly iri?: string; readonly '@id'?: string }, values: Record<string, unknown> = {}) => {
    await saved(hr, CONTRACTS.mailings, mailing({ employee: of.iri ?? of['@id'], ...values }))
    return contractOf(of)
  }
  const sign = (api: TestApi, contract: { '@id': string; digest: string }, step = 'sign', more: object = {}) =>
    api.post(`${contract['@id']}/${step}`, { digest: contract.digest, signature: TYPED, ...more })
  /** Returns the address of a new link to a contract in the API. */
  const linkOf = async ({ id }: { readonly id: number }) => {
    const url = await contractSecretLink.make(portal.engine, client.id, { contract: id })
    return `${BASE}/linked_contracts/${url?.split('/').at(-1)}`
  }
  return {
    client,
    admin,
    hr,
    hrUser,
    saved,
    addEmployee,
    person,
    template,
    standard,
    boss,
    worker,
    mailing,
    contractOf,
    send,
    sign,
    linkOf,
  }
}
