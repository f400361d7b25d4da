import { createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { findEmailsAboutRecord, messageIdSecret } from '#modules/portal/mail/claim.server.ts'
import { hashSecret } from '#server/auth/secret.ts'
import { createSecretLink } from '#server/engine/secret-links.ts'
import { makeFilePortal } from '#test/support/files.ts'
import { makePicture } from '#test/support/uploads.ts'

const SECRET = 'a secret of thirty-two characters'
const { portal, person } = await makeFilePortal({ MAIL_INBOUND_SECRET: SECRET, PUBLIC_URL: 'https://portal.example' })
const provider = { ...portal.provider, id: 0 }
const { api: as, user: staff, bytes } = await person(provider, 'ROLE_STAFF', 'ROLE_MAIL_ADMIN')

const { hash, secret, url } = createSecretLink(portal.engine.config)
const password = 'Zq8-Wm3_Rt6yUi1oPa5sDf9gHj2kLz7xCv4bNm0QwEr'
const link = url('/sign', 0, 5)
const sql = <Row = unknown>(text: string, values: readonly unknown[]) =>
  portal.db.tx('system', (tx) => tx.rows<Row & object>(text, [...values]))
await sql('INSERT INTO leave_feed (client_id, user_id, hash) VALUES (0, $1, $2)', [staff.id, hash])
await sql(
  "INSERT INTO password_reset (hash, client_id, user_id, kind, expires_at) VALUES ($1, 0, $2, 'reset', now() + interval '1 day')",
  [hashSecret(password), staff.id],
)

const ABOUT = '/api/portal/support_tickets/7'
let n = 0

/** Sends an e-mail to a new lead, marks it as containing a personal link, and returns it with its Message-ID. */
async function invite() {
  const email = `link${++n}@post.example`
  const values = { companyName: `Link ${n}`, legalForm: 'limited', name: 'Ann', email }
  const lead = (await as.post('/api/crm/contacts', values)).body
  const message = { contact: lead['@id'], subject: 'Invitation', body: 'Hello' }
  const { id } = (await as.post('/api/email/message', message)).body
  const [row] = await sql<{ token: string }>(
    'UPDATE message SET confidential = true, about = $2 WHERE client_id = 0 AND id = $1 RETURNING token',
    [id, ABOUT],
  )
  return { id, lead, to: `<letter.0.${id}.${messageIdSecret(row?.token ?? '')}@portal.example>` }
}

interface Answer {
  readonly headers?: string
  readonly subject?: string
  readonly from?: string
}

/** Delivers an answer to a new invitation. Returns the stored answer and everything shown of it. */
async function deliver(
  text: string,
  { headers = 'Content-Type: text/plain', subject = 'Re', from = 'Ann' }: Answer = {},
) {
  const { id, lead, to } = await invite()
  const raw = `From: ${from} <ann@post.example>\r\nTo: sales@portal.example\r\nSubject: ${subject}\r\nMessage-ID: <${++n}@post.example>\r\nIn-Reply-To: ${to}\r\n${headers}\r\n\r\n${text}`
  const message = Buffer.from(raw).toString('base64')
  const t = Math.floor(Date.now() / 1000)
  const signature = createHmac('sha256', SECRET).update(`${t}.${message}`).digest('hex')
  const sent = await portal.anonymous.post(
    '/api/email/inbound',
    { message },
    { 'x-signature': `t=${t},v1=${signature}` },
  )
  expect(sent.body).toMatchObject({ taken: true })
  const [listed] = (await as.get(`/api/email/messages?answerTo=${id}`)).body['hydra:member']
  const stored = (await as.get(listed['@id'])).body
  const notes = (await as.get(`${lead['@id']}/actions`)).body
  return { stored, shown: JSON.stringify([stored, notes]) }
}

const file = (name: string, type: string, content: Buffer | string) =>
  `--b\r\nContent-Type: ${type}\r\nContent-Disposition: attachment; filename="${name}"\r\nContent-Transfer-Encoding: base64\r\n\r\n${Buffer.from(content).toString('base64')}\r\n`
const MIXED = { headers: 'Content-Type: multipart/mixed; boundary=b' }
const token = link.split('/').at(-1) ?? ''

describe('replies to an e-mail with a personal link', () => {
  test('a reply is stored without links, quoted text and text files', async () => {
    const text = `--b\r\n\r\nIt fails: ${link}\r\n\r\n> ${link}\r\n${file('a.txt', 'text/plain', link)}--b--`
    const { stored, shown } = await deliver(text, MIXED)
    expect(stored).toMatchObject({ body: 'It fails: (link not stored)', quoted: '' })
    expect(stored.received.refused).toMatchObject([{ name: 'a.txt' }])
    expect(shown).not.toContain(secret)
  })

  test.each([
    ['a link without its scheme', link.replace('https://', ''), '(link not stored)'],
    ['a link made unusable', link.replace('http', 'hxxp'), '(link not stored)'],
    ['the bare token', token, '(link not stored)'],
    ['the bare secret', secret, '(link not stored)'],
    ['a link in an encoded address', `safe?url=${encodeURIComponent(link)}`, '(link not stored)'],
    ['a link that is broken over two lines', `${link.slice(0, -9)}\r\n${link.slice(-9)}`, '(link not stored)'],
    ['the secret of a password link', password, '(link not stored)'],
    ['a long name', 'Method_Statement_for_the_Scaffolding_Final', 'Method_Statement_for_the_Scaffolding_Final'],
  ])('%s in the text is replaced by a remark only if it contains a secret', async (_what, text, expected) => {
    const { stored } = await deliver(`I opened ${text} today`)
    expect(stored.body).toBe(`I opened ${expected} today`)
  })

  test("secrets in the subject, file names and the sender's name are not stored", async () => {
    const picture = await makePicture(9, 9).png().toBuffer()
    const text = `--b\r\n\r\nYes\r\n${file(`${token}.png`, 'image/png', picture)}${file(`${secret}.exe`, 'x/y', 'MZ\x90\0')}--b--`
    const { stored, shown } = await deliver(text, { ...MIXED, subject: `Re: ${link}`, from: token })
    expect(shown).not.toContain(secret)
    expect(stored.subject).toBe('Re: (link not stored)')
    expect(stored.received.files).toMatchObject([{ name: '(link not stored).png' }])
    expect(stored.received.refused).toMatchObject([{ name: '(link not stored).exe' }])
  })

  test('the end of a long reply is stored as a text file without links', async () => {
    const { stored } = await deliver(`${'word '.repeat(6000)}${link} END\r\n\r\n> ${link}`)
    expect(stored.received.remarks).toContain(
      'The text is too long to be shown in full. All of it, without links, is in the attached text file.',
    )
    const text = (await bytes(stored.received.files[0].url)).body.toString()
    expect(text).toMatch(/ word \(link not stored\) END$/)
  })

  test('a remark on a very long reply says that its end is not stored', async () => {
    const { stored } = await deliver(`${'word '.repeat(50_000)}END`)
    expect(stored.received.files).toHaveLength(1)
    expect(stored.received.remarks).toContain(
      'The text is too long to be shown in full. More of it is in the attached text file, and the rest is not stored.',
    )
  })

  test('a remark says that a long subject and a long address were shortened', async () => {
    const { stored } = await deliver('Yes', {
      subject: 'word '.repeat(60),
      from: `Ann <${'a'.repeat(300)}@x.example>,`,
    })
    expect(stored.received.remarks).toEqual(
      expect.arrayContaining([
        'The subject is longer than 255 characters. Only its beginning is stored.',
        'The sender’s address is longer than 255 characters. Only its beginning is stored.',
      ]),
    )
  })

  test('a reply belongs to the same record, is as confidential, and is not listed among the e-mails sent about it', async () => {
    const { stored } = await deliver('I saw it.')
    expect(stored).toMatchObject({ about: ABOUT, confidential: true, incoming: true })
    const sent = await findEmailsAboutRecord(portal.engine, 0, ABOUT)
    expect(sent.map((email) => email['@id'])).not.toContain(stored['@id'])
  })
})
