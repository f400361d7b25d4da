/** A piece of parsed HTML: an element, or text. */
export type Node = Element | string
export interface Element {
  readonly tag: string
  /** The attribute `style`, in small letters. */
  readonly style: string
  readonly children: Node[]
}

/** Elements whose contents are no text to read. */
export const UNREAD_ELEMENTS: ReadonlySet<string> = new Set([
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

const ENTITIES: Readonly<Record<string, string>> = {
  '&nbsp;': '\u00a0',
  '&lt;': '<',
  '&gt;': '>',
  '&amp;': '&',
}

/** Text as it stands in HTML. */
export const encodeText = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** The same with visible no-break spaces. */
export const encode = (text: string): string => encodeText(text).replaceAll('\u00a0', '&nbsp;')

/** Reverses `encode`. */
export const decode = (text: string): string =>
  text.replace(/&(?:nbsp|lt|gt|amp);/g, (entity) => ENTITIES[entity] ?? '')
