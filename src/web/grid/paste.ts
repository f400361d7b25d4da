/**
 * Parses cells copied from a spreadsheet. Cells are separated by tabs, and quoted if they contain a line break or a
 * tab.
 */
export function parseClipboardCells(text: string): string[][] {
  const rows: string[][] = [[]]
  let cell = ''
  let quoted = false
  const end = () => rows.at(-1)?.push(cell.trim())
  for (let i = 0; i < text.length; i++) {
    const c = text[i] as string
    if (quoted && c === '"' && text[i + 1] === '"') cell += text[++i]
    else if (c === '"' && (quoted || cell === '')) quoted = !quoted
    else if (quoted) cell += c
    else if (c === '\t') {
      end()
      cell = ''
    } else if (c === '\n') {
      end()
      cell = ''
      rows.push([])
    } else if (c !== '\r') cell += c
  }
  end()
  return rows.filter((row) => row.some(Boolean))
}

export const hasSeveralCells = (text: string): boolean => /[\t\n]/.test(text.trim())
