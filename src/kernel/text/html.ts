export type HtmlNode = HtmlElement | string
export interface HtmlElement {
  readonly tag: string
  /** The `style` attribute in lower case. */
  readonly style: string
  readonly children: HtmlNode[]
  /** All attributes, if requested. */
  readonly attributes?: Readonly<Record<string, string>>
}

export const NON_TEXT_ELEMENTS: ReadonlySet<string> = new Set([
  'script',
  'style',
  'title',
  'xml',
  'head',
  'textarea',
  'noscript',
  'iframe',
  'object',
  'svg',
  'math',
  'template',
])

const NAMED: Readonly<Record<string, string>> = { nbsp: '\u00a0', amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

export const escapeHtmlText = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** Escapes text for HTML, and writes no-break spaces as `&nbsp;`. */
export const escapeHtmlAndSpaces = (text: string): string => escapeHtmlText(text).replaceAll('\u00a0', '&nbsp;')

/** Decodes the HTML entities that editors write. */
export const decodeHtmlEntities = (text: string): string =>
  text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]+));/gi, (whole, decimal, hex, name) => {
    if (name) return NAMED[String(name).toLowerCase()] ?? whole
    const code = decimal ? Number(decimal) : Number.parseInt(String(hex), 16)
    return code > 0 && code < 0x11_0000 && (code < 0xd800 || code > 0xdfff) ? String.fromCodePoint(code) : ''
  })
