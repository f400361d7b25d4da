import { Alert, Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { callApi } from '#web/api/client.ts'
import { urlQueryOptions } from '#web/api/reading.ts'
import { formatIsoAsUkDateTime } from '#web/dates/uk-dates.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { ErrorState, LoadingRows } from '#web/ui/states.tsx'
import { toast } from '#web/ui/toast.ts'
import { FEED_URL } from './feed.ts'

interface Feed {
  readonly createdAt: string | null
  /** Only in the response that creates the feed. */
  readonly address: string | null
}

/** Creates and withdraws the secret address by which a calendar program reads the calendar. */
export default function FeedDialog({ onClose }: { readonly onClose: () => void }) {
  const queryClient = useQueryClient()
  const feed = useQuery({ queryKey: [FEED_URL], ...urlQueryOptions<Feed>(FEED_URL) })
  const change = useMutation({
    mutationFn: (method: 'POST' | 'DELETE') => callApi<Feed>(method, FEED_URL, method === 'POST' ? {} : undefined),
    onSuccess: (answer) => queryClient.setQueryData([FEED_URL], { ...answer, address: null }),
    onError: (error) => toast.failed(error),
  })
  const address = change.data?.address
  return (
    <Dialog opened onClose={onClose} title="Calendar feed" size="lg">
      <Stack gap="md">
        <Text>
          Add the address to a calendar program, such as Outlook or the calendar of your phone. It shows your own leave,
          and your colleagues as busy. Everybody who has the address can read it: do not pass it on.
        </Text>
        {feed.isPending && <LoadingRows rows={2} />}
        {feed.isError && <ErrorState error={feed.error} onRetry={() => void feed.refetch()} />}
        {address && (
          <Alert title="Copy the address now. It is not shown again.">
            <TextInput
              readOnly
              aria-label="Address of the feed"
              value={address}
              onFocus={(e) => e.currentTarget.select()}
            />
          </Alert>
        )}
        {feed.data?.createdAt && <Text c="dimmed">Created on {formatIsoAsUkDateTime(feed.data.createdAt)}</Text>}
        <Group gap="sm">
          <Button loading={change.isPending} onClick={() => change.mutate('POST')}>
            {feed.data?.createdAt ? 'Replace the address' : 'Create the address'}
          </Button>
          {feed.data?.createdAt && (
            <Button variant="default" loading={change.isPending} onClick={() => change.mutate('DELETE')}>
              Withdraw
            </Button>
          )}
        </Group>
      </Stack>
    </Dialog>
  )
}
