import { Page } from '#web/ui/page.tsx'
import { ErrorState, LoadingRows } from '#web/ui/states.tsx'

interface Reading {
  readonly isError: boolean
  readonly error: unknown
  readonly refetch: () => Promise<unknown>
}

interface Props {
  readonly title: string
  /** Queries that must load before the draft can be shown. */
  readonly readings: readonly Reading[]
}

export function DraftLoadingState({ title, readings }: Props) {
  const failed = readings.find((one) => one.isError)
  return (
    <Page title={title}>
      {failed ? (
        <ErrorState error={failed.error} onRetry={() => void Promise.all(readings.map((one) => one.refetch()))} />
      ) : (
        <LoadingRows rows={10} />
      )}
    </Page>
  )
}
