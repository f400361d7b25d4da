import { Alert, Button, Stack, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useParams } from 'react-router'
import { callApi } from '#web/api/client.ts'
import { PageTitle } from '#web/ui/page-title.tsx'
import { LoadingRows } from '#web/ui/states.tsx'
import { errorSentence } from '#web/ui/toast.ts'

interface Stop {
  readonly address: string
  readonly from: string
  readonly stopped: boolean
}

/**
 * Page that an unsubscribe link opens. Only pressing the button opts out, because mail programs open links
 * automatically.
 */
export default function UnsubscribePage() {
  const { token = '' } = useParams()
  const at = `/api/email/unsubscribe/${token}`
  const found = useQuery({
    queryKey: [at],
    queryFn: ({ signal }) => callApi<Stop>('GET', at, undefined, { signal }),
    retry: false,
  })
  const stop = useMutation({ mutationFn: () => callApi('POST', at, {}), onSuccess: () => found.refetch() })
  const it = found.data
  return (
    <Stack maw={560} mx="auto" p="md">
      <PageTitle>{found.isError ? 'This link does not work' : 'E-mail preferences'}</PageTitle>
      {found.isPending && <LoadingRows rows={3} />}
      {found.isError && (
        <Alert color="red" role="alert">
          {errorSentence(found.error)}
        </Alert>
      )}
      {it?.stopped && (
        <Alert color="green" role="status">
          {it.from} will send no more e-mails to {it.address}.
        </Alert>
      )}
      {it && !it.stopped && (
        <>
          <Text>
            {it.from} sends e-mails to {it.address}. Would you like to stop receiving them?
          </Text>
          {stop.isError && (
            <Alert color="red" role="alert">
              {errorSentence(stop.error)}
            </Alert>
          )}
          <Button loading={stop.isPending} onClick={() => stop.mutate()}>
            Stop e-mails
          </Button>
        </>
      )}
    </Stack>
  )
}
