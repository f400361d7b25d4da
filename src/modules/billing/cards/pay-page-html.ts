import { TEST_CARDS } from './test-cards.ts'

/** Parameters of a page of the test gateway. */
export interface PayPageOptions {
  readonly nonce: string
  readonly scheme: string
  /** True to pay with the card, which is then saved only if requested elsewhere. */
  readonly pays: boolean
}

const CSS = `
*{box-sizing:border-box}body{margin:0;padding:16px;font:16px/1.5 system-ui,sans-serif;background:Canvas;color:CanvasText}
h1{font-size:1.125rem;margin:0 0 4px}p{margin:0 0 12px}.quiet{font-size:.875rem}
form{display:grid;gap:12px}label{display:grid;gap:4px;font-weight:600}.two{display:grid;grid-template-columns:1fr 1fr;gap:12px}
input{font:inherit;font-weight:400;min-height:44px;padding:8px 12px;border:1px solid GrayText;border-radius:4px;background:Field;color:FieldText;width:100%}
button{font:inherit;font-weight:600;min-height:44px;padding:8px 16px;border:1px solid #005387;border-radius:4px;background:#005387;color:#fff;cursor:pointer}
button.plain{background:Canvas;color:CanvasText;border-color:GrayText}
:focus-visible{outline:3px solid #2f8fd0;outline-offset:2px}
.error{border-left:4px solid #c1121f;padding:8px 12px;margin:0 0 12px;background:color-mix(in srgb,#c1121f 12%,Canvas)}
table{border-collapse:collapse;width:100%;font-size:.875rem}th,td{text-align:left;padding:4px 8px 4px 0}summary{padding-block:10px;cursor:pointer}
code{font-family:ui-monospace,monospace;white-space:nowrap}`

const html = ({ nonce, scheme }: PayPageOptions, title: string, body: string): string =>
  `<!doctype html><html lang="en-GB"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><title>${title}</title><style nonce="${nonce}">:root{color-scheme:${scheme}}${CSS}</style></head><body><main aria-label="${title}">${body}</main></body></html>`

const escapeHtml = (s: string) => s.replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`)

/** Card form, with the last error. Input is not echoed: a card number is stored nowhere. */
export const cardEntryPage = (f: PayPageOptions, error?: string): string =>
  html(
    f,
    'Enter a card',
    `<h1>Test payment service</h1><p class="quiet">No money moves here. Use a test card, any future expiry date and any security code.</p>
${error ? `<p class="error" role="alert">${escapeHtml(error)}</p>` : ''}
<form method="post" enctype="multipart/form-data" autocomplete="off">
<label>Card number<input name="number" inputmode="numeric" maxlength="23" required></label>
<div class="two"><label>Expiry (MM/YY)<input name="expiry" placeholder="MM/YY" maxlength="7" required></label>
<label>Security code<input name="cvc" inputmode="numeric" maxlength="4" required></label></div>
<button>${f.pays ? 'Pay with this card' : 'Save this card'}</button></form>
<details><summary>Test cards</summary><table><thead><tr><th scope="col">Number</th><th scope="col">Result</th></tr></thead><tbody>${TEST_CARDS.map((c) => `<tr><td><code>${c.number.replace(/(.{4})(?=.)/g, '$1 ')}</code></td><td>${escapeHtml(c.title)}</td></tr>`).join('')}</tbody></table></details>`,
  )

/** The bank's confirmation (3-D Secure). */
export const challengePage = (f: PayPageOptions, token: string): string =>
  html(
    f,
    'Confirm with your bank',
    `<h1>Confirm with your bank</h1><p>This simulates the page on which a bank asks the cardholder to confirm (3-D Secure).</p>
<form method="post" enctype="multipart/form-data"><input type="hidden" name="token" value="${escapeHtml(token)}">
<div class="two"><button name="answer" value="pass">Confirm</button><button name="answer" value="fail" class="plain">Refuse</button></div></form>`,
  )

/** Posts the card's token to the parent window of the same origin only. */
export const cardEnteredPage = (f: PayPageOptions, token: string): string =>
  html(
    f,
    'Card entered',
    `<h1>Thank you</h1><p role="status">The card is being ${f.pays ? 'charged' : 'saved'}.</p>
<script nonce="${f.nonce}">parent.postMessage({type:'card',card:${JSON.stringify(token)}},location.origin)</script>`,
  )

export const expiredPage = (f: PayPageOptions): string =>
  html(f, 'Page expired', '<h1>This page has expired</h1><p>Close it and choose “Add a card” again.</p>')
