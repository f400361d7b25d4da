import { ApiError, callApi } from '#web/api/client.ts'
import { openPdf, savePdf } from '#web/api/pdf.ts'
import { type BatchJobRecord, followBatchJob } from '#web/lists/extras/runs.ts'
import { toast } from '#web/ui/toast.ts'
import { downloadFile } from '#web/uploads/fetch.ts'
import { document } from '../types/document.ts'
import type { DocumentKind } from '../types/kind.ts'
import type { DocumentRecord } from '../types/record.web.ts'

/** Maximum number of documents in a pack that is built during the request. */
const AT_ONCE = 120

/** Shows a document's PDF. The PDF of a pack is the whole pack. Throws an ApiError on failure. */
export const openDocumentPdf = (kind: DocumentKind, record: DocumentPdfSource): Promise<void> =>
  withDocumentPdf(kind, record, openPdf)

/** Downloads a document's PDF. The PDF of a pack is the whole pack. Throws an ApiError on failure. */
export const saveDocumentPdf = (kind: DocumentKind, record: DocumentPdfSource): Promise<void> =>
  withDocumentPdf(kind, record, savePdf)

type DocumentPdfSource = Pick<DocumentRecord, '@id' | 'id' | 'state'>

const withDocumentPdf = (kind: DocumentKind, { '@id': iri, id, state }: DocumentPdfSource, give: typeof openPdf) =>
  kind.shared && state !== 'draft' ? fetchCombinedPdf({ documents: [id], deep: true }, give) : give(`${iri}/pdf`)

interface PackPrintRequest {
  readonly documents: readonly number[]
  /** True to include everything to which the document refers; only for a single document. */
  readonly deep?: true
}

/**
 * Fetches documents as one PDF, in the given order, and passes the PDF's URL to a function that shows or saves it.
 * Larger packs are created by a job and downloaded when ready. Throws an ApiError on failure.
 */
export async function fetchCombinedPdf(
  { documents, deep }: PackPrintRequest,
  give: (url: string) => Promise<void>,
): Promise<void> {
  const ids = documents.join(',')
  try {
    if (documents.length <= AT_ONCE)
      return await give(deep ? `${document.url}/${ids}/pack` : `${document.url}/pack?documents=${ids}`)
  } catch (e) {
    if (!(e instanceof ApiError) || e.status !== 413) throw e
  }
  const begun = await callApi<BatchJobRecord>('POST', `${document.url}/packs`, { documents, deep: deep === true })
  toast.info(
    'This is a large pack. It is being created in the background and will be downloaded when ready. You can also find the pack under “Background jobs” in your user menu.',
  )
  const { file, error } = await followBatchJob(begun, () => {})
  if (!file) throw new ApiError(409, error ?? 'The documents could not be combined. Please try again.')
  await downloadFile(file['@id'], file.name)
}
