import { type FetchedFile, fetchFile, saveToDisk } from './file.ts'

const KEEP_MS = 10 * 60_000

const fetchPdf = (url: string): Promise<FetchedFile> =>
  fetchFile(url, {
    accept: 'application/pdf, application/ld+json',
    lost: 'The connection was lost before the PDF was ready. Please try again.',
    refused: 'The PDF could not be created. Please try again.',
  })

/**
 * Downloads a PDF and saves it under the file name from the server, or as `document.pdf` if the server sends none.
 * Throws an ApiError if the download fails.
 */
export async function savePdf(url: string, load = fetchPdf): Promise<void> {
  const { bytes, name = 'document.pdf' } = await load(url)
  saveToDisk(bytes, name)
}

/**
 * Shows a PDF in a new tab. The tab is opened immediately, because browsers block tabs that are opened later. In a
 * browser without a PDF viewer, the file is saved instead. `load` fetches the PDF.
 */
export async function openPdf(url: string, load = fetchPdf): Promise<void> {
  if (!navigator.pdfViewerEnabled) return savePdf(url, load)
  const tab = window.open('', '_blank')
  if (tab) tab.document.title = 'Creating the PDF…'
  try {
    const { bytes } = await load(url)
    const there = URL.createObjectURL(bytes)
    setTimeout(() => URL.revokeObjectURL(there), KEEP_MS)
    if (tab) tab.location.href = there
    else window.location.href = there
  } catch (e) {
    tab?.close()
    throw e
  }
}
