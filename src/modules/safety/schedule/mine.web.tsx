import { Anchor } from '@mantine/core'
import { Link } from 'react-router'
import { packState } from '#kernel/packs.ts'
import { type Actor, hasRole, PROVIDER } from '#kernel/roles.ts'
import { mondayOf } from '#kernel/weeks.ts'
import { useActor } from '#web/api/me.ts'
import { useList } from '#web/api/resources.ts'
import { PartAwaited } from '#web/dashboard/in-order.tsx'
import { Part } from '#web/dashboard/part.tsx'
import { londonToday, showDay } from '#web/dates/uk-dates.ts'
import type { DashboardPart } from '#web/shell/manifest/dashboard.ts'
import { KEEP_ATTENDANCE } from '../talks/toolbox-talk.ts'
import { scheduleNav } from './paths.ts'
import { PlannedChip } from './planned-chip.web.tsx'
import { PresentPlan } from './present-plan.web.tsx'
import css from './schedule.module.css'
import { scheduledTalk } from './scheduled-talk.ts'

/** True for people who may be asked to present a talk. */
const mayPresent = (actor: Actor): boolean =>
  actor.clientId !== PROVIDER && hasRole(actor, KEEP_ATTENDANCE) && packState(actor, 'safety') === 'active'

const AHEAD = { weeks: 2 }

/** Talks the user has to present soon; renders nothing if there are none. */
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
  if (found.isPending) return <PartAwaited />
  const plans = found.data?.['hydra:member'] ?? []
  if (!found.error && !plans.length) return null
  return (
    <Part
      title="Talks to present"
      action={
        <Anchor component={Link} to={`${scheduleNav.path}?show=mine`}>
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
              <strong>{plan.title}</strong> {`week of ${showDay(plan.week)}${plan.place ? `, ${plan.place}` : ''}`}
            </span>
            <PlannedChip plan={plan} monday={monday.toString()} />
            <PresentPlan plan={plan} />
          </li>
        ))}
      </ul>
    </Part>
  )
}

export const part: DashboardPart = { order: 7, isFor: mayPresent, draw: () => <TalksToPresent /> }
