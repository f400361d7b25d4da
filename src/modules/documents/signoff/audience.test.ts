import { expect, test } from 'vitest'
import { type TestUser, testPortal } from '#test/support/portal.ts'
import {
  collectionMembers,
  documentApiUrl,
  expectSuccess,
  loadDocumentsToSign,
  loadSignOffCounts,
  loadSignOffStates,
  makeSignOffHelpers,
  SIGN_OFFS_URL,
  signOffProblem,
  TALKS_URL,
} from '#test/support/sign-offs.ts'

const portal = await testPortal()
const { company, ask } = makeSignOffHelpers(portal)

test('only readers of a document are asked to sign it, including after its audience changes', async () => {
  const { client, author, workers, hire, approve, as } = await company('Will')
  const [will] = workers as [TestUser]
  const roof = await hire('Ron Roofer', ['ROLE_EMPLOYEE', 'ROLE_SIGN_ON_BEHALF'])
  const writer = await hire('Wendy Writer', ['ROLE_SAFETY_AUTHOR'])
  const talk = { title: 'Roofs', points: [{ text: 'Look up.' }], audience: ['ROLE_SIGN_ON_BEHALF'] }
  const on = await approve(expectSuccess(await as(writer).post(TALKS_URL, talk)))
  const choosable = async () =>
    collectionMembers(await author.get(`${SIGN_OFFS_URL}/people?document=${documentApiUrl(on)}`)).map(
      (p: { name: string }) => p.name,
    )
  expect(await choosable()).toEqual(['Ada Admin', 'Ron Roofer', 'Wendy Writer'])
  expect(signOffProblem(await ask(author, on, { people: [roof.id, will.id] }))).toEqual([
    422,
    'One of these people is not a reader of this document',
  ])
  expectSuccess(await ask(author, on, { everybody: true }))
  const everybody = { 'Ada Admin': 'asked', 'Ron Roofer': 'asked', 'Wendy Writer': 'asked' }
  expect(await loadSignOffStates(author, on)).toEqual(everybody)
  expect(await loadSignOffCounts(author, on)).toEqual([3, 3, true])
  expectSuccess(await author.put(will.iri, { roles: ['ROLE_EMPLOYEE', 'ROLE_SIGN_ON_BEHALF'] }))
  expect(await loadSignOffStates(author, on)).toEqual({ ...everybody, Will: 'asked' })

  expectSuccess(await author.put(on['@id'], { audience: ['ROLE_RISK_CREATE_UNRESTRICTED'] }))
  expect(await loadSignOffStates(author, on)).toEqual({ ...everybody, Will: 'out', 'Ron Roofer': 'out' })
  expect([await loadDocumentsToSign(as(roof)), await loadSignOffCounts(author, on)]).toEqual([[], [2, 2, true]])
  const driver = await hire('Dan Driver', ['ROLE_EMPLOYEE', 'ROLE_RISK_CREATE_UNRESTRICTED'])
  expectSuccess(await author.put(on['@id'], { audience: [] }))
  expect(await loadSignOffStates(author, on)).toEqual({ ...everybody, Will: 'asked', 'Dan Driver': 'asked' })
  expect(await loadDocumentsToSign(as(driver))).toEqual(['Roofs'])
  await portal.drain()
  const told = await portal.db.tx('system', (tx) =>
    tx.rows<{ recipient: string }>('SELECT recipient FROM message WHERE client_id = $1', [client.id]),
  )
  expect(told.map((l) => l.recipient)).toContain(`dan.driver@c${client.id}.example`)
})
