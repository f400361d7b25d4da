import { useLocalStorage } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { type Collection, call } from '#web/api/client.ts'
import { useActor } from '#web/api/me.ts'
import { PartAwaited } from '#web/dashboard/in-order.tsx'
import { SHOWN_BANNERS } from './banner.ts'
import { BannerView, type Shown } from './view.web.tsx'

interface Answered extends Shown {
  readonly '@id': string
  readonly updatedAt: string
}

/** The banner of a kind, where one is shown to this person and they have not hidden it since it was last changed. */
export function ShownBanner({ kind }: Pick<Shown, 'kind'>) {
  const { clientId, userId } = useActor()
  const [hidden, hide] = useLocalStorage({
    key: `stanchion-banner-${kind}-${clientId}-${userId}`,
    defaultValue: '',
    getInitialValueInEffect: false,
  })
  const all = useQuery({
    queryKey: [SHOWN_BANNERS],
    queryFn: ({ signal }) => call<Collection<Answered>>('GET', SHOWN_BANNERS, undefined, { signal }),
  })
  if (all.isLoading) return kind === 'info' ? <PartAwaited /> : null
  const banner = all.data?.['hydra:member'].find((one) => one.kind === kind)
  if (!banner || banner.updatedAt === hidden) return null
  return <BannerView banner={banner} onHide={() => hide(banner.updatedAt)} />
}
