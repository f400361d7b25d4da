import { escapeHtmlAndSpaces } from './html.ts'
import type { TextMark } from './rich-text.ts'

/** A piece of text with its marks, or a line break. */
export type TextRun = { readonly text: string; readonly marks: readonly TextMark[] } | 'br'

const ORDER: readonly TextMark[] = ['strong', 'em', 'u', 's']

/** Normalises the runs of a paragraph: single spaces, none at the ends of lines; empty without words. */
export function tidyRuns(runs: readonly TextRun[]): TextRun[] {
  const lines: Exclude<TextRun, 'br'>[][] = [[]]
  for (const run of runs) {
    if (run === 'br') lines.push([])
    else lines.at(-1)!.push({ ...run, text: run.text.replace(/[ \t\r\n\f]+/g, ' ') })
  }
  const tidy = lines.map(trimRuns)
  while (tidy.at(-1)?.every(isBlank)) tidy.pop()
  while (tidy[0]?.every(isBlank)) tidy.shift()
  return tidy.flatMap((line, i) => (i === 0 ? line : (['br', ...line] as TextRun[])))
}

const isBlank = (run: Exclude<TextRun, 'br'>) => run.text.trim() === ''

/** Normalises one line: no double, leading or trailing spaces. */
function trimRuns(line: readonly Exclude<TextRun, 'br'>[]) {
  const out: { text: string; marks: readonly TextMark[] }[] = []
  for (const { text, marks } of line) {
    const before = out.at(-1)
    const kept =
      before === undefined ? text.replace(/^[ \u00a0]+/, '') : before.text.endsWith(' ') ? text.replace(/^ /, '') : text
    if (kept) out.push({ text: kept, marks })
  }
  for (let last = out.at(-1); last; last = out.at(-1)) {
    last.text = trimEnd(last.text)
    if (last.text) break
    out.pop()
  }
  return out
}

/** Removes trailing spaces. Without a regular expression, which would take quadratic time on a run of spaces. */
function trimEnd(text: string): string {
  let end = text.length
  while (end > 0 && (text[end - 1] === ' ' || text[end - 1] === '\u00a0')) end--
  return text.slice(0, end)
}

/** Converts runs to HTML: adjacent runs with the same marks are joined, and marks always nest in the same order. */
export function runsToHtml(runs: readonly TextRun[]): string {
  let html = ''
  let text = ''
  let around = ''
  const end = () => {
    const tags = around ? around.split(' ') : []
    html += `${tags.map((t) => `<${t}>`).join('')}${escapeHtmlAndSpaces(text)}${tags
      .map((t) => `</${t}>`)
      .reverse()
      .join('')}`
    text = ''
  }
  for (const run of runs) {
    const marks = run === 'br' ? '' : ORDER.filter((m) => run.marks.includes(m)).join(' ')
    if (run === 'br' || marks !== around) end()
    if (run === 'br') html += '<br>'
    else text += run.text
    around = marks
  }
  end()
  return html.replace(/(<(strong|em|u|s)>)+(<\/(strong|em|u|s)>)+/g, '')
}
