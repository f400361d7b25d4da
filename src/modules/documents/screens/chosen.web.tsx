import { Button } from '@mantine/core'
import { Suspense, useState } from 'react'
import { lazily } from '#web/ui/lazily.tsx'
import { PrintChosen } from '../packs/print-chosen.web.tsx'
import type { DocumentKind } from '../types/kind.ts'
import type { DocumentRecord } from '../types/record.web.ts'

const SendChosenDialog = lazily(() => import('../sending/send-chosen.web.tsx'))

interface Props {
  readonly kind: DocumentKind
  readonly rows: readonly DocumentRecord[]
}

/** What is done with chosen documents together, as one file. */
export function ChosenActions({ kind, rows }: Props) {
  const [sending, setSending] = useState(false)
  const [first, ...others] = rows
  return (
    <>
      <PrintChosen ids={rows.map((row) => row.id)} />
      <Button size="xs" variant="default" disabled={!first} onClick={() => setSending(true)}>
        Send together
      </Button>
      <Suspense>
        {sending && first && (
          <SendChosenDialog kind={kind} rows={[first, ...others]} onClose={() => setSending(false)} />
        )}
      </Suspense>
    </>
  )
}
