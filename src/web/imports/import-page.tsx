import type { UseQueryResult } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef } from 'react'
import { Page } from '../ui/page.tsx'
import { ErrorState, LoadingRows, OfflineNotice } from '../ui/states.tsx'
import css from './imports.module.css'

interface Props {
  readonly query: Pick<UseQueryResult, 'isPending' | 'isError' | 'error' | 'refetch'>
  /** The import, once it has loaded. */
  readonly loaded: { readonly fileName: string | null; readonly state: string | null } | undefined
  /** True while the import or its undo runs. */
  readonly isBusy: boolean
  /** Called when the import or its undo has ended. */
  readonly onEnd: () => void
  /** Title until the import has loaded. */
  readonly title: string
  readonly beside: ReactNode
  readonly onBack: () => void
  /** Step that the state of the import requires. */
  readonly children: ReactNode
}

/** Page of one import: its file, its state and its current step. */
export function ImportPage({ query, loaded, isBusy, onEnd, title, beside, onBack, children }: Props) {
  const wasBusy = useRef(isBusy)
  const stage = useRef<HTMLDivElement>(null)
  const state = loaded?.state
  useEffect(() => {
    if (wasBusy.current && !isBusy) onEnd()
    wasBusy.current = isBusy
  }, [isBusy, onEnd])
  // The button just pressed may have disappeared with the previous step, so this step receives the keyboard focus.
  useEffect(() => {
    if (state && document.activeElement === document.body) stage.current?.focus({ preventScroll: true })
  }, [state])
  return (
    <Page title={loaded ? `Import ${loaded.fileName}` : title} beside={beside} back={{ label: 'All imports', onBack }}>
      <OfflineNotice>You are offline. You can import a file when the connection is back.</OfflineNotice>
      {query.isPending && <LoadingRows />}
      {query.isError && !loaded && <ErrorState error={query.error} onRetry={() => void query.refetch()} />}
      <div ref={stage} tabIndex={-1} className={css.stage}>
        {children}
      </div>
    </Page>
  )
}
