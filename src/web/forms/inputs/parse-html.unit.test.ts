import fc from 'fast-check'
import { JSDOM } from 'jsdom'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { cleanPastedHtml } from './parse-html.ts'

vi.stubGlobal('DOMParser', new JSDOM().window.DOMParser)
afterAll(() => void vi.unstubAllGlobals())

const WORD = `<html xmlns:v="urn:schemas-microsoft-com:vml" xmlns:o="urn:schemas-microsoft-com:office:office"
xmlns:w="urn:schemas-microsoft-com:office:word" xmlns="http://www.w3.org/TR/REC-html40">
<head><meta http-equiv=Content-Type content="text/html; charset=utf-8">
<meta name=Generator content="Microsoft Word 15">
<!--[if gte mso 9]><xml><w:WordDocument><w:View>Normal</w:View></w:WordDocument></xml><![endif]-->
<style><!-- /* Style Definitions */ p.MsoNormal, li.MsoNormal {margin:0cm; font-family:"Calibri",sans-serif;} --></style>
</head>
<body lang=EN-GB style='tab-interval:36.0pt;word-wrap:break-word'>
<!--StartFragment-->

<h1 style='margin-top:12.0pt'><b style='mso-bidi-font-weight:normal'><span style='font-size:16.0pt;color:#2F5496'>Working
at height<o:p></o:p></span></b></h1>

<p class=MsoNormal><o:p>&nbsp;</o:p></p>

<p class=MsoNormal style='margin-bottom:8.0pt'>Ladders are <b>never</b> left <i style='mso-bidi-font-style:
normal'>unattended</i> &amp; are <u>tied</u>.<a style='mso-comment-reference:AB_1;mso-comment-date:20260228T1020'></a><o:p></o:p></p>

<p class=MsoListParagraphCxSpFirst style='text-indent:-18.0pt;mso-list:l0 level1 lfo1'><![if !supportLists]><span
style='font-family:Symbol;mso-fareast-font-family:Symbol'><span style='mso-list:Ignore'>·<span
style='font:7.0pt "Times New Roman"'>&nbsp;&nbsp;&nbsp;&nbsp;&nbsp; </span></span></span><![endif]>Check the
rungs<o:p></o:p></p>

<p class=MsoListParagraphCxSpMiddle style='margin-left:72.0pt;text-indent:-18.0pt;mso-list:l0 level2 lfo1'><![if !supportLists]><span
style='font-family:"Courier New"'><span style='mso-list:Ignore'>o<span style='font:7.0pt "Times New Roman"'>&nbsp;&nbsp; </span></span></span><![endif]>and
the feet<o:p></o:p></p>

<p class=MsoListParagraphCxSpLast style='text-indent:-18.0pt;mso-list:l0 level1 lfo1'><!--[if !supportLists]--><span
style='font-family:Symbol'><span style='mso-list:Ignore'>·<span style='font:7.0pt "Times New Roman"'>&nbsp; </span></span></span><!--[endif]-->Tie
the top<o:p></o:p></p>

<p class=MsoListParagraph style='text-indent:-18.0pt;mso-list:l1 level1 lfo2'><![if !supportLists]><span
style='mso-bidi-font-family:Calibri'><span style='mso-list:Ignore'>1.<span style='font:7.0pt "Times New Roman"'>&nbsp;&nbsp; </span></span></span><![endif]>Stop<o:p></o:p></p>

<p class=MsoListParagraph style='text-indent:-18.0pt;mso-list:l1 level1 lfo2'><![if !supportLists]><span
style='mso-bidi-font-family:Calibri'><span style='mso-list:Ignore'>2.<span style='font:7.0pt "Times New Roman"'>&nbsp;&nbsp; </span></span></span><![endif]>Tell
the supervisor<o:p></o:p></p>

<table class=MsoTableGrid border=1 cellspacing=0><tr style='mso-yfti-irow:0'><td width=301 valign=top
style='width:225.4pt;border:solid windowtext 1.0pt'><p class=MsoNormal>Dust<o:p></o:p></p></td><td width=301><p class=MsoNormal>FFP3 mask</p></td></tr></table>

<!--EndFragment-->
</body></html>`

const DOCS = `<meta charset="utf-8"><b style="font-weight:normal;" id="docs-internal-guid-5f3c9d2e-7fff"><h2 dir="ltr"
style="line-height:1.38;margin-top:18pt"><span style="font-size:16pt;font-weight:400;color:#000000">Dust</span></h2><p dir="ltr"
style="line-height:1.38"><span style="font-size:11pt;font-weight:700;font-style:normal;text-decoration:none">Wear</span><span
style="font-size:11pt;font-weight:400;font-style:italic"> a mask</span><span style="text-decoration:line-through">now</span></p><br /><ul
style="margin-top:0"><li dir="ltr" style="list-style-type:disc" aria-level="1"><p dir="ltr" role="presentation"><span>Cut wet</span></p></li><ul
style="margin-top:0"><li dir="ltr" aria-level="2"><p dir="ltr" role="presentation"><span>never dry</span></p></li></ul><li dir="ltr"><p>Extract</p></li></ul><p><a
href="https://www.hse.gov.uk/" style="text-decoration:none"><span style="color:#1155cc;text-decoration:underline">HSE</span></a></p></b>`

describe('text pasted from a word processor', () => {
  it('text pasted from Word loses its styles, and imitated lists become real lists', () => {
    expect(cleanPastedHtml(WORD)).toBe(
      [
        '<p><strong>Working at height</strong></p>',
        '<p>Ladders are <strong>never</strong> left <em>unattended</em> &amp; are <u>tied</u>.</p>',
        '<ul><li><p>Check the rungs</p><ul><li><p>and the feet</p></li></ul></li><li><p>Tie the top</p></li></ul>',
        '<ol><li><p>Stop</p></li><li><p>Tell the supervisor</p></li></ol>',
        '<p>Dust | FFP3 mask</p>',
      ].join(''),
    )
  })

  it('the bold wrapper element in text pasted from Google Docs does not make the text bold', () => {
    expect(cleanPastedHtml(DOCS)).toBe(
      [
        '<p>Dust</p><p><strong>Wear</strong><em> a mask</em><s>now</s></p>',
        '<ul><li><p>Cut wet</p><ul><li><p>never dry</p></li></ul></li><li><p>Extract</p></li></ul><p><u>HSE</u></p>',
      ].join(''),
    )
  })

  it('one-item lists pasted from Word on the web are joined into one list', () => {
    const item = (text: string) =>
      `<div class="ListContainerWrapper SCXW1"><ul class="BulletListStyle1"><li data-listid="1"><p class="Paragraph"><span class="TextRun"><span class="NormalTextRun">${text}</span></span><span class="EOP">&nbsp;</span></p></li></ul></div>`
    expect(cleanPastedHtml(item('Gloves') + item('Boots'))).toBe('<ul><li><p>Gloves</p></li><li><p>Boots</p></li></ul>')
  })

  it.each([
    ['plain words', '<p>plain words</p>'],
    ['a < b & c', '<p>a &lt; b &amp; c</p>'],
    ['<p>one<p>two', '<p>one</p><p>two</p>'],
    ['one<br>two<br><br>', '<p>one<br>two</p>'],
    ['<p onclick="x()">a<script>alert(1)</script></p><img src=x onerror=y>', '<p>a</p>'],
    ['<scr<script></script>ipt>alert(1)</script>', '<p>ipt&gt;alert(1)</p>'],
    ['<p title="a > b">c</p>', '<p>c</p>'],
    ['<blockquote><p>said</p></blockquote><hr/>', '<blockquote><p>said</p></blockquote><hr>'],
    ['<p><b>a</b><strong>b</strong></p>', '<p><strong>ab</strong></p>'],
    ['<p style="mso-hide:all">unseen</p><p>seen</p>', '<p>seen</p>'],
    ['<ul></ul><p> &nbsp; </p>', ''],
  ])('pasted HTML is cleaned: %s', (given, kept) => expect(cleanPastedHtml(given)).toBe(kept))
})

const piece = fc.constantFrom(
  '<p>',
  '</p>',
  '<b>',
  '</b>',
  '<em>',
  '<ul>',
  '</ul>',
  '<ol>',
  '<li>',
  '</li>',
  '<br>',
  '<hr>',
  '<blockquote>',

  '<p style="mso-list:l0 level2 lfo1">',
  "<span style='mso-list:Ignore'>1.",
  '</span>',
  '<![if !x]>',
  '<!--',
  '-->',

  'a',
  ' ',
  'word &amp; word',
  '&lt;',
  '<',
  '>',
  '"',
  '<td>',
  '<h1>',
  '</h1>',
  '<script>',
  '<a href="x">',
  '&nbsp;',
)
const html = fc.array(piece, { maxLength: 25 }).map((p) => p.join(''))
const ALLOWED = /^(?:[^<>]|<\/?(?:p|strong|em|u|s|ul|ol|li|blockquote)>|<br>|<hr>)*$/

describe('any pasted text', () => {
  it('cleaned HTML contains only allowed tags, without attributes', () => {
    fc.assert(fc.property(html, (given) => ALLOWED.test(cleanPastedHtml(given))))
  })

  it('cleaning HTML twice has the same result as cleaning it once', () => {
    fc.assert(fc.property(html, (given) => cleanPastedHtml(cleanPastedHtml(given)) === cleanPastedHtml(given)))
  })

  it('cleaning HTML retains every word of its text', () => {
    const word = fc.stringMatching(/^[a-z]{1,8}$/)
    fc.assert(
      fc.property(fc.array(word, { minLength: 1 }), (w) => cleanPastedHtml(w.join(' ')) === `<p>${w.join(' ')}</p>`),
    )
  })
})
