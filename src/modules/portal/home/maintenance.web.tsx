import { Button, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { portalInfoOptions } from '#web/shell/pages/facts.ts'
import { PageTitle } from '#web/ui/page-title.tsx'

/**
 * Maintenance page with the reason and the time when the portal reopens. Checks repeatedly whether the portal is open
 * again.
 */
export default function MaintenancePage() {
  const facts = useQuery({ ...portalInfoOptions, refetchInterval: 30_000 })
  const closed = facts.data?.maintenance
  return (
    <Stack>
      <PageTitle>{closed ? 'Closed for maintenance' : 'The portal is open'}</PageTitle>
      <Text role="status">{closed || 'You can continue where you left off. Nothing has been lost.'}</Text>
      {closed ? (
        <Text size="sm" c="dimmed">
          This page checks every 30 seconds whether the portal is open again.
        </Text>
      ) : (
        <Button component={Link} to="/dashboard" w="fit-content">
          Go to the portal
        </Button>
      )}
    </Stack>
  )
}
