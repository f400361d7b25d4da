import '@mantine/core/styles/Card.layer.css'
import { Badge, Button, Card, Group, Skeleton, Stack, Text, Title } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { type Collection, callApi } from '#web/api/client.ts'
import { DateTimeText, RelativeTimeText } from '#web/dates/relative.tsx'
import { SectionError } from '#web/ui/states.tsx'
import { toast } from '#web/ui/toast.ts'
import { describeDevice } from '../device-words.ts'

interface Session {
  readonly id: number
  readonly createdAt: string
  readonly seenAt: string
  readonly address: string
  readonly agent: string
  readonly current: boolean
}

const URL = '/api/security/sessions'

/** List of the user's sessions, each with a button to end it. */
export function SessionList() {
  const client = useQueryClient()
  const title = useRef<HTMLHeadingElement>(null)
  const list = useQuery({
    queryKey: [URL],
    queryFn: ({ signal }) => callApi<Collection<Session>>('GET', URL, undefined, { signal }),
  })
  const end = useMutation({
    mutationFn: (id: number) => callApi<void>('DELETE', `${URL}/${id}`),
    onSuccess: () => {
      toast.info('That device has been signed out', 'safe')
      // Moves the focus, because the clicked button disappears.
      title.current?.focus()
    },
    onError: (e, id) => toast.failed(e, () => end.mutate(id)),
    onSettled: () => client.invalidateQueries({ queryKey: [URL] }),
  })
  return (
    <Card withBorder component="section" aria-labelledby="profile-sessions">
      <Title order={2} id="profile-sessions" mb="sm" ref={title} tabIndex={-1}>
        Where I am signed in
      </Title>
      {list.isPending && <Skeleton h={80} />}
      {list.error && <SectionError error={list.error} onRetry={list.refetch} />}
      <Stack gap="md" component="ul" p={0} m={0} style={{ listStyle: 'none' }}>
        {list.data?.['hydra:member'].map((s) => (
          <Group key={s.id} component="li" justify="space-between" wrap="wrap">
            <div style={{ minWidth: 0, overflowWrap: 'anywhere' }}>
              <Group gap="xs">
                <Text fw={600}>{describeDevice(s.agent)}</Text>
                {s.current && (
                  <Badge color="green" variant="light">
                    This device
                  </Badge>
                )}
              </Group>
              <Text size="sm" c="dimmed">
                From {s.address}, since <DateTimeText at={s.createdAt} />, last used <RelativeTimeText at={s.seenAt} />
              </Text>
            </div>
            {!s.current && (
              <Button
                variant="default"
                loading={end.isPending && end.variables === s.id}
                onClick={() => end.mutate(s.id)}
                aria-label={`Sign out there: ${describeDevice(s.agent)} at ${s.address}`}
              >
                Sign out there
              </Button>
            )}
          </Group>
        ))}
      </Stack>
    </Card>
  )
}
