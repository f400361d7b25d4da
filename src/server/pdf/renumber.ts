/** Maps the object references of one file to those of another. */
export interface PdfRenumbering {
  readonly ref: (id: number) => number
  /** New key in the structure parent tree. */
  readonly parents: (key: number) => number
  /** New name of a table cell, by which other cells refer to their heading. */
  readonly cell: (name: string) => string
}

const TOKEN = /\(|(?<!<)<(?!<)|\/[^\s/<>()[\]]+|(\d+) 0 R\b/g
const NAMES_CELLS = new Set(['/ID', '/Headers'])
const NAMES_PARENTS = new Set(['/StructParents', '/StructParent'])

/** Renumbers the references in the head of an object; text strings are left unchanged. */
export function renumberObject(head: string, to: PdfRenumbering): string {
  const parts: string[] = []
  let done = 0
  let inCells = false
  TOKEN.lastIndex = 0
  const put = (from: number, until: number, instead: string) => {
    parts.push(head.slice(done, from), instead)
    done = until
    TOKEN.lastIndex = until
  }
  for (let found = TOKEN.exec(head); found; found = TOKEN.exec(head)) {
    const [token, id] = found
    const from = found.index
    if (id !== undefined) put(from, TOKEN.lastIndex, `${to.ref(Number(id))} 0 R`)
    else if (token === '(') {
      const until = endOfText(head, from)
      put(from, until, inCells ? `(${to.cell(head.slice(from + 1, until - 1))})` : head.slice(from, until))
    } else if (token === '<') TOKEN.lastIndex = head.indexOf('>', from) + 1
    else {
      inCells = NAMES_CELLS.has(token)
      const key = NAMES_PARENTS.has(token) ? /^ (\d+)/.exec(head.slice(TOKEN.lastIndex, TOKEN.lastIndex + 12)) : null
      if (key) put(from, TOKEN.lastIndex + key[0].length, `${token} ${to.parents(Number(key[1]))}`)
    }
  }
  parts.push(head.slice(done))
  return parts.join('')
}

/** Position after the bracket that closes a text string; brackets within it are balanced or escaped. */
function endOfText(head: string, from: number): number {
  let depth = 0
  for (let i = from; i < head.length; i++) {
    const c = head[i]
    if (c === '\\') i++
    else if (c === '(') depth++
    else if (c === ')' && --depth === 0) return i + 1
  }
  return head.length
}
