import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { z } from 'zod'
import { Moment } from '#web/dates/relative.tsx'
import { useUrlState } from '#web/lists/use-url-state.ts'
import { Page } from '#web/ui/page.tsx'
import { ErrorState, LoadingRows, OfflineNotice } from '#web/ui/states.tsx'
import { batchOptions, isBusy, refreshAll } from './data.web.ts'
import { FileDrop } from './drop.web.tsx'
import { History, StateChip } from './history.web.tsx'
import css from './imports.module.css'
import { Running } from './progress.web.tsx'
import { Result } from './result.web.tsx'
import { Setup } from './setup.web.tsx'

const OPEN = z.object({ batch: z.string().regex(/^\d*$/).default('') })

/** Import of leads: choose a file, map its columns, trial run, import, undo. */
export default function ImportLeads() {
  const [open, setOpen] = useUrlState(OPEN, { steps: true })
  if (open.batch) return <One key={open.batch} id={open.batch} onBack={() => setOpen({ batch: '' })} />
  return (
    <Page title="Import leads">
      <OfflineNotice />
      <FileDrop onSent={(batch) => setOpen({ batch: String(batch.id) })} />
      <History />
    </Page>
  )
}

function One({ id, onBack }: { readonly id: string; readonly onBack: () => void }) {
  const queries = useQueryClient()
  const one = useQuery(batchOptions(id))
  const batch = one.data
  const busy = isBusy(batch)
  const was = useRef(busy)
  const stage = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (was.current && !busy) void refreshAll(queries)
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
            <StateChip state={batch.state} />
            <span className={css.lead}>
              <Moment at={batch.createdAt} /> by {batch.author}
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
            <Running batch={batch} />
          ) : batch.state === 'waiting' || batch.state === 'checked' ? (
            <Setup key={batch.state} batch={batch} onCancelled={onBack} />
          ) : (
            <Result batch={batch} />
          ))}
      </div>
    </Page>
  )
}
