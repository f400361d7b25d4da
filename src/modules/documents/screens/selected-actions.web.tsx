import { Button } from '@mantine/core'
import { Suspense, useState } from 'react'
import { openPdf, savePdf } from '#web/api/pdf.ts'
import { lazyComponent } from '#web/ui/lazy-component.tsx'
import { toast } from '#web/ui/toast.ts'
import { fetchCombinedPdf } from '../packs/print-together.web.ts'
import type { DocumentKind } from '../types/kind.ts'
import type { DocumentRecord } from '../types/record.web.ts'

/** Buttons that print or download the selected documents as one PDF, in list order. */
function PrintSelectedDocuments({ ids }: { readonly ids: readonly number[] }) {
  const print = () => void fetchCombinedPdf({ documents: ids }, openPdf).catch((e: unknown) => toast.failed(e, print))
  const save = () => void fetchCombinedPdf({ documents: ids }, savePdf).catch((e: unknown) => toast.failed(e, save))
  return (
    <>
      <Button size="xs" variant="default" disabled={!ids.length} onClick={print}>
        Print as one PDF
      </Button>
      <Button size="xs" variant="default" disabled={!ids.length} onClick={save}>
        Download as one PDF
      </Button>
    </>
  )
}

const SendChosenDialog = lazyComponent(() => import('../sending/send-chosen.web.tsx'))

interface Props {
  readonly kind: DocumentKind
  readonly rows: readonly DocumentRecord[]
}

export function SelectedDocumentActions({ kind, rows }: Props) {
  const [sending, setSending] = useState(false)
  const [first, ...others] = rows
  return (
    <>
      <PrintSelectedDocuments ids={rows.map((row) => row.id)} />
      <Button size="xs" variant="default" disabled={!first} onClick={() => setSending(true)}>
        E-mail as one PDF
      </Button>
      <Suspense>
        {sending && first && (
          <SendChosenDialog kind={kind} rows={[first, ...others]} onClose={() => setSending(false)} />
        )}
      </Suspense>
    </>
  )
}
