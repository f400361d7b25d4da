import { createSystemActor } from '#kernel/roles.ts'
import { contract } from '#modules/people/contracts/contract.ts'
import { endContract } from '#modules/people/contracts/signing.server.ts'
import { expectOk } from './attendances.ts'
import { createContractCompany } from './contracts.ts'
import { grantPacks, type TestClient, type TestPortal } from './portal.ts'

/** Sends contracts, of which two are completed and the others end in each of the other ways. */
export async function addContracts(portal: TestPortal, client: TestClient): Promise<void> {
  await portal.db.tx('system', (tx) => grantPacks(tx, client.id, ['safety', 'employees']))
  const { hr, boss, person, send, sign } = await createContractCompany(portal, client)
  const other = await person()
  const change = (at: string, countersigner: string) =>
    hr.post(`${at}/change-countersigner`, { countersigner }).then(expectOk)
  for (const _ of [1, 2]) {
    const worker = await person()
    const sent = await send(worker, { countersigner: other.iri })
    await change(sent['@id'], boss.iri)
    expectOk(await hr.post(`${sent['@id']}/resend`, { days: 20 }))
    expectOk(await sign(worker.api, sent))
    for (const one of [other, boss]) await change(sent['@id'], one.iri)
    expectOk(await sign(boss.api, sent, 'countersign'))
  }
  const [cancelled, decliner] = [await send(await person()), await person()]
  expectOk(await hr.post(`${cancelled['@id']}/cancel`, { reason: 'Wrong template' }))
  const declined = await send(decliner)
  expectOk(await decliner.api.post(`${declined['@id']}/decline`, { reason: 'Other pay' }))
  const { id: expired } = await send(await person())
  const actor = createSystemActor(client.id, 'test')
  await portal.engine.inTenant(client.id, { actor, requestId: 'test' }, async (c) => {
    await endContract(c, await c.lock(contract, expired), 'expired')
    return () => undefined
  })
  await portal.drain()
}
