import { useLocalStorage } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { hasRole } from '#kernel/roles.ts'
import { type Collection, callApi } from '#web/api/client.ts'
import { useActor } from '#web/api/me.ts'
import { DashboardSectionSkeleton } from '#web/dashboard/sections.tsx'
import type { ModuleDashboard } from '#web/shell/manifest/dashboard.ts'
import { BannerView, type VisibleBanner } from './banners/view.web.tsx'
import { client } from './clients/client.ts'
import { PORTAL_NAV, VISIBLE_BANNERS_PATH } from './nav.ts'
import '@mantine/core/styles/Card.layer.css'
import { Anchor, Card, List, Text, Title } from '@mantine/core'
import { Link } from 'react-router'
import { useMe } from '#web/api/me.ts'
import page from '#web/ui/page.module.css'

interface Answered extends VisibleBanner {
  readonly '@id': string
  readonly updatedAt: string
}

/** Banner of the given kind. Shown only if it is meant for the user and has changed since the user last hid it. */
function ShownBanner({ kind }: Pick<VisibleBanner, 'kind'>) {
  const { clientId, userId } = useActor()
  const [hidden, hide] = useLocalStorage({
    key: `stanchion-banner-${kind}-${clientId}-${userId}`,
    defaultValue: '',
    getInitialValueInEffect: false,
  })
  const all = useQuery({
    queryKey: [VISIBLE_BANNERS_PATH],
    queryFn: ({ signal }) => callApi<Collection<Answered>>('GET', VISIBLE_BANNERS_PATH, undefined, { signal }),
  })
  if (all.isLoading) return kind === 'info' ? <DashboardSectionSkeleton /> : null
  const banner = all.data?.['hydra:member'].find((one) => one.kind === kind)
  if (!banner || banner.updatedAt === hidden) return null
  return <BannerView banner={banner} onHide={() => hide(banner.updatedAt)} />
}

export default {
  parts: [
    { order: 0, isFor: () => true, draw: () => <ShownBanner kind="info" /> },
    { order: 100, isFor: () => true, draw: () => <ShownBanner kind="promo" /> },
    {
      order: 80,
      isFor: (actor) => !hasRole(actor, ['ROLE_STAFF', 'ROLE_CLIENT_ADMIN', 'ROLE_RESELLER']),
      draw: () => <MemberShortcuts />,
    },
  ],
  firstSteps: [
    {
      order: 30,
      isFor: (actor) => hasRole(actor, 'ROLE_CLIENTS_ADMIN'),
      title: 'Set up your first client',
      about: 'Add a company, its packs and its administrator.',
      icon: PORTAL_NAV.clients.icon,
      to: PORTAL_NAV.clients.path,
      // The step is done once there are two clients, because the provider itself is one.
      done: () => ({ url: client.url, from: 2 }),
    },
  ],
} satisfies ModuleDashboard

/** Links for users who have no staff, client administrator or reseller role. */
function MemberShortcuts() {
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
