import { openPdf } from '#web/api/pdf.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { printTogether } from '../packs/print-together.web.ts'
import { pdfNameOf } from '../printing/file-name.ts'
import type { DocumentKind } from '../types/kind.ts'
import { type DocumentRecord, titleOf } from '../types/record.web.ts'
import { PACK } from './letter-words.ts'
import { SendForm } from './send-form.web.tsx'

interface Props {
  readonly kind: DocumentKind
  readonly rows: readonly [DocumentRecord, ...DocumentRecord[]]
  readonly onClose: () => void
}

/** E-mails selected documents as one file, in list order. */
export default function SendChosenDialog({ kind, rows, onClose }: Props) {
  const [first] = rows
  const documents = rows.map(({ id }) => id)
  const others = rows.length - 1
  const title = `${first.documentNumber} ${titleOf(kind, first)}${others ? ` and ${others} more` : ''}`
  return (
    <Dialog opened onClose={onClose} title="E-mail as one PDF" size="48rem">
      <SendForm
        parcel={{
          called: title,
          noun: PACK,
          title,
          heading: rows.map(({ documentNumber, revision }) => `${documentNumber} revision ${revision}`).join(', '),
          fileName: pdfNameOf(`Pack ${title}`),
          look: () => printTogether({ documents }, openPdf),
          body: { documents },
        }}
        onClose={onClose}
      />
    </Dialog>
  )
}
