import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import {
  B64,
  build,
  calendar,
  type Expected,
  expectMail,
  file,
  HTML,
  mixed,
  multipart,
  OWN,
  plain,
  read,
  receipt,
  report,
  TEXT,
} from '#test/support/received-mail.ts'

const CASES: readonly (readonly [name: string, expected: Expected])[] = [
  ['out-of-office', { kind: 'automatic', text: 'I am out of the office until 4 January.' }],
  ['delayed', { kind: 'delayed' }],
  [
    'outlook-headers',
    {
      kind: 'answer',
      text: 'Yes, Tuesday is fine.\n\nKind regards\nAnn',
      quoted: /^From: Portal Sales <sales@portal\.example>\nSent: .+\n\nHow are you\?$/s,
    },
  ],
  [
    'html-only',
    { text: 'Hello Sam,\n£450 & VAT is fine – König’s too.\nAnn', quoted: '> How are you?', kind: 'answer' },
  ],
  ['calendar-answer', { kind: 'calendar', says: 'accepted' }],
  ['subject-split-within-a-character', { subject: 'Ynglŷn â’ch ymweliad – ŵyl', text: 'Ok' }],
  ['plain-utf-8-subject', { subject: 'Re: Ŵyl y gwanwyn – café', text: 'Ok' }],
  ['with-a-file', { text: 'The signed form is attached.', files: ['form.pdf'] }],
  ['unknown-user-at-exchange', { kind: 'failed' }],
]

describe('e-mails as mail programs write them', () => {
  const caseOf = (name: string) =>
    readFileSync(new URL(`./cases/${name}.eml`, import.meta.url), 'utf8')
      .replaceAll('{{MESSAGE-ID}}', OWN)
      .replaceAll('{{ADDRESS}}', 'ann@acme.example')

  test.each(CASES)('the e-mail in %s.eml is read with its kind, text and files', async (name, expected) => {
    await expectMail(caseOf(name), expected)
    expect((await read(caseOf(name))).original).toEqual({ clientId: 12, id: 345, token: 'a'.repeat(32) })
  })
})

const SHAPES: readonly (readonly [what: string, raw: string | Buffer, expected: Expected])[] = [
  // Structure
  [
    'alternative in related in mixed',
    mixed(
      'mixed',
      [
        multipart(
          'related',
          'r',
          [
            multipart('alternative', 'a', [TEXT, 'Hello'], [HTML, '<p>Hello <img src="cid:logo"></p>'])[0],
            multipart('alternative', 'a', [TEXT, 'Hello'], [HTML, '<p>Hello <img src="cid:logo"></p>'])[1],
          ],
          [
            'Content-Type: image/png\nContent-ID: <logo>\nContent-Disposition: inline\nContent-Transfer-Encoding: base64',
            B64('PNG'),
          ],
        )[0],
        multipart(
          'related',
          'r',
          [
            multipart('alternative', 'a', [TEXT, 'Hello'], [HTML, '<p>Hello <img src="cid:logo"></p>'])[0],
            multipart('alternative', 'a', [TEXT, 'Hello'], [HTML, '<p>Hello <img src="cid:logo"></p>'])[1],
          ],
          [
            'Content-Type: image/png\nContent-ID: <logo>\nContent-Disposition: inline\nContent-Transfer-Encoding: base64',
            B64('PNG'),
          ],
        )[1],
      ],
      [file('application/pdf', 'plan.pdf'), B64('%PDF-1.4')],
    ),
    { text: 'Hello', files: ['plan.pdf'], pictures: 1 },
  ],
  [
    'a large inline photo and an inline picture that the text does not show',
    mixed(
      'related',
      [HTML, '<p>Look <img src="cid:photo"></p>'],
      [
        'Content-Type: image/jpeg; name=photo.jpg\nContent-ID: <photo>\nContent-Disposition: inline\nContent-Transfer-Encoding: base64',
        B64('x'.repeat(70_000)),
      ],
      ['Content-Type: image/png; name=other.png\nContent-ID: <other>\nContent-Transfer-Encoding: base64', B64('x')],
    ),
    { text: 'Look', files: ['photo.jpg', 'other.png'] },
  ],
  [
    'an e-mail forwarded as an attachment',
    mixed(
      'mixed',
      [TEXT, 'As discussed'],
      [
        'Content-Type: message/rfc822',
        'Subject: Old offer\nContent-Type: multipart/mixed; boundary=z\n\n--z\n\nSecret\n--z--',
      ],
    ),
    { kind: 'answer', text: 'As discussed', files: ['Old offer.eml'] },
  ],
  [
    'an S/MIME signature',
    mixed(
      'signed; protocol="application/pkcs7-signature"',
      [TEXT, 'Signed text'],
      [file('application/pkcs7-signature', 'smime.p7s'), B64('x')],
    ),
    { text: 'Signed text', remark: /S\/MIME/ },
  ],
  [
    'a PGP signature',
    mixed(
      'signed; protocol="application/pgp-signature"',
      [TEXT, 'Signed text'],
      ['Content-Type: application/pgp-signature; name=signature.asc', 'x'],
    ),
    { text: 'Signed text', remark: /PGP/ },
  ],
  [
    'PGP within the text',
    plain(
      '-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA256\n\nYes.\n-----BEGIN PGP SIGNATURE-----\n\nabc=\n-----END PGP SIGNATURE-----',
    ),
    { text: 'Yes.', quoted: /PGP SIGNATURE/ },
  ],
  [
    'an encrypted e-mail',
    build(
      [
        'Content-Type: application/pkcs7-mime; smime-type=enveloped-data; name=smime.p7m',
        'Content-Transfer-Encoding: base64',
      ],
      B64('x'),
    ),
    { text: '', files: ['smime.p7m'], remark: /encrypted/ },
  ],
  [
    'winmail.dat without a text',
    mixed('mixed', [TEXT, ''], [file('application/ms-tnef', 'winmail.dat'), B64('x')]),
    { text: '', files: ['winmail.dat'], remark: /Outlook’s own format/ },
  ],
  [
    'format=flowed',
    build(
      ['Content-Type: text/plain; charset=utf-8; format=flowed'],
      'One long \nline.\n From here\n> quoted \n> line\n-- \nAnn',
    ),
    { text: 'One long line.\nFrom here', quoted: '> quoted line\n--\nAnn' },
  ],
  [
    'format=flowed with deleted spaces',
    build(['Content-Type: text/plain; format=flowed; delsp=yes'], 'https://acme.example/ \nmap'),
    { text: 'https://acme.example/map' },
  ],
  ['an empty body', build(['Content-Type: text/plain'], ''), { kind: 'answer', text: '', quoted: '' }],
  ['only headers, without an empty line', 'From: ann@acme.example\r\nSubject: Hello', { text: '', subject: 'Hello' }],
  [
    'Base64 without line breaks',
    build(['Content-Transfer-Encoding: base64'], B64('x'.repeat(9000))),
    { text: 'x'.repeat(9000) },
  ],
  [
    'Base64 with padded lines',
    build(['Content-Transfer-Encoding: base64'], `${B64('Hello')}\n${B64(' Sam')}`),
    { text: 'Hello Sam' },
  ],
  [
    '8-bit text without a declaration',
    build(['Content-Transfer-Encoding: 8bit'], 'Café – ŵyl'),
    { text: 'Café – ŵyl' },
  ],
  [
    'a missing last boundary',
    build(
      ['Content-Type: multipart/mixed; boundary=b'],
      `--b\n${TEXT}\n\nHello\n--b\n${file('text/csv', 'a.csv')}\n\n${B64('a,b')}`,
    ),
    { text: 'Hello', files: ['a.csv'] },
  ],
  ['a multipart without its boundary', build(['Content-Type: multipart/mixed'], 'Hello'), { text: 'Hello' }],
  [
    '2,000 headers',
    plain('Hello', ...Array.from({ length: 2000 }, (_, n) => `X-Header-${n}: ${n}`)),
    { text: 'Hello' },
  ],
  [
    'duplicate headers',
    plain('Hello', 'Subject: First', 'Subject: Second', 'Content-Type: text/html'),
    { text: 'Hello', subject: 'First' },
  ],
  [
    'several recipients',
    plain('Hello', 'To: sales@portal.example, Bob <bob@acme.example>', 'Cc: eve@acme.example'),
    { text: 'Hello' },
  ],
  [
    'lines that end in LF alone',
    'From: ann@acme.example\nSubject: Re\n\nHello\nSam',
    { text: 'Hello\nSam', subject: 'Re' },
  ],
  [
    'an HTML text with an empty plain text',
    mixed('alternative', [TEXT, ' \n'], [HTML, '<p>Hello</p>']),
    { text: 'Hello' },
  ],
  [
    'text around a picture, as Apple Mail splits it',
    mixed('mixed', [TEXT, 'Before'], [file('image/jpeg', 'a.jpg'), B64('x')], [TEXT, 'After']),
    { text: 'Before\n\nAfter', files: ['a.jpg'] },
  ],
  // Character sets and names
  [
    'ISO-2022-JP',
    Buffer.concat([
      Buffer.from(build(['Content-Type: text/plain; charset=ISO-2022-JP'], '')),
      Buffer.from('\x1b$B$3$s$K$A$O\x1b(B'),
    ]),
    { text: 'こんにちは' },
  ],
  [
    'Windows-1252 labelled as ISO-8859-1',
    Buffer.concat([
      Buffer.from(build(['Content-Type: text/plain; charset=iso-8859-1'], '')),
      Buffer.from('\x80 5 \x96 ok', 'latin1'),
    ]),
    { text: '€ 5 – ok' },
  ],
  [
    'UTF-8 labelled as ISO-8859-1',
    build(['Content-Type: text/plain; charset=iso-8859-1'], 'Café'),
    { text: 'Café', remark: /iso-8859-1/ },
  ],
  [
    'Windows-1252 labelled as UTF-8',
    Buffer.concat([
      Buffer.from(build(['Content-Type: text/plain; charset=utf-8'], 'ŵ ')),
      Buffer.from('caf\xe9', 'latin1'),
    ]),
    { text: 'ŵ café', remark: /utf-8/ },
  ],
  [
    'an unknown character set',
    build(['Content-Type: text/plain; charset=x-made-up'], 'Café'),
    { text: 'Café', remark: /x-made-up/ },
  ],
  [
    'a sender’s name in encoded words',
    plain('x', 'From: ignored').replace('From: Ann Field', 'From: =?utf-8?B?Wm/D?= =?utf-8?Q?=AB_K=C3=B6nig?='),
    { fromName: 'Zoë König' },
  ],
  ['a subject in raw UTF-8', plain('x', 'Subject: Ŵyl – café'), { subject: 'Ŵyl – café' }],
  ['a subject in Windows-1252 labelled as UTF-8', plain('x', 'Subject: =?utf-8?Q?caf=E9?='), { subject: 'café' }],
  [
    'a subject in ISO-2022-JP',
    plain('x', 'Subject: =?ISO-2022-JP?B?GyRCJDMkcyRLJEEkTxsoQg==?='),
    { subject: 'こんにちは' },
  ],
  [
    'file names in RFC 2231 and in encoded words',
    mixed(
      'mixed',
      [TEXT, 'x'],
      [
        "Content-Type: application/pdf\nContent-Disposition: attachment; filename*0*=utf-8'cy'Ynghyl; filename*1*=%C5%B7n.pdf",
        'x',
      ],
      ['Content-Type: application/pdf; name="=?utf-8?B?w7xiZXIucGRm?="\nContent-Disposition: attachment', 'x'],
      ['Content-Type: application/pdf\nContent-Disposition: attachment; filename="../../etc/a\\"b.pdf"', 'x'],
    ),
    { text: 'x', files: ['Ynghylŷn.pdf', 'über.pdf', 'a"b.pdf'] },
  ],
  // Automatic e-mails
  ...[
    'Auto-Submitted: auto-generated (rule)',
    'X-Auto-Response-Suppress: OOF, AutoReply',
    'Precedence: bulk',
    'Precedence: auto_reply',
    'Return-Path: <>',
    'X-Autoreply: yes',
  ].map((header) => [header, plain('Away', header), { kind: 'automatic', text: 'Away' }] as const),
  ...[
    'Auto-Submitted: no',
    'Precedence: normal',
    'Return-Path: <ann@acme.example>',
    'X-Auto-Response-Suppress: None',
    'X-Auto-Response-Suppress: All',
    'Subject: Automatic reply: out of office',
  ].map((header) => [header, plain('Out of office', header), { kind: 'answer' }] as const),
  // Reports
  ...(['failed', 'delayed', 'delivered', 'relayed', 'expanded'] as const).map(
    (action) =>
      [
        `a report "${action}"`,
        report('Final-Recipient: rfc822; ann@acme.example', `Action: ${action}`, 'Status: 5.1.1'),
        { kind: action },
      ] as const,
  ),
  [
    'a list that failed for one member of two',
    report(
      'Final-Recipient: rfc822; a@x.example',
      'Action: failed',
      'Status: 5.1.1',
      '',
      'Final-Recipient: rfc822; b@x.example',
      'Action: delivered',
      'Status: 2.0.0',
    ),
    { kind: 'delivered' },
  ],
  ['a read receipt', receipt('manual-action/MDN-sent-manually; displayed'), { kind: 'displayed' }],
  ['a receipt for a deleted e-mail', receipt('automatic-action/MDN-sent-automatically; deleted'), { kind: 'deleted' }],
  [
    'a receipt that was only processed',
    receipt('automatic-action/MDN-sent-automatically; processed'),
    { kind: 'automatic' },
  ],
  // Calendars
  [
    'a declined appointment',
    calendar('REPLY', 'ATTENDEE;CN="Field: Ann";PARTSTAT=DECLINED:mailto:ann@acme.example', 'SUMMARY:Visit'),
    { kind: 'calendar', says: 'declined' },
  ],
  [
    'a tentative answer that is marked as automatic',
    calendar('REPLY', 'ATTENDEE;PARTSTAT=TEN', ' TATIVE:mailto:ann@acme.example').replace(
      'Message-ID',
      'Auto-Submitted: auto-generated\r\nMessage-ID',
    ),
    { kind: 'calendar', says: 'tentative' },
  ],
  [
    'another time that is proposed',
    calendar('COUNTER', 'DTSTART;TZID=GMT Standard Time:20261202T143000', 'SUMMARY:Visit'),
    { kind: 'calendar', says: 'proposed' },
  ],
  [
    'an invitation',
    calendar('REQUEST', 'DTSTART:20261202T143000Z', 'SUMMARY:Visit'),
    { kind: 'calendar', says: 'invited' },
  ],
]

describe('received e-mails of any structure', () => {
  test.each(SHAPES)('%s: the kind, text, quoted text and files are read', async (_what, raw, expected) => {
    await expectMail(raw, expected)
  })

  test('a proposed time in a Windows time zone is converted to an instant', async () => {
    const { calendar: answer } = await read(calendar('COUNTER', 'DTSTART;TZID=W. Europe Standard Time:20261202T143000'))
    expect(answer?.start).toBe('2026-12-02T13:30:00Z')
  })

  test('an e-mail from the portal that comes back unchanged is not treated as a reply to itself or its thread', async () => {
    const raw = plain('x', `References: ${OWN}`).replace('<a@x>', OWN)
    expect((await read(raw)).original).toBeUndefined()
  })

  test('text that is too long to show is cut, and the full text is stored as a file', async () => {
    const mail = await read(plain('line of text\n'.repeat(5000)))
    const isLong = (content: Buffer) => content.length > 60_000
    expect(mail.longTexts.map(({ name, content }) => [name, isLong(content)])).toEqual([['E-mail text.txt', true]])
  })

  test("an e-mail of 25 MB is read within its process's limits", async () => {
    const raw = mixed(
      'mixed',
      [TEXT, 'Photo'],
      [file('image/jpeg', 'a.jpg'), B64('x'.repeat(18_000_000)).replace(/.{76}/g, '$&\n')],
    )
    const began = performance.now()
    const mail = await read(raw)
    expect(mail.files[0]?.content.length).toBe(18_000_000)
    expect(performance.now() - began).toBeLessThan(5000)
  })
})
