import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { z } from 'zod'
import { DateTimeText } from '#web/dates/relative.tsx'
import { useUrlState } from '#web/lists/use-url-state.ts'
import { Page } from '#web/ui/page.tsx'
import { ErrorState, LoadingRows, OfflineNotice } from '#web/ui/states.tsx'
import { importOptions, isImportBusy, refreshAfterImport } from './data.web.ts'
import { ImportFileDrop } from './drop.web.tsx'
import { ImportHistory, ImportStateChip } from './history.web.tsx'
import css from './imports.module.css'
import { ImportProgress } from './progress.web.tsx'
import { ImportResult } from './result.web.tsx'
import { ImportSetup } from './setup.web.tsx'

const OPEN = z.object({ batch: z.string().regex(/^\d*$/).default('') })

/** Import of leads: choose a file, map its columns, trial run, import, undo. */
export default function ImportLeadsPage() {
  const [open, setOpen] = useUrlState(OPEN, { steps: true })
  if (open.batch) return <One key={open.batch} id={open.batch} onBack={() => setOpen({ batch: '' })} />
  return (
    <Page title="Import leads">
      <OfflineNotice />
      <ImportFileDrop onSent={(batch) => setOpen({ batch: String(batch.id) })} />
      <ImportHistory />
    </Page>
  )
}

function One({ id, onBack }: { readonly id: string; readonly onBack: () => void }) {
  const queries = useQueryClient()
  const one = useQuery(importOptions(id))
  const batch = one.data
  const busy = isImportBusy(batch)
  const was = useRef(busy)
  const stage = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (was.current && !busy) void refreshAfterImport(queries)
    was.current = busy
  }, [busy, queries])
  // The pressed button may have disappeared with the previous step: move the keyboard focus here.
  useEffect(() => {
    if (batch?.state && document.activeElement === document.body) stage.current?.focus({ preventScroll: true })
  }, [batch?.state])
  return (
    <Page
      title={batch ? `Import ${batch.fileName}` : 'Import leads'}
      beside={
        batch && (
          <>
            <ImportStateChip state={batch.state} />
            <span className={css.lead}>
              <DateTimeText at={batch.createdAt} /> by {batch.author}
            </span>
          </>
        )
      }
      back={{ label: 'All imports', onBack }}
    >
      <OfflineNotice />
      {one.isPending && <LoadingRows />}
      {one.isError && !batch && <ErrorState error={one.error} onRetry={() => void one.refetch()} />}
      <div ref={stage} tabIndex={-1} className={css.stage}>
        {batch &&
          (busy ? (
            <ImportProgress batch={batch} />
          ) : batch.state === 'waiting' || batch.state === 'checked' ? (
            <ImportSetup key={batch.state} batch={batch} onCancelled={onBack} />
          ) : (
            <ImportResult batch={batch} />
          ))}
      </div>
    </Page>
  )
}
