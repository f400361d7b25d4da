import { expect, test } from 'vitest'
import { type TestClient, testPortal } from '#test/support/portal.ts'
import { documentApiUrl, expectSuccess, makeSignOffHelpers, TALKS_URL } from '#test/support/sign-offs.ts'

const here = await testPortal()
/** Another process on the same database, with its own token cache. */
const elsewhere = await here.with({})
const { company } = makeSignOffHelpers(here)
const PASSWORD = 'harbour tin piano'

/** Signs a user in and makes the other process cache the token. */
async function signInElsewhere(client: TestClient, roles: readonly string[]) {
  const user = await client.user({ roles, name: 'Sid Signer', password: PASSWORD })
  const { username } = user
  const credentials = { username, password: PASSWORD, client: client.id }
  const api = elsewhere.bearing((await here.anonymous.post('/api/security/login', credentials)).body.token)
  expect((await api.get('/api/safety/signatures')).status).toBe(200)
  return { user, api }
}

/** Creates a document in force and a user to sign it. */
async function makeSigner() {
  const { client, author, current } = await company()
  const document = documentApiUrl(await current())
  const { user, api } = await signInElsewhere(client, ['ROLE_EMPLOYEE', 'ROLE_SIGN_ON_BEHALF'])
  const sign = async (claim: Record<string, unknown> = { method: 'typed' }) => {
    const { status, body } = await api.post('/api/safety/signatures', { document, ...claim })
    return [status, body.code]
  }
  const signatures = async () => (await author.get(document)).body.signatures
  return { author, user, sign, signatures }
}

test("a user who has just been retired can't sign with a token that another process has cached", async () => {
  const { author, user, sign, signatures } = await makeSigner()
  expect((await author.patch(user.iri, { isRetired: true })).status).toBe(200)
  expect(await sign()).toEqual([401, 'session_ended'])
  expect(await signatures()).toBe(0)
})

test('a user who has just lost permission to sign for others can sign only for themselves', async () => {
  const { author, user, sign, signatures } = await makeSigner()
  expect((await author.patch(user.iri, { roles: ['ROLE_EMPLOYEE'] })).status).toBe(200)
  const behalf = { method: 'on behalf', name: 'Otto Other' }
  expect(await sign(behalf)).toEqual([409, 'conflict'])
  expect((await sign(behalf))[0]).toBe(403)
  expect(await signatures()).toBe(0)
  expect((await sign())[0]).toBe(201)
})

test('a user who has just been renamed can sign only with the new name', async () => {
  const { author, user, sign, signatures } = await makeSigner()
  expect((await author.patch(user.iri, { name: 'Sid Signer-Jones' })).status).toBe(200)
  expect(await sign()).toEqual([409, 'conflict'])
  expect(await signatures()).toBe(0)
  expect((await sign())[0]).toBe(201)
})

test("a user who has just been retired can't complete or approve a document", async () => {
  const { client, author } = await company()
  const draft = async () => expectSuccess(await author.post(TALKS_URL, { title: 'T', points: [{ text: 'x' }] }))['@id']
  const [unfinished, finished] = [await draft(), await draft()]
  expectSuccess(await author.post(`${finished}/complete`))
  const { user, api } = await signInElsewhere(client, ['ROLE_SAFETY_ADMIN'])
  expect((await author.patch(user.iri, { isRetired: true })).status).toBe(200)
  for (const action of [`${unfinished}/complete`, `${finished}/approve`])
    expect((await api.post(action)).body.code).toBe('session_ended')
  expect((await author.get(unfinished)).body.state).toBe('draft')
  expect((await author.get(finished)).body.state).toBe('complete')
})
