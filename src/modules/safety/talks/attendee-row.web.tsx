import '@mantine/core/styles/Tooltip.layer.css'
import { ActionIcon, Button, Tooltip } from '@mantine/core'
import { IconSignature, IconTrash, IconUserOff } from '@tabler/icons-react'
import { useState } from 'react'
import { canSeeField } from '#kernel/can.ts'
import { pinCheckText } from '#kernel/signature.ts'
import { employerOf, signatureDescription } from '#modules/documents/signing/hand-words.ts'
import { useActor } from '#web/api/me.ts'
import { useApiRecord } from '#web/api/resources.ts'
import { DateTimeText } from '#web/dates/relative.tsx'
import { LazyQueuedRequestChip } from '#web/offline/screens/queued-requests.tsx'
import page from '#web/ui/page.module.css'
import { StatusChip } from '#web/ui/status-chip.tsx'
import { StoredSignature } from '#web/ui/stored-signature.tsx'
import { hasSignedOnDevice, type TalkRow } from './offline-talk.web.ts'
import { type ListedAttendee, signingMethodFor } from './presented-data.web.ts'
import css from './talks.module.css'
import { talkAttendee } from './toolbox-talk.ts'

export type AttendeeAction = 'sign' | 'absent' | 'strike'
/**
 * Actions that the user can take on the attendance list. `open`: all. `heard` (another person's record) and `late`
 * (closed record): only signing. `fixed`: none.
 */
export type AttendanceStage = 'open' | 'heard' | 'late' | 'fixed'

interface Props {
  readonly person: TalkRow
  readonly open: AttendanceStage
  readonly onDo: (what: AttendeeAction, person: TalkRow) => void
}

/** True if the signature's PIN did not match or could not be checked. */
const isPinInDoubt = ({ pinCheck }: Pick<ListedAttendee, 'pinCheck'>) =>
  pinCheck === 'wrong' || pinCheck === 'unchecked'

/** Row of an attendee, with their status and the actions available to the user. */
export function AttendeeRow({ person: p, open, onDo }: Props) {
  const me = useActor()
  const may = signingMethodFor(me, p, { late: open === 'late', keeps: open === 'open' })
  const employer = employerOf(p)
  const waits = !p.signedAt && !p.kept
  const sign = may === 'behalf' ? 'Sign on behalf' : open === 'late' ? 'Sign late' : 'Sign'
  return (
    <li>
      <div className={css.person}>
        <strong>{p.name}</strong>
        {employer && <span className={page.quiet}>{employer}</span>}
        {p.signedAt && (
          <span className={page.quiet}>
            {signatureDescription(p)},{' '}
            {p.drawnAt ? (
              <>
                signed offline on <DateTimeText at={p.drawnAt} /> by the device’s clock, received{' '}
                {p.late && 'after the record was closed, '}
                on <DateTimeText at={p.signedAt} />
              </>
            ) : (
              <>
                {p.late && 'signed late on '}
                <DateTimeText at={p.signedAt} />
              </>
            )}
          </span>
        )}
        {waits && p.visitor && !p.adding && <span className={page.quiet}>Visitor</span>}
        {waits && (open === 'late' || !p.absence) && open !== 'fixed' && !may && !me.original && (
          <span className={page.quiet}>
            {open === 'late' ? 'Can sign late under their own account' : 'Can sign under their own account'}
          </span>
        )}
        {p.absence && <span className={page.quiet}>{p.signedAt ? `Was absent: ${p.absence}` : p.absence}</span>}
      </div>
      <div className={css.stands}>
        {p.signedAt ? (
          <>
            {isPinInDoubt(p) && <StatusChip meaning="attention">{pinCheckText(p.pinCheck)}</StatusChip>}
            <Signed person={p} />
          </>
        ) : p.kept ? (
          <>
            <span>{hasSignedOnDevice(p) ? 'Signed on this device' : 'Absent'}</span>
            <LazyQueuedRequestChip request={p.kept} />
          </>
        ) : p.absence ? (
          <StatusChip icon={IconUserOff}>Absent</StatusChip>
        ) : (
          <StatusChip meaning="attention">To sign</StatusChip>
        )}
        {waits && p.adding && <LazyQueuedRequestChip request={p.adding} />}
      </div>
      {waits && open !== 'fixed' && (
        <div className={page.buttons}>
          {may && (
            <Button
              className={css.target ?? ''}
              variant={may === 'behalf' || open === 'late' ? 'default' : 'filled'}
              leftSection={<IconSignature size={16} aria-hidden />}
              aria-label={`${sign}: ${p.name}`}
              onClick={() => onDo('sign', p)}
            >
              {sign}
            </Button>
          )}
          {open === 'open' && (
            <>
              <Tooltip label="Absent">
                <ActionIcon
                  variant="default"
                  size={44}
                  aria-label={`${p.name} is absent`}
                  onClick={() => onDo('absent', p)}
                >
                  <IconUserOff size={18} aria-hidden />
                </ActionIcon>
              </Tooltip>
              <Tooltip label="Remove from list">
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  size={44}
                  aria-label={`Remove ${p.name} from list`}
                  onClick={() => onDo('strike', p)}
                >
                  <IconTrash size={18} aria-hidden />
                </ActionIcon>
              </Tooltip>
            </>
          )}
        </div>
      )}
    </li>
  )
}

/**
 * An attendee's signature. The drawing is loaded only when a user who may see it asks for it, because each view is
 * logged.
 */
function Signed({ person: p }: { readonly person: ListedAttendee }) {
  const actor = useActor()
  const [asked, setAsked] = useState(false)
  const { data, isPending } = useApiRecord(talkAttendee, asked ? p.id : undefined)
  const name = (p.method === 'on behalf' && p.byName) || p.name
  if (p.method === 'typed' || (data && !data.strokes)) return <StoredSignature strokes={undefined} name={name} />
  if (data) return <StoredSignature strokes={data.strokes} name={name} />
  const signed =
    p.method === 'on behalf' ? (
      <StatusChip>Signed on behalf</StatusChip>
    ) : (
      <StatusChip meaning={p.absence || isPinInDoubt(p) ? 'plain' : 'safe'}>
        {p.late ? 'Signed late' : 'Signed by hand'}
      </StatusChip>
    )
  if (!canSeeField(actor, talkAttendee.fields.strokes, p)) return signed
  return (
    <>
      {signed}
      <Button
        className={css.target ?? ''}
        variant="subtle"
        loading={asked && isPending}
        aria-label={`Show signature of ${p.name}`}
        onClick={() => setAsked(true)}
      >
        Show
      </Button>
    </>
  )
}
