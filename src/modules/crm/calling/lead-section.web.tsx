import { Text } from '@mantine/core'
import { queryOptions } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { callApi } from '#web/api/client.ts'
import { firstScreenReady } from '#web/shell/first-screen.ts'
import css from '../contacts/parts.module.css'
import { outcomeStates } from './outcome-states.web.ts'

/** Resolves once the open lead can be worked: its screen has loaded, and the previous lead's outcome has been saved. */
export const leadIsUsable = (): Promise<unknown> => Promise.all([firstScreenReady, outcomeStates.answered()])

/**
 * Returns the query for records of the open lead. They are fetched once and shared by all components that show them.
 */
export const leadRelatedRecordsQueryOptions = <T,>(url: string) =>
  queryOptions({
    queryKey: [url, 'of lead'] as const,
    queryFn: ({ signal }) => callApi<T>('GET', url, undefined, { signal }),
  })

interface PartProps {
  readonly title: string
  readonly above?: ReactNode
  readonly children: ReactNode
}

/** A titled section in the left column of a lead's screen. */
export const LeadSection = ({ title, above, children }: PartProps) => (
  <section aria-label={title} className={css.group}>
    <Text component="h2" className={css.groupTitle}>
      {title}
    </Text>
    {above}
    <div className={css.fields}>{children}</div>
  </section>
)
