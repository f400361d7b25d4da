import { createHash, type Hash } from 'node:crypto'
import { write } from 'node:fs'
import { promisify } from 'node:util'
import {
  type ParsedTypstPdf,
  type PdfObject,
  parseTypstPdf,
  pdfListForKey,
  pdfReferenceForKey,
  pdfReferencesInList,
} from './typst-file.ts'

/** Maps the object references in one file to those in the joined file. */
interface PdfRenumbering {
  readonly ref: (id: number) => number
  /** Returns the new key in the structure parent tree. */
  readonly parents: (key: number) => number
  /** Returns the new name of a table cell. Other cells use this name to refer to their heading. */
  readonly cell: (name: string) => string
}

const TOKEN = /\(|(?<!<)<(?!<)|\/[^\s/<>()[\]]+|(\d+) 0 R\b/g
const NAMES_CELLS = new Set(['/ID', '/Headers'])
const NAMES_PARENTS = new Set(['/StructParents', '/StructParent'])

/** Renumbers the references in the head of an object. Text strings are unchanged. */
function renumberObject(head: string, to: PdfRenumbering): string {
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

/**
 * Returns the position after the bracket that closes a text string. Brackets within the string are balanced or escaped.
 */
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

// IDs of the objects that all parts share. They are the first objects in the joined file.
const [CATALOG, PAGES, TAGS, WHOLE, OUTLINE] = [1, 2, 3, 4, 5] as const

/** Function that writes the next bytes of the joined file. */
type Write = (bytes: Buffer) => Promise<void>

/**
 * Joins PDFs written by Typst, with their pages, tags, bookmarks and named destinations. Only one part at a time is in
 * memory, together with the object offsets of the previous parts. The first part is front matter, with pages numbered
 * i, ii, iii; all other pages are numbered from 1. With `front: false`, there is no front matter. A link to `part:7`
 * leads to the seventh bookmark after the front matter. The result is PDF/UA if every part is.
 */
async function joinPdfs(parts: AsyncIterable<Buffer>, write: Write, { front = true } = {}): Promise<void> {
  const joined = new Joined(write, front)
  await joined.begin()
  for await (const pdf of parts) await joined.add(parseTypstPdf(pdf))
  await joined.end()
}

/** Returns the objects that a part's catalogue refers to. */
function partsOf(file: ParsedTypstPdf) {
  const [pages, outline, tags, metadata] = ['Pages', 'Outlines', 'StructTreeRoot', 'Metadata'].map((name) =>
    pdfReferenceForKey(file.catalog, name),
  ) as [number, number, number, number]
  const tree = file.head(tags)
  const bookmarks = outline ? file.head(outline) : ''
  return {
    pages,
    outline,
    tags,
    metadata,
    tree,
    bookmarks,
    whole: pdfReferencesInList(pdfListForKey(tree, 'K'))[0] ?? pdfReferenceForKey(tree, 'K'),
  }
}

class Joined {
  private readonly write: Write
  private readonly hasFront: boolean
  private readonly offsets: number[] = []
  private readonly digest: Hash = createHash('sha256')
  private bytes = 0
  private last: number = OUTLINE
  private parts = 0
  private pages = 0
  private front = 0
  /** Number of entries in the structure parent tree. */
  private keys = 0
  private lang = ''
  private metadata: PdfObject | undefined
  private info: PdfObject | undefined
  /** The last bookmark, written once its successor is known. */
  private waiting: { readonly id: number; readonly head: string } | undefined
  private readonly bookmarks = { first: 0, count: 0 }
  private readonly kids: number[] = []
  private readonly wholes: number[] = []
  private readonly parents: number[] = []
  private readonly cells: number[] = []
  private readonly roles = new Set<string>()
  /** IDs of the objects that contain the destinations of the bookmarks after the front matter. */
  private readonly places: number[] = []

  constructor(write: Write, hasFront: boolean) {
    this.write = write
    this.hasFront = hasFront
  }

  begin(): Promise<void> {
    return this.put('%PDF-1.7\n%\u0080\u0080\u0080\u0080\n\n')
  }

  async add(file: ParsedTypstPdf): Promise<void> {
    const { pages, outline, tags, metadata, tree, bookmarks, whole } = partsOf(file)
    const [base, first, final] = [
      this.last,
      pdfReferenceForKey(bookmarks, 'First'),
      pdfReferenceForKey(bookmarks, 'Last'),
    ]
    this.last += file.last
    const to: PdfRenumbering = {
      ref: (id) => (id === outline ? OUTLINE : id === tags ? WHOLE : base + id),
      parents: (key) => this.keys + key,
      cell: (name) => `p${String(this.parts).padStart(6, '0')}${name}`,
    }
    const left = new Set([file.root, file.info, metadata, tags, outline])
    for (const object of file.objects()) {
      const { id, tail } = object
      if (id === metadata) this.metadata = strictest(this.metadata, object)
      if (id === file.info) this.info ??= object
      if (left.has(id)) continue
      let head = linkWithin(renumberObject(object.head, to))
      if (id === pages) head = head.replace('<<', `<<\n  /Parent ${PAGES} 0 R`)
      if (id === whole) head = head.replace('/S /Document', '/S /Part')
      if (id === first) head = await this.follow(base + id, head)
      if (id === final) this.waiting = { id: base + id, head }
      else await this.object(base + id, head, tail)
    }
    this.bookmarks.count += Number(/\/Count (\d+)/.exec(bookmarks)?.[1] ?? 0)
    this.lang ||= /\/Lang (\([^)]*\))/.exec(file.catalog)?.[1] ?? '(en-GB)'
    this.kids.push(base + pages)
    this.wholes.push(base + whole)
    for (const [role] of (/\/RoleMap <<([^>]*)>>/.exec(tree)?.[1] ?? '').matchAll(/\/\S+ \/\S+/g)) this.roles.add(role)
    if (this.parts || !this.hasFront) this.places.push(...file.bookmarks.map(({ place }) => base + place))
    await this.addTrees(tree, to)
    this.pages += file.pages.length
    if (!this.parts++ && this.hasFront) this.front = this.pages
  }

  async end(): Promise<void> {
    const bookmark = this.waiting
    if (bookmark) await this.object(bookmark.id, bookmark.head)
    const { first, count } = this.bookmarks
    const more = [this.metadata, this.info].map((object) => object && { ...object, id: ++this.last })
    for (const object of more) if (object) await this.object(object.id, object.head, object.tail)
    const [metadata, info] = more
    const [parents, cells] = [await this.tree(this.parents), await this.tree(this.cells)]
    await this.object(PAGES, dict(`/Type /Pages /Count ${this.pages} /Kids [${refs(this.kids)}]`))
    await this.object(
      TAGS,
      dict(
        `/Type /StructTreeRoot /RoleMap << ${[...this.roles].join(' ')} >> /K [${WHOLE} 0 R] /ParentTree ${parents} 0 R /IDTree ${cells} 0 R /ParentTreeNextKey ${this.keys}`,
      ),
    )
    await this.object(WHOLE, dict(`/Type /StructElem /S /Document /P ${TAGS} 0 R /K [${refs(this.wholes)}]`))
    await this.object(
      OUTLINE,
      dict(`/Type /Outlines /Count ${count}${first ? ` /First ${first} 0 R /Last ${bookmark?.id} 0 R` : ''}`),
    )
    const places = this.places.map((id, i) => `(${nameOf(i + 1)}) ${id} 0 R`)
    await this.object(
      CATALOG,
      dict(
        `/Type /Catalog /Pages ${PAGES} 0 R${metadata ? ` /Metadata ${metadata.id} 0 R` : ''} /Lang ${this.lang} /StructTreeRoot ${TAGS} 0 R
/MarkInfo << /Marked true /Suspects false >> /ViewerPreferences << /DisplayDocTitle true /Direction /L2R >> /Outlines ${OUTLINE} 0 R
/PageLabels << /Nums [${this.front ? `0 << /S /r >> ${this.front}` : 0} << /S /D >>] >> /Names << /Dests << /Names [${places.join(' ')}] >> >>`,
      ),
    )
    await this.table(info?.id)
  }

  /** Links the first bookmark in a part to the last bookmark in the previous part. */
  private async follow(id: number, head: string): Promise<string> {
    const before = this.waiting
    this.waiting = undefined
    this.bookmarks.first ||= id
    if (!before) return head
    await this.object(before.id, before.head.replace('<<', `<<\n  /Next ${id} 0 R`))
    return head.replace('<<', `<<\n  /Prev ${before.id} 0 R`)
  }

  /** Adds the part's structure parent tree and ID tree of table cells, as leaves. */
  private async addTrees(tree: string, to: PdfRenumbering): Promise<void> {
    const nums = [...pdfListForKey(tree, 'Nums').matchAll(/(\d+) (\d+) 0 R/g)].map(
      ([, key, id]) => [to.parents(Number(key)), to.ref(Number(id))] as const,
    )
    if (nums.length)
      this.parents.push(
        await this.leaf(
          'Nums',
          nums.map(([key, id]) => [`${key}`, id]),
        ),
      )
    const cells = /\/IDTree <<\s*\/Names \[([^\]]*)\]/.exec(tree)?.[1] ?? ''
    const names = [...cells.matchAll(/\(([^)]*)\) (\d+) 0 R/g)].map(
      ([, name = '', id]) => [`(${to.cell(name)})`, to.ref(Number(id))] as const,
    )
    if (names.length) this.cells.push(await this.leaf('Names', names))
    this.keys += nums.length
  }

  private async leaf(kind: 'Nums' | 'Names', all: readonly (readonly [string, number])[]): Promise<number> {
    const id = ++this.last
    const said = all.map(([key, ref]) => `${key} ${ref} 0 R`).join(' ')
    await this.object(id, dict(`/Limits [${all[0]?.[0]} ${all.at(-1)?.[0]}] /${kind} [${said}]`))
    return id
  }

  private async tree(leaves: readonly number[]): Promise<number> {
    const id = ++this.last
    await this.object(id, dict(`/Kids [${refs(leaves)}]`))
    return id
  }

  private async object(id: number, head: string, tail?: Buffer): Promise<void> {
    this.offsets[id] = this.bytes
    this.digest.update(head, 'latin1')
    await this.put(`${id} 0 obj\n${head}\n`)
    if (tail) await this.put(tail)
    await this.put('endobj\n\n')
  }

  /** Writes the cross-reference table and the trailer. */
  private async table(info: number | undefined): Promise<void> {
    const [at, size] = [this.bytes, this.last + 1]
    await this.put(`xref\n0 ${size}\n0000000000 65535 f\r\n`)
    for (let from = 1; from < size; from += TABLE_LINES_PER_WRITE) {
      const ids = Array.from({ length: Math.min(TABLE_LINES_PER_WRITE, size - from) }, (_, i) => from + i)
      await this.put(ids.map((id) => lineOf(this.offsets[id])).join(''))
    }
    const id = `<${this.digest.digest('hex').slice(0, 32)}>`
    const about = info ? ` /Info ${info} 0 R` : ''
    await this.put(
      `trailer\n<< /Size ${size} /Root ${CATALOG} 0 R${about} /ID [${id} ${id}] >>\nstartxref\n${at}\n%%EOF`,
    )
  }

  private async put(bytes: Buffer | string): Promise<void> {
    const all = typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes
    this.bytes += all.length
    await this.write(all)
  }
}

const TABLE_LINES_PER_WRITE = 10_000

/** Formats an object's line in the cross-reference table. A missing object is marked as free. */
const lineOf = (at: number | undefined) =>
  at === undefined ? '0000000000 65535 f\r\n' : `${String(at).padStart(10, '0')} 00000 n\r\n`

const dict = (words: string) => `<< ${words} >>`
const refs = (ids: readonly number[]) => ids.map((id) => `${id} 0 R`).join(' ')

/** Returns the metadata with the lower conformance, because the file is PDF/UA only if all parts are. */
const strictest = (before: PdfObject | undefined, next: PdfObject): PdfObject =>
  before && !(isUa(before) && !isUa(next)) ? before : next
const isUa = ({ tail }: PdfObject) => tail?.includes('pdfuaid:part') === true

/** Returns the name of a destination, padded with zeros because names are sorted alphabetically. */
const nameOf = (part: number) => `part-${String(part).padStart(6, '0')}`

/** Converts a link to `part:7` to a link within the file, because Typst could not know its destination. */
const linkWithin = (head: string): string =>
  head.includes('(part:')
    ? head
        .replace(/\/A <<[^>]*\/URI \(part:(\d+)\)\s*>>/, (_, part: string) => `/Dest (${nameOf(Number(part))})`)
        .replace(/\/Contents \([^)]*part:(\d+)\)/, '/Contents (Document $1)')
    : head

const writeFile = promisify(write)

/** Bytes per write. */
const PIECE = 2 ** 20

/**
 * Writes the joined parts to a file in chunks, and returns the file's checksum and size. With `front: false`, the first
 * part is not front matter.
 */
export async function joinPdfsToFile(
  fd: number,
  parts: () => AsyncIterable<Buffer>,
  { front = true } = {},
): Promise<{ readonly checksum: string; readonly bytes: number }> {
  const sum = createHash('sha256')
  let waiting: Buffer[] = []
  let [held, bytes] = [0, 0]
  const send = async () => {
    const piece = Buffer.concat(waiting)
    waiting = []
    held = 0
    sum.update(piece)
    for (let from = 0; from < piece.length; ) {
      const { bytesWritten } = await writeFile(fd, piece, from, piece.length - from, bytes + from)
      from += bytesWritten
    }
    bytes += piece.length
  }
  const take = async (more: Buffer) => {
    waiting.push(more)
    held += more.length
    if (held >= PIECE) await send()
  }
  await joinPdfs(parts(), take, { front })
  await send()
  return { checksum: sum.digest('hex'), bytes }
}
