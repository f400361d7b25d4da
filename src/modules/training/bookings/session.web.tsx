import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocation, useNavigate, useParams } from 'react-router'
import { z } from 'zod'
import { can, canRunActionInState } from '#kernel/can.ts'
import type { Iri } from '#kernel/fields.ts'
import { iriOf, type RecordOf, type Resource } from '#kernel/resource.ts'
import { hasRole } from '#kernel/roles.ts'
import { useActor } from '#web/api/me.ts'
import { invalidateLists, useApiRecord } from '#web/api/resources.ts'
import { DateTimeText } from '#web/dates/relative.tsx'
import { ResourceForm } from '#web/forms/resource-form.tsx'
import { DataList } from '#web/lists/data-list.tsx'
import { listUrlSchema } from '#web/lists/list-state.ts'
import { useUrlState } from '#web/lists/use-url-state.ts'
import { usePageTitle } from '#web/shell/pages/title.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import layout from '#web/ui/page.module.css'
import { Page } from '#web/ui/page.tsx'
import { EmptyState, ErrorState, LoadingRows } from '#web/ui/states.tsx'
import { StatusChip } from '#web/ui/status-chip.tsx'
import { STAFF_ROLE } from '../rights.ts'
import css from '../training.module.css'
import { trainingBooking } from './booking.ts'
import { trainingSession } from './session.ts'
import { SessionFormDialog } from './session-form.web.tsx'
import { formatPrice, SeatsChip } from './sessions.web.tsx'

type Session = RecordOf<typeof trainingSession>
type Booking = RecordOf<typeof trainingBooking>

const LIST = listUrlSchema({ state: z.string().max(20).default('') })
const MEANINGS = {
  booked: 'info',
  tookPart: 'safe',
  waiting: 'attention',
  absent: 'plain',
  cancelled: 'plain',
} as const

/** Words of the dialog of each action. */
const ACTION_WORDS = {
  cancel: {
    title: 'Cancel the session',
    done: 'The session is cancelled',
    about: 'All seats and the waiting list are cancelled. People with an e-mail address are notified.',
  },
  quote: {
    title: 'Create a draft quote',
    done: 'The draft quote is created',
    about: 'The quote has a line for the seats that the client has booked. It is checked and sent like any other.',
  },
  recordAttendance: {
    title: 'Record attendance',
    done: 'The attendance is recorded',
    about:
      'Everybody except absent people gets a training record in their company. It never changes: a correction is a further record.',
  },
} as const

interface OpenAction {
  readonly name: keyof typeof ACTION_WORDS
  readonly of: Session | Booking
}

/** One session with its seats and waiting list. */
export default function SessionPage() {
  const { id } = useParams()
  const { pathname } = useLocation()
  const found = useApiRecord(trainingSession, id)
  usePageTitle(found.data?.course.name)
  const back = { label: 'Training sessions', to: pathname.replace(/\/[^/]*$/, '') }
  if (found.data) return <OneSession session={found.data} back={back} />
  return (
    <Page title="Training session" back={back}>
      {found.error ? <ErrorState error={found.error} onRetry={() => void found.refetch()} /> : <LoadingRows rows={6} />}
    </Page>
  )
}

interface Props {
  readonly session: Session
  readonly back: { readonly label: string; readonly to: string }
}

function OneSession({ session, back }: Props) {
  const actor = useActor()
  const go = useNavigate()
  const queries = useQueryClient()
  const [dialog, setDialog] = useState<'book' | 'edit' | OpenAction>()
  const close = () => setDialog(undefined)
  const refresh = () => {
    for (const one of [trainingSession, trainingBooking]) void invalidateLists(queries, one)
    void queries.invalidateQueries({ queryKey: [trainingSession.url] })
  }
  const isStaff = hasRole(actor, STAFF_ROLE)
  const isOpen = session.state === 'open' && !session.started
  return (
    <Page
      title={session.course.name}
      back={back}
      beside={<SeatsChip session={session} />}
      actions={
        <>
          {isOpen && can(actor, 'create', trainingBooking) && (
            <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setDialog('book')}>
              {session.freeSeats ? 'Book a seat' : 'Join the waiting list'}
            </Button>
          )}
          {isOpen && can(actor, 'update', trainingSession) && (
            <Button variant="default" onClick={() => setDialog('edit')}>
              Edit
            </Button>
          )}
          {session.price !== null && canRunActionInState(actor, 'quote', trainingSession, session.state) && (
            <Button variant="default" onClick={() => setDialog({ name: 'quote', of: session })}>
              Quote
            </Button>
          )}
          {isOpen && canRunActionInState(actor, 'cancel', trainingSession, session.state) && (
            <Button variant="default" onClick={() => setDialog({ name: 'cancel', of: session })}>
              Cancel the session
            </Button>
          )}
        </>
      }
    >
      <SessionFacts session={session} />
      <Bookings
        session={session}
        onAttendance={(of) => setDialog({ name: 'recordAttendance', of })}
        onChanged={refresh}
      />
      {isStaff && (
        <p className={layout.quiet}>
          To book for a client, work as one of its administrators or as a user with the role “Training”.
        </p>
      )}
      {dialog === 'edit' && <SessionFormDialog session={session} onClose={close} onSaved={refresh} />}
      {dialog === 'book' && (
        <Dialog opened onClose={close} title={session.freeSeats ? 'Book a seat' : 'Join the waiting list'}>
          <ResourceForm
            resource={trainingBooking}
            fields={['employee', 'course']}
            extra={{ session: session['@id'] }}
            wide={['employee', 'course']}
            decided
            action={session.freeSeats ? 'Book' : 'Join'}
            done={({ state, employee }) =>
              state === 'booked' ? `${employee.name} has a seat` : `${employee.name} is on the waiting list`
            }
            onCancel={close}
            onSaved={() => {
              refresh()
              close()
            }}
          />
        </Dialog>
      )}
      {typeof dialog === 'object' && (
        <ActionDialog
          open={dialog}
          onClose={close}
          onDone={(answer) => {
            refresh()
            close()
            if (dialog.name === 'quote') void go(`/crm/quote/${answer.id}`)
          }}
        />
      )}
    </Page>
  )
}

function SessionFacts({ session }: { readonly session: Session }) {
  const facts = [
    ['Start', <DateTimeText key="start" at={session.startsAt} />],
    ['End', <DateTimeText key="end" at={session.endsAt} />],
    ['Trainer', session.trainer],
    ['Place', session.online ? 'Online' : session.place],
    ['Seats', `${session.seatsTaken} of ${session.seats} taken`],
    ['Price per seat', formatPrice(session.price)],
    ...(session.joiningDetails ? [['Joining details', session.joiningDetails] as const] : []),
    ...(session.reason ? [['Reason for cancelling', session.reason] as const] : []),
  ] as const
  return (
    <section className={layout.card} aria-label="Session">
      <dl className={css.facts}>
        {facts.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

interface BookingsProps {
  readonly session: Session
  readonly onAttendance: (of: Booking) => void
  readonly onChanged: () => void
}

/** Seats of the session and its waiting list, in the order in which they were entered. */
function Bookings({ session, onAttendance, onChanged }: BookingsProps) {
  const actor = useActor()
  const [state, set] = useUrlState(LIST)
  const [cancelling, setCancelling] = useState<Booking>()
  const isStaff = hasRole(actor, STAFF_ROLE)
  return (
    <>
      <DataList
        resource={trainingBooking}
        label="Seats and waiting list"
        state={state}
        onState={set}
        search={false}
        filters={['state']}
        params={{ session: session['@id'] }}
        columns={[
          { key: 'employee', title: 'Person' },
          ...(isStaff
            ? [{ key: 'client' as const, title: 'Company', render: (one: Booking) => one.client?.company }]
            : []),
          {
            key: 'state',
            title: 'Status',
            tight: true,
            fields: ['queuePosition'],
            render: (one: Booking) => (
              <StatusChip meaning={MEANINGS[one.state]}>
                {one.state === 'waiting' && one.queuePosition
                  ? `Waiting list, place ${one.queuePosition}`
                  : trainingBooking.fields.state.options?.find((o) => o.value === one.state)?.label}
              </StatusChip>
            ),
          },
          {
            key: 'joiningRequestedAt',
            title: 'Joining e-mail requested',
            wide: true,
            render: (one: Booking) =>
              one.joiningRequestedAt ? <DateTimeText at={one.joiningRequestedAt} /> : 'Not requested',
          },
        ]}
        rowMuted={(one: Booking) => one.state === 'cancelled'}
        rowActions={(one: Booking) =>
          session.started ? (
            canRunActionInState(actor, 'recordAttendance', trainingBooking, one.state) && (
              <Button
                variant="default"
                size="xs"
                onClick={() => onAttendance(one)}
                aria-label={`Record attendance of ${one.employee.name}`}
              >
                Attendance
              </Button>
            )
          ) : canRunActionInState(actor, 'cancel', trainingBooking, one.state) ? (
            <Button
              variant="default"
              size="xs"
              onClick={() => setCancelling(one)}
              aria-label={`Cancel the seat of ${one.employee.name}`}
            >
              Cancel
            </Button>
          ) : null
        }
        nothing={<EmptyState title="No seats booked yet" />}
      />
      {cancelling && (
        <Dialog
          opened
          onClose={() => setCancelling(undefined)}
          title={`Cancel the seat of ${cancelling.employee.name}`}
        >
          <ResourceForm
            resource={actionResource(trainingBooking, cancelling['@id'], 'cancel')}
            fields={[]}
            decided
            action="Cancel the seat"
            done={() => 'The seat is cancelled'}
            onCancel={() => setCancelling(undefined)}
            onSaved={() => {
              onChanged()
              setCancelling(undefined)
            }}
          />
        </Dialog>
      )}
    </>
  )
}

/** Returns a declaration with the address and input of an action, for a form. */
function actionResource(r: Resource, iri: Iri, name: string): Resource {
  const spec = r.actions?.[name]
  return { ...r, url: `${iri}/${spec?.path}`, fields: spec?.input ?? {} }
}

interface ActionProps {
  readonly open: OpenAction
  readonly onClose: () => void
  readonly onDone: (answer: { readonly id: number }) => void
}

function ActionDialog({ open: { name, of }, onClose, onDone }: ActionProps) {
  const r: Resource = name === 'recordAttendance' ? trainingBooking : trainingSession
  const asked = actionResource(r, iriOf(r, of.id), name)
  const { title, about, done } = ACTION_WORDS[name]
  const isFirst = name !== 'recordAttendance' || of.state === 'booked'
  const fields = Object.keys(asked.fields).filter((field) => field !== 'reason' || name === 'cancel' || !isFirst)
  return (
    <Dialog opened onClose={onClose} title={'employee' in of ? `${title}: ${of.employee.name}` : title}>
      <p>{about}</p>
      <ResourceForm
        resource={asked}
        fields={fields}
        wide={fields}
        decided
        action={title}
        done={() => done}
        onCancel={onClose}
        onSaved={onDone}
      />
    </Dialog>
  )
}
