import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { type ReceivedMail, readMail } from '../mail/received-mail.server.ts'
import { isAddressGone } from './reports.ts'

const OWN = `<letter.12.345.${'a'.repeat(32)}@portal.example>`

/** What a received e-mail is expected to contain. Omitted values are not checked, apart from files and remarks. */
interface Expected {
  readonly kind?: string
  readonly text?: string
  readonly quoted?: string | RegExp
  readonly files?: readonly string[]
  readonly pictures?: number
  readonly subject?: string
  readonly fromName?: string
  readonly says?: string
  readonly remark?: RegExp
}

const read = async (raw: string | Buffer): Promise<ReceivedMail> => {
  const mail = await readMail(Buffer.isBuffer(raw) ? raw : Buffer.from(raw))
  if (!mail) throw new Error('The e-mail was not read')
  return mail
}

async function expectMail(raw: string | Buffer, expected: Expected): Promise<void> {
  const mail = await read(raw)
  const { kind, text, quoted, files = [], pictures = 0, subject, fromName, says, remark } = expected
  if (kind) expect(mail.kind).toBe(kind)
  if (text !== undefined) expect(mail.text).toBe(text)
  if (quoted instanceof RegExp) expect(mail.quoted).toMatch(quoted)
  else if (quoted !== undefined) expect(mail.quoted).toBe(quoted)
  if (subject !== undefined) expect(mail.subject).toBe(subject)
  if (fromName !== undefined) expect(mail.fromName).toBe(fromName)
  if (says) expect(mail.calendar?.answer).toBe(says)
  expect(mail.files.map(({ name }) => name)).toEqual(files)
  expect(mail.inlinePictures).toBe(pictures)
  if (remark) expect(mail.remarks.join(' ')).toMatch(remark)
  else expect(mail.remarks).toEqual([])
}

/** Builds an e-mail from header lines and a body. */
const build = (headers: readonly string[], body: string) =>
  ['From: Ann Field <ann@acme.example>', 'Message-ID: <a@x>', ...headers, '', body]
    .join('\r\n')
    .replace(/\r?\n/g, '\r\n')
const plain = (text: string, ...headers: string[]) =>
  build(['Content-Type: text/plain; charset=utf-8', ...headers], text)
const html = (page: string) => build(['Content-Type: text/html; charset=utf-8'], page)
/** Builds a multipart body from its parts, each with headers and a body. */
const multipart = (type: string, boundary: string, ...parts: (readonly [headers: string, body: string])[]) =>
  [
    `Content-Type: multipart/${type}; boundary="${boundary}"`,
    `${parts.map(([headers, body]) => `--${boundary}\n${headers}\n\n${body}\n`).join('')}--${boundary}--`,
  ] as const
const mixed = (type: string, ...parts: (readonly [headers: string, body: string])[]) => {
  const [header, body] = multipart(type, 'b', ...parts)
  return build([header], body)
}
const TEXT = 'Content-Type: text/plain; charset=utf-8'
const HTML = 'Content-Type: text/html; charset=utf-8'
const file = (type: string, name: string, more = '') =>
  `Content-Type: ${type}; name="${name}"\nContent-Transfer-Encoding: base64\nContent-Disposition: attachment; filename="${name}"${more}`
const B64 = (text: string) => Buffer.from(text).toString('base64')
const report = (...fields: string[]) =>
  mixed(
    'report; report-type=delivery-status',
    [TEXT, 'A report'],
    ['Content-Type: message/delivery-status', `Reporting-MTA: dns; mx.example\n\n${fields.join('\n')}`],
    ['Content-Type: message/rfc822', `Message-ID: ${OWN}\nSubject: Your visit\n\nHow are you?`],
  )
const receipt = (disposition: string) =>
  mixed(
    'report; report-type=disposition-notification',
    [TEXT, 'Your message was read'],
    [
      'Content-Type: message/disposition-notification',
      `Final-Recipient: rfc822;ann@acme.example\nOriginal-Message-ID: ${OWN}\nDisposition: ${disposition}`,
    ],
  )
const calendar = (method: string, ...lines: string[]) =>
  mixed(
    'alternative',
    [TEXT, 'Ann has answered'],
    [
      `Content-Type: text/calendar; method=${method}; charset=utf-8`,
      ['BEGIN:VCALENDAR', `METHOD:${method}`, 'BEGIN:VEVENT', ...lines, 'END:VEVENT', 'END:VCALENDAR'].join('\n'),
    ],
  )

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
  ['subject-cut-in-a-letter', { subject: 'Ynglŷn â’ch ymweliad – ŵyl', text: 'Ok' }],
  ['plain-utf-8-subject', { subject: 'Re: Ŵyl y gwanwyn – café', text: 'Ok' }],
  ['with-a-file', { text: 'The signed form is attached.', files: ['form.pdf'] }],
  ['unknown-user-at-exchange', { kind: 'failed' }],
]

describe('an e-mail as mail programs write it', () => {
  const caseOf = (name: string) =>
    readFileSync(new URL(`./cases/${name}.eml`, import.meta.url), 'utf8')
      .replaceAll('{{MESSAGE-ID}}', OWN)
      .replaceAll('{{ADDRESS}}', 'ann@acme.example')

  test.each(CASES)('the e-mail in %s.eml is read with its kind, text and files', async (name, expected) => {
    await expectMail(caseOf(name), expected)
    expect((await read(caseOf(name))).original).toEqual({ clientId: 12, id: 345, token: 'a'.repeat(32) })
  })
})

const QUOTE = '> How are you?\n> Sam'
const attributed = (line: string) => plain(`Yes, please.\n\n${line}\n${QUOTE}`)

const SHAPES: readonly (readonly [what: string, raw: string | Buffer, expected: Expected])[] = [
  // Attribution lines
  ...[
    'On Fri, 20 Nov 2026 at 10:00, Portal Sales <sales@portal.example> wrote:',
    'On Fri, 20 Nov 2026 at 10:00, Portal Sales <sales@portal.example>\nwrote:',
    'On 20 Nov 2026, at 10:00, Portal Sales <sales@portal.example> wrote:',
    'On 20/11/2026 10:00, Portal Sales wrote:',
    'On Friday, 20 November 2026 at 10:00:00 GMT, Portal Sales <sales@portal.example> wrote: ',
    'Am Fr., 20. Nov. 2026 um 10:00 Uhr schrieb Portal Sales <sales@portal.example>:',
    'Am 20.11.26 um 10:00 schrieb Portal Sales:',
    'Le ven. 20 nov. 2026 à 10:00, Portal Sales <sales@portal.example> a écrit\u00a0:',
    'Le 20/11/2026 à 10:00, Portal Sales a écrit :',
    'Ar Gwe, 20 Tach 2026 am 10:00, ysgrifennodd Portal Sales <sales@portal.example>:',
    'Ar 20/11/2026 10:00, Portal Sales ysgrifennodd:',
    '2026-11-20 10:00 GMT+00:00 Portal Sales <sales@portal.example>:',
  ].map(
    (line) => [`"${line}"`, attributed(line), { text: 'Yes, please.', quoted: `${line.trim()}\n${QUOTE}` }] as const,
  ),
  [
    'Outlook in German, without marks',
    plain(
      'Ja, gern.\n\nVon: Portal Sales <sales@portal.example>\nGesendet: Freitag, 20. November 2026 10:00\nAn: Ann\nBetreff: Besuch\n\nGuten Tag',
    ),
    { text: 'Ja, gern.', quoted: /^Von: .+Guten Tag$/s },
  ],
  [
    'Outlook in French, without marks',
    plain('Oui.\n\nDe : Portal Sales\nEnvoyé : vendredi 20 novembre 2026 10:00\nÀ : Ann\nObjet : Visite\n\nBonjour'),
    { text: 'Oui.', quoted: /^De : .+Bonjour$/s },
  ],
  [
    'Outlook in Welsh, without marks',
    plain('Iawn.\n\nOddi wrth: Portal Sales\nAnfonwyd: 20 Tachwedd 2026\nAt: Ann\nPwnc: Ymweliad\n\nBore da'),
    { text: 'Iawn.', quoted: /^Oddi wrth: .+Bore da$/s },
  ],
  [
    'a forwarded e-mail below the text',
    plain('See below.\n\n---------- Forwarded message ---------\nFrom: Bob\n\nHello'),
    { text: 'See below.', quoted: /Hello$/ },
  ],
  [
    'a sentence that only mentions a sender',
    plain('From: what I hear, it works.\n\nOn Monday we start.'),
    { text: 'From: what I hear, it works.\n\nOn Monday we start.', quoted: '' },
  ],
  [
    'a signature below two hyphens',
    plain('Yes.\n\n-- \nAnn Field\nAcme'),
    { text: 'Yes.', quoted: '--\nAnn Field\nAcme' },
  ],
  [
    'answers between quoted lines',
    plain('Hello,\n\nOn Monday Sam wrote:\n> Which day?\n\nTuesday.\n\n> At what time?\n\nTen.\n-- \nAnn'),
    {
      text: 'Hello,\n\n> Which day?\n\nTuesday.\n\n> At what time?\n\nTen.',
      quoted: 'On Monday Sam wrote:\n--\nAnn',
    },
  ],
  [
    'an answer below the whole quotation',
    plain(`On Monday Sam wrote:\n${QUOTE}\n\nFine, thanks.`),
    { text: 'Fine, thanks.', quoted: `On Monday Sam wrote:\n${QUOTE}` },
  ],
  // HTML of mail programs
  [
    'Gmail’s HTML',
    html(
      '<div dir="ltr">Yes, please.<br clear="all"><div><br></div><span class="gmail_signature_prefix">-- </span><br><div dir="ltr" class="gmail_signature">Ann Field</div></div><br><div class="gmail_quote"><div dir="ltr" class="gmail_attr">On Fri, 20 Nov 2026 at 10:00, Sam &lt;<a href="mailto:sam@portal.example">sam@portal.example</a>&gt; wrote:<br></div><blockquote class="gmail_quote">How are you?</blockquote></div>',
    ),
    { text: 'Yes, please.', quoted: /^--\s+Ann Field\s+On Fri.+wrote:\s+> How are you\?$/s },
  ],
  [
    'Outlook’s HTML',
    html(
      '<html><head><style><!-- p.MsoNormal, li.MsoNormal {margin:0cm;} --></style></head><body><div class="WordSection1"><p class="MsoNormal">Yes.</p><p class="MsoNormal"><o:p>&nbsp;</o:p></p><p class="MsoNormal">Ann</p><div style="border-top:solid #E1E1E1 1.0pt"><p class="MsoNormal"><b>From:</b> Sam &lt;sam@portal.example&gt;<br><b>Sent:</b> 20 November 2026<br><b>To:</b> Ann<br><b>Subject:</b> Visit</p></div><p class="MsoNormal">How are you?</p></div></body></html>',
    ),
    { text: 'Yes.\n\nAnn', quoted: /^From: Sam.+How are you\?$/s },
  ],
  [
    'Apple Mail’s HTML',
    html(
      'Yes.<br><div><br><blockquote type="cite"><div>On 20 Nov 2026, at 10:00, Sam &lt;sam@portal.example&gt; wrote:</div><br><div>How are you?</div></blockquote></div>',
    ),
    { text: 'Yes.', quoted: /^> On 20 Nov.+> How are you\?$/s },
  ],
  [
    'Thunderbird’s HTML',
    html(
      '<body><p>Yes.</p><div class="moz-cite-prefix">On 20/11/2026 10:00, Sam wrote:<br></div><blockquote type="cite"><pre wrap="">How are\nyou?</pre></blockquote><p>Thanks</p><div class="moz-signature">-- <br>Ann</div></body>',
    ),
    { text: 'Yes.\n\n> How are\n> you?\n\nThanks', quoted: /^On 20\/11\/2026 10:00, Sam wrote:\s+--\s+Ann$/ },
  ],
  [
    'Yahoo’s HTML',
    html(
      '<div><div>Yes.</div></div><div id="yahoo_quoted_1" class="yahoo_quoted"><div>On Friday, 20 November 2026, Sam wrote:</div><div>How are you?</div></div>',
    ),
    { text: 'Yes.', quoted: /How are you\?$/ },
  ],
  [
    'lists, tables and links in HTML',
    html(
      '<p>Order:</p><ul><li>One</li><li>Two</li></ul><ol><li>A</li><li>B</li></ol><table><tr><td>Boots</td><td>4</td></tr></table><p><a href="https://acme.example/map">Map</a> <a href="https://acme.example">acme.example</a></p>',
    ),
    {
      text: 'Order:\n\n- One\n- Two\n\n1. A\n2. B\n\nBoots | 4\n\nMap (https://acme.example/map) acme.example',
    },
  ],
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

describe('a received e-mail of any shape', () => {
  test.each(SHAPES)('%s: the kind, text, quoted text and files are read', async (_what, raw, expected) => {
    await expectMail(raw, expected)
  })

  test('a proposed time in a Windows time zone is converted to an instant', async () => {
    const { calendar: answer } = await read(calendar('COUNTER', 'DTSTART;TZID=W. Europe Standard Time:20261202T143000'))
    expect(answer?.start).toBe('2026-12-02T13:30:00Z')
  })

  test('an e-mail of the portal that comes back unchanged is not an answer to itself or its thread', async () => {
    const raw = plain('x', `References: ${OWN}`).replace('<a@x>', OWN)
    expect((await read(raw)).original).toBeUndefined()
  })

  test('text that is too long to be shown is cut, and all of it is stored as a file', async () => {
    const mail = await read(plain('line of text\n'.repeat(5000)))
    expect(mail.files.map(({ name, content }) => [name, content.length > 60_000])).toEqual([['E-mail text.txt', true]])
    expect(mail.remarks).toHaveLength(1)
  })

  test('an e-mail of 25 MB is read within the limits of its process', async () => {
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
