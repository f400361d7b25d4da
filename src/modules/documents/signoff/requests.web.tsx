import { Button } from '@mantine/core'
import { useState } from 'react'
import type { RecordOf } from '#kernel/resource.ts'
import { formatCountWithNoun } from '#kernel/text.ts'
import { usePersonNames } from '#web/api/names.ts'
import { useList } from '#web/api/resources.ts'
import { DateField } from '#web/dates/date-field.tsx'
import { formatIsoAsUkDate, londonToday } from '#web/dates/uk-dates.ts'
import { useConfirm } from '#web/ui/confirm-dialog.tsx'
import page from '#web/ui/page.module.css'
import { toast } from '#web/ui/toast.ts'
import type { DocumentKind } from '../types/kind.ts'
import type { DocumentRecord } from '../types/record.web.ts'
import { useSignatories, useSignOffMutation } from './people.web.ts'
import css from './sign-off.module.css'
import { roleLabel, signOff } from './sign-off.ts'

type Request = RecordOf<typeof signOff>

interface Props {
  readonly kind: DocumentKind
  readonly record: DocumentRecord
}

/**
 * Signature requests for a document: requester, people and due date. The due date can be changed, and each request can
 * be cancelled.
 */
export function SignatureRequests({ kind, record }: Props) {
  const people = useSignatories(record).data?.['hydra:member'] ?? []
  const behind = [...new Set(people.flatMap((p) => p.request ?? []))]
  const found = useList(signOff, { id: behind, state: 'open', itemsPerPage: 100 }, { enabled: behind.length > 0 })
  const requests = behind.length ? (found.data?.['hydra:member'] ?? []) : []
  const send = useSignOffMutation(kind)
  const nameOf = usePersonNames(requests.map((r) => r.author))
  const [dialog, ask] = useConfirm()
  const [moved, setMoved] = useState<number>()
  const move = async (request: Request, due: string | null) => {
    setMoved(undefined)
    if (!due || due === request.due) return
    await send
      .mutateAsync({ url: request['@id'], method: 'PUT', body: { due } })
      .then(() => toast.info(`Signing date changed to ${formatIsoAsUkDate(due)}`, 'safe'), toast.failed)
  }
  const cancel = async (request: Request) => {
    const yes = await ask({
      title: 'Cancel request',
      question: 'The people asked will no longer need to sign. Existing signatures remain valid.',
      action: 'Cancel request',
      cancel: 'Keep request',
      meaning: 'stop',
    })
    if (yes) await send.mutateAsync({ url: `${request['@id']}/cancel`, body: {} }).catch(toast.failed)
  }
  if (!requests.length) return null
  return (
    <>
      <ul className={css.requests} aria-label="Requests">
        {requests.map((r) => (
          <li key={r.id}>
            <span className={page.quiet}>
              {`${nameOf(r.author)} asked ${whomOf(r)}, ${byWhen(r)}${r.notes ? `: “${r.notes}”` : ''}`}
            </span>
            {moved === r.id ? (
              <DateField label="Sign by" value={r.due} onChange={(due) => void move(r, due)} min={londonToday()} />
            ) : (
              <span className={page.buttons}>
                <Button size="compact-sm" variant="subtle" onClick={() => setMoved(r.id)}>
                  Change date
                </Button>
                <Button size="compact-sm" variant="subtle" onClick={() => void cancel(r)}>
                  Cancel request
                </Button>
              </span>
            )}
          </li>
        ))}
      </ul>
      {dialog}
    </>
  )
}

/**
 * Returns a text with the due date. Once that date has passed, the text also states the number of days to sign after a
 * document change.
 */
const byWhen = ({ due, days }: Request) =>
  due < londonToday()
    ? `by ${formatIsoAsUkDate(due)}; after a change, within ${formatCountWithNoun(days, 'day').join('') || 'the day'}`
    : `by ${formatIsoAsUkDate(due)}`

const whomOf = (r: Request) =>
  r.everybody
    ? 'everybody'
    : r.role
      ? `everyone with the role ${roleLabel(r.role).toLowerCase()}`
      : `${r.people?.length ?? 0} by name`
