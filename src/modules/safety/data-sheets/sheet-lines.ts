/** Line of text in a data sheet's PDF. Tabs separate the cells of a table. */
export interface PdfLine {
  /** Page number, from 1. */
  readonly page: number
  readonly text: string
}

/** Line that is ready to be searched. */
export interface SheetLine extends PdfLine {
  /** Text in plain characters: `mg/m³` is `mg/m3`, every dash is a hyphen. A soft hyphen remains only at the end. */
  readonly text: string
  /** Text as shown to a person. */
  readonly shown: string
  /** Number of the subsection: 2 for 8.2; 0 before the first subsection. */
  readonly part: number
}

/** The text of a data sheet by section, 1 to 16 as in Annex II of REACH. */
export interface SheetText {
  readonly sections: ReadonlyMap<number, readonly SheetLine[]>
  /** Lines before section 1, and repeated page headers and footers. */
  readonly loose: readonly SheetLine[]
}

/** Reason why a text can't be read as a data sheet. `language` is the language, if it is known. */
export interface UnreadableSheetText {
  readonly unreadable: 'language' | 'sections'
  readonly language?: string
}

/** Maximum length of a line, in characters. Longer lines are continued as further lines. */
const MAX_LINE_CHARACTERS = 500
const MAX_LINES = 20_000

/** Beginnings of section titles, in the current and former notations. */
const TITLES: readonly (readonly [section: number, title: RegExp])[] = [
  [1, /^(?:identification of\b|identification$|product identification|product and company|chemical product and)/i],
  [2, /^hazards?(?:\(s\))?'?s? identification/i],
  [3, /^composition/i],
  [4, /^first[ -]?aid/i],
  [5, /^fire[ -]?fighting/i],
  [6, /^accidental release/i],
  [7, /^handling (?:and|&) storage/i],
  [8, /^exposure controls?/i],
  [9, /^physical (?:and|&|\/) ?chemical/i],
  [10, /^stability/i],
  [11, /^toxicological/i],
  [12, /^ecological/i],
  [13, /^disposal/i],
  [14, /^transport/i],
  [15, /^regulatory/i],
  [16, /^other information/i],
]
/** Titles that are a heading even without a number. */
const WHOLE_TITLE =
  /^(?:hazards? identification|composition ?\/ ?information on ingredients|first[ -]?aid measures|fire[ -]?fighting measures|accidental release measures|handling and storage|exposure controls ?\/ ?personal protection|physical and chemical properties|stability and reactivity|toxicological information|ecological information|disposal considerations?|transport information|regulatory information|other information)$/i
const HEADING = /^(section|part)?[ .]{0,3}(\d{1,2})[ .:)\t-]{0,8}(.{0,90})/i
const PART = /^(\d{1,2}) ?\. ?(\d{1,2})(?:$|[\p{L} \t.(])/u

/** Beginnings of headings in other languages. */
const LANGUAGES: readonly (readonly [language: string, heading: RegExp])[] = [
  ['German', /^abschnitt \d{1,2}/i],
  [
    'French',
    /^(?:rubrique|section) \d{1,2} ?[:.-] ?(?:identification d|composition ?\/ ?informations|premiers|mesures)/i,
  ],
  ['French', /^rubrique \d{1,2}/i],
  ['Spanish', /^secci[oó]n \d{1,2}/i],
  ['Italian', /^sezione \d{1,2}/i],
  ['Dutch', /^rubriek \d{1,2}/i],
  ['Portuguese', /^sec[cç]?[cç][aã]o \d{1,2}/i],
  ['Polish', /^sekcja \d{1,2}/i],
  ['Swedish or Norwegian', /^avsnitt \d{1,2}/i],
  ['Danish', /^punkt \d{1,2}/i],
  ['Finnish', /^kohta \d{1,2}/i],
  ['Czech or Slovak', /^odd[ií]e?l \d{1,2}/i],
  ['German', /^\d{1,2}[. ]{0,3}(?:mögliche gefahren|erste-hilfe|zusammensetzung)/i],
  ['French', /^\d{1,2}[. ]{0,3}(?:identification des dangers|premiers secours|composition ?\/ ?informations sur)/i],
]
/** Minimum number of sections in a data sheet in English. */
const MIN_SECTIONS = 3

const INVISIBLE = /[[\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}]--[\t\u00ad]]/gv
/** Characters that PDFium returns for a hyphen at the end of a line. */
const LINE_END_HYPHENS = ['\u0002', '\ufffe'] as const
const DASHES = /[\u2010-\u2015\u2212\ufe63\uff0d]/g

/** Splits text into trimmed cells. Three spaces separate two cells. */
const splitCells = (text: string): string[] =>
  text
    .replaceAll('   ', '\t')
    .split('\t')
    .map((cell) => cell.split(' ').filter(Boolean).join(' '))
    .filter(Boolean)

/** Splits the text of a table's row into its cells. */
export const cellsOf = ({ text }: Pick<SheetLine, 'text'>): string[] => text.split('\t')

function* readLines(lines: readonly PdfLine[]): Generator<SheetLine> {
  let count = 0
  for (const { page, text } of lines) {
    for (let at = 0; at === 0 || at < text.length; at += MAX_LINE_CHARACTERS) {
      if (count++ >= MAX_LINES) return
      const line = readLine(page, text.slice(at, at + MAX_LINE_CHARACTERS))
      if (line) yield line
    }
  }
}

function readLine(page: number, raw: string): SheetLine | undefined {
  const marked = LINE_END_HYPHENS.reduce((text, sign) => text.replaceAll(sign, '\u00ad'), raw).replace(INVISIBLE, '')
  const hyphen = marked.trimEnd().endsWith('\u00ad') ? '\u00ad' : ''
  const plain = marked.replaceAll('\u00ad', '')
  const shown = splitCells(plain.replaceAll('\u00a0', ' ')).join(' ')
  const text = splitCells(
    plain
      .normalize('NFKC')
      .replace(DASHES, '-')
      .slice(0, 2 * MAX_LINE_CHARACTERS),
  ).join('\t')
  return text ? { page, text: text + hyphen, shown, part: 0 } : undefined
}

/** Key that is the same for a line on every page, whatever its page number. */
const runningKey = ({ text }: SheetLine) => text.toLowerCase().replace(/\d/g, '#').replaceAll('##', '#')
const EDGE_LINES = 6
const MIN_REPEATS = 3

/** Separates headers and footers, which are lines at the edges of at least half of the pages. */
function splitRunningLines(lines: readonly SheetLine[]): { readonly body: SheetLine[]; readonly running: SheetLine[] } {
  const pages = [...Map.groupBy(lines, (line) => line.page).values()]
  const count = new Map<string, number>()
  const edges = new Set<SheetLine>()
  for (const page of pages) {
    const edge = page.length > 2 * EDGE_LINES ? [...page.slice(0, EDGE_LINES), ...page.slice(-EDGE_LINES)] : page
    for (const line of edge) edges.add(line)
    for (const key of new Set(edge.map(runningKey))) count.set(key, (count.get(key) ?? 0) + 1)
  }
  const isRunning = (line: SheetLine) => {
    const times = edges.has(line) ? (count.get(runningKey(line)) ?? 0) : 0
    return times >= MIN_REPEATS && times * 2 >= pages.length
  }
  const { running = [], body = [] } = Object.groupBy(lines, (line) => (isRunning(line) ? 'running' : 'body'))
  const first = new Map(running.toReversed().map((line) => [runningKey(line), line]))
  return { body, running: [...first.values()].toReversed() }
}

const sectionOfTitle = (title: string) => TITLES.find(([, start]) => start.test(title))?.[0]

/** Returns the section of which a line is the heading. `next` is the line after it, which can contain the title. */
export function sectionOfHeading(
  { text }: Pick<SheetLine, 'text'>,
  next: Pick<SheetLine, 'text'> | undefined,
): number | undefined {
  const line = text.replaceAll('\t', ' ')
  const [, word, digits = '', title = ''] = HEADING.exec(line) ?? []
  if (!digits) return WHOLE_TITLE.test(line.slice(0, 80)) ? sectionOfTitle(line) : undefined
  if (Number(digits) < 1 || Number(digits) > 16) return undefined
  if (title) return sectionOfTitle(title)
  return word || line.length < 4 ? sectionOfTitle(next?.text.replaceAll('\t', ' ') ?? '') : undefined
}

/** One pass through sections 1 to 16. A file can have several: a table of contents, or one for each language. */
interface SectionRun {
  readonly sections: Map<number, SheetLine[]>
  length: number
}

function findSectionRuns(lines: readonly SheetLine[]): { readonly runs: SectionRun[]; readonly before: SheetLine[] } {
  const runs: SectionRun[] = []
  const before: SheetLine[] = []
  let run: SectionRun | undefined
  let section: number | undefined
  let number = 0
  let part = 0
  for (const [i, line] of lines.entries()) {
    const found = sectionOfHeading(line, lines[i + 1])
    const isNew = found !== undefined && !run?.sections.has(found)
    if (found === 1 && run && run.sections.size > 1) run = undefined
    if (isNew || (found !== undefined && !run)) {
      if (!run) {
        run = { sections: new Map(), length: 0 }
        runs.push(run)
      }
      section = found
      number = Number(HEADING.exec(line.text)?.[2] ?? found)
      part = 0
      run.sections.set(section, [])
      continue
    }
    if (found !== undefined && found === section) continue
    const [, own, sub] = PART.exec(line.text) ?? []
    if (own !== undefined && Number(own) === number) part = Number(sub)
    if (!run || section === undefined) before.push(line)
    else {
      run.sections.get(section)?.push({ ...line, part })
      run.length += line.text.length
    }
  }
  return { runs, before }
}

/** Returns the language of a text without enough English headings; undefined if it is unknown. */
function findLanguage(lines: readonly SheetLine[]): string | undefined {
  const counts = new Map<string, number>()
  for (const { text } of lines) {
    const line = text.replaceAll('\t', ' ').slice(0, 80)
    const language = LANGUAGES.find(([, heading]) => heading.test(line))?.[0]
    if (language) counts.set(language, (counts.get(language) ?? 0) + 1)
  }
  const [most] = [...counts].sort(([, a], [, b]) => b - a)
  return most?.[0]
}

/**
 * Reads the sections of a data sheet. In a file with the same sheet in several languages, reads the English one. Its
 * work grows in proportion to the length of the text.
 */
export function readSheetText(lines: readonly PdfLine[]): SheetText | UnreadableSheetText {
  const all = [...readLines(lines)]
  const { body, running } = splitRunningLines(all)
  const { runs, before } = findSectionRuns(body)
  const run = runs.reduce<SectionRun | undefined>(
    (best, one) => (best && best.length >= one.length ? best : one),
    undefined,
  )
  if (run && run.sections.size >= MIN_SECTIONS) return { sections: run.sections, loose: [...running, ...before] }
  const language = findLanguage(all)
  return language === undefined ? { unreadable: 'sections' } : { unreadable: 'language', language }
}
