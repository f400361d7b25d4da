import { expect } from 'vitest'
import type { TestApi, TestPortal, TestResponse, TestUser } from './portal.ts'

export const TALKS_URL = '/api/safety/toolbox_talks'
export const SIGN_OFFS_URL = '/api/safety/sign_offs'
export const SIGN_OFF_PEOPLE_URL = '/api/safety/sign_off_people'

/** Returns the body of a response after asserting that it succeeded. */
export const expectSuccess = (answer: TestResponse) => {
  expect([answer.status, answer.text]).toEqual([answer.status < 300 ? answer.status : 200, expect.anything()])
  return answer.body
}
export const collectionMembers = (answer: TestResponse) => expectSuccess(answer)['hydra:member']
export const documentApiUrl = ({ id }: { id: number }) => `/api/safety/documents/${id}`
export const signOffProblem = ({ status, body }: TestResponse) => [status, body.violations?.[0]?.message ?? body.detail]

/** Returns the parts of a document that a reader can open, as opened for five seconds each. */
export const openParts = async (who: TestApi, on: { id: number }) =>
  collectionMembers(await who.get(`${documentApiUrl(on)}/parts`)).flatMap(
    (part: { '@id': string; readable: boolean }) => (part.readable ? [{ part: part['@id'], seconds: 1 }] : []),
  )
export const sendSignature = async (
  who: TestApi,
  on: { id: number },
  { opened, ...more }: { opened?: unknown; [field: string]: unknown } = {},
) =>
  who.post('/api/safety/signatures', {
    document: documentApiUrl(on),
    method: 'typed',
    opened: opened ?? (await openParts(who, on)),
    ...more,
  })
export const loadSignOffStates = async (who: TestApi, on: { id: number }) =>
  Object.fromEntries(
    collectionMembers(await who.get(`${SIGN_OFF_PEOPLE_URL}?document=${documentApiUrl(on)}&pagination=false`)).map(
      (p: { user: { name: string }; state: string }) => [p.user.name, p.state],
    ),
  )
export const loadSignOffCounts = async (who: TestApi, on: { '@id': string }) => {
  const { asked, missing, waiting } = expectSuccess(await who.get(on['@id']))
  return [asked, missing, waiting]
}
export const loadDocumentsToSign = async (who: TestApi) =>
  collectionMembers(await who.get('/api/safety/documents/to_sign')).map((d: { title: string }) => d.title)

export function makeSignOffHelpers(portal: TestPortal) {
  const day = (days: number) =>
    portal.engine.clock.now().toZonedDateTimeISO('Europe/London').toPlainDate().add({ days }).toString()
  /** Creates a company with an administrator, and a worker for each given name. */
  async function company(...names: string[]) {
    const client = await portal.client()
    const admin = await client.user({ roles: ['ROLE_CLIENT_ADMIN'], name: 'Ada Admin', username: `ada.${client.id}` })
    const hire = (name: string, roles = ['ROLE_EMPLOYEE']) =>
      client.user({ roles, name, email: `${name.toLowerCase().replace(/\W/g, '.')}@c${client.id}.example` })
    const workers = []
    for (const name of names) workers.push(await hire(name))
    const author = client.as(admin)
    const approve = async (made: { '@id': string }, change?: string) => {
      expectSuccess(await author.post(`${made['@id']}/complete`))
      return expectSuccess(await author.post(`${made['@id']}/approve`, change ? { change } : {}))
    }
    const current = async (title = 'Ladders') =>
      approve(expectSuccess(await author.post(TALKS_URL, { title, points: [{ text: 'Look up.' }] })))
    const next = async (made: { '@id': string }, change?: string) =>
      approve(expectSuccess(await author.post(`${made['@id']}/revise`, { reason: 'Since then' })), change)
    return { client, admin, author, workers, hire, approve, current, next, as: (u: TestUser) => client.as(u) }
  }

  const ask = (who: TestApi, on: { id: number }, more: Record<string, unknown>) =>
    who.post(SIGN_OFFS_URL, { document: documentApiUrl(on), due: day(14), ...more })
  return { day, company, ask }
}
