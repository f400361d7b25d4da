import { PDFiumLibrary } from '@hyzyla/pdfium'

/** Text of each page of a PDF, with single spaces between words. */
export async function textsOf(pdf: Buffer): Promise<string[]> {
  const library = await PDFiumLibrary.init()
  const document = await library.loadDocument(pdf)
  try {
    return [...document.pages()].map((page) => page.getText().replace(/\s+/g, ' '))
  } finally {
    document.destroy()
    library.destroy()
  }
}

/** Text of a PDF, with single spaces between words. */
export const wordsOf = async (pdf: Buffer): Promise<string> => (await textsOf(pdf)).join(' ').replace(/\s+/g, ' ')

export const answeredWords = ({ raw }: { readonly raw?: Buffer | undefined }): Promise<string> =>
  wordsOf(raw ?? Buffer.alloc(0))
