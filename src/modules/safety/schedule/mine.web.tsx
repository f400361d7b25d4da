import { Anchor, Button } from '@mantine/core'
import {
  IconAlertTriangle,
  IconArchive,
  IconCalendar,
  IconLock,
  IconPencil,
  IconSpeakerphone,
} from '@tabler/icons-react'
import { Link } from 'react-router'
import { can } from '#kernel/can.ts'
import { packState } from '#kernel/packs.ts'
import { type Actor, hasRole, PROVIDER } from '#kernel/roles.ts'
import { mondayOf } from '#kernel/weeks.ts'
import { useActor } from '#web/api/me.ts'
import { useList } from '#web/api/resources.ts'
import { DashboardSectionSkeleton } from '#web/dashboard/in-order.tsx'
import { DashboardSection } from '#web/dashboard/part.tsx'
import { formatDay, londonToday } from '#web/dates/uk-dates.ts'
import type { DashboardPart } from '#web/shell/manifest/dashboard.ts'
import { lazyComponent } from '#web/ui/lazily.tsx'
import { StatusChip } from '#web/ui/status-chip.tsx'
import { LazyTrigger } from '#web/ui/when-wanted.tsx'
import { PRESENTER_ROLES, presentedTalk } from '../talks/toolbox-talk.ts'
import { talkScheduleNav } from './paths.ts'
import css from './schedule.module.css'
import type { TalkPlan } from './scheduled-talk.ts'
import { scheduledTalk } from './scheduled-talk.ts'

interface Props {
  readonly plan: Pick<TalkPlan, 'retired' | 'presented' | 'week'>
  /** Monday of the current week. */
  readonly monday: string
}

export function PlannedTalkStatus({ plan: { retired, presented, week }, monday }: Props) {
  if (retired)
    return (
      <StatusChip meaning="stop" icon={IconArchive}>
        Cancelled
      </StatusChip>
    )
  if (presented)
    return presented.complete ? (
      <StatusChip meaning="safe" icon={IconLock}>
        Presented
      </StatusChip>
    ) : (
      <StatusChip meaning="attention" icon={IconPencil}>
        In progress
      </StatusChip>
    )
  return week < monday ? (
    <StatusChip meaning="stop" icon={IconAlertTriangle}>
      Overdue
    </StatusChip>
  ) : (
    <StatusChip meaning="info" icon={IconCalendar}>
      {week === monday ? 'This week' : 'Planned'}
    </StatusChip>
  )
}

const load = () => import('./begin-plan.web.tsx')
const BeginPlan = lazyComponent(load)

/** Starts the record of a planned talk, with its revision in force and the values of the plan. */
export function PresentPlannedTalk({ plan }: { readonly plan: TalkPlan }) {
  const actor = useActor()
  if (plan.presented || plan.retired || !can(actor, 'create', presentedTalk)) return null
  const button = (wanted: object) => (
    <Button
      variant="default"
      size="compact-sm"
      leftSection={<IconSpeakerphone size={16} aria-hidden />}
      aria-label={`Present ${plan.title}`}
      {...wanted}
    >
      Present
    </Button>
  )
  return (
    <LazyTrigger load={load} closed={button}>
      <BeginPlan plan={plan} button={button} />
    </LazyTrigger>
  )
}

/** True for people who may be asked to present a talk. */
const mayPresent = (actor: Actor): boolean =>
  actor.clientId !== PROVIDER && hasRole(actor, PRESENTER_ROLES) && packState(actor, 'safety') === 'active'

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
              <strong>{plan.title}</strong> {`week of ${formatDay(plan.week)}${plan.place ? `, ${plan.place}` : ''}`}
            </span>
            <PlannedTalkStatus plan={plan} monday={monday.toString()} />
            <PresentPlannedTalk plan={plan} />
          </li>
        ))}
      </ul>
    </DashboardSection>
  )
}

export const talksToPresentPart: DashboardPart = { order: 7, isFor: mayPresent, draw: () => <TalksToPresent /> }
