import { useLocalStorage } from '@mantine/hooks'
import { useQueries } from '@tanstack/react-query'
import { useEffect } from 'react'
import { Link } from 'react-router'
import type { Actor } from '#kernel/roles.ts'
import { type Collection, callApi } from '#web/api/client.ts'
import { useActor } from '#web/api/me.ts'
import { DashboardSection } from '#web/dashboard/section.tsx'
import { DashboardSectionSkeleton } from '#web/dashboard/sections.tsx'
import type { GettingStartedStep } from '#web/shell/manifest/dashboard.ts'
import { NamedIcon } from '#web/ui/icons.ts'
import css from './first-steps.module.css'

interface Props {
  readonly steps: readonly GettingStartedStep[]
}

/** Onboarding steps, shown until all steps are done. After that, this device no longer checks them. */
export function FirstSteps({ steps }: Props) {
  const actor = useActor()
  const [done, keep] = useLocalStorage({
    key: `stanchion-first-steps-${actor.clientId}-${actor.userId}`,
    defaultValue: false,
    getInitialValueInEffect: false,
  })
  const mine = done ? [] : steps.filter(({ isFor }) => isFor(actor)).toSorted((a, b) => a.order - b.order)
  const known = useQueries({ queries: mine.map((step) => isDone(step, actor)) })
  const left = known.filter(({ data }) => data !== true).length
  const allDone = mine.length > 0 && left === 0
  useEffect(() => {
    if (allDone) keep(true)
  }, [allDone, keep])
  if (left === 0) return null
  if (known.some(({ isPending }) => isPending)) return <DashboardSectionSkeleton />
  if (known.some(({ isError }) => isError)) return null
  return (
    <DashboardSection
      title={left === mine.length ? 'First steps' : `First steps: ${left} to go`}
      loading={false}
      error={null}
      onRetry={() => undefined}
    >
      <ol className={css.steps}>
        {mine.map(({ title, about, icon, to }, n) => (
          <li key={title}>
            <Link to={to} className={css.step} data-done={known[n]?.data}>
              <span className={css.sign}>
                <NamedIcon name={known[n]?.data ? 'check' : icon} size={22} stroke={1.75} aria-hidden />
              </span>
              <span>
                <strong>{title}</strong>
                {known[n]?.data ? ' (done)' : ''}
                <span className={css.about}>{about}</span>
              </span>
            </Link>
          </li>
        ))}
      </ol>
    </DashboardSection>
  )
}

const isDone = ({ title, done }: GettingStartedStep, actor: Actor) => ({
  queryKey: ['first step', title, actor.clientId, actor.userId],
  queryFn: async ({ signal }: { signal: AbortSignal }) => {
    const { url, from } = done(actor)
    const asked = `${url}${url.includes('?') ? '&' : '?'}itemsPerPage=1`
    const { 'hydra:totalItems': total = 0 } = await callApi<Collection<unknown>>('GET', asked, undefined, { signal })
    return total >= from
  },
  refetchOnMount: 'always' as const,
})
