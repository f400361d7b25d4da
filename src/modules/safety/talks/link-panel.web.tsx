import { Button, Group, Skeleton, Stack, Text, TextInput } from '@mantine/core'
import { IconCopy, IconPrinter, IconQrcode } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { callApi } from '#web/api/client.ts'
import { openPdf } from '#web/api/pdf.ts'
import { QrCode } from '#web/charts/qr-code.tsx'
import { formatIsoAsUkDate } from '#web/dates/uk-dates.ts'
import { Dialog, DialogActions } from '#web/ui/dialog.tsx'
import { FormErrorText } from '#web/ui/error-text.tsx'
import { ErrorState, OfflineNotice } from '#web/ui/states.tsx'
import { errorSentence, toast } from '#web/ui/toast.ts'
import { MAX_LINK_SIGNATURES, type TalkLinkState } from '../talk-links/talk-link.ts'
import { type PresentedTalkRecord, REFETCH_MS } from './presented-data.web.ts'

interface Props {
  readonly record: PresentedTalkRecord
  readonly onClose: () => void
}

/** Dialog with the QR code and link by which people sign for a talk on their own devices. */
export default function TalkLinkDialog({ record, onClose }: Props) {
  const url = `${record['@id']}/link`
  const queries = useQueryClient()
  // Not the URL, because the responses of URLs are cached on the device, and this one contains the secret.
  const queryKey = ['link of a talk', record.id]
  const found = useQuery({
    queryKey,
    queryFn: ({ signal }) => callApi<TalkLinkState>('GET', url, undefined, { signal }),
    refetchInterval: REFETCH_MS,
    gcTime: 0,
  })
  const change = useMutation({
    mutationFn: (method: 'POST' | 'DELETE') => callApi<TalkLinkState>(method, url, method === 'POST' ? {} : undefined),
    onSuccess: (state) => queries.setQueryData(queryKey, state),
  })
  const link = found.data?.link
  return (
    <Dialog opened onClose={onClose} title="Sign on another device" size="36rem">
      <OfflineNotice>You are offline. You can create or withdraw a link when the connection is back.</OfflineNotice>
      {found.error && !found.data ? (
        <ErrorState error={found.error} onRetry={() => void found.refetch()} />
      ) : !found.data ? (
        <Skeleton height={260} />
      ) : link ? (
        <OpenLink link={link} poster={`${record['@id']}/poster`} />
      ) : (
        <Text>
          {`People without an account can read the talk on their own phone and sign there. The link works until the end of tomorrow, for up to ${MAX_LINK_SIGNATURES} signatures, and only while this record is open. Anyone with the link can read the talk and see who has not signed yet.`}
        </Text>
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
            disabled={!found.data}
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

interface OpenLinkProps {
  readonly link: NonNullable<TalkLinkState['link']>
  /** URL of the poster. */
  readonly poster: string
}

function OpenLink({ link, poster }: OpenLinkProps) {
  const { address, until, signed, maxSignatures } = link
  const copy = () =>
    navigator.clipboard.writeText(address).then(
      () => toast.info('Link copied', 'safe'),
      () => toast.info('Your browser doesn’t allow copying. Please select the link and copy it.', 'attention'),
    )
  const print = () => void openPdf(poster).catch((e: unknown) => toast.failed(e, print))
  return (
    <Stack gap="md">
      <Text>Scan this code with a phone, read the talk and sign there.</Text>
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
        {`Works until the end of ${formatIsoAsUkDate(until)}. Signatures with this link: ${signed} of ${maxSignatures}.`}
      </Text>
    </Stack>
  )
}
