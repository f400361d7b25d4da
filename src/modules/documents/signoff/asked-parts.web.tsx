import { Anchor, Group } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { lastMinute } from '#kernel/time.ts'
import { type Collection, call } from '#web/api/client.ts'
import { PartAwaited } from '#web/dashboard/in-order.tsx'
import { Part } from '#web/dashboard/part.tsx'
import { type Waiting, WaitingParts, WaitingRow, WaitingRows } from '#web/dashboard/waiting.tsx'
import { Relative } from '#web/dates/relative.tsx'
import { londonToday, showDay } from '#web/dates/uk-dates.ts'
import page from '#web/ui/page.module.css'
import type { LazyKind } from '../types/kind.web.ts'
import { useToSign } from './own-asked.web.ts'
import css from './sign-off.module.css'

interface Props<T> {
  readonly kinds: readonly LazyKind[]
  /** Documents in force without named signatories. */
  readonly everybodys: Waiting<T> | undefined
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
    queryFn: ({ signal }) => call<Collection<T>>('GET', url, undefined, { signal }),
    enabled: everybodys !== undefined,
    refetchOnMount: 'always' as const,
  })
  if (must.isPending || others.isLoading) return <PartAwaited />
  if (!must.rows.length && !must.error) return everybodys && <WaitingParts lists={[everybodys]} />
  // A talk that is signed in its record needs no signature here.
  const rest = others.data?.['hydra:member'].filter((one) => !must.rows.some((m) => m.document === idOf(one))) ?? []
  const more = rest.length && (others.data?.['hydra:totalItems'] ?? 0) - (others.data?.['hydra:member'].length ?? 0)
  return (
    <Part
      title={must.rows.length ? `To sign (${must.rows.length})` : 'To sign'}
      loading={false}
      error={must.error}
      onRetry={must.refetch}
    >
      <WaitingRows
        rows={must.rows.map(({ key, to, title, detail, by }) => ({
          key,
          row: (
            <WaitingRow to={to} title={title} detail={detail}>
              <SignBy day={by} />
            </WaitingRow>
          ),
        }))}
      />
      {everybodys && rest.length > 0 && (
        <details className={css.everybodys}>
          <summary>{`${rest.length + more} other documents you can read (no signature requested)`}</summary>
          <WaitingRows rows={rest.map((one) => ({ key: one.id, row: everybodys.row(one) }))} />
          <Group gap="md">
            {everybodys.more(rest).map(({ label, to }) => (
              <Anchor key={to} component={Link} to={to} className={page.alone}>
                {label}
              </Anchor>
            ))}
          </Group>
        </details>
      )}
    </Part>
  )
}

/** Signing date, and days overdue. */
const SignBy = ({ day }: { readonly day: string }) => (
  <>
    {`Sign by ${showDay(day)}`}
    {day < londonToday() && (
      <>
        <br />
        <Relative at={lastMinute(Temporal.PlainDate.from(day)).toString()} due />
      </>
    )}
  </>
)
