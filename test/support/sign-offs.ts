import { expect } from 'vitest'
import type { Answer, Api, TestPortal, TestUser } from './portal.ts'

export const TALKS = '/api/safety/toolbox_talks'
export const REQUESTS = '/api/safety/sign_offs'
export const PEOPLE = '/api/safety/sign_off_people'

/** Body of an answer, which must be a success. */
export const ok = (answer: Answer) => {
  expect([answer.status, answer.text]).toEqual([answer.status < 300 ? answer.status : 200, expect.anything()])
  return answer.body
}
export const members = (answer: Answer) => ok(answer)['hydra:member']
export const documentOf = ({ id }: { id: number }) => `/api/safety/documents/${id}`
export const refusal = ({ status, body }: Answer) => [status, body.violations?.[0]?.message ?? body.detail]

export const sign = (who: Api, on: { id: number }) =>
  who.post('/api/safety/signatures', { document: documentOf(on), method: 'typed' })
export const standing = async (who: Api, on: { id: number }) =>
  Object.fromEntries(
    members(await who.get(`${PEOPLE}?document=${documentOf(on)}&pagination=false`)).map(
      (p: { user: { name: string }; state: string }) => [p.user.name, p.state],
    ),
  )
export const counts = async (who: Api, on: { '@id': string }) => {
  const { asked, missing, waiting } = ok(await who.get(on['@id']))
  return [asked, missing, waiting]
}
export const toSign = async (who: Api) =>
  members(await who.get('/api/safety/documents/to_sign')).map((d: { title: string }) => d.title)

export function makeSignOffs(portal: TestPortal) {
  const day = (days: number) =>
    portal.engine.clock.now().toZonedDateTimeISO('Europe/London').toPlainDate().add({ days }).toString()
  /** A company with an administrator, and a worker for each given name. */
  async function company(...names: string[]) {
    const client = await portal.client()
    const admin = await client.user({ roles: ['ROLE_CLIENT_ADMIN'], name: 'Ada Admin', username: `ada.${client.id}` })
    const hire = (name: string, roles = ['ROLE_EMPLOYEE']) =>
      client.user({ roles, name, email: `${name.toLowerCase().replace(/\W/g, '.')}@c${client.id}.example` })
    const workers = []
    for (const name of names) workers.push(await hire(name))
    const author = client.as(admin)
    const approve = async (made: { '@id': string }, change?: string) => {
      ok(await author.post(`${made['@id']}/complete`))
      return ok(await author.post(`${made['@id']}/approve`, change ? { change } : {}))
    }
    const current = async (title = 'Ladders') =>
      approve(ok(await author.post(TALKS, { title, points: [{ text: 'Look up.' }] })))
    const next = async (made: { '@id': string }, change?: string) =>
      approve(ok(await author.post(`${made['@id']}/revise`, { reason: 'Since then' })), change)
    return { client, admin, author, workers, hire, approve, current, next, as: (u: TestUser) => client.as(u) }
  }

  const ask = (who: Api, on: { id: number }, more: Record<string, unknown>) =>
    who.post(REQUESTS, { document: documentOf(on), due: day(14), ...more })
  return { day, company, ask }
}
