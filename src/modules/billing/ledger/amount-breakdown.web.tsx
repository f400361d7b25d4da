import { useQuery } from '@tanstack/react-query'
import type { ComponentProps } from 'react'
import { urlQueryOptions } from '#web/api/reading.ts'
import { ResponsiveNumberTable } from '#web/charts/figure-table.tsx'
import { ErrorState, LoadingRows } from '#web/ui/states.tsx'

type Table = ComponentProps<typeof ResponsiveNumberTable>

interface Props<T> extends Pick<Table, 'head' | 'columns'> {
  /** URL for the rows that make up the amount. */
  readonly url: string
  readonly row: (one: T) => Table['rows'][number]
}

/** Rows that make up an amount, each with a link. */
export function AmountBreakdown<T>({ url, head, columns, row }: Props<T>) {
  const answer = useQuery({ queryKey: [url], ...urlQueryOptions<{ 'hydra:member': T[] }>(url) })
  if (!answer.data)
    return answer.isError ? (
      <ErrorState error={answer.error} onRetry={() => void answer.refetch()} />
    ) : (
      <LoadingRows rows={4} />
    )
  return (
    <ResponsiveNumberTable
      label="Breakdown"
      head={head}
      columns={columns}
      rows={answer.data['hydra:member'].map((one) => row(one))}
    />
  )
}
