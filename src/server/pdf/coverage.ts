import { readDocumentFonts, readFurtherFonts } from './fonts.ts'

/** First and last code point in a range that a font covers. */
type Run = readonly [from: number, to: number]

/**
 * Finds a font's Unicode subtable. Format 12 (all of Unicode) takes precedence over format 4 (the basic plane). Throws
 * if the font has neither.
 */
function cmapOf(font: Buffer): { readonly format: number; readonly at: number } {
  const tables = Array.from({ length: font.readUInt16BE(4) }, (_, i) => 12 + i * 16)
  const entry = tables.find((at) => font.toString('latin1', at, at + 4) === 'cmap')
  if (entry === undefined) throw new Error('a font has no character map')
  const cmap = font.readUInt32BE(entry + 8)
  const subtables = Array.from({ length: font.readUInt16BE(cmap + 2) }, (_, i) => {
    const at = cmap + font.readUInt32BE(cmap + 4 + i * 8 + 4)
    return { format: font.readUInt16BE(at), at }
  })
  const found = [12, 4].flatMap((format) => subtables.find((s) => s.format === format) ?? [])[0]
  if (!found) throw new Error('a font has no Unicode character map')
  return found
}

/**
 * Returns the ranges of characters in a font (OpenType specification, `cmap`). Each segment in format 4 is treated as
 * covered completely, because the segments in the portal's fonts have no gaps.
 */
function runsOf(font: Buffer): Run[] {
  const { format, at } = cmapOf(font)
  if (format === 12)
    return Array.from({ length: font.readUInt32BE(at + 12) }, (_, i): Run => {
      const group = at + 16 + i * 12
      return [font.readUInt32BE(group), font.readUInt32BE(group + 4)]
    })
  const segments = font.readUInt16BE(at + 6) / 2
  return Array.from({ length: segments }, (_, i): Run => {
    const end = at + 14 + i * 2
    return [font.readUInt16BE(end + 2 + segments * 2), font.readUInt16BE(end)]
  })
}

/** Returns all code points that at least one of the fonts covers. */
function readCovered(fonts: readonly Buffer[]): Set<number> {
  const all = new Set<number>()
  for (const font of fonts)
    for (const [from, to] of runsOf(font)) for (let code = from; code <= to && code < 0xffff_f; code++) all.add(code)
  return all
}

let covered: Set<number> | undefined
let coveredFurther: Set<number> | undefined

const codeOf = (c: string) => c.codePointAt(0) ?? 0

/** Characters without a visible glyph: spaces, line ends, joiners, variation selectors, direction marks. */
const UNSEEN = /[\s\p{Cc}\p{Cf}\p{Z}\p{Variation_Selector}]/u
/** Characters that all text fonts cover. */
const PLAIN = /^[\t\n\r\x20-\x7e\xa0-\xff]*$/
const NOT_PLAIN = /[^\t\n\r\x20-\x7e\xa0-\xff]/gu

/** Returns the distinct characters that need a further font or have none. */
function findFurtherCharacters(text: string): string[] {
  if (PLAIN.test(text)) return []
  covered ??= readCovered(readDocumentFonts())
  const has = covered
  const special = new Set(text.normalize('NFC').match(NOT_PLAIN))
  return [...special].filter((c) => !UNSEEN.test(c) && !has.has(codeOf(c)))
}

/** True if a text has characters that only the further fonts may cover. */
export const needsFurtherFonts = (text: string): boolean => findFurtherCharacters(text).length > 0

/** Returns the distinct characters in a text that no font covers. */
export function findUnprintableCharacters(text: string): string[] {
  const further = findFurtherCharacters(text)
  if (!further.length) return []
  coveredFurther ??= readCovered(readFurtherFonts())
  const has = coveredFurther
  return further.filter((c) => !has.has(codeOf(c)))
}

const code = (c: string) => `[U+${codeOf(c).toString(16).toUpperCase().padStart(4, '0')}]`

/** Direction marks, which reverse the order of characters up to the end of their text. */
const TURNING = /[\u202a-\u202e\u2066-\u2069]/g
const CONTROLS = /[\p{Cc}--[\t\n\r]]/gv

/**
 * Makes text printable: removes direction marks and control characters, and replaces each character that no font covers
 * with its code point.
 */
export function makeTextPrintable(text: string): string {
  if (PLAIN.test(text)) return text
  const plain = text.replace(TURNING, '').replace(CONTROLS, '')
  const lost = findUnprintableCharacters(plain)
  if (!lost.length) return plain
  const instead = new Set(lost)
  return Array.from(plain.normalize('NFC'))
    .map((c) => (instead.has(c) ? code(c) : c))
    .join('')
}
