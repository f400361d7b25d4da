import { expect, test } from 'vitest'
import { makeAssessments } from '#test/support/assessments.ts'
import { effortOf, LONGEST_HOLD } from '#test/support/effort.ts'
import { testPortal } from '#test/support/portal.ts'

const portal = await testPortal()
const { client, author, current } = await makeAssessments(portal)

test('sending puts the PDF into a letter', async () => {
  const made = await current()
  const sent = await author.post('/api/safety/document/send', {
    document: made['@id'],
    to: 'a@b.example, c@d.example',
    message: 'Please read.',
  })
  expect([sent.status, sent.body.sent]).toEqual([200, ['a@b.example', 'c@d.example']])
  const letters = await portal.db.tx('system', (tx) =>
    tx.rows<{ payload: { to: string; attachments: { base64: string; filename: string }[] } }>(
      "SELECT payload FROM outbox WHERE client_id = $1 AND kind = 'mail' ORDER BY id",
      [client.id],
    ),
  )
  expect(letters.map((l) => l.payload.to)).toEqual(['a@b.example', 'c@d.example'])
  expect(
    Buffer.from(letters[0]?.payload.attachments[0]?.base64 ?? '', 'base64')
      .subarray(0, 5)
      .toString(),
  ).toBe('%PDF-')
  expect((await author.post('/api/safety/document/send', { document: made['@id'], to: 'nobody' })).status).toBe(422)
  const pdf = await author.get(`${made['@id']}/pdf`)
  expect([pdf.status, pdf.headers['content-type']]).toEqual([200, 'application/pdf'])
})

test('what is no address is refused at once, however long', async () => {
  const made = await current()
  for (const to of [`a@${'.'.repeat(100_000)}@`, 'a,'.repeat(500_000), [`a@${'.'.repeat(100_000)}@`]]) {
    const send = () => author.post('/api/safety/document/send', { document: made['@id'], to })
    expect((await send()).status).toBe(422)
    expect(await effortOf(send)).toBeLessThan(LONGEST_HOLD)
  }
})
