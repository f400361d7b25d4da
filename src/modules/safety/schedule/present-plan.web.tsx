import { Button } from '@mantine/core'
import { IconSpeakerphone } from '@tabler/icons-react'
import { can } from '#kernel/can.ts'
import { useActor } from '#web/api/me.ts'
import { lazyComponent } from '#web/ui/lazy-component.tsx'
import { LazyTrigger } from '#web/ui/lazy-trigger.tsx'
import { presentedTalk } from '../talks/toolbox-talk.ts'
import type { ScheduledTalkRecord } from './scheduled-talk.ts'

const load = () => import('./begin-plan.web.tsx')

const BeginPlan = lazyComponent(load)

/**
 * Button that starts the record of a planned talk. The record is for the revision in force and is prefilled with the
 * planned values.
 */
export function PresentScheduledTalkButton({ plan }: { readonly plan: ScheduledTalkRecord }) {
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
