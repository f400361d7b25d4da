import { Button, Group } from '@mantine/core'
import { IconCalendarPlus } from '@tabler/icons-react'
import { z } from 'zod'
import { can } from '#kernel/can.ts'
import { idFromAnyIri } from '#kernel/iri.ts'
import { mondayOf } from '#kernel/weeks.ts'
import { useActor } from '#web/api/me.ts'
import { useApiRecord, useSaveRecord } from '#web/api/resources.ts'
import { formatIsoAsUkDate, londonToday } from '#web/dates/uk-dates.ts'
import { DataList } from '#web/lists/data-list.tsx'
import { listUrlSchema } from '#web/lists/list-state.ts'
import { useUrlState } from '#web/lists/use-url-state.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { Page } from '#web/ui/page.tsx'
import { EmptyState, ErrorState, LoadingRows, OfflineNotice } from '#web/ui/states.tsx'
import { showUndoToast, toast } from '#web/ui/toast.ts'
import { PRESENTED_TALKS_PATH, toolboxTalkInfo } from '../talks/talk-info.ts'
import { ScheduledTalkForm } from './plan-form.web.tsx'
import { ScheduledTalkStatusChip } from './planned-chip.web.tsx'
import { PresentScheduledTalkButton } from './present-plan.web.tsx'
import { type ScheduledTalkRecord, scheduledTalk } from './scheduled-talk.ts'

const LIST_VIEWS = ['', 'mine', 'late', 'given', 'cancelled'] as const
const LIST = listUrlSchema({ show: z.enum(LIST_VIEWS).default('') })
const OPEN = z.object({
  open: z
    .string()
    .regex(/^(\d*|new)$/)
    .default(''),
})

/** Planned talks with their week, place and presenter. Presented talks link to their records. */
export default function TalkSchedulePage() {
  const actor = useActor()
  const [state, set] = useUrlState(LIST)
  const [{ open }, setOpen] = useUrlState(OPEN, { steps: true })
  const may = can(actor, 'create', scheduledTalk)
  const { show, ...asked } = state
  const monday = mondayOf(Temporal.PlainDate.from(londonToday())).toString()
  const still = { retired: false, 'exists[presented]': false }
  const narrowed = {
    '': still,
    mine: { ...still, user: actor.userId },
    late: { ...still, 'week[strictly_before]': monday },
    given: { retired: false, 'exists[presented]': true, 'order[week]': 'desc' },
    cancelled: { retired: true },
  }[show]
  const plan = may && (
    <Button leftSection={<IconCalendarPlus size={18} aria-hidden />} onClick={() => setOpen({ open: 'new' })}>
      Plan talk
    </Button>
  )
  return (
    <Page title="Talk schedule" actions={plan}>
      <OfflineNotice />
      <DataList
        resource={scheduledTalk}
        label="Talk schedule"
        state={state}
        onState={set}
        asked={{ ...asked, ...narrowed }}
        search="Search by talk, presenter or place"
        filters={[
          {
            key: 'show',
            label: 'Status',
            options: [
              { value: 'mine', label: 'For me to present' },
              { value: 'late', label: 'Overdue' },
              { value: 'given', label: 'Presented' },
              { value: 'cancelled', label: 'Cancelled' },
            ],
          },
        ]}
        columns={[
          { key: 'title', title: 'Talk' },
          { key: 'week', tight: true, render: (p) => formatIsoAsUkDate(p.week) },
          'presenter',
          'place',
          {
            key: 'presented',
            title: 'Status',
            tight: true,
            render: (p) => <ScheduledTalkStatusChip plan={p} monday={monday} />,
          },
        ]}
        rowActions={(p) => <PresentScheduledTalkButton plan={p} />}
        rowMuted={(p) => p.retired}
        {...(may ? { onOpen: (p: ScheduledTalkRecord) => setOpen({ open: String(p.id) }) } : { href: placeOf })}
        empty={
          <EmptyState title="No talks planned yet" action={plan}>
            Plan the talk, week, place and presenter. The presenter is reminded, and the planned talk is marked as
            presented once it is recorded.
          </EmptyState>
        }
      />
      <Dialog
        opened={open !== ''}
        onClose={() => setOpen({ open: '' })}
        title={open === 'new' ? 'Plan talk' : 'Planned talk'}
        size="40rem"
        addressed
      >
        {open === 'new' ? (
          <ScheduledTalkForm onCancel={() => setOpen({ open: '' })} onSaved={() => setOpen({ open: '' })} />
        ) : (
          <Planned id={open} onClose={() => setOpen({ open: '' })} />
        )}
      </Dialog>
    </Page>
  )
}

/**
 * Returns the link target for users who can't edit the planned talk: its record or, if there is none, the talk itself.
 */
const placeOf = ({ presented, talk }: ScheduledTalkRecord): string =>
  presented ? `${PRESENTED_TALKS_PATH}/${presented.id}` : `${toolboxTalkInfo.screens.list}/view/${idFromAnyIri(talk)}`

function Planned({ id, onClose }: { readonly id: string; readonly onClose: () => void }) {
  const found = useApiRecord(scheduledTalk, id || undefined)
  const save = useSaveRecord(scheduledTalk)
  const set = (retired: boolean) => save.mutateAsync({ id, values: { retired } })
  if (!found.data)
    return found.error ? (
      <ErrorState error={found.error} onRetry={() => void found.refetch()} />
    ) : (
      <LoadingRows rows={4} />
    )
  const { title, presented, retired } = found.data
  const cancel = async () => {
    try {
      await set(!retired)
      onClose()
      showUndoToast({
        message: retired ? `“${title}” planned again` : `“${title}” cancelled`,
        undo: () => set(retired),
      })
    } catch (e) {
      toast.failed(e)
    }
  }
  return (
    <>
      <Group justify="space-between" mb="md">
        <strong>{title}</strong>
        {!presented && (
          <Button variant="default" color="red" loading={save.isPending} onClick={() => void cancel()}>
            {retired ? 'Plan again' : 'Cancel talk'}
          </Button>
        )}
      </Group>
      <ScheduledTalkForm key={id} plan={found.data} onCancel={onClose} onSaved={onClose} />
    </>
  )
}
