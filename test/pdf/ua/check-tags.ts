import { PDFName } from 'pdf-lib'
import { readPdfArray, readPdfName, readPdfNumber, readPdfText } from './objects.ts'
import { alternativeText, flattenTags, type PdfTag, readTagAttribute } from './structure.ts'

const ID = PDFName.of('ID')

const KIDS: Readonly<Record<string, readonly string[]>> = {
  Table: ['TR', 'THead', 'TBody', 'TFoot', 'Caption'],
  THead: ['TR'],
  TBody: ['TR'],
  TFoot: ['TR'],
  TR: ['TH', 'TD'],
  L: ['L', 'LI', 'Caption'],
  LI: ['Lbl', 'LBody'],
  TOC: ['TOC', 'TOCI', 'Caption'],
}
const PARENTS: Readonly<Record<string, readonly string[]>> = {
  TR: ['Table', 'THead', 'TBody', 'TFoot'],
  THead: ['Table'],
  TBody: ['Table'],
  TFoot: ['Table'],
  TH: ['TR'],
  TD: ['TR'],
  LI: ['L'],
  LBody: ['LI'],
  TOCI: ['TOC'],
}

/**
 * Returns the faults in the tags themselves: nesting, headings, pictures, tables, notes. `textIn` returns the text
 * below a tag.
 */
export function checkPdfUaTags(roots: readonly PdfTag[], textIn: (tag: PdfTag) => string): string[] {
  const all = flattenTags(roots)
  return [
    ...nesting(roots),
    ...headings(all, textIn),
    ...all.filter((tag) => tag.type === 'Figure' || tag.type === 'Formula').flatMap(figure),
    ...all.filter((tag) => tag.type === 'Table').flatMap(table),
    ...ids(all),
  ]
}

function nesting(tags: readonly PdfTag[], within = ''): string[] {
  return tags.flatMap((tag) => [
    ...(PARENTS[tag.type]?.includes(within) === false ? [`A ${tag.type} stands in a ${within || 'document'}`] : []),
    ...(KIDS[within]?.includes(tag.type) === false ? [`A ${within} has a ${tag.type} in it`] : []),
    ...(KIDS[tag.type] && tag.contents.length ? [`A ${tag.type} has words of its own`] : []),
    ...nesting(tag.kids, tag.type),
  ])
}

function headings(all: readonly PdfTag[], textIn: (tag: PdfTag) => string): string[] {
  const findings: string[] = []
  let before = 0
  for (const tag of all) {
    const level = Number(/^H([1-6])$/.exec(tag.type)?.[1] ?? 0)
    if (tag.type === 'H') findings.push('A heading has no level')
    if (!level) continue
    if (level > before + 1) findings.push(`A heading of level ${level} follows one of level ${before}`)
    if (!textIn(tag).trim()) findings.push(`A heading of level ${level} has no words`)
    before = level
  }
  return findings
}

function figure(tag: PdfTag): string[] {
  return [
    ...(alternativeText(tag)?.trim() ? [] : ['A picture has no text instead of it']),
    ...(readPdfArray(readTagAttribute(tag, 'BBox')).length === 4 ? [] : ['A picture does not say where it stands']),
  ]
}

const rowsOf = (tag: PdfTag): PdfTag[] => tag.kids.flatMap((kid) => (kid.type === 'TR' ? [kid] : rowsOf(kid)))
const span = (tag: PdfTag, name: string) => readPdfNumber(readTagAttribute(tag, name)) ?? 1

/** Returns the number of columns in each row, including cells that extend down from earlier rows. */
function widths(rows: readonly PdfTag[]): number[] {
  const reaching: { columns: number; rows: number }[] = []
  return rows.map((row) => {
    const above = reaching.filter((one) => one.rows-- > 0).reduce((sum, one) => sum + one.columns, 0)
    for (const cell of row.kids)
      if (span(cell, 'RowSpan') > 1) reaching.push({ columns: span(cell, 'ColSpan'), rows: span(cell, 'RowSpan') - 1 })
    return above + row.kids.reduce((sum, cell) => sum + span(cell, 'ColSpan'), 0)
  })
}

function table(tag: PdfTag): string[] {
  const rows = rowsOf(tag)
  const cells = rows.flatMap((row) => row.kids)
  const heads = cells.filter((cell) => cell.type === 'TH')
  const scopes = new Set(['Row', 'Column', 'Both'])
  const scoped = heads.every((head) => scopes.has(readPdfName(readTagAttribute(head, 'Scope')) ?? ''))
  const linked = cells
    .filter((cell) => cell.type === 'TD')
    .every((cell) => readPdfArray(readTagAttribute(cell, 'Headers')).length)
  return [
    ...(new Set(widths(rows)).size > 1 ? ['A table has rows of different lengths'] : []),
    ...(heads.length ? [] : ['A table has no headers']),
    ...(scoped || linked ? [] : ['A table’s cells can’t be told their headers']),
  ]
}

function ids(all: readonly PdfTag[]): string[] {
  const known = all.flatMap(({ dict }) => readPdfText(dict.get(ID)) ?? [])
  const asked = all.flatMap((tag) =>
    readPdfArray(readTagAttribute(tag, 'Headers')).flatMap((one) => readPdfText(one) ?? []),
  )
  const has = new Set(known)
  return [
    ...(has.size < known.length ? ['Two tags have one id'] : []),
    ...(asked.every((id) => has.has(id)) ? [] : ['A cell names a header that is not there']),
    ...(all.some(({ type, dict }) => type === 'Note' && !dict.has(ID)) ? ['A note has no id'] : []),
  ]
}
