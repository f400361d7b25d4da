import type { SupplierAdviceName } from '../substances/substance.ts'
import { cellsOf, type SheetLine } from './sheet-lines.ts'

/** Values that a data sheet can propose. The last ones have no corresponding field in a substance. */
export type SheetField =
  | SupplierAdviceName
  | 'name'
  | 'supplier'
  | 'sheetDate'
  | 'hazardStatements'
  | 'unclassified'
  | 'precautions'
  | 'form'
  | 'boilingPoint'
  | 'limits'
  | 'casNumbers'
  | 'firstAid'
  | 'ppe'
  | 'storage'
  | 'disposal'
  | 'transport'
  | 'legislation'

/** Exposure limit in a data sheet. A figure that the sheet doesn't state is null. */
export interface SheetLimit {
  readonly agent: string
  readonly longPpm: number | null
  readonly longMgM3: number | null
  readonly shortPpm: number | null
  readonly shortMgM3: number | null
}

/** Value found in a data sheet, with its source. A person decides whether it is used. */
export interface SheetProposal {
  readonly field: SheetField
  readonly value: string | number | boolean | SheetLimit
  /** Text of the line or lines that the value comes from. */
  readonly line: string
  /** Page of the first of these lines, from 1. */
  readonly page: number
  /** What to check before the value is used. */
  readonly note?: string
}

const MAX_SOURCE_CHARACTERS = 400
const MAX_TEXT_CHARACTERS = 1000
const MAX_TEXT_LINES = 30

const cut = (text: string, characters: number) =>
  text.length > characters ? `${text.slice(0, characters - 1).trimEnd()}…` : text

/** Returns the source of a value. */
export const sourceOf = (lines: readonly SheetLine[]): Pick<SheetProposal, 'line' | 'page'> => ({
  line: cut(lines.map(({ shown }) => shown).join(' '), MAX_SOURCE_CHARACTERS),
  page: lines[0]?.page ?? 1,
})

const NUMBERING =
  /^(?:1[0-6]|[1-9])(?: ?\. ?\d{1,2}){1,3} ?\.? {0,3}\t?(?=[\p{L}(]|$)(?!mg|ppm|g\b|kg|ml|hpa|kpa|mm|c\b)/iu
const BULLET = /^[•·▪*-] ?/
const NO_DATA =
  /^(?:(?:there (?:is|are) )?no(?:t)? ?(?:further |relevant |specific |additional )?(?:data|information)?(?: (?:is|are))? ?(?:available|determined|known|applicable|established|relevant|required|tested|specified|listed|classified|assigned|regulated)|none(?: known)?|n\.? ?\/? ?a\.?|n\.? ?d\.?|unknown|-{1,3}|not?)[.,; ]{0,2}$/i

/** Returns true for words such as “No data available”. */
export const saysNoData = (text: string): boolean => NO_DATA.test(text.slice(0, 80).trim())

/** Returns a line without its number and bullet. */
const unnumbered = (text: string) => text.replace(NUMBERING, '').replace(BULLET, '')

/**
 * Returns the text after a label at the beginning of a line: empty if the value is on a later line, undefined if the
 * line has another label. A label of several words needs no colon. A longer label takes precedence over a label that is
 * its beginning.
 */
export function textAfterLabel({ text }: SheetLine, labels: readonly string[]): string | undefined {
  const own = unnumbered(text)
  const lower = own.slice(0, 100).toLowerCase()
  for (const label of labels) {
    if (!lower.startsWith(label)) continue
    const rest = own.slice(label.length).replace(/^ ?\((?:e?s|if known|trade name|mixture|substance)\)/i, '')
    if (!rest.trim() || /^ ?[:\t]/.test(rest))
      return rest
        .replace(/^[ :\t.]{1,6}/, '')
        .replaceAll('\t', ' ')
        .trim()
    if (label.includes(' ') && /^ [\p{Lu}\d"“]/u.test(rest)) return rest.replaceAll('\t', ' ').trim()
  }
  return undefined
}

/** Finds the first value with one of the labels. The value is on the line of the label, or on the next line. */
export function findLabelledValue(
  lines: readonly SheetLine[],
  labels: readonly string[],
  others: readonly string[] = [],
): { readonly value: string; readonly lines: readonly SheetLine[] } | undefined {
  for (const [i, line] of lines.entries()) {
    const after = textAfterLabel(line, labels)
    if (after === undefined) continue
    if (after && !saysNoData(after)) return { value: after, lines: [line] }
    const next = lines[i + 1]
    if (after || !next || isHeading(next) || textAfterLabel(next, [...labels, ...others]) !== undefined) continue
    const value = cellsOf(next).join(' ').replace(/^: ?/, '')
    if (value && !saysNoData(value)) return { value, lines: [line, next] }
  }
  return undefined
}

/** Returns true for the heading of a subsection: `8.2. Exposure controls`. */
export const isHeading = ({ text }: SheetLine): boolean => NUMBERING.test(text)

/** Part of a section with its own label, such as “Eye contact”. */
interface LabelledText {
  readonly name: string
  readonly text: string
  readonly lines: readonly SheetLine[]
}

/** Names of labelled texts with their labels in data sheets. A name without text ends the text before it. */
export type TextLabels = readonly (readonly [name: string, labels: readonly string[]])[]

/** Finds the texts with the given labels. A text ends at the next label or heading. */
export function findLabelledTexts(lines: readonly SheetLine[], labels: TextLabels): LabelledText[] {
  const found: { name: string; text: string[]; lines: SheetLine[] }[] = []
  let now: (typeof found)[number] | undefined
  for (const line of lines) {
    const label = findTextLabel(line, labels)
    if (label) {
      now = { name: label.name, text: label.after ? [label.after] : [], lines: [line] }
      found.push(now)
    } else if (isHeading(line)) now = undefined
    else if (now && now.lines.length < MAX_TEXT_LINES) {
      now.text.push(cellsOf(line).join(' '))
      now.lines.push(line)
    }
  }
  return found.flatMap(({ name, text, lines }) => {
    const whole = joinLines(text)
    return name && whole && !saysNoData(whole) ? [{ name, text: whole, lines }] : []
  })
}

function findTextLabel(line: SheetLine, labels: TextLabels) {
  for (const [name, own] of labels) {
    const after = textAfterLabel(line, own) ?? afterSingleWord(line, own)
    if (after !== undefined) return { name, after }
  }
  return undefined
}

/** Returns the text after a label of one word and a capital letter: “Inhalation Remove the person to fresh air”. */
function afterSingleWord({ text }: SheetLine, labels: readonly string[]): string | undefined {
  const own = unnumbered(text)
  const label = labels.find((one) => own.slice(0, one.length).toLowerCase() === one)
  const rest = label === undefined ? '' : own.slice(label.length)
  return /^ [\p{Lu}]/u.test(rest) ? rest.trim() : undefined
}

/** Joins lines of a text. A soft hyphen joins the parts of a word. */
export const joinLines = (lines: readonly string[]): string =>
  lines.join(' ').replaceAll('\u00ad ', '').replaceAll('\u00ad', '').replaceAll('\t', ' ').trim()

/** Creates a proposal from a text. A text that is too long is truncated, and its note says so. */
export function proposeText(field: SheetField, text: string, lines: readonly SheetLine[]): SheetProposal {
  const isCut = text.length > MAX_TEXT_CHARACTERS || lines.length >= MAX_TEXT_LINES
  const note = isCut
    ? { note: 'Only the beginning of this text will be entered. Add the rest from the data sheet.' }
    : {}
  return { field, value: cut(text, MAX_TEXT_CHARACTERS), ...sourceOf(lines), ...note }
}
