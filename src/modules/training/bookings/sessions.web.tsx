import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { z } from 'zod'
import { can } from '#kernel/can.ts'
import { formatPounds } from '#kernel/money.ts'
import type { RecordOf } from '#kernel/resource.ts'
import { useActor } from '#web/api/me.ts'
import { DateTimeText } from '#web/dates/relative.tsx'
import { DataList } from '#web/lists/data-list.tsx'
import { listUrlSchema } from '#web/lists/list-state.ts'
import { useUrlState } from '#web/lists/use-url-state.ts'
import { Page } from '#web/ui/page.tsx'
import { EmptyState } from '#web/ui/states.tsx'
import { StatusChip } from '#web/ui/status-chip.tsx'
import { trainingSession } from './session.ts'
import { SessionFormDialog } from './session-form.web.tsx'

const LIST = listUrlSchema({
  state: z.string().max(20).default('open'),
  course: z.string().max(60).default(''),
  online: z.string().max(5).default(''),
  order: z.string().max(60).default('startsAt'),
})

type Session = RecordOf<typeof trainingSession>

export const SeatsChip = ({ session: { state, freeSeats, seats } }: { readonly session: Session }) =>
  state === 'cancelled' ? (
    <StatusChip>Cancelled</StatusChip>
  ) : freeSeats ? (
    <StatusChip meaning="safe">{`${freeSeats} of ${seats} seats free`}</StatusChip>
  ) : (
    <StatusChip meaning="attention">Full</StatusChip>
  )

export const formatPrice = (price: number | null | undefined): string =>
  price === null || price === undefined ? 'Not decided' : price === 0 ? 'Free of charge' : formatPounds(price)

/** Training sessions of the provider: for its staff, and for clients who book seats. */
export default function SessionsPage() {
  const actor = useActor()
  const go = useNavigate()
  const { pathname } = useLocation()
  const [state, set] = useUrlState(LIST)
  const [adding, setAdding] = useState(false)
  return (
    <Page
      title="Training sessions"
      about="Book seats for people. If a session is full, they join its waiting list, and get a seat in its order."
      actions={
        can(actor, 'create', trainingSession) && (
          <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setAdding(true)}>
            Add session
          </Button>
        )
      }
    >
      <DataList
        resource={trainingSession}
        label="Training sessions"
        state={state}
        onState={set}
        search={false}
        filters={['state', 'course', 'online']}
        columns={[
          { key: 'course', title: 'Course', link: true },
          {
            key: 'startsAt',
            title: 'Start',
            tight: true,
            render: (one: Session) => <DateTimeText at={one.startsAt} />,
          },
          {
            key: 'where',
            title: 'Place',
            fields: ['online', 'place'],
            render: (one: Session) => (one.online ? 'Online' : one.place),
          },
          { key: 'trainer', title: 'Trainer', wide: true },
          { key: 'price', title: 'Price per seat', wide: true, render: (one: Session) => formatPrice(one.price) },
          {
            key: 'freeSeats',
            title: 'Seats',
            tight: true,
            fields: ['seats', 'state'],
            render: (one: Session) => <SeatsChip session={one} />,
          },
        ]}
        href={(one: Session) => `${pathname}/${one.id}`}
        rowMuted={(one: Session) => one.state === 'cancelled'}
        nothing={<EmptyState title="No training sessions found">Change the filters to see other sessions.</EmptyState>}
      />
      {adding && (
        <SessionFormDialog onClose={() => setAdding(false)} onSaved={({ id }) => void go(`${pathname}/${id}`)} />
      )}
    </Page>
  )
}
