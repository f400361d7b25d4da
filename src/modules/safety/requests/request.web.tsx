import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { IconDownload, IconFileTypePdf } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { canRunActionInState } from '#kernel/can.ts'
import { iriOf, type Resource } from '#kernel/resource.ts'
import { capitalise } from '#kernel/text.ts'
import { callApi } from '#web/api/client.ts'
import { useActor } from '#web/api/me.ts'
import { openPdf } from '#web/api/pdf.ts'
import { useApiRecord, useList } from '#web/api/resources.ts'
import { DateTimeText } from '#web/dates/relative.tsx'
import { formatIsoAsUkDate, londonToday } from '#web/dates/uk-dates.ts'
import { ResourceForm } from '#web/forms/resource-form.tsx'
import { useConfirm } from '#web/ui/confirm-dialog.tsx'
import page from '#web/ui/page.module.css'
import { PersonName } from '#web/ui/people/person-name.tsx'
import { ErrorState, LoadingRows } from '#web/ui/states.tsx'
import { toast } from '#web/ui/toast.ts'
import { downloadFile } from '#web/uploads/fetch.ts'
import { fileTypeLabel, formatFileSize } from '#web/uploads/thumb.tsx'
import { type RamsRequest, ramsReceived, ramsRequest } from './rams-request.ts'
import css from './requests.module.css'
import { RamsRequestStatusChip } from './state-chip.web.tsx'

interface Props {
  readonly id: string
  readonly onClose: () => void
}

export function RamsRequestDetails({ id, onClose }: Props) {
  const found = useApiRecord(ramsRequest, id || undefined)
  if (found.data) return <Asked request={found.data} onClose={onClose} />
  return found.error ? (
    <ErrorState error={found.error} onRetry={() => void found.refetch()} />
  ) : (
    <LoadingRows rows={6} />
  )
}

function Asked({ request, onClose }: { readonly request: RamsRequest; readonly onClose: () => void }) {
  const { company, person, email, job, site, due, notes, opened, openedAt, opensUntil, reason, state } = request
  const actor = useActor()
  const queries = useQueryClient()
  const [dialog, ask] = useConfirm()
  const [returning, setReturning] = useState<{ readonly version: number; readonly files: number }>()
  const list = useList(ramsReceived, { request: iriOf(ramsRequest, request.id), itemsPerPage: 100 })
  const received = list.data?.['hydra:member'] ?? []
  const version = received[0]?.version ?? 0
  const read = { version, files: received.filter((one) => one.version === version).length }
  const again = () =>
    Promise.all([ramsRequest, ramsReceived].map((r) => queries.invalidateQueries({ queryKey: [r.url] })))
  const act = useMutation({
    mutationFn: (action: 'accept' | 'withdraw') =>
      callApi('POST', `${request['@id']}/${action}`, action === 'accept' ? read : {}),
    onSettled: again,
    onError: (e) => toast.failed(e),
  })
  const may = (action: string) => canRunActionInState(actor, action, ramsRequest, state)
  const accept = () => act.mutate('accept', { onSuccess: () => toast.info(`RAMS from ${company} accepted`, 'safe') })
  const withdraw = async () => {
    const yes = await ask({
      title: `Withdraw request to ${company}`,
      question: 'The subcontractor’s link will stop working. Files already received are retained.',
      action: 'Withdraw request',
      meaning: 'stop',
    })
    if (yes) act.mutate('withdraw', { onSuccess: onClose })
  }
  const closeReturn = () => {
    setReturning(undefined)
    void again()
  }
  const asked: Resource = {
    ...ramsRequest,
    url: `${iriOf(ramsRequest, request.id)}/send-back`,
    fields: ramsRequest.actions?.sendBack.input ?? {},
  }
  return (
    <Stack gap="md">
      <Group justify="space-between" align="start" wrap="nowrap">
        <div className={css.what}>
          <strong>{company}</strong>
          <span>{site ? `${job}, ${site}` : job}</span>
        </div>
        <RamsRequestStatusChip request={request} today={londonToday()} />
      </Group>
      <Text size="sm">
        {`RAMS requested from ${person} (${email}) by\u0020`}
        <PersonName username={request.author} />
        {`, due by ${formatIsoAsUkDate(due)}.\u0020`}
        {openedAt ? `Opened ${opened === 1 ? 'once' : `${opened} times`}, last ` : 'The link has not been opened yet. '}
        {openedAt && <DateTimeText at={openedAt} />}
        {openedAt && '. '}
        {state !== 'accepted' && state !== 'withdrawn' && `The link is valid until ${formatIsoAsUkDate(opensUntil)}.`}
      </Text>
      {notes && <Text className={css.words ?? ''}>{`“${notes}”`}</Text>}
      {state === 'returned' && (
        <Alert color="yellow" title="Returned">
          {reason}
        </Alert>
      )}
      <Versions list={list} />
      {returning ? (
        <ResourceForm
          resource={asked}
          fields={['reason']}
          wide={['reason']}
          extra={returning}
          action="Return RAMS"
          decided
          done={() => `Returned to ${company} with your reason`}
          onCancel={closeReturn}
          onSaved={closeReturn}
        />
      ) : (
        <div className={page.buttons}>
          {may('accept') && (
            <Button loading={act.isPending} disabled={!version} onClick={accept}>
              Accept
            </Button>
          )}
          {may('sendBack') && (
            <Button variant="default" disabled={!version} onClick={() => setReturning(read)}>
              Return
            </Button>
          )}
          {may('withdraw') && (
            <Button variant="default" color="red" onClick={() => void withdraw()}>
              Withdraw
            </Button>
          )}
          <Button variant="default" onClick={onClose}>
            Close
          </Button>
        </div>
      )}
      {dialog}
    </Stack>
  )
}

function Versions({ list }: { readonly list: ReturnType<typeof useList<typeof ramsReceived>> }) {
  const all = list.data?.['hydra:member'] ?? []
  if (list.error) return <ErrorState error={list.error} onRetry={() => void list.refetch()} />
  if (!list.data) return <LoadingRows rows={2} />
  if (!all.length) return <Text c="dimmed">No files received yet.</Text>
  return (
    <ul className={css.versions} aria-label="Received files">
      {all.map((one) => {
        const isPdf = one.type === 'application/pdf'
        const called = one.part > 1 ? `version ${one.version}, file ${one.part}` : `version ${one.version}`
        const open = () =>
          void (
            isPdf ? openPdf(`${one['@id']}/file`) : downloadFile(`${one['@id']}/file?original=true`, one.name)
          ).catch((e: unknown) => toast.failed(e, open))
        return (
          <li key={one.id}>
            <div className={css.what}>
              <strong>{`${capitalise(called)}: ${one.name}`}</strong>
              <span className={page.quiet}>
                {`${one.company ? `${one.sender} from ${one.company}, signed in` : one.sender}, ${fileTypeLabel(one.type)}, ${formatFileSize(one.size)},\u0020`}
                {one.createdAt && <DateTimeText at={one.createdAt} />}
              </span>
              {one.notes && <span className={page.quiet}>{`“${one.notes}”`}</span>}
            </div>
            <Button
              variant="default"
              leftSection={isPdf ? <IconFileTypePdf size={16} aria-hidden /> : <IconDownload size={16} aria-hidden />}
              aria-label={`${isPdf ? 'Open' : 'Download'} ${called}`}
              onClick={open}
            >
              {isPdf ? 'Open' : 'Download'}
            </Button>
          </li>
        )
      })}
    </ul>
  )
}
