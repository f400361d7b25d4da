import { Anchor, Group } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { lastMinuteOfDay } from '#kernel/time.ts'
import { type Collection, callApi } from '#web/api/client.ts'
import { DashboardSectionSkeleton } from '#web/dashboard/in-order.tsx'
import { DashboardSection } from '#web/dashboard/part.tsx'
import { type WaitingWork, WaitingWorkRow, WaitingWorkRows, WaitingWorkSections } from '#web/dashboard/waiting.tsx'
import { RelativeTimeText } from '#web/dates/relative.tsx'
import { formatDay, londonToday } from '#web/dates/uk-dates.ts'
import page from '#web/ui/page.module.css'
import type { LazyKind } from '../types/kind.web.ts'
import { useToSign } from './own-asked.web.ts'
import css from './sign-off.module.css'

interface Props<T> {
  readonly kinds: readonly LazyKind[]
  /** Documents in force without named signatories. */
  readonly everybodys: WaitingWork<T> | undefined
  readonly idOf: (one: T) => number
}

/**
 * Documents the user must sign, by date. Those without a request are collapsed below, or shown alone if there are no
 * others.
 */
export function ToSignPart<T extends { readonly id: number }>({ kinds, everybodys, idOf }: Props<T>) {
  const must = useToSign(kinds)
  const url = everybodys?.url ?? ''
  const others = useQuery({
    queryKey: [url],
    queryFn: ({ signal }) => callApi<Collection<T>>('GET', url, undefined, { signal }),
    enabled: everybodys !== undefined,
    refetchOnMount: 'always' as const,
  })
  if (must.isPending || others.isLoading) return <DashboardSectionSkeleton />
  if (!must.rows.length && !must.error) return everybodys && <WaitingWorkSections lists={[everybodys]} />
  // A talk that is signed in its record needs no signature here.
  const rest = others.data?.['hydra:member'].filter((one) => !must.rows.some((m) => m.document === idOf(one))) ?? []
  const more = rest.length && (others.data?.['hydra:totalItems'] ?? 0) - (others.data?.['hydra:member'].length ?? 0)
  return (
    <DashboardSection
      title={must.rows.length ? `To sign (${must.rows.length})` : 'To sign'}
      loading={false}
      error={must.error}
      onRetry={must.refetch}
    >
      <WaitingWorkRows
        rows={must.rows.map(({ key, to, title, detail, by }) => ({
          key,
          row: (
            <WaitingWorkRow to={to} title={title} detail={detail}>
              <SignBy day={by} />
            </WaitingWorkRow>
          ),
        }))}
      />
      {everybodys && rest.length > 0 && (
        <details className={css.everybodys}>
          <summary>
            {`${rest.length + more} other ${rest.length + more === 1 ? 'document' : 'documents'} you can read (no signature requested)`}
          </summary>
          <WaitingWorkRows rows={rest.map((one) => ({ key: one.id, row: everybodys.row(one) }))} />
          <Group gap="md">
            {everybodys.more(rest).map(({ label, to }) => (
              <Anchor key={to} component={Link} to={to} className={page.alone}>
                {label}
              </Anchor>
            ))}
          </Group>
        </details>
      )}
    </DashboardSection>
  )
}

/** Signing date, and days overdue. */
const SignBy = ({ day }: { readonly day: string }) => (
  <>
    {`Sign by ${formatDay(day)}`}
    {day < londonToday() && (
      <>
        <br />
        <RelativeTimeText at={lastMinuteOfDay(Temporal.PlainDate.from(day)).toString()} due />
      </>
    )}
  </>
)
