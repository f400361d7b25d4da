/** A piece of HTML as it was read: an element with what is in it, or text. */
export type Node = Element | string
export interface Element {
  readonly tag: string
  /** The attribute `style`, in small letters. */
  readonly style: string
  readonly children: Node[]
}

const VOID = new Set([
  'br',
  'hr',
  'img',
  'meta',
  'link',
  'input',
  'col',
  'wbr',
  'area',
  'base',
  'embed',
  'source',
  'param',
])
const RAW =
  /<(script|style|title|xml|head|textarea|noscript|iframe|object|svg|math|template)\b[\s\S]*?(?:<\/\1\s*>|$)/gi
/** What is nested deeper is flattened. */
const DEEPEST = 100
const BLOCK = new Set(['p', 'div', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'ul', 'ol', 'table', 'blockquote', 'hr'])
const NAMED: Readonly<Record<string, string>> = { nbsp: '\u00a0', amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

/**
 * Reads HTML as a word processor puts it on the clipboard: whatever is broken becomes text or is closed at the end. Comments,
 * scripts and styles are gone.
 */
export function parseHtml(html: string): Node[] {
  const fragment = /<!--\s*StartFragment\s*-->([\s\S]*?)(?:<!--\s*EndFragment\s*-->|$)/i.exec(html)?.[1] ?? html
  const source = fragment
    .replace(/<!--[\s\S]*?(?:-->|$)/g, '')
    .replace(/<[!?][^<>]*>/g, '')
    .replace(RAW, '')
  const root: Element = { tag: '', style: '', children: [] }
  const open: Element[] = [root]
  for (const token of tokens(source)) {
    const m = /^<(\/?)([a-z][\w:-]*)/i.exec(token)
    const tag = m?.[2]?.toLowerCase()
    if (tag === undefined) open.at(-1)!.children.push(decode(token))
    else if (m?.[1]) close(open, tag)
    else {
      if (BLOCK.has(tag)) close(open, 'p', 'li')
      if (tag === 'li') close(open, 'li', 'ul', 'ol')
      const element: Element = { tag, style: styleOf(token), children: [] }
      open.at(-1)!.children.push(element)
      if (!VOID.has(tag) && !token.endsWith('/>') && open.length < DEEPEST) open.push(element)
    }
  }
  return root.children
}

/** Tags and the text between them. */
function* tokens(source: string): Generator<string> {
  let at = 0
  while (at < source.length) {
    const tag = /^<\/?[a-z]/i.test(source.slice(at, at + 3))
    const next = tag ? endOfTag(source, at) : source.indexOf('<', at + 1)
    const end = next < 0 ? source.length : next
    yield source.slice(at, end)
    at = end
  }
}

/** Behind the `>` that isn't within an attribute's value; -1 when there is none. */
function endOfTag(source: string, from: number): number {
  for (let i = from; i < source.length; i++) {
    const c = source[i]
    if (c === '>') return i + 1
    if ((c !== '"' && c !== "'") || source[i - 1] !== '=') continue
    const closing = source.indexOf(c, i + 1)
    if (closing >= 0) i = closing
  }
  return -1
}

/** Closes the innermost element of that name, unless one of `walls` is nearer. */
function close(open: Element[], tag: string, ...walls: readonly string[]) {
  const at = open.findLastIndex((e) => e.tag === tag || walls.includes(e.tag))
  if (at > 0 && open[at]!.tag === tag) open.length = at
}

const styleOf = (tag: string): string => {
  const m = /\sstyle\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]+))/i.exec(tag)
  return decode(m?.[1] ?? m?.[2] ?? m?.[3] ?? '').toLowerCase()
}

const decode = (text: string): string =>
  text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]+));/gi, (whole, decimal, hex, name) => {
    if (name) return NAMED[String(name).toLowerCase()] ?? whole
    const code = decimal ? Number(decimal) : Number.parseInt(String(hex), 16)
    return code > 0 && code < 0x11_0000 && (code < 0xd800 || code > 0xdfff) ? String.fromCodePoint(code) : ''
  })

/** Text as it stands in HTML. */
export const encodeText = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** The same, its no-break spaces to be seen. */
export const encode = (text: string): string => encodeText(text).replaceAll('\u00a0', '&nbsp;')
