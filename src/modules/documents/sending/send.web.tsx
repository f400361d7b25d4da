import { Checkbox } from '@mantine/core'
import { useState } from 'react'
import { openPdf } from '#web/api/pdf.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { printTogether } from '../packs/print-together.web.ts'
import { paperName, pdfNameOf } from '../printing/file-name.ts'
import { DocumentChips } from '../types/chips.web.tsx'
import type { DocumentKind } from '../types/kind.ts'
import { type DocumentRecord, titleOf, useRefresh } from '../types/record.web.ts'
import { PACK } from './letter-words.ts'
import { type Parcel, SendForm } from './send-form.web.tsx'

interface Props {
  readonly kind: DocumentKind
  readonly record: DocumentRecord
  readonly onClose: () => void
}

/** E-mails a document with its current PDF, or with everything it refers to. */
export default function SendDialog({ kind, record, onClose }: Props) {
  const [deep, setDeep] = useState(false)
  const refresh = useRefresh(kind)
  return (
    <Dialog opened onClose={onClose} title={`Send ${record.documentNumber} by e-mail`} size="48rem">
      <SendForm
        parcel={deep ? packOf(kind, record) : paperOf(kind, record)}
        onSent={() => void refresh()}
        onClose={onClose}
      >
        {kind.references && (
          <Checkbox
            label="Include everything it refers to, as one file"
            checked={deep}
            onChange={(e) => setDeep(e.currentTarget.checked)}
          />
        )}
      </SendForm>
    </Dialog>
  )
}

function paperOf(kind: DocumentKind, record: DocumentRecord): Parcel {
  const title = titleOf(kind, record)
  return {
    called: record.documentNumber,
    noun: kind.noun,
    title: `${record.documentNumber} ${title}`,
    heading: `${record.documentNumber} revision ${record.revision}: ${title}`,
    fileName: paperName(record, title),
    look: () => openPdf(`${record['@id']}/pdf`),
    body: { document: record['@id'] },
    chips: <DocumentChips record={record} />,
    warning: record.state === 'current' ? undefined : 'This is not the current revision, and every page says so.',
  }
}

function packOf(kind: DocumentKind, record: DocumentRecord): Parcel {
  const paper = paperOf(kind, record)
  return {
    ...paper,
    noun: PACK,
    heading: `${paper.heading}, with everything it refers to`,
    fileName: pdfNameOf(`Pack ${paper.title}`),
    look: () => printTogether({ documents: [record.id], deep: true }, openPdf),
    body: { ...paper.body, deep: true },
  }
}
