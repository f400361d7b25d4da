import { Skeleton, Text } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import type { Values } from '#kernel/forms/visible.ts'
import { idFromAnyIri } from '#kernel/iri.ts'
import { toText } from '#kernel/text.ts'
import { useApiRecord, useList } from '#web/api/resources.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { ErrorState } from '#web/ui/states.tsx'
import { PresentTalkForm } from '../talks/present-button.web.tsx'
import { toolboxTalk } from '../talks/toolbox-talk.ts'
import type { ScheduledTalkRecord } from './scheduled-talk.ts'

interface Props {
  readonly plan: ScheduledTalkRecord
  readonly button: (opens: { readonly onClick: () => void }) => ReactNode
}

/** Button to present a planned talk, with the dialog that it opens. The dialog is open initially. */
export default function PresentScheduledTalkDialog({ plan, button }: Props) {
  const [opened, setOpened] = useState(true)
  return (
    <>
      {button({ onClick: () => setOpened(true) })}
      <Dialog opened={opened} onClose={() => setOpened(false)} title={`Present “${plan.title}”`} size="36rem">
        <Begin plan={plan} onCancel={() => setOpened(false)} />
      </Dialog>
    </>
  )
}

/** Presents the revision in force, because the planned revision may have been replaced since. */
function Begin({ plan, onCancel }: { readonly plan: ScheduledTalkRecord; readonly onCancel: () => void }) {
  const planned = useApiRecord(toolboxTalk.resource, idFromAnyIri(plan.talk))
  const { documentNumber, client, current } = planned.data ?? {}
  const newer = useList(
    toolboxTalk.resource,
    { documentNumber, current: true, retired: false },
    { enabled: planned.isSuccess && current !== true },
  )
  const error = planned.error ?? newer.error
  if (error) return <ErrorState error={error} onRetry={() => void planned.refetch()} />
  const found = current ? planned.data : newer.data?.['hydra:member'].find((one) => one.client === client)
  if (found)
    return (
      <PresentTalkForm
        talk={found['@id']}
        title={toText((found as Values).title)}
        begins={{ presenter: plan.presenter, ...(plan.place ? { place: plan.place } : {}) }}
        onCancel={onCancel}
      />
    )
  return newer.data ? <Text>This talk is no longer in force. Plan another talk instead.</Text> : <Skeleton h={160} />
}
