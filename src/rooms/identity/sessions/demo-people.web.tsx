import '@mantine/core/styles/Divider.layer.css'
import { Divider, Stack, Text, UnstyledButton } from '@mantine/core'
import type { Facts } from '#web/shell/pages/facts.ts'

interface Props {
  readonly people: Facts['demo']
  readonly note: string | null
  readonly busy: boolean
  readonly onChoose: (username: string) => void
}

/** The demonstration's people: one click signs in as one of them. */
export const DemoPeople = ({ people, note, busy, onChoose }: Props) => (
  <Stack gap="xs" component="section" aria-label="Demonstration sign-ins">
    <Divider label="Demonstration: sign in as" />
    <Stack gap={2}>
      {people.map((p) => (
        <UnstyledButton
          key={p.username}
          onClick={() => onChoose(p.username)}
          disabled={busy}
          px="sm"
          py={6}
          mih={44}
          bd="1px solid var(--mantine-color-default-border)"
          bdrs="md"
        >
          <Text component="span" fw={600} size="sm" display="block">
            {p.username}
          </Text>
          <Text component="span" size="sm" c="dimmed" display="block">
            {p.who}
          </Text>
        </UnstyledButton>
      ))}
    </Stack>
    {note && (
      <Text size="sm" c="dimmed">
        {note}
      </Text>
    )}
  </Stack>
)
