import { PDFiumLibrary } from '@hyzyla/pdfium'

/** Returns the text of each page of a PDF, with single spaces between words. */
export async function extractPageTexts(pdf: Buffer): Promise<string[]> {
  const library = await PDFiumLibrary.init()
  const document = await library.loadDocument(pdf)
  try {
    return [...document.pages()].map((page) => page.getText().replace(/\s+/g, ' '))
  } finally {
    document.destroy()
    library.destroy()
  }
}

/** Returns the text of a PDF, with single spaces between words. */
export const extractText = async (pdf: Buffer): Promise<string> =>
  (await extractPageTexts(pdf)).join(' ').replace(/\s+/g, ' ')

export const extractResponseText = ({ raw }: { readonly raw?: Buffer | undefined }): Promise<string> =>
  extractText(raw ?? Buffer.alloc(0))
