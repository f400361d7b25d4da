import { expect, onTestFinished, test } from 'vitest'
import { moveClock } from '#server/engine/clock.ts'
import { verifyEvidence } from '#server/evidence/verify.ts'
import { CONTRACTS, createContractCompany, TYPED } from '#test/support/contracts.ts'
import { withForgery } from '#test/support/forging.ts'
import { testPortal } from '#test/support/portal.ts'

const portal = await testPortal()
const untrueOf = async (clientId: number) => (await verifyEvidence(portal.engine, clientId)).broken

test('a contract is sent, opened, signed and countersigned, and its PDF is stored and sealed', async () => {
  const { client, worker, boss, hr, send, sign } = await createContractCompany(portal)
  const sent = await send(worker)
  expect(sent).toMatchObject({
    number: 'EC-0001',
    state: 'sent',
    title: 'Contract of employment',
    employeeName: 'Ann Carter',
    body: '<p>Dear Ann, you work as Bricklayer from 1 January 2020.</p>',
    signature: null,
  })
  expect((await worker.api.get(`${sent['@id']}/party`)).body.party).toBe('employee')
  expect((await boss.api.get(`${sent['@id']}/party`)).body.party).toBe('countersigner')
  expect((await hr.get(`${sent['@id']}/party`)).body.party).toBeNull()
  expect((await sign(boss.api, sent, 'countersign')).status).toBe(409)
  expect((await worker.api.post(`${sent['@id']}/opened`, {})).status).toBe(200)
  expect((await hr.get(sent['@id'])).body.state).toBe('opened')
  const signed = await sign(worker.api, sent)
  expect([signed.status, signed.body.state]).toEqual([200, 'signed'])
  expect((await hr.get(`${sent['@id']}/contract.pdf`)).status).toBe(409)
  const complete = await sign(boss.api, sent, 'countersign', { signature: { ...TYPED, name: 'Grace Test' } })
  expect(complete.body).toMatchObject({
    state: 'complete',
    signature: { name: 'Ann Carter', method: 'typed', username: worker.account.username, digest: sent.digest },
    countersignature: { name: 'Grace Test', username: boss.account.username },
  })
  await portal.drain()
  const { body } = await hr.get(`/api/employees/contract_prints?contract=${sent.id}`)
  expect(body['hydra:member']).toMatchObject([{ checksum: expect.stringMatching(/^[0-9a-f]{64}$/) }])
  for (const reader of [hr, worker.api, boss.api]) {
    const pdf = await reader.get(`${sent['@id']}/contract.pdf`)
    expect([pdf.status, pdf.headers['content-type']]).toEqual([200, 'application/pdf'])
  }
  const record = (await hr.get(`/api/employees/records/${worker.id}`)).body
  expect(record.statement).toBe('complete')
  expect((await hr.get(`/api/employees/records/${boss.id}`)).body.statement).toBe('missing')
  expect(await untrueOf(client.id)).toEqual([])
})

test('only the employee signs and only the countersigner countersigns, each exactly the text that was on the screen', async () => {
  const { client, worker, boss, hr, admin, person, send, sign } = await createContractCompany(portal)
  const other = await person()
  const sent = await send(worker)
  expect((await sign(other.api, sent)).status).toBe(404)
  for (const api of [boss.api, hr, admin]) expect((await sign(api, sent)).status).toBe(403)
  expect((await sign(worker.api, { ...sent, digest: 'a'.repeat(64) })).status).toBe(409)
  const unsigned = await sign(worker.api, sent, 'sign', { signature: { name: 'Ann', method: 'finger', strokes: [] } })
  expect([unsigned.status, unsigned.body.violations[0].propertyPath]).toEqual([422, 'strokes'])
  const unnamed = await sign(worker.api, sent, 'sign', { signature: { name: ' ', method: 'typed' } })
  expect([unnamed.status, unnamed.body.violations[0].propertyPath]).toEqual([422, 'name'])
  expect((await sign(worker.api, sent)).status).toBe(200)
  for (const api of [worker.api, hr, admin]) expect((await sign(api, sent, 'countersign')).status).toBe(403)
  expect((await sign(boss.api, sent, 'countersign', { digest: 'b'.repeat(64) })).status).toBe(409)
  expect(await untrueOf(client.id)).toEqual([])
})

test('20 callers sign a contract once and countersign it once, and the others get 409', async () => {
  const { client, worker, boss, send, sign } = await createContractCompany(portal)
  const sent = await send(worker)
  for (const [api, step] of [
    [worker.api, 'sign'],
    [boss.api, 'countersign'],
  ] as const) {
    const answers = await Promise.all(Array.from({ length: 20 }, () => sign(api, sent, step)))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array(19).fill(409)])
  }
  await portal.drain()
  expect(await untrueOf(client.id)).toEqual([])
})

test('nobody countersigns their own contract, whatever way the countersigner is chosen', async () => {
  const { worker, boss, hr, addEmployee, mailing, send } = await createContractCompany(portal)
  const own = await hr.post(CONTRACTS.mailings, mailing({ employee: boss.iri }))
  expect([own.status, own.body.violations[0]]).toMatchObject([422, { propertyPath: 'countersigner' }])
  const sent = await send(worker)
  const change = (countersigner: string) => hr.post(`${sent['@id']}/change-countersigner`, { countersigner })
  expect((await change(worker.iri)).status).toBe(422)
  const withoutAccount = await addEmployee()
  expect((await change(withoutAccount['@id'])).body.violations[0].message).toContain('no account')
  await expect(
    portal.db.tx('system', (tx) =>
      tx.rows('UPDATE employment_contract SET countersigner_id = employee_id WHERE id = $1', [sent.id]),
    ),
  ).rejects.toThrow('employment_contract_check')
})

test('a countersigner who is joined to the signed employee’s record afterwards still can’t countersign', async () => {
  const { client, worker, boss, admin, person, hr, send, sign } = await createContractCompany(portal)
  const sent = await send(worker)
  expect((await sign(worker.api, sent)).status).toBe(200)
  const another = await person()
  expect((await hr.post(`${sent['@id']}/change-countersigner`, { countersigner: another.iri })).status).toBe(200)
  expect((await sign(boss.api, sent, 'countersign')).status).toBe(404)
  // The account that signed passes to the countersigner’s record, past the engine.
  await portal.db.tx('system', async (tx) => {
    await tx.rows('UPDATE employee SET user_id = NULL WHERE client_id = $1 AND id = ANY($2)', [
      client.id,
      [worker.id, another.id],
    ])
    await tx.rows('UPDATE employee SET user_id = $3 WHERE client_id = $1 AND id = $2', [
      client.id,
      another.id,
      worker.account.id,
    ])
  })
  expect((await sign(worker.api, sent, 'countersign')).status).toBe(403)
  expect((await admin.get(sent['@id'])).body.state).toBe('signed')
})

test('the employee declines with a reason, and a declined, cancelled or expired contract can’t be signed', async () => {
  onTestFinished(() => moveClock(portal.engine, 0))
  const { client, worker, hr, person, send, sign } = await createContractCompany(portal)
  const declined = await send(worker)
  const decline = (api: typeof hr, reason: string) => api.post(`${declined['@id']}/decline`, { reason })
  expect((await decline(worker.api, '')).status).toBe(422)
  expect((await decline(hr, 'No')).status).toBe(403)
  expect((await decline(worker.api, 'The pay is wrong')).body).toMatchObject({
    state: 'declined',
    reason: 'The pay is wrong',
    endedBy: worker.account.username,
  })
  expect((await decline(worker.api, 'Again')).status).toBe(409)
  const cancelled = await send(await person())
  expect((await worker.api.post(`${cancelled['@id']}/cancel`, { reason: 'x' })).status).toBe(403)
  expect((await hr.post(`${cancelled['@id']}/cancel`, { reason: '' })).status).toBe(422)
  expect((await hr.post(`${cancelled['@id']}/cancel`, { reason: 'Wrong template' })).body.state).toBe('cancelled')
  const late = await person()
  const expired = await send(late, { days: 2 })
  await moveClock(portal.engine, 3)
  expect((await sign(late.api, expired)).status).toBe(409)
  await portal.runSchedule('contract.expire')
  expect((await hr.get(expired['@id'])).body).toMatchObject({ state: 'expired', reason: '' })
  for (const one of [declined, cancelled, expired]) {
    expect((await hr.post(`${one['@id']}/resend`, {})).status).toBe(409)
    expect((await hr.post(`${one['@id']}/cancel`, { reason: 'x' })).status).toBe(409)
  }
  expect((await sign(worker.api, declined)).status).toBe(409)
  expect(await untrueOf(client.id)).toEqual([])
})

test('a changed text, signature or state of a contract is refused by the database, and found by the verification', async () => {
  const { client, worker, boss, send, sign, person } = await createContractCompany(portal)
  const [sent, open] = [await send(worker), await send(await person())]
  await sign(worker.api, sent)
  await sign(boss.api, sent, 'countersign')
  await portal.drain()
  const run = (sql: string, id = sent.id) =>
    portal.db.tx('system', (tx) => tx.rows(`${sql} WHERE client_id = $1 AND id = $2`, [client.id, id]))
  for (const change of [
    "UPDATE employment_contract SET body = 'x'",
    "UPDATE employment_contract SET employee_name = 'x'",
    "UPDATE employment_contract SET signature = jsonb_set(signature, '{name}', '\"x\"')",
    "UPDATE employment_contract SET countersignature = jsonb_set(countersignature, '{name}', '\"x\"')",
    "UPDATE employment_contract SET state = 'cancelled', countersignature = NULL, countersigned_at = NULL",
    'DELETE FROM employment_contract',
  ])
    await expect(run(change)).rejects.toThrow('contract')
  const forgeries = [
    ["UPDATE employment_contract SET body = 'x'", 'text'],
    ["UPDATE employment_contract SET signature = jsonb_set(signature, '{name}', '\"x\"')", 'signature'],
    ['UPDATE employment_contract SET sign_until = sign_until + 1', 'last day to sign'],
    ["UPDATE employment_contract SET state = 'signed', countersignature = NULL, countersigned_at = NULL", 'state'],
  ] as const
  for (const [sql, word] of forgeries) {
    const found = await withForgery(
      portal,
      client.id,
      (tx) => tx.rows(`${sql} WHERE client_id = $1 AND id = $2`, [client.id, sent.id]),
      () => untrueOf(client.id),
    )
    expect(found.join()).toContain(word)
  }
  await run("UPDATE employment_contract SET state = 'cancelled', reason = 'x'", open.id)
  expect(await untrueOf(client.id)).toEqual([
    expect.stringContaining('Contract EC-0002: its state is "cancelled", but no such event was sealed.'),
  ])
})
