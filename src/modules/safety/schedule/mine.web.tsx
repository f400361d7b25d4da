import { Anchor } from '@mantine/core'
import { Link } from 'react-router'
import { packState } from '#kernel/packs.ts'
import { type Actor, hasRole, PROVIDER_CLIENT_ID } from '#kernel/roles.ts'
import { mondayOf } from '#kernel/weeks.ts'
import { useActor } from '#web/api/me.ts'
import { useList } from '#web/api/resources.ts'
import { DashboardSection } from '#web/dashboard/section.tsx'
import { DashboardSectionSkeleton } from '#web/dashboard/sections.tsx'
import { formatIsoAsUkDate, londonToday } from '#web/dates/uk-dates.ts'
import type { DashboardPart } from '#web/shell/manifest/dashboard.ts'
import { PRESENTER_ROLES } from '../talks/toolbox-talk.ts'
import { talkScheduleNav } from './paths.ts'
import { ScheduledTalkStatusChip } from './planned-chip.web.tsx'
import { PresentScheduledTalkButton } from './present-plan.web.tsx'
import css from './schedule.module.css'
import { scheduledTalk } from './scheduled-talk.ts'

/** Returns true for users who can present talks. */
const mayPresent = (actor: Actor): boolean =>
  actor.clientId !== PROVIDER_CLIENT_ID && hasRole(actor, PRESENTER_ROLES) && packState(actor, 'safety') === 'active'

const AHEAD = { weeks: 2 }

/** Talks that the user has to present soon. Renders nothing if there are no such talks. */
function TalksToPresent() {
  const actor = useActor()
  const monday = mondayOf(Temporal.PlainDate.from(londonToday()))
  const found = useList(scheduledTalk, {
    user: actor.userId,
    retired: false,
    'exists[presented]': false,
    'week[before]': monday.add(AHEAD).toString(),
    itemsPerPage: 5,
  })
  if (found.isPending) return <DashboardSectionSkeleton />
  const plans = found.data?.['hydra:member'] ?? []
  if (!found.error && !plans.length) return null
  return (
    <DashboardSection
      title="Talks to present"
      action={
        <Anchor component={Link} to={`${talkScheduleNav.path}?show=mine`}>
          All my talks
        </Anchor>
      }
      loading={false}
      error={found.error}
      onRetry={() => void found.refetch()}
    >
      <ul className={css.mine} aria-label="Talks to present">
        {plans.map((plan) => (
          <li key={plan.id}>
            <span className={css.words}>
              <strong>{plan.title}</strong>{' '}
              {`week of ${formatIsoAsUkDate(plan.week)}${plan.place ? `, ${plan.place}` : ''}`}
            </span>
            <ScheduledTalkStatusChip plan={plan} monday={monday.toString()} />
            <PresentScheduledTalkButton plan={plan} />
          </li>
        ))}
      </ul>
    </DashboardSection>
  )
}

export const talksToPresentPart: DashboardPart = { order: 7, isFor: mayPresent, draw: () => <TalksToPresent /> }
