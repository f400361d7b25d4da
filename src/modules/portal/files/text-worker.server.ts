import { readFile } from 'node:fs/promises'
import { strFromU8, unzipSync } from 'fflate'
import { Parser } from 'htmlparser2'
import { fileKindForMimeType } from '#server/files/kinds.ts'
import { detectEncoding, readTextChunks } from '#server/files/text.ts'
import { readPdfText, textOfCells } from '#server/pdf/read-text.ts'
import { serveTasks } from '#server/processes/serve-orders.ts'

/** Job that reads the text of a file of a given MIME type. */
export interface FileTextJob {
  readonly path: string
  readonly type: string
}

/** Text of a file in parts of a few lines; none if the file has no text that can be read. */
export interface FileText {
  readonly parts: readonly string[]
  /** Whether the file is a PDF that opens only with a password. */
  readonly isLocked: boolean
}

const MAX_PAGES = 500
const MAX_CHARACTERS = 500_000
/** Maximum size of a file's XML when unpacked, in bytes. Text beyond this size is not read. */
const MAX_XML_BYTES = 50_000_000
/** Target length of a part, in characters. Once it is reached, the next line starts a new part. */
const PART_LENGTH = 300
const MAX_PART_LENGTH = 2000

/** Text files inside Office Open XML and OpenDocument files. */
const TEXT_FILES =
  /^(?:word\/(?:document|header\d*|footer\d*|footnotes|endnotes)|xl\/sharedStrings|ppt\/(?:slides\/slide|notesSlides\/notesSlide)\d+|content)\.xml$/
/** Elements after which a line ends: paragraphs, headings, cells and line breaks. */
const LINE_ELEMENTS = new Set(['w:p', 'w:br', 'a:p', 'a:br', 'si', 'text:p', 'text:h', 'text:line-break'])
const SPACE_ELEMENTS = new Set(['w:tab', 'text:tab', 'text:s'])
/** Elements whose text is invisible: field codes, deleted text and phonetic guides. */
const UNSEEN_ELEMENTS = new Set(['w:instrText', 'w:delText', 'text:tracked-changes', 'rPh'])

function readXml(xml: string): string {
  const found: string[] = []
  let unseen = 0
  const parser = new Parser(
    {
      onopentag: (name) => {
        if (UNSEEN_ELEMENTS.has(name)) unseen++
        if (SPACE_ELEMENTS.has(name)) found.push(' ')
      },
      ontext: (text) => {
        if (!unseen) found.push(text)
      },
      onclosetag: (name) => {
        if (UNSEEN_ELEMENTS.has(name)) unseen--
        if (LINE_ELEMENTS.has(name)) found.push('\n')
      },
    },
    { xmlMode: true },
  )
  parser.end(xml)
  return found.join('')
}

function readOffice(bytes: Buffer): string {
  let unpacked = 0
  const files = unzipSync(bytes, {
    filter: ({ name, originalSize }) => {
      if (!TEXT_FILES.test(name) || unpacked + originalSize > MAX_XML_BYTES) return false
      unpacked += originalSize
      return true
    },
  })
  const names = Object.keys(files).toSorted((a, b) => a.localeCompare(b, 'en', { numeric: true }))
  return names.map((name) => readXml(strFromU8(files[name] as Uint8Array))).join('\n')
}

async function readPlain(path: string): Promise<string> {
  let text = ''
  for await (const chunk of readTextChunks(path, await detectEncoding(path))) {
    text += chunk
    if (text.length > MAX_CHARACTERS) break
  }
  return text
}

/** Returns the text of a file; `undefined` if it opens only with a password. */
async function readText({ path, type }: FileTextJob): Promise<string | undefined> {
  const family = fileKindForMimeType(type)?.family
  if (family === 'text') return readPlain(path)
  if (family === 'pdf') {
    const text = readPdfText(await readFile(path), { pages: MAX_PAGES, characters: MAX_CHARACTERS, partly: true })
    if ('unreadable' in text) return text.unreadable === 'encrypted' ? undefined : ''
    return text.pages.map(textOfCells).join('\n')
  }
  return /openxmlformats|opendocument/.test(type) ? readOffice(await readFile(path)) : ''
}

/** Joins the lines of a text into parts. */
function splitIntoParts(text: string): string[] {
  const parts: string[] = []
  let part = ''
  const end = () => {
    if (part) parts.push(part.slice(0, MAX_PART_LENGTH))
    part = ''
  }
  for (const line of text.slice(0, MAX_CHARACTERS).split(/[\r\n\f]+/)) {
    const plain = line.replaceAll('\0', '').trim()
    if (!plain) continue
    part = part ? `${part} ${plain}` : plain
    if (part.length >= PART_LENGTH) end()
  }
  end()
  return parts
}

serveTasks(async (job: FileTextJob): Promise<FileText> => {
  // The text of a damaged file is not found; the file itself can still be downloaded.
  const text = await readText(job).catch(() => '')
  return { parts: splitIntoParts(text ?? ''), isLocked: text === undefined }
})
