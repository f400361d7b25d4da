import { describe, expect, test } from 'vitest'
import { MAX_BLOCKING_MS, measureThreadTime } from '#test/support/effort.ts'
import { isAddressGone } from '../received-mail/reports.ts'
import { readMail } from './received-mail.server.ts'

const mail = (lines: readonly string[], encoding: BufferEncoding = 'utf8') =>
  readMail(Buffer.from(lines.join('\r\n'), encoding))
const textOf = async (...lines: string[]) => (await mail(lines))?.text

describe("a received e-mail's text", () => {
  test('plain text in windows-1252 is decoded', async () => {
    const read = await mail(['Content-Type: text/plain; charset=windows-1252', '', 'Cost: \x80 5'], 'latin1')
    expect(read?.text).toBe('Cost: € 5')
  })

  test('quoted-printable text is decoded with its line breaks', async () => {
    expect(
      await textOf('Content-Transfer-Encoding: quoted-printable', '', 'Caf=C3=A9 at =', 'noon', '', 'See you'),
    ).toBe('Café at noon\n\nSee you')
  })

  test('an HTML part is converted to lines of text, without styles and quotations', async () => {
    const html =
      '<style>p{color:red}</style><p>Yes &amp; thank <b>you</b></p><div>Ann<br>Acme</div><blockquote>How are you?</blockquote>'
    expect(await textOf('Content-Type: text/html', '', html)).toBe('Yes & thank you\n\nAnn\nAcme')
  })

  test('the plain text is used if an e-mail contains both plain text and HTML', async () => {
    const both = ['--b', 'Content-Type: text/plain', '', 'Plain', '--b', 'Content-Type: text/html', '', '<p>HTML</p>']
    expect(await textOf('Content-Type: multipart/alternative; boundary="b"', '', ...both, '--b--')).toBe('Plain')
  })

  test("an attached text file is not read as the sender's text", async () => {
    const parts = ['--b', '', 'Here it is', '--b', 'Content-Disposition: attachment; filename=a.txt', '', 'Terms']
    expect(await textOf('Content-Type: multipart/mixed; boundary=b', '', ...parts, '--b--')).toBe('Here it is')
  })

  test.each(['On Monday Jane wrote:', '-----Original Message-----', '____________________________'])(
    'text after "%s" is treated as a quotation',
    async (line) => {
      expect(await textOf('Subject: Re', '', 'Yes', '', line, 'How are you?')).toBe('Yes')
    },
  )

  test('characters that PostgreSQL cannot store are removed', async () => {
    const read = await mail(['Subject: A\0b', '', 'x\0y'])
    expect([read?.subject, read?.text]).toEqual(['Ab', 'xy'])
  })
})

describe("a received e-mail's headers", () => {
  test('addresses with quoted names and comments are parsed and converted to lower case', async () => {
    const read = await mail(['From: "Field, Ann" <Ann@Acme.example>', 'To: (desk) Desk@Acme.example', '', 'x'])
    expect([read?.from, read?.to]).toEqual(['ann@acme.example', 'desk@acme.example'])
  })

  test('encoded words in a folded subject are joined', async () => {
    const read = await mail(['Subject: =?utf-8?q?Re=3A_Hell=C3?=', ' =?utf-8?q?=B6?=', '', 'x'])
    expect(read?.subject).toBe('Re: Hellö')
  })

  test('line breaks and control characters in encoded words are replaced with spaces', async () => {
    const from = 'From: =?utf-8?q?A=0D=0AB?= <ann@acme.example>'
    const read = await mail(['Subject: =?utf-8?q?a=0D=0ABcc:_x=00=07y?=', from, '', 'x'])
    expect([read?.subject, read?.fromName, read?.from]).toEqual(['a Bcc: x y', 'A B', 'ann@acme.example'])
  })

  test('an e-mail without a Message-ID is identified by sender, date and text', async () => {
    const read = await mail(['From: ann@acme.example', 'Date: Mon, 2 Nov 2026 09:00:00 +0000', '', 'x'])
    expect(read?.identity).toBe('ann@acme.example 2026-11-02T09:00:00.000Z x')
  })
})

const OWN = `<letter.12.345.${'a'.repeat(32)}@portal.example>`
const ORIGINAL = { clientId: 12, id: 345, token: 'a'.repeat(32) }

describe('the original of a received e-mail', () => {
  test.each([
    ['In-Reply-To', [`In-Reply-To: ${OWN}`, '', 'x']],
    ['References', ['References: <other@x>', ` ${OWN}`, '', 'x']],
    [
      'a returned e-mail',
      [
        'Content-Type: multipart/report; boundary=b',
        '',
        '--b',
        'Content-Type: message/rfc822',
        '',
        `Message-ID: ${OWN}`,
        '',
        'Hi',
        '--b--',
      ],
    ],
    [
      'returned headers',
      [
        'Content-Type: multipart/report; boundary=b',
        '',
        '--b',
        'Content-Type: text/rfc822-headers',
        '',
        `Message-ID: ${OWN}`,
        '--b--',
      ],
    ],
  ])('the original e-mail is found from %s', async (_where, lines) => {
    expect((await mail(lines))?.original).toEqual(ORIGINAL)
  })

  test("an e-mail's own Message-ID doesn't make it a reply to itself", async () => {
    expect((await mail([`Message-ID: ${OWN}`, '', 'x']))?.original).toBeUndefined()
  })

  test('the status and reason in a delivery failure report are parsed', async () => {
    const report = [
      'Final-Recipient: rfc822; ann@x',
      'Action: failed',
      'Status: 5.1.1',
      'Diagnostic-Code: smtp; 550 No',
    ]
    const read = await mail([
      'Content-Type: multipart/report; boundary=b',
      '',
      '--b',
      'Content-Type: message/delivery-status',
      '',
      ...report,
      '--b--',
    ])
    expect(read?.bounce).toEqual({ status: '5.1.1', reason: '550 No' })
  })
})

describe('a report that is attached to a reply', () => {
  const STATUS = ['Final-Recipient: rfc822; bob@else.example', 'Action: failed', 'Status: 5.1.1']
  const RECEIPT = [`Original-Message-ID: ${OWN}`, 'Disposition: manual-action/MDN-sent-manually; displayed']
  const withReport = (multipart: string, type: string, lines: readonly string[]) =>
    mail([
      `In-Reply-To: ${OWN}`,
      `Content-Type: ${multipart}; boundary=b`,
      '',
      '--b',
      '',
      'Yes please, I accept',
      '--b',
      `Content-Type: ${type}`,
      '',
      ...lines,
      '--b',
      'Content-Type: message/rfc822',
      '',
      'Subject: Old offer',
      '',
      'Hi',
      '--b--',
    ])

  test.each([
    ['message/delivery-status', STATUS],
    ['message/disposition-notification', RECEIPT],
    ['message/feedback-report', ['Feedback-Type: abuse']],
    ['text/rfc822-headers', [`Message-ID: ${OWN}`]],
  ])('an e-mail with an attached report counts as an answer, and %s is one of its files', async (type, lines) => {
    const read = await withReport('multipart/mixed', type, lines)
    expect(read).toMatchObject({ kind: 'answer', text: 'Yes please, I accept', reports: [], original: ORIGINAL })
    expect(read?.files.map(({ name }) => name)).toEqual(['Attachment.txt', 'Old offer.eml'])
  })

  test('a report nested in a part of a report is treated as a file', async () => {
    const inner = ['--c', 'Content-Type: message/delivery-status', '', ...STATUS, '--c--']
    const read = await withReport('multipart/report', 'multipart/report; boundary=c', inner)
    expect(read).toMatchObject({ kind: 'answer', reports: [] })
    expect(read?.files.map(({ name }) => name)).toEqual(['Attachment.txt', 'Old offer.eml'])
  })
})

describe('a hostile e-mail', () => {
  const SIZE = 600_000
  test('Base64 with padding after every byte is decoded in linear time', async () => {
    const header = 'Content-Type: application/pdf\r\nContent-Transfer-Encoding: base64\r\n\r\n'
    const read = (count: number) => readMail(Buffer.from(`${header}${'YQ=='.repeat(count)}YmM=\r\n-_+/\r\nYQ`))
    const [part, whole] = [await measureThreadTime(() => read(300_000)), await measureThreadTime(() => read(3_000_000))]
    // Ten times the text takes ten times as long; a quadratic decoder would take a hundred times as long.
    expect(whole / part).toBeLessThan(40)
    const content = (await read(3_000_000))?.files[0]?.content
    expect(content?.length).toBe(3_000_006)
    expect(content?.subarray(2_999_999).toString('latin1')).toBe('abc\xfb\xff\xbfa')
  })

  test.each([
    ['opening angle brackets', `Content-Type: text/html\r\n\r\n${'<'.repeat(SIZE)}`],
    ['unclosed style elements', `Content-Type: text/html\r\n\r\n${'<style>'.repeat(SIZE / 7)}`],
    ['unclosed comments', `Content-Type: text/html\r\n\r\n${'<!--'.repeat(SIZE / 4)}`],
    ['unfinished encoded words', `Subject: ${'=?utf-8?q?'.repeat(SIZE / 10)}\r\n\r\nx`],
    ['nested quotes in an address', `From: ${'"'.repeat(SIZE)}\r\n\r\nx`],
    ['line breaks without a quotation', `\r\n\r\n${'\nOn '.repeat(SIZE / 4)}`],
  ])('an e-mail with a very large number of %s is read without blocking the server', async (_what, raw) => {
    expect(await readMail(Buffer.from(raw))).toBeDefined()
  })

  const QUOTED_HYPHENS = `boundary="${'-'.repeat(100_000)}"`
  const CONTINUED = Array.from({ length: 9 }, (_, n) => `boundary*${n}="0123456789"`)
  const LONG_BOUNDARIES = [
    ['quoted', `multipart/mixed; ${QUOTED_HYPHENS}`],
    ['in a folded header', `multipart/mixed;\r\n ${QUOTED_HYPHENS}`],
    ['continued (RFC 2231)', `multipart/mixed; ${CONTINUED.join(';\r\n ')}`],
    ['of a part', `multipart/mixed; boundary=b\r\n\r\n--b\r\nContent-Type: multipart/mixed; ${QUOTED_HYPHENS}`],
  ] as const
  test.each(LONG_BOUNDARIES)(
    'an e-mail with a boundary of more than 70 characters, %s, is rejected',
    async (_, type) => {
      const raw = Buffer.from(`Content-Type: ${type}\r\n\r\n${'-'.repeat(400_000)}`)
      let read: unknown = 'not read'
      expect(
        await measureThreadTime(async () => {
          read = await readMail(raw)
        }),
      ).toBeLessThan(MAX_BLOCKING_MS)
      expect(read).toBeUndefined()
    },
  )

  test('an e-mail with a boundary of 70 hyphens is read', async () => {
    const hyphens = '-'.repeat(70)
    const head = `Content-Type: multipart/mixed; boundary="${hyphens}"\r\n\r\n`
    const read = await readMail(Buffer.from(`${head}--${hyphens}\r\n\r\nYes\r\n--${hyphens}--\r\n`))
    expect(read?.text).toBe('Yes')
    const time = await measureThreadTime(() => readMail(Buffer.from(`${head}${'-'.repeat(2_000_000)}`)))
    expect(time).toBeLessThan(MAX_BLOCKING_MS)
  })

  test('an e-mail with too many parts or nesting levels is rejected', async () => {
    const parts = `Content-Type: multipart/mixed; boundary=b\r\n\r\n${'--b\r\n\r\nx\r\n'.repeat(3000)}`
    const levels = Array.from(
      { length: 30 },
      (_, i) => `Content-Type: multipart/mixed; boundary=b${i}\r\n\r\n--b${i}\r\n`,
    ).join('')
    expect([await readMail(Buffer.from(parts)), await readMail(Buffer.from(levels))]).toEqual([undefined, undefined])
  })
})

describe('a returned e-mail', () => {
  test.each([
    ['5.1.1', '550 No such user', true],
    ['5.1.10', '550 5.1.10 RESOLVER.ADR.RecipientNotFound', true],
    ['5.1.2', '550 Host unknown', true],
    ['5.4.1', '550 5.4.1 Recipient address rejected: Access denied', true],
    ['5.4.1', '550 5.4.1 No answer from host', false],
    ['5.0.0', '550 User unknown', true],
    ['5.0.0', '550 Message rejected', false],
    ['', '550 user unknown', true],
    ['5.7.1', '554 5.7.1 <ann@acme.example>: Recipient address rejected: Access denied', true],
    ['5.7.1', '550 5.7.1 User unknown', true],
    ['5.7.1', '550 5.7.1 Message rejected as spam', false],
    ['5.7.26', '550 5.7.26 Unauthenticated e-mail is not accepted due to the domain’s DMARC policy', false],
    ['5.5.0', '550 5.5.0 Requested action not taken: mailbox unavailable', true],
    ['5.2.2', '552 5.2.2 The recipient’s mailbox is full', false],
    ['5.2.1', '550 5.2.1 The account is disabled', true],
    ['5.1.8', '501 5.1.8 Sender domain not found', false],
    ['4.2.2', '452 4.2.2 Mailbox full', false],
    ['4.1.1', '450 4.1.1 User unknown', false],
  ])('status %s with "%s": the address does not exist is %s', (status, reason, gone) => {
    expect(isAddressGone({ status, reason })).toBe(gone)
  })
})
