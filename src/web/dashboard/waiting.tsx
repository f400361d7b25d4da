import { Anchor, Group, Stack, Text } from '@mantine/core'
import { useQueries } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { type Collection, callApi } from '../api/client.ts'
import { DashboardSection } from './section.tsx'
import { DashboardSectionSkeleton } from './sections.tsx'
import css from './waiting.module.css'

/** Work waiting for the reader: a list in the API, how its rows are shown, and the page with the complete list. */
export interface PendingWorkList<T> {
  readonly title: string
  readonly url: string
  readonly row: (one: T) => ReactNode
  /** ID of the section, for links to it on the same page. */
  readonly anchor?: string
  readonly more: (rows: readonly T[]) => readonly { readonly label: string; readonly to: string }[]
}

/**
 * Shows one dashboard section for each list that has rows. The sections appear together, to prevent the layout from
 * shifting.
 */
export function PendingWorkSections<T extends { readonly id: number }>({
  lists,
}: {
  readonly lists: readonly PendingWorkList<T>[]
}) {
  const answers = useQueries({
    queries: lists.map(({ url }) => ({
      queryKey: [url],
      queryFn: ({ signal }: { signal: AbortSignal }) => callApi<Collection<T>>('GET', url, undefined, { signal }),
      // The list is always reloaded, so that work that has since been done elsewhere disappears from it.
      refetchOnMount: 'always' as const,
    })),
  })
  if (answers.some((a) => a.isPending)) return <DashboardSectionSkeleton />
  return lists.map(({ title, anchor, url, row, more }, n) => {
    const answer = answers[n]
    const rows = answer?.data?.['hydra:member'] ?? []
    const total = answer?.data?.['hydra:totalItems'] ?? rows.length
    if (!answer?.error && rows.length === 0) return null
    return (
      <DashboardSection
        key={url}
        anchor={anchor}
        title={rows.length ? `${title} (${total})` : title}
        loading={false}
        error={answer?.data ? null : (answer?.error ?? null)}
        onRetry={() => void answer?.refetch()}
        action={
          <Group gap="md">
            {more(rows).map(({ label, to }) => (
              <Anchor key={to} component={Link} to={to}>
                {label}
              </Anchor>
            ))}
          </Group>
        }
      >
        <PendingWorkRows rows={rows.map((one) => ({ key: one.id, row: row(one) }))} />
      </DashboardSection>
    )
  })
}

interface RowsProps {
  readonly rows: readonly { readonly key: number | string; readonly row: ReactNode }[]
}

export const PendingWorkRows = ({ rows }: RowsProps) => (
  <Stack gap="sm" component="ul" p={0} m={0} style={{ listStyle: 'none' }}>
    {rows.map(({ key, row }) => (
      <Group key={key} component="li" justify="space-between" gap="xs" align="start" wrap="nowrap">
        {row}
      </Group>
    ))}
  </Stack>
)

interface RowProps {
  readonly to: string
  readonly title: string
  readonly detail: ReactNode
  /** Content at the end of the row, such as a due date. */
  readonly children?: ReactNode
}

/** Row that is a link across its full width. */
export const PendingWorkRow = ({ to, title, detail, children }: RowProps) => (
  <>
    <Anchor component={Link} to={to} underline="never" className={css.row ?? ''}>
      <Text component="span" display="block" fw={600} td="underline">
        {title}
      </Text>
      <Text component="span" display="block" size="sm" c="dimmed">
        {detail}
      </Text>
    </Anchor>
    {children && (
      <Text component="span" size="sm" ta="end" style={{ flex: 'none' }}>
        {children}
      </Text>
    )}
  </>
)
