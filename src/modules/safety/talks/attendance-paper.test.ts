import { beforeAll, describe, expect, test } from 'vitest'
import { extractResponseText } from '#test/pdf/words.ts'
import { approveLongAgo } from '#test/support/attendances.ts'
import { daysAgo } from '#test/support/days.ts'
import { type TestApi, type TestClient, type TestPortal, type TestResponse, testPortal } from '#test/support/portal.ts'

const TALKS = '/api/safety/toolbox_talks'
const PRESENTED = '/api/safety/toolbox_talk_presenteds'

let portal: TestPortal
let client: TestClient
let admin: TestApi

beforeAll(async () => {
  portal = await testPortal()
  client = await portal.client({ company: 'Attending Ltd' })
  admin = client.as(await client.user({ roles: ['ROLE_CLIENT_ADMIN'], name: 'Ada Admin' }))
})

async function accepted(by: TestApi, title: string) {
  const made = await by.post(TALKS, { title, points: [{ text: 'Check the feet' }] })
  await approveLongAgo(portal, by === admin ? client.id : 0, made.body)
  return (await by.get(made.body['@id'])).body
}

async function presented(talk: string) {
  const made = await admin.post(PRESENTED, {
    talk,
    presenter: 'Ada Admin',
    date: daysAgo(200),
    notes: 'The register was missing.',
    attendees: [{ name: 'Will Worker', method: 'typed', signedAt: '2026-03-02T08:00:00Z' }],
  })
  expect([made.status, made.text]).toEqual([201, expect.anything()])
  return made.body
}

describe("an attendance record's PDF", () => {
  test("an attendance record's PDF is available only from the talk that was presented", async () => {
    const [ladders, slips] = [await accepted(admin, 'Ladders'), await accepted(admin, 'Slips')]
    const record = await presented(ladders['@id'])
    expect((await admin.get(`${slips['@id']}/pdf?presented=${record.id}`)).status).toBe(404)
    expect((await admin.get(`${ladders['@id']}/pdf?presented=${record.id}`)).status).toBe(200)
  })

  test("an attendance record's PDF names the attendees' company, even if the talk is the provider's", async () => {
    const provider = portal.provider
    const keeper = provider.as(await provider.user({ roles: ['ROLE_SAFETY_ADMIN', 'ROLE_STAFF'] }))
    const talk = await accepted(keeper, 'Everybody’s ladders')
    const record = await presented(talk['@id'])
    const words = await extractResponseText(await admin.get(`${talk['@id']}/pdf?presented=${record.id}`))
    expect(words).toContain('For Attending Ltd')
    expect(words).toContain('Recorded by Ada Admin')
  })

  test("an attendance record's PDF shows its notes and author, and whether the record is closed", async () => {
    const talk = await accepted(admin, 'Noise')
    const record = await presented(talk['@id'])
    const words = await extractResponseText(await admin.get(`${talk['@id']}/pdf?presented=${record.id}`))
    for (const said of ['The register was missing.', 'Recorded by Ada Admin', `No. ${record.id} · still open`])
      expect(words).toContain(said)
  })
})

describe("a closed attendance record's PDF", () => {
  const told = (answer: TestResponse) => {
    expect([answer.status, answer.text]).toEqual([answer.status < 300 ? answer.status : 200, expect.anything()])
    return answer.body
  }

  test("a closed record's PDF shows late signatures with their time and the signatory's absence on the day", async () => {
    const talk = await accepted(admin, 'Dust')
    const record = await presented(talk['@id'])
    const [zoe] = told(await admin.post(`${record['@id']}/people`, { names: ['Zoë'] })).attendees
    told(await admin.post(`${record['@id']}/absent`, { attendee: zoe['@id'], absence: 'Off sick' }))
    told(await admin.put(record['@id'], { complete: true }))
    const paper = async () => extractResponseText(await admin.get(`${talk['@id']}/pdf?presented=${record.id}`))
    expect(await paper()).not.toContain('signed late')
    told(await admin.post(`${record['@id']}/sign`, { attendee: zoe['@id'], method: 'typed' }))
    expect(await paper()).toMatch(/Zoë Was absent: Off sick signed late on \d+ \w+ 20\d\d/)
  })

  test("a closed record's PDF contains every signature, even for a large site", async () => {
    const talk = await accepted(admin, 'Fire')
    const record = await presented(talk['@id'])
    await portal.db.tx({ clientId: client.id }, async (tx) => {
      await tx.rows(
        `INSERT INTO talk_attendee (client_id, presented_id, position, name, method, signed_at, visitor)
         SELECT $1, $2, i, 'Visitor number ' || i, 'typed', now(), true FROM generate_series(1, 505) i`,
        [client.id, record.id],
      )
    })
    const words = await extractResponseText(await admin.get(`${talk['@id']}/pdf?presented=${record.id}`))
    const missing = Array.from({ length: 505 }, (_, i) => `Visitor number ${i + 1} `).filter(
      (name) => !words.includes(name),
    )
    expect(missing).toEqual([])
  })
})

test("the file name of a talk's PDF preserves accented letters in the title", async () => {
  const talk = await accepted(admin, 'Siân’s عمل\u202efdp.exe')
  const { headers } = await admin.get(`${talk['@id']}/pdf`)
  const name = decodeURIComponent(/filename\*=UTF-8''([^;]+)/.exec(headers['content-disposition'] ?? '')?.[1] ?? '')
  expect(name).toBe(`${talk.documentNumber} rev 1 Siân’s عمل fdp.exe.pdf`)
})
