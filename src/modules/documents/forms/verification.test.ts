import { beforeAll, describe, expect, test } from 'vitest'
import type { FormSchema } from '#kernel/forms/schema.ts'
import { verifyEvidence } from '#server/evidence/verify.ts'
import * as assessments from '#test/support/assessments.ts'
import { withGasMonitorField, withoutFormFields } from '#test/support/changed-forms.ts'
import { testPortal } from '#test/support/portal.ts'

const portal = await testPortal()
let made: assessments.AssessmentHelpers

async function addForm(schema: FormSchema): Promise<{ readonly id: number; readonly digest: string }> {
  const { status, body } = await made.author.post('/api/safety/form_versions', { kind: 'risk_assessment', schema })
  expect(status).toBe(201)
  return body
}

describe('form verification', () => {
  beforeAll(async () => {
    made = await assessments.makeAssessments(portal)
  })
  const look = async () => (await verifyEvidence(portal.engine, made.client.id)).broken
  const asOwner = (sql: string) => portal.db.tx('owner', (tx) => tx.script(sql))

  test('verification of an untampered database reports no problems, even if the form has changed since', async () => {
    await addForm(withGasMonitorField())
    const doc = await made.draft({ additional: { gasMonitor: 'MX4' } })
    await made.author.post(`${doc['@id']}/complete`)
    const open = await made.draft({ additional: { gasMonitor: 'MX4' } })
    await addForm(withoutFormFields('project', 'duration'))
    await made.author.post(`${open['@id']}/use_new_form`)
    await made.draft()
    expect(await look()).toEqual([])
  })
  test('verification detects a stored form that was edited and a revision whose form was swapped', async () => {
    const doc = await made.current()
    const version = await addForm(withGasMonitorField({ required: false }))
    expect(await look()).toEqual([])
    await expect(
      asOwner(`UPDATE document SET form_id = NULL, form_digest = NULL WHERE id = ${doc.id}`),
    ).rejects.toThrow('keeps its form')
    await expect(asOwner(`UPDATE document SET form_id = 999999 WHERE seal IS NULL`)).rejects.toThrow(/form/)
    await asOwner('ALTER TABLE form_version DISABLE TRIGGER append_only; ALTER TABLE document DISABLE TRIGGER USER')
    await asOwner(`UPDATE form_version SET schema = jsonb_set(schema, '{title}', '"Other"') WHERE id = ${version.id}`)
    await asOwner(`UPDATE document SET form_id = ${version.id}, form_digest = '${version.digest}' WHERE id = ${doc.id}`)
    await asOwner('ALTER TABLE form_version ENABLE TRIGGER append_only; ALTER TABLE document ENABLE TRIGGER USER')
    const found = (await look()).join('\n')
    expect(found).toMatch(/Version \d+ of the form risk_assessment: its form \(title\) has been changed/)
    expect(found).toMatch(new RegExp(`${doc.documentNumber} revision 1: its form is ${version.id}`))
  })
})
