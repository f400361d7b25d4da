import { expect, test } from 'vitest'
import { createSystemActor } from '#kernel/roles.ts'
import { appendToChain } from '#server/evidence/chain.ts'
import { CHAIN_START, digestSubject, hashChainLink } from '#server/evidence/link.ts'
import { evidenceAdoption } from '#server/evidence/seal.ts'
import { verifyEvidence } from '#server/evidence/verify.ts'
import { makeAssessments } from '#test/support/assessments.ts'
import { testPortal } from '#test/support/portal.ts'
import { document } from '../types/document.ts'

const portal = await testPortal()
const { client, author, current } = await makeAssessments(portal)
const look = async () => (await verifyEvidence(portal.engine, client.id)).broken
const owner = (sql: string) =>
  portal.db.tx('owner', async (tx) => {
    await tx.script('SET LOCAL session_replication_role = replica')
    await tx.script(sql)
  })

/** Fields that an entry in the original format sealed in addition to the form's own fields. */
const SEALED = [
  'documentNumber',
  'revision',
  'createdAt',
  'completedAt',
  'completedBy',
  'description',
  'location',
  'groupsAffected',
  'isTemplate',
  'author',
]

/**
 * Replaces the chain entries with entries in the original format, like those that earlier versions of the portal wrote.
 */
async function writeFormerLinks(id: number): Promise<void> {
  const record = (await author.get(`/api/safety/risk_assessments/${id}`)).body
  const lines = record.controls.map((line: Record<string, unknown>) => ({
    id: line.id,
    group: line.group,
    hazardName: line.hazardName,
    controlName: line.controlName,
    tier: line.tier,
    persons: line.persons,
    probability: line.probability,
    severity: line.severity,
    judged: line.judged,
  }))
  const [stored] = await portal.db.tx('system', (tx) =>
    tx.rows<{ content: Record<string, unknown> }>('SELECT content FROM document WHERE id = $1', [id]),
  )
  const words = {
    ...stored?.content,
    ...Object.fromEntries(SEALED.map((name) => [name, record[name]])),
  }
  const subjects = [
    ['completed', { kind: 'risk_assessment', ...words, controls: lines }],
    ['approved', { documentNumber: record.documentNumber, revision: record.revision, reviewDue: record.reviewDue }],
  ] as const
  let end = CHAIN_START
  const links = subjects.map(([event, subject]) => {
    const about = {
      form: 1 as const,
      event,
      subjectType: document.type,
      subjectId: id,
      at: '2026-01-01T00:00:00Z',
      by: 'ada',
    }
    const link = { ...about, place: end.place + 1, digest: digestSubject(subject), previous: end.hash }
    end = { place: link.place, hash: hashChainLink(link) }
    return `INSERT INTO seal (client_id, form, place, event, subject_type, subject_id, subject, digest, previous, hash, at, by)
      VALUES (${client.id}, 1, ${link.place}, '${event}', 'Document', ${id}, '${JSON.stringify(subject)}'::jsonb, '${link.digest}', '${link.previous}', '${end.hash}', '${link.at}', 'ada')`
  })
  const seal = digestSubject(subjects[0][1])
  await owner(
    `DELETE FROM seal WHERE client_id = ${client.id}; ${links.join('; ')}; UPDATE document SET seal = '${seal}' WHERE id = ${id}`,
  )
}

const adopt = () =>
  portal.engine.inTenant(0, { actor: createSystemActor(0, 'test'), requestId: 'test' }, async (c) => {
    await c.work.tx.rows('SET LOCAL ROLE stanchion_system')
    await evidenceAdoption.load(c)
    return () => undefined
  })

test('first-format chain entries pass verification, and are resealed once without changes', async () => {
  const made = await current()
  await writeFormerLinks(made.id)
  expect(await look()).toEqual([])
  await owner(`UPDATE document SET title = 'Other' WHERE id = ${made.id}`)
  expect(await look()).toEqual([expect.stringContaining('its title is "Other", but "Roof repairs" was sealed')])
  await adopt()
  // Seals in the original format are still checked.
  expect(await look()).toEqual([expect.stringContaining('its title is "Other"')])
  await owner(`UPDATE document SET title = 'Roof repairs' WHERE id = ${made.id}`)
  expect(await look()).toEqual([])
  await adopt()
  expect((await verifyEvidence(portal.engine, client.id)).links).toBe(3)
  await owner(`UPDATE document SET review_due = '2099-01-01' WHERE id = ${made.id}`)
  expect(await look()).toEqual([expect.stringContaining('its review date is "2099-01-01"')])
})

test('verification ignores the signature counts that second-format chain entries contain', async () => {
  const made = await current()
  await portal.engine.inTenant(
    client.id,
    { actor: createSystemActor(client.id, 'test'), requestId: 'test' },
    async (c) => {
      const sealed = [{ table: 'document', columns: ['id', 'signature_count'], rows: [[made.id, 3]] }]
      appendToChain(c.work, client.id, {
        event: 'signed',
        subjectType: document.type,
        subjectId: made.id,
        subject: { sealed },
        at: c.now,
        by: 'ada',
      })
      return () => undefined
    },
  )
  expect(await look()).not.toContainEqual(expect.stringContaining('signature'))
})
