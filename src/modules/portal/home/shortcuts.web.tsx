import '@mantine/core/styles/Card.layer.css'
import { Anchor, Card, List, Text, Title } from '@mantine/core'
import { Link } from 'react-router'
import { useMe } from '#web/api/me.ts'
import page from '#web/ui/page.module.css'

/** Links for users who have no staff, client administrator or reseller role. */
export function MemberShortcuts() {
  const me = useMe()
  return (
    <Card withBorder component="section" aria-labelledby="member-part" padding="lg">
      <Title order={2} id="member-part" mb="sm">
        What you can do here
      </Title>
      <List spacing="xs">
        <List.Item>
          <Anchor component={Link} to="/profile" className={page.alone}>
            View your details and the devices you are signed in on
          </Anchor>
        </List.Item>
        <List.Item>
          <Anchor component={Link} to="/config/users/set-my-password" className={page.alone}>
            Change your password
          </Anchor>
        </List.Item>
        <List.Item>
          <Anchor component={Link} to="/help" className={page.alone}>
            Read the help
          </Anchor>
        </List.Item>
      </List>
      <Text size="sm" c="dimmed" mt="md">
        If you need more access, ask an administrator at {me.client.company}: they can give you more roles.
      </Text>
    </Card>
  )
}
