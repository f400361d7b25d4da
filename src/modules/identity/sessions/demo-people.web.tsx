import '@mantine/core/styles/Divider.layer.css'
import { Divider, Stack, Text } from '@mantine/core'
import type { PortalInfo } from '#web/shell/pages/facts.ts'
import { Avatar } from '#web/ui/people/avatar.tsx'
import css from './demo-people.module.css'

interface Props {
  readonly people: PortalInfo['demo']
  readonly note: string | null
  readonly busy: boolean
  readonly onChoose: (username: string) => void
}

/** Buttons that sign in to the demo accounts. */
export const DemoAccounts = ({ people, note, busy, onChoose }: Props) => (
  <Stack gap="xs" component="section" aria-label="Demonstration accounts">
    <Divider label="Demonstration: sign in as" />
    <ul className={css.people}>
      {people.map(({ username, who }) => {
        const [name = who, company] = who.split(', ', 2)
        return (
          <li key={username}>
            <button type="button" className={css.person} onClick={() => onChoose(username)} disabled={busy}>
              <Avatar name={name} />
              <span>
                <strong>{name}</strong>
                <span className={css.company}>{company}</span>
                <span className={css.username}>{username}</span>
              </span>
            </button>
          </li>
        )
      })}
    </ul>
    {note && (
      <Text size="sm" c="dimmed">
        {note}
      </Text>
    )}
  </Stack>
)
