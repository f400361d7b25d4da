import { describe, test } from 'vitest'
import { type Expected, expectMail, html, plain } from '#test/support/received-mail.ts'

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
  // HTML from mail programs
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
]

describe('the text of a received e-mail', () => {
  test.each(SHAPES)('%s: the kind, text, quoted text and files are read', async (_what, raw, expected) => {
    await expectMail(raw, expected)
  })
})
