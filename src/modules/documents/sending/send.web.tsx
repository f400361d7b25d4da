import { Checkbox } from '@mantine/core'
import { useState } from 'react'
import { openPdf } from '#web/api/pdf.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { fetchCombinedPdf } from '../packs/print-together.web.ts'
import { pdfFileName, revisionPdfFileName } from '../printing/file-name.ts'
import { DocumentChips } from '../types/chips.web.tsx'
import type { DocumentKind } from '../types/kind.ts'
import { type DocumentRecord, documentTitleOrUntitled, useRefetchDocument } from '../types/record.web.ts'
import { PACK_NOUN } from './letter-words.ts'
import { EmailDocumentForm, type ItemToShare } from './send-form.web.tsx'

interface Props {
  readonly kind: DocumentKind
  readonly record: DocumentRecord
  readonly onClose: () => void
}

/** Dialog to e-mail a document's current PDF, alone or with everything it refers to. */
export default function EmailDocumentDialog({ kind, record, onClose }: Props) {
  const [deep, setDeep] = useState(false)
  const refresh = useRefetchDocument(kind)
  return (
    <Dialog opened onClose={onClose} title={`Send ${record.documentNumber} by e-mail`} size="48rem">
      <EmailDocumentForm
        parcel={deep ? packOf(kind, record) : paperOf(kind, record)}
        onSent={() => void refresh()}
        onClose={onClose}
      >
        {kind.references && (
          <Checkbox
            label="Include everything this document refers to, as one file"
            checked={deep}
            onChange={(e) => setDeep(e.currentTarget.checked)}
          />
        )}
      </EmailDocumentForm>
    </Dialog>
  )
}

function paperOf(kind: DocumentKind, record: DocumentRecord): ItemToShare {
  const title = documentTitleOrUntitled(kind, record)
  return {
    called: record.documentNumber,
    noun: kind.noun,
    title: `${record.documentNumber} ${title}`,
    heading: `${record.documentNumber} revision ${record.revision}: ${title}`,
    fileName: revisionPdfFileName(record, title),
    look: () => openPdf(`${record['@id']}/pdf`),
    body: { document: record['@id'] },
    chips: <DocumentChips record={record} />,
    warning:
      record.state === 'current' ? undefined : 'This is not the current revision, and every page is marked as such.',
  }
}

function packOf(kind: DocumentKind, record: DocumentRecord): ItemToShare {
  const paper = paperOf(kind, record)
  return {
    ...paper,
    noun: PACK_NOUN,
    heading: `${paper.heading}, with everything the document refers to`,
    fileName: pdfFileName(`Pack ${paper.title}`),
    look: () => fetchCombinedPdf({ documents: [record.id], deep: true }, openPdf),
    body: { ...paper.body, deep: true },
  }
}

interface SelectedProps {
  readonly kind: DocumentKind
  readonly rows: readonly [DocumentRecord, ...DocumentRecord[]]
  readonly onClose: () => void
}

/** Dialog to e-mail the selected documents as one file, in list order. */
export function EmailSelectedDialog({ kind, rows, onClose }: SelectedProps) {
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
