import { PDFArray, PDFDict, type PDFDocument, PDFName, type PDFObject, PDFString } from 'pdf-lib'
import { lookUpPdfArray, lookUpPdfDict, lookUpPdfObject, readPdfName } from './objects.ts'

const dictsAt = (dict: PDFDict, key: string) => lookUpPdfArray(dict, key).filter((one) => one instanceof PDFDict)
const dictsOf = ({ context }: PDFDocument) =>
  context
    .enumerateIndirectObjects()
    .map(([, object]) => object)
    .filter((object) => object instanceof PDFDict)
const tagged = (document: PDFDocument, type: string) =>
  dictsOf(document).filter((dict) => dict.has(PDFName.of('P')) && readPdfName(lookUpPdfObject(dict, 'S')) === type)

function firstOf(found: readonly PDFDict[], what: string): PDFDict {
  const [one] = found
  if (!one) throw new Error(`there is no ${what}`)
  return one
}
const first = (document: PDFDocument, type: string) => firstOf(tagged(document, type), type)
const font = (document: PDFDocument) =>
  firstOf(
    dictsOf(document).filter((dict) => dict.has(PDFName.of('DescendantFonts'))),
    'font',
  )
const link = (document: PDFDocument) => firstOf(dictsAt(document.getPage(0).node, 'Annots'), 'link')

function each(document: PDFDocument, type: string, change: (tag: PDFDict) => void): void {
  for (const tag of tagged(document, type)) change(tag)
}

function without(dict: PDFDict | undefined, key: string): void {
  dict?.delete(PDFName.of(key))
}

function put(dict: PDFDict | undefined, key: string, value: PDFObject): void {
  dict?.set(PDFName.of(key), value)
}

const name = (tag: PDFDict, type: string) => put(tag, 'S', PDFName.of(type))

function attributes(tag: PDFDict, key: string): void {
  for (const one of dictsAt(tag, 'A')) without(one, key)
}

/** Appends content to the first page. */
function draw(document: PDFDocument, content: string): void {
  const { context } = document
  const { node } = document.getPage(0)
  const old = node.get(PDFName.of('Contents'))
  const all = context.obj([])
  if (old) all.push(old)
  all.push(context.register(context.stream(content)))
  put(node, 'Contents', all)
}

/** Breaches of PDF/UA: the sentence that reports each, and a function that causes it in a conforming file. */
export const PDF_UA_BREACHES: Readonly<Record<string, (document: PDFDocument) => void>> = {
  'The file does not say that it is tagged': ({ catalog }) => without(catalog, 'MarkInfo'),
  'The file has doubts about its tags': ({ catalog, context }) =>
    put(lookUpPdfDict(catalog, 'MarkInfo'), 'Suspects', context.obj(true)),
  'The file has no language': ({ catalog }) => without(catalog, 'Lang'),
  'The title is not shown': ({ catalog }) => without(catalog, 'ViewerPreferences'),
  'The file has no title': ({ catalog }) => without(catalog, 'Metadata'),
  'There are no tags': ({ catalog }) => without(catalog, 'StructTreeRoot'),
  'Page 1: A drawing is neither tagged nor an artifact': (d) => draw(d, '0 0 10 10 re f'),
  'Page 1: A mark never ends': (d) => draw(d, '/Artifact BMC 0 0 10 10 re f'),
  'Page 1: An artifact stands within tagged contents': (d) =>
    draw(d, '/P <</MCID 0>> BDC /Artifact BMC 0 0 1 1 re f EMC EMC'),
  'Page 1: Two marked contents have the number 0': (d) => draw(d, '/P <</MCID 0>> BDC EMC'),
  'Page 1 has contents that no tag holds': (d) => draw(d, '/P <</MCID 9999>> BDC 0 0 1 1 re f EMC'),
  'Page 1 has contents that do not know their tag': (d) => without(d.getPage(0).node, 'StructParents'),
  'The tag Poem stands for none that readers know': (d) => name(first(d, 'H2'), 'Poem'),
  'A tag TD does not know what it stands in': (d) => without(first(d, 'TD'), 'P'),
  'A heading of level 4 follows one of level 1': (d) => each(d, 'H2', (tag) => name(tag, 'H4')),
  'A picture has no text instead of it': (d) => without(first(d, 'Figure'), 'Alt'),
  'A picture does not say where it stands': (d) => attributes(first(d, 'Figure'), 'BBox'),
  'A TR has a P in it': (d) => name(first(d, 'TD'), 'P'),
  'A L has a P in it': (d) => name(first(d, 'LI'), 'P'),
  'A table has no headers': (d) => each(d, 'TH', (tag) => name(tag, 'TD')),
  'A table’s cells can’t be told their headers': (d) => {
    each(d, 'TH', (tag) => attributes(tag, 'Scope'))
    each(d, 'TD', (tag) => attributes(tag, 'Headers'))
  },
  'A cell names a header that is not there': (d) => without(first(d, 'TH'), 'ID'),
  'A table has rows of different lengths': (d) => {
    const kids = lookUpPdfObject(lookUpPdfDict(first(d, 'TD'), 'P'), 'K')
    if (kids instanceof PDFArray) kids.remove(0)
  },
  'Page 1 has a link that does not say where it leads': (d) => put(link(d), 'Contents', PDFString.of(' ')),
  'Page 1 has a link that does not know its tag': (d) => without(link(d), 'StructParent'),
  'Page 1 has a link that no tag holds': (d) => name(first(d, 'Link'), 'Span'),
  'Page 1 has links in no order of the keyboard': (d) => without(d.getPage(0).node, 'Tabs'),
  'is not embedded': (d) => {
    const [below] = dictsAt(font(d), 'DescendantFonts')
    without(lookUpPdfDict(below, 'FontDescriptor'), 'FontFile2')
    without(lookUpPdfDict(below, 'FontDescriptor'), 'FontFile3')
  },
  'does not say which letters it shows': (d) => without(font(d), 'ToUnicode'),
}
