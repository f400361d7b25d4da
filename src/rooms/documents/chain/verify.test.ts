import { expect, test } from 'vitest'
import { makeAssessments } from '#test/support/assessments.ts'
import { testPortal } from '#test/support/portal.ts'
import { verify } from './verify.server.ts'

const portal = await testPortal()
const { client, author, current } = await makeAssessments(portal)

test('the chain proves what is there, and names the first broken link', async () => {
  const a = await current()
  await author.post('/api/safety/signatures', {
    document: `/api/safety/documents/${a.id}`,
    name: 'Ada',
    method: 'typed',
  })
  const b = await current()
  expect(await verify(portal.engine, client.id)).toMatchObject({ links: 5, broken: [] })
  // Somebody with the owner's rights gets past every wall but this one.
  await portal.db.tx('owner', async (tx) => {
    await tx.rows('ALTER TABLE document DISABLE TRIGGER document_sealed')
    await tx.rows('UPDATE document SET content = content || \'{"location": "Elsewhere"}\' WHERE id = $1', [b.id])
    await tx.rows('ALTER TABLE document ENABLE TRIGGER document_sealed')
  })
  const { broken } = await verify(portal.engine, client.id)
  expect(broken).toEqual([
    expect.stringContaining(`entry 4, "completed" of document ${b.id}: the document has been changed`),
  ])
  await portal.db.tx('owner', async (tx) => {
    await tx.rows('ALTER TABLE seal DISABLE TRIGGER append_only')
    await tx.rows("UPDATE seal SET subject = '{}' WHERE client_id = $1 AND place = 2", [client.id])
    await tx.rows('ALTER TABLE seal ENABLE TRIGGER append_only')
  })
  expect((await verify(portal.engine, client.id)).broken).toEqual([expect.stringContaining('entry 2')])
})
