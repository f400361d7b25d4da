import { openPdf } from '#web/api/pdf.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { fetchCombinedPdf } from '../packs/print-together.web.ts'
import { pdfFileName } from '../printing/file-name.ts'
import type { DocumentKind } from '../types/kind.ts'
import { type DocumentRecord, documentTitleOrUntitled } from '../types/record.web.ts'
import { PACK_NOUN } from './letter-words.ts'
import { EmailDocumentForm } from './send-form.web.tsx'

interface Props {
  readonly kind: DocumentKind
  readonly rows: readonly [DocumentRecord, ...DocumentRecord[]]
  readonly onClose: () => void
}

/** Dialog to e-mail the selected documents as one file, in list order. */
export default function EmailSelectedDialog({ kind, rows, onClose }: Props) {
  const [first] = rows
  const documents = rows.map(({ id }) => id)
  const others = rows.length - 1
  const title = `${first.documentNumber} ${documentTitleOrUntitled(kind, first)}${others ? ` and ${others} more` : ''}`
  return (
    <Dialog opened onClose={onClose} title="E-mail as one PDF" size="48rem">
      <EmailDocumentForm
        parcel={{
          called: title,
          noun: PACK_NOUN,
          title,
          heading: rows.map(({ documentNumber, revision }) => `${documentNumber} revision ${revision}`).join(', '),
          fileName: pdfFileName(`Pack ${title}`),
          look: () => fetchCombinedPdf({ documents }, openPdf),
          body: { documents },
        }}
        onClose={onClose}
      />
    </Dialog>
  )
}
