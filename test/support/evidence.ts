import { coshhAssessment } from '#modules/safety/coshh/coshh-assessment.ts'
import { documentIri, makeAssessments } from './assessments.ts'
import { approveLongAgo, expectOk } from './attendances.ts'
import { daysAgo } from './days.ts'
import { makeCompleteDocumentBody } from './kinds/whole.ts'
import type { TestApi, TestPortal } from './portal.ts'
import { makeUploadForm } from './uploads.ts'

const TALKS = '/api/safety/toolbox_talks'
const CORRECTIONS = '/api/safety/toolbox_talk_corrections'
const PRESENTED = '/api/safety/toolbox_talk_presenteds'

/**
 * Creates a client with every kind of sealed record: documents in every state (signed, with files, references and PDFs,
 * sent, and in packs), and presented talks. Each kind of row exists twice under one record, so that two rows can be
 * swapped.
 */
export async function makeEvidence(portal: TestPortal) {
  const made = await makeAssessments(portal)
  const { client, author, worker, draft, current, act } = made
  const put = async (one: { '@id': string }, values: Record<string, unknown>) =>
    expectOk(await author.put(one['@id'], values))
  const sealed = async (more: Record<string, unknown> = {}) => act(await draft(more), 'complete')
  const sign = async (who: TestApi, on: { id: number }) =>
    expectOk(await who.post('/api/safety/signatures', { document: documentIri(on), method: 'typed' }))

  const file = await addFile(author, client.id, 'hours.csv', 'Hours\n8\n')
  const plan = await addFile(author, client.id, 'plan.csv', 'Plan\n1\n')
  const uploadedDocuments = [file['@id'], plan['@id']]
  const signed = await act(await sealed({ uploadedDocuments }), 'approve', { note: 'Read on site' })
  for (const who of [author, worker]) await sign(who, signed)
  const associated = [{ target: documentIri(signed), notes: 'Read first' }, { file: plan['@id'] }]
  const waiting = await sealed({ associated })
  const rejected = await act(await sealed(), 'reject', { note: 'No edge protection' })
  const replaced = await current()
  await portal.drain()
  const next = await act(await act(await act(replaced, 'revise'), 'complete'), 'approve')
  const moved = await current()
  await put(moved, { reviewDue: '2027-03-01' })
  await put(moved, { audience: ['ROLE_EMPLOYEE'] })
  const withdrawn = await current()
  for (const retired of [true, false, true]) await put(withdrawn, { retired, decisionNote: 'No longer done' })
  const deleted = await sealed()
  await put(deleted, { retired: true })
  const open = await draft()
  for (const to of ['site@firm.example', 'office@firm.example'])
    expectOk(await author.post('/api/safety/document/send', { document: signed['@id'], to, message: 'Please read' }))

  await answerPack(portal, author, signed)
  await makeCoshh(author)
  const talks = await makePresented(portal, client.id, author, worker)
  await portal.drain()
  for (const one of [signed, next]) expectOk(await author.get(`${documentIri(one)}/pack`))
  return {
    ...made,
    file,
    plan,
    signed,
    waiting,
    rejected,
    replaced,
    next,
    moved,
    withdrawn,
    deleted,
    open,
    ...talks,
  }
}

async function addFile(author: TestApi, clientId: number, name: string, content: string) {
  const { headers, body } = makeUploadForm(content, name)
  return expectOk(await author.send('POST', `/api/safety/uploads/${clientId}`, { headers, body }))
}

/** Creates a pack that somebody outside the company rejects twice by a link. */
async function answerPack(portal: TestPortal, author: TestApi, paper: { readonly id: number }) {
  const papers = [{ target: documentIri(paper), notes: '' }]
  const words = { description: 'Re-roofing', location: 'Unit 4', supervisor: 'Ann', papers }
  const made = expectOk(await author.post('/api/safety/rams_packs', words))
  for (const action of ['complete', 'approve']) expectOk(await author.post(`${made['@id']}/${action}`, {}))
  const link = expectOk(
    await author.post(`${documentIri(made)}/links`, { called: 'Northern Build', until: daysAgo(-30) }),
  )
  const at = `/api/safety/shared_packs/${link.address.split('/pack/')[1]}`
  expectOk(await portal.anonymous.post(`${at}/opened`, {}))
  const by = { name: 'Ann Carter', company: 'Northern Build', position: 'Site manager' }
  for (const after of [0, 1])
    expectOk(
      await portal.anonymous.post(`${at}/answer`, { decision: 'rejected', comment: 'No rescue plan', after, ...by }),
    )
}

/** Creates a COSHH assessment in force, with two substances. */
async function makeCoshh(author: TestApi) {
  const whole = makeCompleteDocumentBody(coshhAssessment)
  const [one] = whole.substances as Record<string, unknown>[]
  const substances = [one, { ...one, name: 'White spirit', approach: 3, reason: 'Enclosed', notes: 'In the tin' }]
  expectOk(await author.post(coshhAssessment.resource.url, { ...whole, substances, complete: true, approved: true }))
}

/**
 * Creates a talk and presents it twice. One record has signatures, an absence and a late signature; the other has been
 * retired and restored.
 */
async function makePresented(portal: TestPortal, clientId: number, author: TestApi, worker: TestApi) {
  const talk = expectOk(await author.post(TALKS, { title: 'Ladders', points: [{ text: 'Check the feet' }] }))
  await approveLongAgo(portal, clientId, talk)
  const present = async (...names: string[]) => {
    const record = expectOk(
      await author.post(PRESENTED, {
        talk: talk['@id'],
        presenter: 'Grace',
        date: daysAgo(6),
        attendees: names.map((name) => ({ name })),
      }),
    )
    expectOk(await author.post(`${record['@id']}/sign`, { method: 'typed' }))
    for (const presenter of names.length ? ['Grace Hopper', 'Grace'] : [])
      expectOk(await author.post(CORRECTIONS, { presented: record['@id'], presenter, reason: 'Her name in full' }))
    for (const row of record.attendees as { '@id': string }[])
      expectOk(await author.post(`${record['@id']}/absent`, { attendee: row['@id'], absence: 'On holiday' }))
    return expectOk(await author.put(record['@id'], { complete: true }))
  }
  const presented = await present('Zoë')
  expectOk(await worker.post(`${presented['@id']}/sign`, { method: 'typed' }))
  const again = await present()
  for (const retired of [true, false]) expectOk(await author.put(again['@id'], { retired }))
  return { talk, presented, again }
}
