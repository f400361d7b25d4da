import type { PDFDocument } from 'pdf-lib'
import { isPdfTrue, lookUpPdfDict, lookUpPdfObject, readPdfBytes, readPdfText } from './objects.ts'

const LANGUAGE = /^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$/

/**
 * Returns the faults in the properties of the file itself: encryption, tagging marker, language, title and standard.
 */
export function checkPdfUaFile({ catalog, isEncrypted }: PDFDocument): string[] {
  const marks = lookUpPdfDict(catalog, 'MarkInfo')
  const about = readPdfBytes(lookUpPdfObject(catalog, 'Metadata')).toString('utf8')
  const title = /<dc:title>[\s\S]*?<rdf:li[^>]*>([\s\S]*?)<\/rdf:li>/.exec(about)?.[1] ?? ''
  const found: readonly (readonly [boolean, string])[] = [
    [isEncrypted, 'The file is locked'],
    [!isPdfTrue(lookUpPdfObject(marks, 'Marked')), 'The file does not say that it is tagged'],
    [isPdfTrue(lookUpPdfObject(marks, 'Suspects')), 'The file has doubts about its tags'],
    [!LANGUAGE.test(readPdfText(lookUpPdfObject(catalog, 'Lang')) ?? ''), 'The file has no language'],
    [
      !isPdfTrue(lookUpPdfObject(lookUpPdfDict(catalog, 'ViewerPreferences'), 'DisplayDocTitle')),
      'The title is not shown',
    ],
    [!title.trim(), 'The file has no title'],
    [!/<pdfuaid:part>1<\/pdfuaid:part>/.test(about), 'The file does not say that it is PDF/UA'],
    [!/xmlns:pdfuaid="http:\/\/www\.aiim\.org\/pdfua\/ns\/id\/"/.test(about), 'The file means another PDF/UA'],
  ]
  return found.flatMap(([wrong, what]) => (wrong ? [what] : []))
}
