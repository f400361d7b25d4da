import { Alert, Button, Group, Skeleton, Stack, Text, TextInput } from '@mantine/core'
import { IconCopy, IconPrinter, IconQrcode } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { callApi } from '#web/api/client.ts'
import { openPdf } from '#web/api/pdf.ts'
import { QrCode } from '#web/charts/qr-code.tsx'
import { DateField } from '#web/dates/date-field.tsx'
import { formatIsoAsUkDate } from '#web/dates/uk-dates.ts'
import { Dialog, DialogActions } from '#web/ui/dialog.tsx'
import { FormErrorText } from '#web/ui/error-text.tsx'
import { ErrorState, OfflineNotice } from '#web/ui/states.tsx'
import { errorSentence, toast } from '#web/ui/toast.ts'
import type { SigningLinkState } from '../signing-links/signing-link.ts'

interface Props {
  /** URL of the link in the API. */
  readonly url: string
  /** URL of the poster in the API. */
  readonly poster: string
  readonly title: string
  /** Text that explains a link before it is created. */
  readonly about: string
  /** Reason why no link can be created; empty or undefined if one can. */
  readonly refusal?: string
  /** Invitation beside the QR code. */
  readonly invite: string
  /** Returns what has been done with the link so far, such as `Signatures with this link: 3 of 100.` */
  readonly used: (link: NonNullable<SigningLinkState['link']>) => string
  /** Earliest, latest and proposed last day of a new link; undefined if it can't be chosen. */
  readonly days?: { readonly min: string; readonly max: string; readonly usual: string }
  readonly refetchMs?: number
  readonly onClose: () => void
}

/** Dialog with the QR code and link by which people without an account sign or answer on their own devices. */
export default function PosterLinkDialog(props: Props) {
  const { url, poster, title, about, refusal, invite, used, days, refetchMs, onClose } = props
  const queries = useQueryClient()
  const [until, setUntil] = useState<string | null>(days?.usual ?? null)
  // Not the URL alone, because the responses of URLs are cached on the device, and this one contains the secret.
  const queryKey = ['link with a poster', url]
  const found = useQuery({
    queryKey,
    queryFn: ({ signal }) => callApi<SigningLinkState>('GET', url, undefined, { signal }),
    refetchInterval: refetchMs ?? false,
    gcTime: 0,
  })
  const change = useMutation({
    mutationFn: (method: 'POST' | 'DELETE') =>
      callApi<SigningLinkState>(method, url, method === 'POST' ? (days ? { until } : {}) : undefined),
    onSuccess: (state) => queries.setQueryData(queryKey, state),
  })
  const link = found.data?.link
  return (
    <Dialog opened onClose={onClose} title={title} size="36rem">
      {refusal && (
        <Alert color="yellow" role="status">
          {refusal}
        </Alert>
      )}
      <OfflineNotice>You are offline. You can create or withdraw a link when the connection is back.</OfflineNotice>
      {found.error && !found.data ? (
        <ErrorState error={found.error} onRetry={() => void found.refetch()} />
      ) : !found.data ? (
        <Skeleton height={260} />
      ) : link ? (
        <OpenLink link={link} poster={poster} invite={invite} used={used} />
      ) : (
        <Stack gap="md">
          <Text>{about}</Text>
          {days && !refusal && (
            <DateField label="Expires on" value={until} onChange={setUntil} min={days.min} max={days.max} />
          )}
        </Stack>
      )}
      {change.error && <FormErrorText>{errorSentence(change.error)}</FormErrorText>}
      <DialogActions>
        <Button variant="default" onClick={onClose}>
          Close
        </Button>
        {link ? (
          <Button color="red" variant="outline" loading={change.isPending} onClick={() => change.mutate('DELETE')}>
            Withdraw link
          </Button>
        ) : (
          <Button
            leftSection={<IconQrcode size={16} aria-hidden />}
            disabled={!found.data || Boolean(refusal)}
            loading={change.isPending}
            onClick={() => change.mutate('POST')}
          >
            Create link
          </Button>
        )}
      </DialogActions>
    </Dialog>
  )
}

interface OpenLinkProps extends Pick<Props, 'poster' | 'invite' | 'used'> {
  readonly link: NonNullable<SigningLinkState['link']>
}

function OpenLink({ link, poster, invite, used }: OpenLinkProps) {
  const { address, until } = link
  const copy = () =>
    navigator.clipboard.writeText(address).then(
      () => toast.info('Link copied', 'safe'),
      () => toast.info('Your browser doesn’t allow copying. Please select the link and copy it.', 'attention'),
    )
  const print = () => void openPdf(poster).catch((e: unknown) => toast.failed(e, print))
  return (
    <Stack gap="md">
      <Text>{invite}</Text>
      <QrCode text={address} label="QR code of the link, which is also shown below as text" />
      <Group align="end" gap="sm" wrap="nowrap">
        <TextInput label="Link" value={address} readOnly flex={1} onFocus={(e) => e.currentTarget.select()} />
        <Button leftSection={<IconCopy size={16} aria-hidden />} onClick={() => void copy()}>
          Copy
        </Button>
      </Group>
      <Button
        variant="default"
        style={{ justifySelf: 'start', alignSelf: 'start' }}
        leftSection={<IconPrinter size={16} aria-hidden />}
        onClick={print}
      >
        Print poster
      </Button>
      <Text size="sm" role="status">
        {`Works until the end of ${formatIsoAsUkDate(until)}. ${used(link)}`}
      </Text>
    </Stack>
  )
}
